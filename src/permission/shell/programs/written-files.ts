/**
 * Files that programs write because an option or an operand says so. A word too many costs a look: a write matters only
 * where a file stands, or a rule about edits.
 */
import type { FileWrite } from '../analysis.ts';
import { literalWord, type ShellWord } from '../shell-word.ts';
import { entryOf } from './options.ts';
import { unpackedInto } from './unpacked-files.ts';

type Words = readonly ShellWord[];

interface Output {
  readonly letters: string;
  readonly long?: RegExp;
}

/** Options that name a file to be written, of programs in general. A long one counts with one dash, too. */
const output: Output = {
  letters: 'o',
  long: /^--?(o|out|output|outfile|out-?file|s?output-?file|output-document|dest|log-?file)$/i,
};
const outputOf: { readonly [program: string]: Output } = {
  curl: {
    letters: 'oDc',
    long: /^--(output|dump-header|cookie-jar|stderr|trace|trace-ascii|libcurl|etag-save|hsts|alt-svc)$/,
  },
  wget: { letters: 'Oo', long: /^--(output-document|output-file|append-output|save-cookies|warc-file)$/ },
  gcc: { letters: 'o', long: /^--?(output|MF|MJ|aux-info|dumpbase)$/ },
  pytest: { letters: '', long: /^--(junit-?xml|log-file|report-log|html|json-report-file|resultlog|result-log)$/ },
  pg_dump: { letters: 'f', long: /^--file$/ },
  pg_dumpall: { letters: 'f', long: /^--file$/ },
  mysqldump: { letters: 'r', long: /^--(result-file|log-error)$/ },
  cscope: { letters: 'f' },
  go: { letters: 'o', long: /^--?(test\.)?(o|(cpu|mem|block|mutex|cover)profile|trace|testlogfile)$/ },
};
/** To these the letter says something else. */
const otherwise = /^(ls|ps|grep|rg|ag|ack|mount|ssh|set|test|\[|stat|sed|awk|git|find|cp|mv|install|ln|rm|patch)$/;

/** They change or replace every file that is named. */
const inPlace =
  /^(strip|mogrify|dos2unix|unix2dos|mac2unix|optipng|jpegoptim|pngquant|recode|sponge|exiftool|prelink|patchelf|objcopy|svgo|advpng|indent|astyle|msgmerge|jhead|id3v2|mid3v2|zopflipng|install_name_tool)$/;
/** They write the last of several operands. */
const toLast =
  /^(convert|magick|ffmpeg|sass|lessc|pdftotext|pdftohtml|pdfseparate|pdfunite|ps2pdf|pdf2ps|wkhtmltopdf|cwebp|cpp|sox|ptx|asn1parse|rsvg|lz4|scp|qpdf|pngcrush|guetzli|djxl|cjxl|avifenc|opusenc|lame|rsvg-convert|plantuml|ps2ps|dwebp|pdfcrop|xmlsec1|bsdiff|bspatch|xdelta3)$/;

export function writtenFiles(program: string, words: Words): readonly FileWrite[] {
  const file = (word: ShellWord): FileWrite => ({ word, append: false, needsEdit: false });
  const below = (word: ShellWord): FileWrite => ({ ...file(word), deep: true });
  const operands = words.slice(1).filter(({ text }) => !text.startsWith('-'));
  if (program === 'tar') return packed(words).map(below);
  const unpacked = unpackedInto(program, words);
  if (unpacked !== null) return unpacked.map(below);
  const replaces = words.some(({ text }) => /^--?(replace-input|ow)$/.test(text));
  if (inPlace.test(program) || replaces) return operands.map(file);
  const last = toLast.test(program) && operands.length > 1 ? operands.slice(-1) : [];
  if (otherwise.test(program)) return [];
  return [...valuesOf(words, entryOf(outputOf, program) ?? output), ...last].map(file);
}

function valuesOf(words: Words, { letters, long }: Output): Words {
  return words.flatMap((word, at) => {
    const { text } = word;
    const next = words.slice(at + 1, at + 2);
    const [name = '', ...rest] = text.split('=');
    if (long?.test(name) === true) return rest.length > 0 ? [{ kind: word.kind, text: rest.join('=') }] : next;
    const value = new RegExp(`^-[A-Za-z]*?[${letters}]=?(.*)$`, 's').exec(text)?.[1];
    return value === undefined ? [] : value === '' ? next : [{ kind: word.kind, text: value }];
  });
}

/** The folder into which `tar` unpacks, or the archive that it writes. */
function packed([program, first, ...rest]: Words): Words {
  if (program === undefined || first === undefined) return [];
  // The first word holds letters, with a dash or without.
  const mode = /^[a-zA-Z]+$/.test(first.text) ? literalWord(`-${first.text}`) : first;
  const words = [program, mode, ...rest];
  const has = (option: RegExp): boolean => words.some(({ text }) => option.test(text));
  const folders = valuesOf(words, { letters: 'C', long: /^--(directory|cd|one-top-level)$/ });
  if (has(/^-[a-zA-Z]*x|^--(ex|ge)/)) return folders.length > 0 ? folders : [literalWord('.')];
  return has(/^-[a-zA-Z]*t|^--list$/) ? [] : valuesOf(words, { letters: 'f', long: /^--file$/ });
}
