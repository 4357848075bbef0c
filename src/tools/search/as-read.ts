import type { Workspace } from '#workspace';
import { cutText, splitLines } from '../text/number-lines.ts';
import { columnsMax } from './long-lines.ts';
import type { FoundLine } from './result-lines.ts';

/** Files that are read for one answer. */
const filesMax = 60;
/** Larger files are shown as ripgrep takes them. */
const wholeBytes = 1024 * 1024;

/**
 * Lines that hold bytes which are no UTF-8, as reading shows them: what was found by its Latin letters alone was not
 * searched here.
 */
export async function asRead(workspace: Workspace, lines: readonly FoundLine[]): Promise<readonly FoundLine[]> {
  const texts = new Map<string, readonly string[] | null>();
  const shown: FoundLine[] = [];
  for (const line of lines) {
    const parts = /^(\d+)([:-])(.*)$/s.exec(line.rest);
    if (line.encoding !== undefined || parts?.[3]?.includes('\ufffd') !== true || parts[3].length >= columnsMax) {
      shown.push(line);
      continue;
    }
    if (!texts.has(line.path) && texts.size < filesMax) texts.set(line.path, await linesOf(workspace, line.path));
    const text = texts.get(line.path)?.[Number(parts[1]) - 1];
    shown.push(text === undefined ? line : { ...line, rest: `${parts[1]}${parts[2]}${cutText(text, columnsMax)}` });
  }
  return shown;
}

async function linesOf(workspace: Workspace, path: string): Promise<readonly string[] | null> {
  const content = await workspace.files.read(path, { bytesMax: wholeBytes });
  return 'code' in content || content.text === null || content.encoding === 'utf-8' ? null : splitLines(content.text);
}
