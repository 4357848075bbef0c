/**
 * Everything that a text takes away or could change, with the words that name it.
 *
 * 1. Where it cannot be told which files go, any file of the workspace may go (`words` is null).
 * 2. Nothing is looked up: what is not there is found out by whoever asks.
 */
import type { Loss } from '../contract.ts';
import type { Analysis, ShellCommand } from '../shell/analysis.ts';
import { isOfMachine, programName } from '../shell/programs/profile-of.ts';
import { type ShellWord, unknownWord } from '../shell/shell-word.ts';
import { type FoundFiles, foundBy, unknownFiles } from './found-files.ts';
import { anywhere, everything, reachOf } from './reach.ts';
import { stagesIgnored } from './staging.ts';
import { type Taken, takenBy } from './taken.ts';

export interface Taking extends Omit<Loss, 'paths' | 'unsure'> {
  /** `loses`: asked whatever lies there. */
  readonly how: 'loses' | 'writes' | Taken['how'];
  readonly words: readonly ShellWord[] | null;
  readonly deep: boolean;
  /** Its words come from a search that could find the git directory, or could not. */
  readonly findsGit?: boolean;
}

/** Several questions about one text begin with this. */
const known = new WeakMap<Analysis, readonly Taking[]>();

export function takingsOf(analysis: Analysis): readonly Taking[] {
  const takings = known.get(analysis) ?? findTakings(analysis);
  known.set(analysis, takings);
  return takings;
}

function findTakings(analysis: Analysis): readonly Taking[] {
  const takings = analysis.commands.flatMap((command) => takingsOfCommand(command, unknownFiles));
  for (const { word, append } of analysis.writes) {
    if (append || /^\/dev\/(null|stdout|stderr|tty|fd\/\d+)$/.test(word.text)) continue;
    takings.push(overwritten(`> ${word.text}`, word));
  }
  const reaching = stagesIgnored(analysis) ? takings.map(alsoIgnored) : takings;
  return (wanders(analysis) ? reaching.map(anywhereIfRelative) : reaching).map(fromHere);
}

/** What a text stages by force is no longer ignored when the text goes on. */
const alsoIgnored = (taking: Taking): Taking =>
  taking.takes.includes('changes') ? { ...taking, takes: everything } : taking;

/** `~+` is the folder at hand, for shells and people alike. */
const fromHere = (taking: Taking): Taking => ({ ...taking, words: taking.words?.map(wordFromHere) ?? null });
const wordFromHere = (word: ShellWord): ShellWord =>
  word.kind === 'pattern' ? { ...word, text: word.text.replace(/^~\+(?=\/|$)/, '.') } : word;

const overwritten = (what: string, word: ShellWord): Taking => ({
  what,
  why: `the present content of ${word.text} would be overwritten`,
  how: 'writes',
  takes: everything,
  words: [word],
  beyond: null,
  deep: false,
});

/** Whether paths may count from a folder that is not known. */
export function wanders({ doubts, commands }: Analysis): boolean {
  const leaves = ({ words, inner }: ShellCommand): boolean =>
    /^(pushd|popd)$/.test(words[0]?.text ?? '') ||
    (/^(env|sudo|doas)$/.test(programName(words[0]?.text ?? '')) &&
      words.some(({ text }) => /^(-[CD]|--ch)/.test(text))) ||
    inner.some(leaves);
  return doubts.some((why) => why.startsWith('it changes ')) || commands.some(leaves);
}

const anywhereIfRelative = (taking: Taking): Taking =>
  taking.words?.every(({ text }) => text.startsWith('/')) === true ? taking : { ...taking, words: null };

/** `isKnown`: what starts it takes what it is given, as far as anybody knows. */
function takingsOfCommand(command: ShellCommand, found: FoundFiles, isKnown = false): Taking[] {
  const { words, profile, inner } = command;
  const program = programName(words[0]?.text ?? '');
  const what = (): string => words.map(({ text }) => text).join(' ');
  const own: Taking[] = [];
  if (profile.loses !== undefined) {
    const reach = reachOf(program, words);
    const git = program === 'find' ? { findsGit: foundBy(words).hasGit } : {};
    own.push({
      what: what(),
      why: profile.loses.replace('…', 'what is found'),
      how: 'loses',
      deep: true,
      ...reach,
      ...among(reach.words, found),
      ...git,
    });
  }
  if (profile.losesIfThere !== undefined) {
    const { word, why } = profile.losesIfThere;
    own.push({
      what: what(),
      why,
      how: 'loses',
      takes: ['changes', 'untracked'],
      words: [word],
      beyond: null,
      deep: true,
    });
  }
  for (const { word, append, deep = false } of profile.writes ?? []) {
    if (!append) own.push({ ...overwritten(what(), word), deep, ...among([word], found) });
  }
  // What a profile tells is not told again.
  const isProfiled = ({ how }: Taken) =>
    (how === 'removes' && profile.loses !== undefined) || (how === 'overwrites' && profile.writes !== undefined);
  for (const taken of takenBy(program, words)) {
    if (isProfiled(taken)) continue;
    const { how, deep } = taken;
    own.push({ what: what(), why: reasonOf(program, taken), how, deep, ...anywhere, ...among(taken.words, found) });
  }
  const within = program === 'find' ? foundBy(words) : program === 'xargs' ? unknownFiles : found;
  const started = inner.flatMap((one) => takingsOfCommand(one, within, own.length > 0 && program !== 'find'));
  const isTold = isKnown || own.length + started.length > 0 || profile.transparent === true;
  const guess = isTold ? null : guessOf(program, words);
  if (guess === null) return [...own, ...started];
  const why = `${program} could change what it is given`;
  return [{ what: what(), why, how: 'may', deep: true, ...anywhere, ...among(guess.words, found) }];
}

/** What a command could change of which nothing is known; null where that is nothing. */
function guessOf(program: string, words: readonly ShellWord[]): Pick<Taking, 'words'> | null {
  // Their own words are no files, and what they start may stand behind options that are not understood.
  if (/^(env|sudo|doas)$/.test(program)) {
    const isTaking = words.some((word, i) => takenBy(programName(word.text), words.slice(i)).length > 0);
    return isTaking ? { words: null } : null;
  }
  const isShowing = showing.test(program) && isOfMachine(words[0]?.text ?? '');
  if (!words.some(isUnknown) || /^(find|xargs)$/.test(program) || isShowing) return null;
  return { words: words.slice(1) };
}

const verbs: { readonly [how in Taken['how']]: string } = {
  removes: 'deletes',
  overwrites: 'overwrites',
  edits: 'edits',
  moves: 'moves',
  may: 'could change',
};
const reasonOf = (program: string, { how, words }: Taken): string =>
  `${program} ${verbs[how]} ${words === null ? 'files' : words.map(({ text }) => (text === unknownWord.text ? 'what is found' : text)).join(' ')}`;

/** They only show what they are given. */
const showing =
  /^(cat|ls|grep|rg|head|tail|wc|file|stat|du|echo|printf|basename|dirname|realpath|readlink|cmp|diff|nl|od|strings|jq|test|\[|true|(md5|sha\d+|ck)?sum)$/;

const isUnknown = ({ kind, text }: ShellWord): boolean =>
  (kind === 'dynamic' && text === unknownWord.text) || text.includes('{}');

/** Words that only the run itself tells stand for what was searched for. */
function among(words: readonly ShellWord[] | null, found: FoundFiles): Partial<Taking> & Pick<Taking, 'words'> {
  if (words === null || !words.some(isUnknown)) return { words };
  const rest = words.filter((word) => !isUnknown(word));
  return { words: found.words === null ? null : [...rest, ...found.words], findsGit: found.hasGit, deep: true };
}
