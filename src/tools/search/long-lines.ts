/**
 * Shows the places of matches in lines that are too long to be shown: some characters around each, and how far into the
 * line it stands. ripgrep itself shows the beginning of such a line only.
 */
import type { Workspace } from '#workspace';
import type { FoundLine } from './result-lines.ts';
import { foundLines } from './result-lines.ts';
import { runRipgrep } from './run-ripgrep.ts';

/** From this many characters on a line is cut. */
export const columnsMax = 400;
const around = 80;
const windowMax = 300;
const windowsMax = 3;
const bytesMax = 4 * 1024 * 1024;
const sign = '\x01';
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
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const wanted = new Map(cut.map((line) => [keyOf(line), line]));
  const shown = new Map<string, string[]>();
  const counts = new Map<string, number>();
  for (const [encoding, lines] of Map.groupBy(cut, (line) => line.encoding)) {
    const call = [
      ...options,
      ...(encoding === undefined ? [] : [`--encoding=${encoding}`]),
      '--column',
      '--only-matching',
      `--max-columns=${windowMax}`,
      `--replace=\${belayBefore}${sign}\${belayMatch}${sign}\${belayAfter}`,
      '--null',
      '-e',
      withSurroundings(pattern),
      '--',
      ...new Set(lines.map(({ path }) => `./${path}`)),
    ];
    const run = await runRipgrep(workspace, call, signal, bytesMax);
    for (const line of run.ok ? foundLines(run.stdout) : []) {
      const key = keyOf(line);
      const whole = wanted.get(key);
      if (whole === undefined) continue;
      const texts = shown.get(key) ?? [];
      shown.set(key, texts);
      const count = counts.get(key) ?? 0;
      counts.set(key, count + 1);
      // ripgrep counts the bytes of a line as they are after what it replaced before.
      const window = windowOf(line, -2 * sign.length * count);
      if (window.end <= Buffer.byteLength(whole.rest.replace(cutEnd, '')) - whole.rest.indexOf(':')) {
        if (texts.length === 0) texts.push(whole.rest);
      } else if (texts.length < windowsMax) texts.push(window.text);
      else if (texts.length === windowsMax)
        texts.push(`${Number.parseInt(line.rest, 10)}:(and further on in this line)`);
    }
  }
  return shown;
}

export const keyOf = ({ path, rest }: FoundLine): string => `${Number.parseInt(rest, 10)} ${path}`;

/** `.*` at the ends would make the whole line the match. */
function withSurroundings(pattern: string): string {
  const bare = pattern.includes('|')
    ? pattern
    : pattern.replace(/^\^?(?:\.[*+]\??)+/, '').replace(/(?<!\\)\.[*+]\??\$?$/, '');
  const other = `[^\\n\\x01]{0,${around}}`;
  return `(?P<belayBefore>${other}?)(?P<belayMatch>${bare === '' ? pattern : bare})(?P<belayAfter>${other})`;
}

/** Some characters around a match, and the byte of the line behind its end. */
function windowOf({ rest }: FoundLine, shift: number): { readonly text: string; readonly end: number } {
  const [, number = '', column = '', all = ''] = /^(\d+):(\d+):(.*)$/s.exec(rest) ?? [];
  const [before = '', match = '', ...after] = all.replace(cutEnd, '').split(sign);
  const begin = Number(column) + shift + Buffer.byteLength(before);
  return {
    text: `${number}:(byte ${begin} of the line) …${before}${match}${after.join('')}…`,
    end: begin + Buffer.byteLength(match),
  };
}
