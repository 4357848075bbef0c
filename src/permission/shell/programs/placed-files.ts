/** Where `cp`, `mv`, `install` and `ln` put things: under the name that is given, or under their own names in a folder. */
import type { FileWrite } from '../analysis.ts';
import { literalWord, type ShellWord } from '../shell-word.ts';
import { entryOf } from './options.ts';
import { type Grammar, grammar, readOptions } from './read-options.ts';

const common = '/backup? b v/verbose f/force S/suffix= t/target-directory= T/no-target-directory';
const grammars: { readonly [program: string]: Grammar } = {
  cp: grammar(
    `${common} R r/recursive a/archive d i/interactive H l/link L/dereference n/no-clobber P/no-dereference p /preserve? /parents /reflink? /remove-destination /sparse= /strip-trailing-slashes s/symbolic-link u/update? x/one-file-system Z /context?`,
  ),
  mv: grammar(`${common} i/interactive n/no-clobber u/update? Z /context? /strip-trailing-slashes /exchange`),
  install: grammar(`${common} C/compare d/directory D g/group= m/mode= o/owner= p s/strip /strip-program= Z /context?`),
  ln: grammar(`${common} i/interactive n/no-dereference s/symbolic r/relative L P d F`),
};

/** `program` is one of the four. */
export function placedFiles(program: string, words: readonly ShellWord[]): readonly FileWrite[] {
  const { given, operands } = readOptions(words.slice(1), entryOf(grammars, program) ?? []);
  const makesFolders = program === 'install' && given.has('directory');
  const folder = given.get('target-directory')?.at(-1);
  const isHere = program === 'ln' && operands.length === 1;
  const target = folder ?? (isHere ? literalWord('.') : operands.at(-1));
  if (target === undefined || makesFolders) return [];
  const sources = folder !== undefined || isHere ? operands : operands.slice(0, -1);
  const isWhole = program === 'cp' && ['R', 'recursive', 'archive'].some((name) => given.has(name));
  // Of a pattern the names are not known; of `a/.`, and to some programs of `a/`, the content goes into the folder.
  const isOpen = sources.some(
    ({ kind, text }) => kind !== 'literal' || given.has('parents') || /(^|\/)\.*$/.test(text),
  );
  const write = (word: ShellWord, deep: boolean): FileWrite => ({ word, append: false, needsEdit: false, deep });
  const own = sources.map(({ text }) => ({ kind: target.kind, text: `${target.text}/${text.replace(/^.*\//s, '')}` }));
  return isOpen
    ? [write(target, true)]
    : [write(target, isWhole && given.has('no-target-directory')), ...own.map((word) => write(word, isWhole))];
}
