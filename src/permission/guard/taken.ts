/**
 * What programs remove, replace, edit or move of the files that their words name, besides those whose loss is certain
 * enough to be asked about whatever lies there (`Profile.loses`).
 */
import { findOption } from '../shell/programs/options.ts';
import { literalWord, type ShellWord } from '../shell/shell-word.ts';
import { operandsOf, valuesOf, written } from './operands.ts';

export interface Taken {
  /** `moves`: it is elsewhere then. `may`: nobody knows, so it is kept and not asked about. */
  readonly how: 'removes' | 'overwrites' | 'edits' | 'moves' | 'may';
  /** Null: any file of the workspace. */
  readonly words: readonly ShellWord[] | null;
  /** What lies in a named folder goes with it. */
  readonly deep: boolean;
}
type How = Taken['how'];
type Words = readonly ShellWord[];

const taken = (how: How, words: Words | null, deep = false): readonly Taken[] =>
  words === null || words.length > 0 ? [{ how, words, deep }] : [];
const has = (words: Words, short: string, ...long: readonly string[]): boolean =>
  findOption(words.slice(1), { short, long }) !== null;

const packing = /^(un)?(gzip|bzip2|xz|lzma|lzip|compress|pigz|pbzip2|pixz)$|^(gunzip|bunzip2)$/;

export function takenBy(program: string, words: Words): readonly Taken[] {
  const operands = operandsOf(words);
  switch (program) {
    case 'rm':
    case 'trash':
    case 'unlink':
      return taken('removes', operands, true);
    case 'gio':
      return byGio(operands);
    case 'zstd':
    case 'lz4':
      return has(words, '', '--rm') ? taken('removes', operands) : [];
    case 'zip':
      return has(words, 'm', '--move') ? taken('removes', operands, true) : [];
    case 'tar':
      if (has(words, '', '--remove-files')) return taken('removes', operands, true);
      return /^-?[a-zA-Z]*x/.test(words[1]?.text ?? '') || has(words, 'x', '--extract', '--get')
        ? taken('may', null)
        : [];
    case 'sort':
    case 'shuf':
    case 'iconv':
    case 'tree':
      return taken('overwrites', valuesOf(words, 'o', ['--output']));
    case 'curl':
      return taken('overwrites', [
        ...valuesOf(words, 'oD', ['--output', '--dump-header', '--cookie-jar', '--stderr']),
        ...(has(words, 'OJ', '--remote-name-all') ? downloads(words, operands) : []),
      ]);
    case 'wget':
      return taken('overwrites', valuesOf(words, 'Oo', ['--output-document', '--output-file']));
    case 'uniq':
    case 'xxd':
      return taken('overwrites', operands.slice(1));
    case 'sponge':
      return has(words, 'a') ? [] : taken('overwrites', operands);
    case 'find':
      return taken(
        'overwrites',
        words.filter((_word, i) => /^-(fprint0?|fprintf|fls)$/.test(words[i - 1]?.text ?? '')),
      );
    case 'rsync':
      return synchronised(words, operands);
    case 'cp':
    case 'mv':
    case 'install':
    case 'ln':
      return placed(program, words);
    case 'rename':
    case 'prename':
      return taken('moves', operands);
    case 'sed':
      return has(words, 'i', '--in-place') ? taken('edits', behindScript(words, operands)) : [];
    case 'perl':
    case 'ruby':
      return words.some(({ text }) => /^-[A-Za-z0-9]*i/.test(text))
        ? taken('edits', behindScript(words, operands))
        : [];
    default:
      return packing.test(program) && !has(words, 'cklt', '--stdout', '--to-stdout', '--keep', '--list', '--test')
        ? taken('removes', operands, has(words, 'r', '--recursive'))
        : [];
  }
}

/** The first operand says what it does; an address of a file is its path. */
function byGio([verb, ...rest]: Words): readonly Taken[] {
  const paths = rest.map((word) => ({ ...word, text: word.text.replace(/^file:\/\//, '') }));
  switch (verb?.text) {
    case 'trash':
    case 'remove':
      return taken('removes', paths, true);
    case 'move':
      return [...taken('moves', paths.slice(0, -1), true), ...taken('overwrites', paths.slice(-1))];
    case 'copy':
    case 'save':
      return taken('overwrites', paths.slice(-1));
    default:
      return verb === undefined || verb.kind === 'literal' ? [] : taken('may', null);
  }
}

/** Files that are named as the last part of their addresses. */
function downloads(words: Words, operands: Words): Words {
  const folders = valuesOf(words, '', ['--output-dir']);
  return operands.flatMap((word) => {
    const name = /^[^?#]*\/([^/?#]+)/.exec(word.text)?.[1];
    if (name === undefined) return [];
    const here: ShellWord = { ...word, text: name };
    return [here, ...folders.map((folder) => inFolder(folder, here))];
  });
}

function synchronised(words: Words, operands: Words): readonly Taken[] {
  const isLocal = ({ text }: ShellWord) => !/^[^/]*:/.test(text);
  const to = operands.slice(-1).filter(isLocal);
  const isDeleting = words.some(({ text }) => /^--(del|delete)/.test(text));
  return [
    ...taken(isDeleting ? 'overwrites' : 'may', to, true),
    ...(has(words, '', '--remove-source-files') ? taken('removes', operands.slice(0, -1).filter(isLocal), true) : []),
  ];
}

/** `cp`, `mv`, `install`, `ln`: into a folder things go under their own names. */
function placed(program: string, words: Words): readonly Taken[] {
  const folders = valuesOf(words, 't', ['--target-directory']);
  const operands = operandsOf(words).filter((word) => !folders.includes(word));
  const isHere = program === 'ln' && operands.length === 1;
  const to = folders[0] ?? (isHere ? literalWord('.') : operands.at(-1));
  const from = folders.length > 0 || isHere ? operands : operands.slice(0, -1);
  const moved = program === 'mv' ? taken('moves', from, true) : [];
  const spares = program === 'ln' ? !has(words, 'f', '--force') : has(words, 'n', '--no-clobber');
  if (to === undefined || spares) return moved;
  const isWhole = program === 'cp' && has(words, 'rRa', '--recursive', '--archive');
  const isOpen = from.some(({ kind, text }) => kind === 'dynamic' || /[{}]|(^|\/)\.{1,2}\/*$/.test(text));
  if (isOpen) return [...moved, ...taken('overwrites', [to], true)];
  const targets = from.map((word) =>
    inFolder(to, { ...word, text: word.text.replace(/\/+$/, '').replace(/^.*\//s, '') }),
  );
  const replaced = taken('overwrites', [to], isWhole && has(words, 'T', '--no-target-directory'));
  return [...moved, ...replaced, ...taken('overwrites', targets, isWhole)];
}

function inFolder(folder: ShellWord, name: ShellWord): ShellWord {
  if (folder.kind === 'literal' && name.kind === 'literal') return literalWord(`${folder.text}/${name.text}`);
  const kind = folder.kind === 'dynamic' || name.kind === 'dynamic' ? 'dynamic' : 'pattern';
  return { kind, text: `${written(folder)}/${written(name)}` };
}

/** The operands behind a small program, which is one of them unless an option holds it. */
function behindScript(words: Words, operands: Words): Words {
  const scripts = valuesOf(words, 'eEf', ['--expression', '--file']);
  return scripts.length === 0 ? operands.slice(1) : operands.filter((word) => !scripts.includes(word));
}
