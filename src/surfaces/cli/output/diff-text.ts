import { plain } from '#surfaces/view';
import type { Style } from './style.ts';

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
