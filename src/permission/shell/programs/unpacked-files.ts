/**
 * Programs that write files whose names stand in their input: in an archive, in a patch. Nobody knows the names before
 * it runs, so anything below the folder may be written, hooks of git and settings of editors among it.
 */
import { literalWord, type ShellWord } from '../shell-word.ts';
import { subcommandAt } from './git.ts';
import { entryOf } from './options.ts';
import { type Grammar, grammar, readOptions } from './read-options.ts';

type Words = readonly ShellWord[];

/** Each use of theirs, as far as their first word does not say that it only shows. */
const always =
  /^(7z|7za|7zr|7zz|7zzs|arj|atool|aunpack|bsdcpio|bsdunzip|cabextract|cpio|dtrx|innoextract|lha|msiextract|munpack|ouch|pax|p7zip|quilt|rar|miniunzip|ripmime|star|unace|unar|unp|unrar|unrar-free|unshield|unsquashfs|unzip|uudecode|wiggle|wimapply|wimextract|zoo)$/;
/** Words with which a program writes. */
const verbs: { readonly [program: string]: RegExp } = {
  ar: /^-?[a-zA-Z]*x/,
  asar: /^(e|ef|extract|extract-file)$/,
  ditto: /^-/,
  'dpkg-deb': /^(-[a-zA-Z]*[xXR]|--(ex|vex|raw|fsys)[\w-]*)$/,
  gcab: /^(-[a-zA-Z]*x|--ext\w*)/,
  hg: /^(import|patch|imp\w*)$/,
  jar: /^(-?[a-zA-Z0]*x|--ex\w*)/,
  svn: /^patch$/,
  wheel: /^unpack$/,
  xar: /^(-[a-zA-Z]*x|--ext\w*)/,
};
/** The first word of those that only show what is in an archive, or test it. */
const shows = /^(l|lb|lt|t|v|vb|vt|i)$/;

const patching = grammar(
  'p/strip= R/reverse N/forward s/quiet /silent /verbose f/force t/batch l/ignore-whitespace F/fuzz= E/remove-empty-files u/unified c/context n/normal /binary /dry-run C/check',
);
const applying = grammar(
  '/check /stat /numstat /summary /apply p= R/reverse v/verbose q/quiet C= 3/3way /index /cached N/intent-to-add /recount /ignore-whitespace /unidiff-zero /whitespace= /directory= /include= /exclude=',
);
const gives = (words: Words, known: Grammar, one: readonly string[], none: string | null = null): boolean => {
  const { given, strange } = readOptions(words, known);
  return strange === null && one.some((name) => given.has(name)) && (none === null || !given.has(none));
};

const here: Words = [literalWord('.')];

/** The folders below which anything may be written; null where the program writes nothing of that kind. */
export function unpackedInto(program: string, words: Words): Words | null {
  const first = words[1]?.text ?? '';
  switch (program) {
    case 'patch':
    case 'gpatch':
      return gives(words.slice(1), patching, ['dry-run', 'check']) ? null : here;
    case 'git':
      return appliedByGit(words) ? here : null;
    case 'unzip':
    case 'bsdunzip':
      return showsZip(words) ? null : folderOf(words);
    // The names that were packed with the content.
    case 'gzip':
    case 'gunzip':
    case 'pigz':
    case 'unpigz':
      return words.some(({ text }) => /^(-[a-zA-Z]*N|--na\w*)/.test(text)) ? here : null;
    case 'rsync':
      return synchronised(words);
    case 'scp':
      return words.some(({ text }) => /^-[a-zA-Z0-9]*r/.test(text)) ? words.slice(-1) : null;
  }
  if (always.test(program)) return shows.test(first) ? null : here;
  return words.some(({ text }) => entryOf(verbs, program)?.test(text) === true) ? here : null;
}

function appliedByGit(words: Words): boolean {
  const at = subcommandAt(words);
  const name = words[at]?.text;
  if (name === 'am') return true;
  return name === 'apply' && !gives(words.slice(at + 1), applying, ['check', 'stat', 'numstat', 'summary'], 'apply');
}

/** Options count in front of the archive only; behind a second dash they are taken back. */
function showsZip(words: Words): boolean {
  const first = words[1]?.text ?? '';
  if (/^-Z/.test(first)) return true;
  const end = words.findIndex(({ text }, at) => at > 0 && !text.startsWith('-'));
  const options = words.slice(1, end === -1 ? undefined : end).map(({ text }) => text);
  return options.some((text) => /[lptcvz]/.test(text)) && options.every((text) => /^-[lptcvzqanC]+$/.test(text));
}

function folderOf(words: Words): Words {
  const folders = words.flatMap(({ kind, text }, at): Words => {
    const value = /^-[a-ce-zA-Z]*d(.*)$/s.exec(text)?.[1];
    if (value === undefined) return [];
    return value === '' ? words.slice(at + 1, at + 2) : [{ kind, text: value }];
  });
  return folders.length > 0 ? folders : here;
}

/** What is copied may hold anything, and a batch holds names of its own. */
function synchronised(words: Words): Words | null {
  const isTrial = words.some(({ text }) => /^(--dry-run|-[avrzhuP]*n[avrzhuP]*)$/.test(text));
  const to = words.at(-1);
  return isTrial || words.length < 3 || to === undefined || /^[^/]*:/.test(to.text) ? null : [to];
}
