/**
 * Commands that may stand in the words of one that starts others in a way which is not followed. It is a guess that finds
 * too many: good for naming what must not run, and for nothing else.
 */
import type { Profile } from '../analysis.ts';
import { literalWord, type ShellWord } from '../shell-word.ts';
import { builtinProfile } from './builtins.ts';
import { hasKnownOptions } from './dangerous-options.ts';
import { isFolderBound } from './folder-bound.ts';
import { alwaysHazard, isShell, startsOthers } from './interpreters.ts';
import { programName } from './profile-of.ts';
import { isPackageRunner } from './runners.ts';
import { isHarmless } from './unknown-programs.ts';
import { isWrapper } from './wrappers.ts';

type Words = readonly ShellWord[];

export interface Carried {
  readonly commands: readonly Words[];
  /** Words that it may run as shell texts. */
  readonly texts: readonly string[];
}

const none: Carried = { commands: [], texts: [] };
/** Commands that are guessed of one. */
const commandsMax = 8;

/** `profile`: that of the words. What it tells to start is not told again. */
export function carriedBy(words: Words, profile: Profile): Carried {
  const [first, ...rest] = words;
  const program = programName(first?.text ?? '');
  if (isShell(program) || /^(\.|source)$/.test(program)) return { commands: scriptOf(rest), texts: [] };
  if (program === 'python') return { commands: moduleOf(rest), texts: [] };
  if (program === 'alias') return { commands: [], texts: rest.flatMap(aliasText) };
  if (program === 'fd') return behind(rest, /^(-[xX]|--exec(-batch)?)$/);
  if (isPackageRunner(program) || startsOthers(program)) return guessed(rest);
  if (isWrapper(program)) return profile.hazard === undefined ? none : guessed(rest);
  if (program === 'git') return ofGit(rest);
  if (isFolderBound(program) && alwaysHazard(program) === null) return behind(rest, verbs);
  if (isProgram(program)) return none;
  const own = guessed(rest, 1);
  return { ...own, commands: [...own.commands, ...behind(rest, /^--$/).commands] };
}

/** Verbs of package managers and the like, behind which a command line stands. */
const verbs = /^(exec|x|dlx|run|run-script)$/;

/** Commands of git that start one for each commit or module, and names that its words give to others. */
function ofGit(words: Words): Carried {
  const runs = words.some(({ text }) => /^(bisect|rebase|submodule)$/.test(text));
  const { commands, texts } = runs ? behind(words, /^(run|foreach|-x|--exec)$/) : none;
  const aliases = words.flatMap(({ text }) => {
    const [, foreign, command] = /^alias\.[^=]+=(!?)(.+)$/s.exec(text) ?? [];
    return command === undefined ? [] : [foreign === '!' ? command : `git ${command}`];
  });
  return { commands, texts: [...texts, ...aliases] };
}

function behind(words: Words, before: RegExp): Carried {
  const at = words.findIndex(({ text }) => before.test(text));
  return at === -1 ? none : guessed(words.slice(at + 1));
}

/**
 * From each word on that may be a program: options may take the word behind them, and operands of the program itself
 * may come first. `operands`: how many words that are certainly no values of options count.
 */
function guessed(words: Words, operands = commandsMax): Carried {
  const commands: Words[] = [];
  let left = operands;
  for (let at = 0; at < words.length && commands.length < commandsMax && left > 0; at++) {
    const { kind, text } = words[at] as ShellWord;
    if (kind !== 'literal' || !/^[\w./~+][^\s=]*$/.test(text) || /^[\d.]+[smhd]?$/.test(text)) continue;
    commands.push(words.slice(at));
    if (/^-(?!-$)/.test(words[at - 1]?.text ?? '')) continue;
    left--;
    // What follows a program are its own words.
    if (isProgram(programName(text)) || isWrapper(text)) break;
  }
  const texts = words.filter(({ kind, text }) => kind === 'literal' && /\S\s+\S/.test(text)).map(({ text }) => text);
  return { commands, texts };
}

const isProgram = (name: string): boolean =>
  isFolderBound(name) ||
  hasKnownOptions(name) ||
  isHarmless(name) ||
  usual.has(name) ||
  builtinProfile(name, [literalWord(name)]) !== null;

const usual: ReadonlySet<string> = new Set(
  'awk cd cp curl dd find install ln mv rm sed shred sponge srm tee trash truncate'.split(' '),
);

/** The script that a shell is given is the program itself. */
function scriptOf(words: Words): readonly Words[] {
  const at = words.findIndex(({ text }) => !/^[-+]/.test(text));
  const script = words[at];
  if (script?.kind !== 'literal' || words.slice(0, at).some(({ text }) => /^-\w*c/.test(text))) return [];
  return [[script.text.includes('/') ? script : literalWord(`./${script.text}`), ...words.slice(at + 1)]];
}

/** A module that is run, such as `pip`, is the program of that name. */
function moduleOf(words: Words): readonly Words[] {
  const at = words.findIndex(({ text }) => /^-[A-Za-z]*m/.test(text));
  const attached = words[at]?.text.replace(/^-[A-Za-z]*?m/, '') ?? '';
  if (at === -1) return [];
  return [attached === '' ? words.slice(at + 1) : [literalWord(attached), ...words.slice(at + 1)]];
}

const aliasText = ({ text }: ShellWord): readonly string[] => {
  const value = /^[^=]+=(['"]?)(.*)\1$/s.exec(text)?.[2];
  return value === undefined ? [] : [value];
};
