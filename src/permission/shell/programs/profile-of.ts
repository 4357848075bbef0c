import type { Profile } from '../analysis.ts';
import { literalWord, type ShellWord } from '../shell-word.ts';
import { builtinProfile } from './builtins.ts';
import { cmakeToolProfile } from './cmake-tools.ts';
import { hasKnownOptions, optionHazard } from './dangerous-options.ts';
import { fileProfile } from './files.ts';
import { gitProfile } from './git.ts';
import {
  alwaysHazard,
  coverageProfile,
  interpreterProfile,
  isInterpreter,
  isShell,
  shellProfile,
} from './interpreters.ts';
import { knownOptionsProfile } from './known-options.ts';
import { entryOf } from './options.ts';
import { managesPackages } from './package-managers.ts';
import { repositoryProfile } from './repositories.ts';
import { isPackageRunner, isRunner, runnerProfile } from './runners.ts';
import { awkProfile, patternProfile, queryProfile, sedProfile } from './text-programs.ts';
import { unknownProfile } from './unknown-programs.ts';
import { findProfile, wrapperProfile } from './wrappers.ts';
import { writtenFiles } from './written-files.ts';

/** What the words of a command say about it. The first word is literal. */
export function profileOf(words: readonly ShellWord[]): Profile {
  const word = words[0]?.text ?? '';
  const program = programName(word);
  const told = known(program, words);
  const profile = withWrites(isOfMachine(word) ? told : ofAnyProgram(told), program, words);
  // Words that appear when it runs may be options of any kind.
  if (profile.pathless === true || profile.loses !== undefined || profile.hazard !== undefined) return profile;
  const values = profile.values ?? [];
  const isCertain = (word: ShellWord, i: number): boolean =>
    word.told === true ||
    (word.single === true && values.includes(i)) ||
    (word.fed === true && comparing.test(program));
  const dynamic = words.find((word, i) => word.kind === 'dynamic' && !isCertain(word, i));
  if (dynamic !== undefined) return { ...profile, hazard: `"${dynamic.text}" gets its value only when it runs` };
  return profile;
}

/** They only show or compare what they read, also what a process substitution hands them. */
const comparing = /^(cat|cmp|comm|diff|head|join|paste|tail|wc)$/;

/**
 * Whether a word names the program that the machine or the shell itself has under that name. One of a folder, or in
 * other letters, may be any program: it is known by its name only where that narrows.
 */
export const isOfMachine = (word: string): boolean =>
  /^((\/usr)?\/bin\/)?[^/]+$/.test(word) && !/[A-Z]|\.exe$/.test(word);

/** What holds of a program that may be another one than its name says. */
function ofAnyProgram(profile: Profile): Profile {
  const { transparent, free, pathless, notPaths, values, ...narrowing } = profile;
  return narrowing;
}

/** What a profile does not tell of the files that the command writes. */
function withWrites(profile: Profile, program: string, words: readonly ShellWord[]): Profile {
  if (profile.writes !== undefined || profile.pathless === true) return profile;
  // What code writes, its options do not tell.
  if (isShell(program) || isInterpreter(program) || isRunner(program)) return profile;
  const writes = writtenFiles(program, words);
  return writes.length === 0 ? profile : { ...profile, writes };
}

/** The name under which a program is known: without folder, version and the letter of its GNU variant. */
export function programName(word: string): string {
  const name = names.get(word) ?? findName(word);
  if (names.size >= namesMax) names.clear();
  if (word.length <= nameMax) names.set(word, name);
  return name;
}

/** The same few programs are asked for again and again. */
const names = new Map<string, string>();
const namesMax = 500;
const nameMax = 40;

function findName(word: string): string {
  const file = word.slice(word.lastIndexOf('/') + 1).toLowerCase();
  const name = file.endsWith('.exe') ? file.slice(0, -4) : file;
  const known = versioned.exec(name)?.[1] ?? name;
  return entryOf(aliases, known) ?? known;
}

/** Those whose version may stand behind their name. */
const versioned = /^((?:python|pypy|graalpy|py)(?=[\d.]*w?$)|(?:perl|ruby|php|luajit|lua|node|tclsh|pip)(?=[\d.]*$))/;

const aliases: { readonly [name: string]: string } = {
  pypy: 'python',
  graalpy: 'python',
  py: 'python',
  luajit: 'lua',
  nodejs: 'node',
  gawk: 'awk',
  mawk: 'awk',
  nawk: 'awk',
  'original-awk': 'awk',
  gsed: 'sed',
  gfind: 'find',
  gtar: 'tar',
  gxargs: 'xargs',
  genv: 'env',
  gtimeout: 'timeout',
  gsort: 'sort',
  ggrep: 'grep',
  grm: 'rm',
  bsdtar: 'tar',
  egrep: 'grep',
  fgrep: 'grep',
  zgrep: 'grep',
  ripgrep: 'rg',
  fdfind: 'fd',
  batcat: 'bat',
  'py.test': 'pytest',
  'g++': 'gcc',
  cc: 'gcc',
  'c++': 'gcc',
  clang: 'gcc',
  'clang++': 'gcc',
  gdiff: 'diff',
  zdiff: 'diff',
  rgrep: 'grep',
  ug: 'ugrep',
  clj: 'clojure',
  runhaskell: 'runghc',
  'trash-put': 'trash',
  rmtrash: 'trash',
  'gvfs-trash': 'trash',
  zless: 'less',
  more: 'less',
  most: 'less',
};

function known(program: string, words: readonly ShellWord[]): Profile {
  switch (program) {
    case 'tar':
      if (!/^-?[vzjJ]*t[vzjJ]*f?$|^--list$/.test(words[1]?.text ?? '')) return { hazard: 'tar writes files' };
      break;
    case 'git':
      return gitProfile(words);
    case 'find':
      return findProfile(words);
    case 'sed':
      return sedProfile(words);
    case 'awk':
      return awkProfile(words);
    case 'grep':
    case 'rg':
      return patternProfile(program, words);
    case 'jq':
    case 'gojq':
    case 'jaq':
    case 'yq':
    case 'xq':
    case 'tomlq':
      return queryProfile(program, words);
  }
  if (program.startsWith('git-') && program !== 'git-shell') {
    const part = gitProfile([literalWord(program), literalWord(program.slice(4)), ...words.slice(1)]);
    return part.loses !== undefined ? part : { hazard: `${program} is a part of git` };
  }
  if (isShell(program)) return shellProfile(words);
  if (namesProgram(program, words)) return ofNamed(words, 2);
  const why = alwaysHazard(program);
  if (why !== null) return { hazard: `${program}: ${why}`, ...startedBy(words) };
  const found =
    builtinProfile(program, words) ??
    wrapperProfile(program, words) ??
    interpreterProfile(program, words) ??
    fileProfile(program, words) ??
    repositoryProfile(program, words) ??
    runnerProfile(program, words) ??
    (program === 'cmake' ? cmakeToolProfile(words) : null) ??
    (program === 'coverage' ? coverageProfile(words) : null);
  if (found?.hazard === undefined && isPackageRunner(program)) return ofNamed(words, 1);
  if (found !== null) return program === 'python' ? withModule(found, words) : found;
  const options = optionHazard([literalWord(program), ...words.slice(1)]);
  if (options.hazard !== undefined) return options;
  return knownOptionsProfile(program, words) ?? (hasKnownOptions(program) ? {} : unknownProfile(program, words));
}

/** A module of Python may be a program that is known (`python -m uv run x`), and counts as that where it narrows. */
function withModule(found: Profile, words: readonly ShellWord[]): Profile {
  // What has a pin is run by name.
  if (found.pin === undefined) return found;
  const at = words.findIndex(({ text }) => text === '-m');
  const name = programName((words[at + 1]?.text ?? '').replaceAll('_', '-'));
  const behind = words.slice(at + 1);
  const isKnown = alwaysHazard(name) !== null || managesPackages(name) || isFramework.test(name);
  const as = withWrites(isKnown ? known(name, [literalWord(name), ...behind.slice(1)]) : {}, name, behind);
  const pin = Math.max(found.pin, at + 1 + (as.pin ?? 0));
  return { ...ofAnyProgram(as), ...found, pin };
}

/** They take code from their words, or from whoever types it, behind a verb. */
const isFramework = /^(django|flask|celery)$/;

/** They run, among what a project installs, the program that their second word names. */
const inProject: { readonly [program: string]: RegExp } = {
  uv: /^run$/,
  poetry: /^run$/,
  pipenv: /^run$/,
  pdm: /^run$/,
  rye: /^run$/,
  bundle: /^exec$/,
};

const namesProgram = (program: string, words: readonly ShellWord[]): boolean =>
  entryOf(inProject, program)?.test(words[1]?.text ?? '') === true &&
  words[2]?.kind === 'literal' &&
  !words[2].text.startsWith('-');

/** What a program of a package or a project does that is run by its name, which stands at `at`, is told by the words behind it. */
function ofNamed(words: readonly ShellWord[], at: number): Profile {
  const behind = words.slice(at);
  const name = programName(behind[0]?.text ?? '');
  const profile = withWrites(known(name, behind), name, behind);
  // The rule names the program itself, and its words count from another place.
  const pin = (profile.pin ?? 1) + at;
  return { ...ofAnyProgram(profile), pin };
}

/** A guess at the command in the words, so that a rule that denies it is not passed by. */
function startedBy(words: readonly ShellWord[]): Pick<Profile, 'starts'> {
  const at = words.findIndex(
    ({ text, kind }, i) => i > 0 && kind === 'literal' && /^[\w./-]+$/.test(text) && !/^[-\d]/.test(text),
  );
  return at === -1 ? {} : { starts: [words.slice(at)] };
}
