import type { Analysis, FileWrite, ShellCommand } from './analysis.ts';
import { everyCommand } from './every-command.ts';
import { guessCommands } from './guess-commands.ts';
import { type Loops, loopVariables, maySet } from './loop-words.ts';
import { loosenedProfile } from './loosened-profile.ts';
import { carriedBy } from './programs/carried-commands.ts';
import { isShell } from './programs/interpreters.ts';
import { placedGit } from './programs/placed-git.ts';
import { programName } from './programs/profile-of.ts';
import { literalWord, type ShellWord, unknownWord } from './shell-word.ts';
import { choicesOf, hasChoice, spellWord, unspelled } from './spell-word.ts';

/** Takes what a walk over a text finds, within limits. */
export interface Collector {
  doubt(why: string): void;
  command(words: readonly ShellWord[], sets: readonly string[], depth: number, flow: Flow): void;
  /** The text hands these words to whatever reads them. */
  give(words: readonly ShellWord[]): void;
  /** A variable gets one of these words, and so they are handed on too. */
  set(variable: string, words: readonly ShellWord[]): void;
  write(write: FileWrite): void;
  read(word: ShellWord): void;
  result(): Analysis;
}

/** Where a command stands. */
export interface Flow {
  /** It may run more than once. */
  readonly repeated?: boolean;
  /** What it prints may become words of other commands. */
  readonly feeds?: boolean;
  /** Variables of the loops around it whose words are all known. */
  readonly loops?: Loops;
}

type Words = readonly ShellWord[];

const noLoops: Loops = new Set();
const commandsMax = 300;
const foldersMax = 8;
const depthMax = 24;
/** Words that braces make in one text and that are looked at; it is doubted anyway. */
const choicesMax = 1000;

/**
 * `readText` reads the text of a shell that a command starts, into the same collector. `guessText` gives the words of the
 * commands of one that perhaps is none.
 */
export function createCollector(
  readText: (text: string, depth: number) => void,
  guessText: (text: string) => readonly Words[],
): Collector {
  const commands: ShellCommand[] = [];
  const writes: FileWrite[] = [];
  const reads: ShellWord[] = [];
  const folders = ['.'];
  /** Folders in which one command alone runs. */
  const visited: string[] = [];
  const known = new Map<string, readonly ShellWord[]>();
  const given: ShellWord[] = [];
  const printed: string[] = [];
  const named: Words[] = [];
  /** How often the text gives a variable its words, and which of them are relied on. */
  const times = new Map<string, number>();
  const relied = new Set<string>();
  const doubts = new Set<string>();
  let count = 0;
  let choices = 0;

  const spell = (words: readonly ShellWord[]) =>
    words.map((word) => {
      if (hasChoice(word)) choices += choicesOf(word);
      return choices > choicesMax && hasChoice(word) ? unspelled(word) : spellWord(word, known);
    });
  const told = (word: ShellWord, loops: Loops): ShellWord => {
    const variables = loopVariables(word, loops);
    for (const variable of variables ?? []) relied.add(variable);
    return variables === null ? word : { ...word, told: true };
  };
  const doubt = (why: string): void => {
    if (doubts.size < 20) doubts.add(why);
  };
  const below = ({ text }: ShellWord): readonly string[] =>
    folders.map((folder) => (text.startsWith('/') ? text : `${folder}/${text}`));
  const build = (words: readonly ShellWord[], sets: readonly string[], depth: number): ShellCommand | null => {
    const placed = placedGit(words);
    if (placed !== null) {
      visited.push(...below(placed.folder));
      reads.push(placed.folder);
      const built = build(placed.words, sets, depth);
      return built === null ? null : { ...built, written: words };
    }
    const name = words[0];
    if (words.some(hasChoice)) named.push(words.flatMap(chosen));
    if (++count > commandsMax) doubt('it runs more commands than can be judged');
    else if (depth > depthMax) doubt('commands are nested too deeply');
    else if (name === undefined || name.kind !== 'literal') {
      doubt(`the command word ${name?.text ?? ''} gets its value only when it runs`);
      for (const { text } of name?.spelled ?? []) {
        const first = text.split(/\s+/).filter((part) => part !== '');
        named.push([...first.map(literalWord), ...words.slice(1)]);
      }
    } else if (name.text === '') doubt('the command word is empty');
    else {
      const { profile, doubts: more } = loosenedProfile(words);
      more.forEach(doubt);
      if (setsPatterns(words)) doubt('it changes what patterns find');
      const inner = (profile.starts ?? [])
        .map((started) => build(started, [], depth + 1))
        .filter((one) => one !== null);
      for (const script of profile.scripts ?? []) readText(script, depth + 1);
      return { words, sets, profile, inner };
    }
    return null;
  };
  const enter = (target: ShellWord | undefined, repeated = false): void => {
    if (target === undefined || target.kind !== 'literal' || target.text.startsWith('-') || repeated) {
      doubt('it changes to a folder that is not known before it runs');
    } else if (folders.length >= foldersMax) doubt('it changes the folder too often');
    else folders.push(...below(target));
  };
  return {
    doubt,
    command(words, sets, depth, flow) {
      const built = build(
        spell(words).map((word) => told(word, flow.loops ?? noLoops)),
        sets,
        depth,
      );
      if (built === null) return;
      // Bash remembers the last word of each command under this name.
      known.set('_', [...(known.get('_') ?? []), ...built.words.slice(-1)]);
      const carried = everyCommand([built]).map((one) => carriedBy(one.words, one.profile));
      const seeds = { commands: carried.flatMap((one) => one.commands), texts: carried.flatMap(({ texts }) => texts) };
      commands.push({ ...built, perhaps: guessCommands(seeds, guessText) });
      const shown = printedBy(built, flow);
      given.push(...shown);
      printed.push(shown.map(({ text }) => text).join(' '), ...shown.map(({ text }) => text));
      const folder = folderOf(built);
      if (folder !== null) enter(folder.at(folder[0]?.text === '--' ? 1 : 0), flow.repeated);
    },
    give(words) {
      const spelled = spell(words);
      given.push(...spelled);
      printed.push(...spelled.flatMap((word) => [word.text, ...(word.spelled ?? []).map(({ text }) => text)]));
    },
    set(variable, words) {
      const spelled = spell(words);
      known.set(variable, [...(known.get(variable) ?? []), ...spelled]);
      times.set(variable, (times.get(variable) ?? 0) + 1);
      given.push(...spelled);
    },
    write: (write) => void writes.push(write),
    read: (word) => void reads.push(word),
    result: () => {
      const isSet = everyCommand(commands).some(({ words, profile }) =>
        maySet(words[0]?.text ?? '', profile.hazard === undefined),
      );
      for (const variable of relied) {
        if (isSet || (times.get(variable) ?? 0) > 1) doubt(`${variable} may hold more than the words of its loop`);
      }
      return {
        commands,
        writes,
        reads,
        given: commands.some(takesWords) ? given : [],
        perhaps: guessCommands(
          {
            commands: [...named, ...commands.flatMap((one) => filled(one, printed))],
            texts: commands.some(readsCode) ? printed : [],
          },
          guessText,
        ),
        folders: [...new Set([...folders, ...visited])],
        doubts: [...doubts],
      };
    },
  };
}

/** What braces make of a word. */
const chosen = (word: ShellWord): Words =>
  hasChoice(word)
    ? (word.spelled ?? []).filter(({ text }) => text !== '').map(({ text }) => literalWord(text))
    : [word];

/** Texts of which commands are guessed that one started with them. */
const filledMax = 8;

/** The commands that `xargs` could start, with the words that the text itself prints. */
function filled(command: ShellCommand, printed: readonly string[]): readonly Words[] {
  const texts = printed.filter((text) => text !== '').slice(0, filledMax);
  return everyCommand([command])
    .filter(({ words }) => programName(words[0]?.text ?? '') === 'xargs')
    .flatMap(({ inner }) => inner)
    .flatMap(({ words }) =>
      texts.map((text) => {
        const given = text.split(/\s+/).map(literalWord);
        return words.flatMap((word) => (word === unknownWord || word.text === '{}' ? given : [word]));
      }),
    );
}

/** The words behind `cd`, also where `command` or `builtin` stands before it; null for other commands. */
function folderOf({ words, inner }: ShellCommand): readonly ShellWord[] | null {
  if (words[0]?.text === 'cd' || words[0]?.text === 'pushd') return words.slice(1);
  const started = words[0]?.text === 'command' || words[0]?.text === 'builtin' ? inner[0] : undefined;
  return started === undefined ? null : folderOf(started);
}

/** Options of bash by which patterns find hidden files, or files at any depth. */
const setsPatterns = ([name, ...words]: readonly ShellWord[]): boolean =>
  name?.text === 'shopt' ||
  (isShell(programName(name?.text ?? '')) && words.some(({ text }) => /^[-+]\w*O/.test(text)));

/** Words that a command prints and that stand in the text. */
function printedBy({ words, inner }: ShellCommand, { feeds }: Flow): readonly ShellWord[] {
  const program = programName(words[0]?.text ?? '');
  if (program === 'find') {
    const names = words.slice(1).filter(({ text }) => !text.startsWith('-'));
    return feeds || inner.length > 0 ? names : [];
  }
  return feeds && /^(echo|printf)$/.test(program) ? words.slice(1) : [];
}

/** Files that are whatever is read. */
const isStream = /^\/(dev\/(stdin|fd\/)|proc\/self\/fd\/)/;

/** Whether a shell in it, or this one, takes commands from what it reads or from what the text itself makes. */
const readsCode = ({ words, profile, inner }: ShellCommand): boolean => {
  if (inner.some(readsCode)) return true;
  const program = programName(words[0]?.text ?? '');
  if (isShell(program)) return profile.hazard !== undefined;
  return (
    /^(eval|\.|source)$/.test(program) && words.some((word) => word.kind === 'dynamic' || isStream.test(word.text))
  );
};

/** Whether a command has words that are known only when it runs, or runs what it reads. */
const takesWords = ({ words, profile, inner }: ShellCommand): boolean =>
  inner.some(takesWords) ||
  isShell(programName(words[0]?.text ?? '')) ||
  (profile.pathless !== true &&
    words.some(
      ({ kind, single }, i) => kind === 'dynamic' && !(single === true && profile.values?.includes(i) === true),
    ));
