import { compilePathGlob } from '../rules/path-glob.ts';
import { literalWord, type ShellWord } from '../shell/shell-word.ts';

/** What a search hands to the commands that it starts. */
export interface FoundFiles {
  /** The folders that are searched. */
  readonly starts: readonly ShellWord[];
  /** What covers everything that is found; null: not known. */
  readonly words: readonly ShellWord[] | null;
  /** The git directory could be among what is found below them. */
  readonly hasGit: boolean;
}
export const unknownFiles: FoundFiles = { starts: [], words: null, hasGit: false };

const negation = /^(!|-not)$/;

/** Of the words of `find`. */
export function foundBy(words: readonly ShellWord[]): FoundFiles {
  const end = words.findIndex(({ text }) => /^[-(!]/.test(text) && !/^-[HLPDO]/.test(text));
  const starts = words.slice(1, end === -1 ? undefined : end).filter(({ text }) => !text.startsWith('-'));
  const tests = words.flatMap(({ text }, i) =>
    /^-i?(name|path|wholename|regex)$/.test(text)
      ? [{ value: words[i + 1]?.text ?? '', isNegated: negation.test(words[i - 1]?.text ?? ''), at: i }]
      : [],
  );
  const isPruned = (at: number): boolean => words[at + 2]?.text === '-prune';
  const wanted = tests.filter(({ isNegated, at }) => !isNegated && !isPruned(at));
  const spares = tests.some(({ value, isNegated, at }) => (isNegated || isPruned(at)) && value.includes('.git'));
  const texts = words.map(({ text }) => text);
  const isEmpty = texts.includes('-empty');
  const isFlat = /-maxdepth 1( |$)/.test(texts.join(' ')) && /-type f( |$)/.test(texts.join(' '));
  const hasGit = wanted.length > 0 ? wanted.some(({ value }) => meansGit(value)) : !spares && !isEmpty && !isFlat;
  const folders = starts.length === 0 ? [literalWord('.')] : starts;
  return { starts: folders, words: namedBelow(folders, words) ?? folders, hasGit };
}

/** The names that one plain `-name` finds below plain folders. */
function namedBelow(folders: readonly ShellWord[], words: readonly ShellWord[]): readonly ShellWord[] | null {
  const tests = words.flatMap(({ text }, i) => (text === '-name' ? [words[i + 1]?.text ?? ''] : []));
  const [name = ''] = tests;
  const isPlain =
    tests.length === 1 &&
    /^[\w.*?-]+$/.test(name) &&
    !words.some(({ text }) => /^(-o|-or|,|!|-not|-L|-follow)$/.test(text)) &&
    folders.every(({ text }) => /^[\w./-]+$/.test(text));
  return isPlain ? folders.map(({ text }) => ({ kind: 'pattern', text: `${text}/**/${name}` })) : null;
}

/** Whether a pattern says `.git`, or a name pattern finds it and little else. */
function meansGit(pattern: string): boolean {
  if (/(^|\/)\.git(\/|$)/.test(pattern)) return true;
  const glob = compilePathGlob(pattern);
  return glob.ok && glob.value('.git');
}
