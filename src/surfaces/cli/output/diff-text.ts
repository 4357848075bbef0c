import { plain } from '#surfaces/view';
import type { Style } from './style.ts';

/**
 * Diffs as they are shown: line ends of Windows are left out where every line of a file has one, and written as ␍ where
 * only some have.
 */
export const shownDiff = (text: string): string =>
  text
    .split(/^(?=--- )/m)
    .map((file) => {
      const lines = file.split('\n');
      const body = lines.filter((line) => /^[ +-]/.test(line) && !/^(---|\+\+\+) /.test(line));
      const isTold = body.every((line) => line.endsWith('\r'));
      return lines.map((line) => line.replace(/\r$/, isTold ? '' : '␍')).join('\n');
    })
    .join('')
    .trimEnd();

/** A diff or another preview, safe for a terminal and coloured by line. */
export const coloured = (text: string, style: Style): string =>
  plain(text)
    .split('\n')
    .map((line) => {
      if (line.startsWith('+++') || line.startsWith('---')) return style.bold(line);
      if (line.startsWith('+')) return style.green(line);
      if (line.startsWith('-')) return style.red(line);
      return line.startsWith('@@') ? style.cyan(line) : line;
    })
    .join('\n');
