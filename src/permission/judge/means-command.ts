/**
 * Whether a rule that denies or asks could mean a command. A command may be spelled in many ways, and what such a rule
 * finds too much costs a question or a refusal, so that options in front, other names and other orders all count.
 */
import { isSameCommand } from '../shell/programs/command-names.ts';
import { isOption } from '../shell/programs/options.ts';
import { isOfMachine, programName } from '../shell/programs/profile-of.ts';
import { type ShellWord, wordKey } from '../shell/shell-word.ts';
import type { CommandRule } from './rule-set.ts';

/** What one word may be. */
type Word = readonly string[];

/** A command as it may be spelled. */
interface Spelling {
  readonly words: readonly Word[];
  /** Only rules of so many words mean this one. */
  readonly least: number;
}

/** A test whether a rule could mean the command of these words, for any number of rules. */
export function meaningOf(words: readonly ShellWord[]): (rule: CommandRule) => boolean {
  const read = words.map((word): Word => [wordKey(word), ...(word.spelled ?? []).map(({ text }) => text)]);
  const spellings = spellingsOf(read);
  return (rule) => spellings.some((one) => rule.words.length >= one.least && isMeant(rule, one.words));
}

function isMeant({ words: [first, ...rest], prefix, stem }: CommandRule, [name, ...args]: readonly Word[]): boolean {
  if (first === undefined) return prefix;
  if (name?.some((one) => isProgram(first, one, stem && rest.length === 0)) !== true) return false;
  const last = rest.length - 1;
  const begins = (at: number): boolean => stem && at === last;
  const options = rest.map((text, at) => ({ text, begins: begins(at) })).filter(({ text }) => isOptionWord(text));
  const operands = rest.map((text, at) => ({ text, begins: begins(at) })).filter(({ text }) => !isOptionWord(text));
  if (!options.every((option) => hasOption(args, option.text, option.begins))) return false;
  const program = programName(first);
  let ends: ReadonlySet<number> = new Set([0]);
  for (const [at, operand] of operands.entries()) {
    const isHere = (word: string): boolean =>
      word === operand.text ||
      (operand.begins && word.startsWith(operand.text)) ||
      (at === 0 && isSameCommand(program, operand.text, word));
    const next = [...pastOptions(args, ends)].filter((end) => args[end]?.some(isHere) === true);
    ends = new Set(next.map((end) => end + 1));
  }
  if (prefix) return ends.size > 0;
  const isTold = (word: Word): boolean => options.some(({ text }) => hasOption([word], text, false));
  return [...ends].some((end) => args.slice(end).every(isTold));
}

const isOptionWord = (text: string): boolean => /^-./.test(text);

const mayBe = (word: Word | undefined, what: RegExp): boolean => word?.some((one) => what.test(one)) === true;

/** Where the next operand may stand: an option may take the word behind it as its value. */
function pastOptions(args: readonly Word[], from: ReadonlySet<number>): ReadonlySet<number> {
  const reached = new Set(from);
  for (const at of reached) {
    // What is known only when it runs may be one, or nothing; `+nightly` is one to some.
    if (mayBe(args[at], /^([-+].|\0\0)/)) reached.add(at + 1).add(at + 2);
  }
  return reached;
}

/** Letters that may be one word to a rule, as in `-rf`. */
const isCluster = (text: string): boolean => /^-[A-Za-z]{1,3}$/.test(text);

function hasOption(args: readonly Word[], option: string, begins: boolean): boolean {
  const words = args.flat();
  if (words.some((word) => word === option || (begins && word.startsWith(option)))) return true;
  if (option.startsWith('--')) return words.some((word) => isOption(word, { long: [option] }));
  if (!isCluster(option)) return false;
  const given = words.filter((word) => /^-[A-Za-z]{1,5}$/.test(word)).join('');
  return [...option].every((letter) => given.includes(letter));
}

/** Whether the word of a command may be the program that a rule names. */
function isProgram(rule: string, word: string, begins: boolean): boolean {
  if (rule.includes('/') && !isOfMachine(rule)) return word.includes('/') && isSamePath(rule, word);
  const [meant, said] = [nameOf(rule), nameOf(word)];
  if (meant === said || (begins && said.startsWith(meant))) return true;
  const known = programName(word);
  if (known === meant) return true;
  return known === programName(rule) && (said.startsWith(meant) || meant.startsWith(said));
}

const nameOf = (word: string): string => word.slice(word.lastIndexOf('/') + 1).toLowerCase();

/** As far as both say where the program lies. */
function isSamePath(a: string, b: string): boolean {
  const [one, other] = [a, b].map((path) => path.split('/').filter((part) => part !== '' && part !== '.'));
  const shorter = Math.min(one?.length ?? 0, other?.length ?? 0);
  return one?.slice(-shorter).join('/') === other?.slice(-shorter).join('/');
}

/** The same command as other programs and other commands of its own would have it. */
function spellingsOf(words: readonly Word[]): readonly Spelling[] {
  const [name = [], ...args] = words;
  const all = [words];
  for (const one of name) {
    for (const [, program = '', command = ''] of nameOf(one).matchAll(/^([a-z]\w*)-(\w.*)$/gs)) {
      all.push([[program], [command], ...args]);
    }
  }
  const [sub = [], ...rest] = args;
  const joined = name.flatMap((one) => sub.filter((two) => /^\w/.test(two)).map((two) => `${nameOf(one)}-${two}`));
  all.push([joined, ...rest]);
  const program = programName(name[0] ?? '');
  const isManager = /^(npm|pnpm|yarn|bun)$/.test(program);
  if (isManager) all.push(...ofScripts(program, name, args));
  if (/^(docker|podman|nerdctl)$/.test(program)) all.push(...ofObjects(name, args));
  const spellings = all.map((one): Spelling => ({ words: one, least: 0 }));
  // Only a rule that names the script: each command would be a run to others.
  return isManager ? [...spellings, { words: [name, ['run'], ...args.map(scriptName)], least: 3 }] : spellings;
}

/** What a container program does with an object may be said without naming it. */
function ofObjects(name: Word, args: readonly Word[]): readonly (readonly Word[])[] {
  const at = args.findIndex((word) => mayBe(word, /^(container|image|system|builder)$/));
  if (at === -1) return [];
  const isImage = mayBe(args[at], /^image$/) && mayBe(args[at + 1], /^(rm|remove)$/);
  return [[name, ...args.toSpliced(at, 1)], ...(isImage ? [[name, ['rmi'], ...args.slice(at + 2)]] : [])];
}

/** To package managers a script may be a command. */
function ofScripts(program: string, name: Word, args: readonly Word[]): readonly (readonly Word[])[] {
  const at = args.findIndex((word) => mayBe(word, /^(run|run-script|rum|urn)$/));
  const plain = at === -1 ? [] : [[name, ...args.toSpliced(at, 1)]];
  const isBare = program === 'yarn' && args.every((word) => mayBe(word, /^-(?!-?[vh])/));
  return [...plain, ...(isBare ? [[name, ...args, ['install']]] : [])];
}

const scriptName = (word: Word): Word => word.map((one) => (/^(t|tst)$/.test(one) ? 'test' : one));
