/**
 * Shows the places of matches in lines that are too long to be shown: some characters around each, and how far into the
 * line it stands. ripgrep itself shows the beginning of such a line only. It is asked for the places with the pattern as
 * it is, so that this takes no longer than the search; what stands around them is read from the file.
 */
import type { FileContent, Workspace } from '#workspace';
import type { AttemptContext } from '../contract.ts';
import { contextMax, type Mask, maskedBetween, unmasked } from '../text/masked-part.ts';
import type { FoundLine } from './result-lines.ts';
import { foundLines } from './result-lines.ts';
import { runRipgrep } from './run-ripgrep.ts';

/** From this many characters on a line is cut. */
export const columnsMax = 400;
const beforeBytes = 80;
const afterBytes = 120;
const matchMax = 200;
const windowsMax = 3;
const outputBytesMax = 16 * 1024 * 1024;
const fileBytesMax = 32 * 1024 * 1024;
const newline = 0x0a;
const cutEnd = / \[\.\.\. (?:omitted end of long line|\d+ more match(?:es)?)\]$/;

/** A match, not a line around one, of which only the beginning is there. */
export const isCut = ({ rest }: FoundLine): boolean =>
  rest.length >= columnsMax && /^\d+:/.test(rest) && cutEnd.test(rest);

/**
 * The texts that stand for each cut line, by `keyOf`, its beginning among them where a match is seen in it; a line is
 * missing where nothing better is known than that. `options` are those of the search, without lines around.
 */
export async function matchWindows(
  workspace: Workspace,
  cut: readonly FoundLine[],
  options: readonly string[],
  pattern: string,
  { signal, mask = unmasked }: Pick<AttemptContext, 'signal' | 'mask'>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const wanted = new Map(cut.map((line) => [keyOf(line), line]));
  const shown = new Map<string, string[]>();
  for (const [encoding, lines] of Map.groupBy(cut, (line) => line.encoding)) {
    const call = [
      ...options,
      ...(encoding === undefined ? [] : [`--encoding=${encoding}`]),
      ...['--column', '--byte-offset', '--only-matching', `--max-columns=${matchMax}`, '--null', '-e', bare(pattern)],
      '--',
      ...new Set(lines.map(({ path }) => `./${path}`)),
    ];
    const run = await runRipgrep(workspace, call, signal, outputBytesMax);
    const around = surroundings(workspace, encoding, mask);
    for (const line of run.ok ? foundLines(run.stdout) : []) {
      const key = keyOf(line);
      const whole = wanted.get(key);
      const place = placeOf(line);
      if (whole === undefined || place === null) continue;
      const texts = shown.get(key) ?? [];
      shown.set(key, texts);
      const begin = { ...whole, rest: withoutLastWord(whole.rest) };
      if (place.column + Buffer.byteLength(place.text) <= bytesShown(begin)) {
        if (texts.length === 0) texts.push(begin.rest);
      } else if (texts.length < windowsMax) {
        const text = await around(line.path, place);
        texts.push(`${place.number}:(byte ${place.column} of the line) …${text}…`);
      } else if (texts.length === windowsMax) texts.push(`${place.number}:(and further on in this line)`);
    }
  }
  return shown;
}

export const keyOf = ({ path, rest }: FoundLine): string => `${Number.parseInt(rest, 10)} ${path}`;

/** `.*` at the ends would make the whole line the match. */
function bare(pattern: string): string {
  if (pattern.includes('|')) return pattern;
  const inner = pattern.replace(/^\^?(?:\.[*+]\??)+/, '').replace(/(?<!\\)\.[*+]\??\$?$/, '');
  return inner === '' ? pattern : inner;
}

/** Of what ripgrep cut the rest is not known: a word that it cut may be the beginning of a secret. */
export const withoutLastWord = (rest: string): string =>
  rest.replace(/[^\s"'`,;:=(){}[\]]{1,200}(?= \[\.\.\. (?:omitted end of long line|\d+ more match(?:es)?)\]$)/, '');

/** Of the beginning that ripgrep shows. */
const bytesShown = ({ rest }: FoundLine): number => Buffer.byteLength(rest.replace(cutEnd, '')) - rest.indexOf(':');

interface PlaceInLine {
  readonly number: number;
  /** In bytes, from 1. */
  readonly column: number;
  /** In bytes of the file as ripgrep takes it. */
  readonly offset: number;
  /** The match, or its beginning. */
  readonly text: string;
}

function placeOf({ rest }: FoundLine): PlaceInLine | null {
  const [, number, column, offset, text = ''] = /^(\d+):(\d+):(\d+):(.*)$/s.exec(rest) ?? [];
  if (number === undefined) return null;
  return { number: Number(number), column: Number(column), offset: Number(offset), text: text.replace(cutEnd, '') };
}

/** The match alone where the file is not what it was, or is too long to be read. */
function surroundings(
  workspace: Workspace,
  encoding: string | undefined,
  mask: Mask,
): (path: string, place: PlaceInLine) => Promise<string> {
  let last: { readonly path: string; readonly bytes: Buffer } | null = null;
  return async (path, { column, offset, text }) => {
    if (last?.path !== path) {
      const content = await workspace.files.read(path, { bytesMax: fileBytesMax });
      last = { path, bytes: 'code' in content ? Buffer.of() : bytesSearched(content, encoding) };
    }
    const { bytes } = last;
    const end = offset + Buffer.byteLength(text);
    if (bytes.toString('utf8', offset, end) !== text) return text;
    const lineEnd = bytes.indexOf(newline, end);
    const to = Math.min(end + afterBytes, lineEnd === -1 ? bytes.length : lineEnd);
    const from = offset - Math.min(beforeBytes, column - 1);
    // A character that is cut at an edge is none.
    const shown = bytes
      .toString('utf8', from, to)
      .replace(/^\ufffd+/, '')
      .replace(/\ufffd+$/, '');
    const lineFrom = bytes.toString('utf8', Math.max(offset - column + 1, from - contextMax), from);
    const lineTo = bytes.toString('utf8', to, Math.min(to + contextMax, lineEnd === -1 ? bytes.length : lineEnd));
    return maskedBetween(lineFrom, shown, lineTo, mask);
  };
}

/** ripgrep counts in the text as UTF-8, without its mark, wherever it knows that it is another encoding. */
function bytesSearched({ bytes, text, bom }: FileContent, encoding: string | undefined): Buffer {
  return encoding !== undefined || bom
    ? Buffer.from(text ?? '')
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
