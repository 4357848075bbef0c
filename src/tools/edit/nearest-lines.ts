/**
 * Where in a file a text was probably meant, when it is not there literally: first lines that differ in white space
 * only, else the window of lines that shares most words with it.
 */
import { type Mask, maskedPart, unmasked } from '../text/masked-part.ts';
import { cutText, numberLines, splitLines } from '../text/number-lines.ts';

export interface NearestLines {
  /** First line, from 1. */
  readonly line: number;
  readonly excerpt: string;
  readonly whiteSpaceOnly: boolean;
}

const windowMax = 6;
const lineLengthMax = 200;
const linesScannedMax = 50_000;
/** Characters from which on a line is not taken apart. */
const longLine = 100_000;
/** Comparisons of lines: a text of many lines in a file of many more is not looked for by its blanks. */
const comparisonsMax = 50_000_000;
/** Letters by which a word is known. */
const wordLengthMax = 30;

export function nearestLines(content: string, wanted: string, mask: Mask = unmasked): NearestLines | null {
  const lines = splitLines(content).slice(0, linesScannedMax);
  const target = splitLines(wanted);
  while (target.length > 1 && target[0]?.trim() === '') target.shift();
  if (lines.length === 0 || target.every((line) => line.trim() === '')) return null;
  const isSmall = lines.length * target.length <= comparisonsMax;
  const spaceless = isSmall ? findSpaceless(lines, target) : null;
  if (spaceless !== null) return excerptAt(lines, spaceless, target, true, mask);
  const best = findSimilar(lines, target.slice(0, windowMax));
  return best === null ? null : excerptAt(lines, best, target, false, mask);
}

function excerptAt(
  lines: readonly string[],
  index: number,
  target: readonly string[],
  whiteSpaceOnly: boolean,
  mask: Mask,
): NearestLines {
  const height = Math.min(target.length, windowMax);
  const shown = lines.slice(index, index + height).map((line, i) => around(line, target[i] ?? '', mask));
  return { line: index + 1, excerpt: numberLines(shown, index + 1), whiteSpaceOnly };
}

/** Of a long line the part in which the longest words of the wanted one stand, or most of one. */
function around(line: string, wanted: string, mask: Mask): string {
  if (line.length <= lineLengthMax) return line;
  const start = Math.max(0, placeOf(line.toLowerCase(), wanted) - lineLengthMax / 4);
  const { length } = cutText(line.slice(start), lineLengthMax);
  const part = maskedPart(line, start, start + length, mask).toWellFormed();
  return `${start > 0 ? '…' : ''}${part}…`;
}

/** Words that are looked for, and the share of a word that may be wrong at one of its ends. */
const wordsSought = 3;
const wrongShareMax = 0.4;

function placeOf(line: string, wanted: string): number {
  const words = [...new Set(wordsOf(wanted))].toSorted((a, b) => b.length - a.length).slice(0, wordsSought);
  for (const word of words.map((each) => each.slice(0, wordLengthMax))) {
    for (let wrong = 0; wrong <= word.length * wrongShareMax; wrong++) {
      for (const part of [word.slice(0, word.length - wrong), word.slice(wrong)]) {
        const at = line.indexOf(part);
        if (at !== -1) return at;
      }
    }
  }
  return 0;
}

const squeeze = (line: string): string => line.replace(/\s+/g, '');

function findSpaceless(lines: readonly string[], target: readonly string[]): number | null {
  const wanted = target.map(squeeze);
  const squeezed = lines.map(squeeze);
  const last = wanted.length - 1;
  for (let i = 0; i + last < squeezed.length; i++) {
    const fits = wanted.every((line, j) => {
      const found = squeezed[i + j] ?? '';
      // A text may begin and end inside a line.
      if (last === 0) return found.includes(line) && line !== '';
      return j === 0 ? found.endsWith(line) : j === last ? found.startsWith(line) : found === line;
    });
    if (fits) return i;
  }
  return null;
}

function findSimilar(lines: readonly string[], target: readonly string[]): number | null {
  const wanted = target.map((line) => new Set(wordsOf(line)));
  const total = wanted.reduce((sum, words) => sum + words.size, 0);
  if (total === 0) return null;
  const sought = new Set(wanted.flatMap((words) => [...words]));
  const found = lines.map((line) => wordsAmong(line, sought));
  let best: { index: number; score: number } | null = null;
  for (let i = 0; i < found.length; i++) {
    let score = 0;
    for (let j = 0; j < wanted.length; j++) {
      const there = found[i + j];
      if (there === undefined) break;
      for (const word of wanted[j] as Set<string>) if (there.has(word)) score++;
    }
    if (score > (best?.score ?? 0)) best = { index: i, score };
  }
  return best !== null && best.score * 3 >= total ? best.index : null;
}

/** The words of a line; of a very long one those that are sought, which takes no list of all. */
function wordsAmong(line: string, sought: ReadonlySet<string>): ReadonlySet<string> {
  if (line.length <= longLine) return new Set(wordsOf(line));
  const lower = line.toLowerCase();
  return new Set([...sought].filter((word) => lower.includes(word)));
}

const wordsOf = (line: string): string[] => line.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
