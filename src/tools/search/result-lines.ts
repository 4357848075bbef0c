/** Reads what ripgrep prints with `--null`: names end with NUL, so any sign may stand in them, a line end too. */
import { plainPath } from './search-scope.ts';

export interface FoundLine {
  readonly path: string;
  /** Number and text, as `12:text` of a match and `12-text` of a line around it; a count; empty for a file alone. */
  readonly rest: string;
  /** The encoding in which the file was searched, where that is not UTF-8. */
  readonly encoding?: string;
}

/** The files of `--files-with-matches`. */
export function foundFiles(stdout: string): readonly FoundLine[] {
  const names = stdout.split('\0');
  names.pop();
  return names.map((name) => ({ path: plainPath(name), rest: '' }));
}

/** The lines of a search that prints lines or counts, each file's together and in their order. */
export function foundLines(stdout: string): readonly FoundLine[] {
  const lines: FoundLine[] = [];
  let begun = '';
  for (const line of stdout.split('\n')) {
    const end = line.indexOf('\0');
    if (end === -1) {
      // A separator, a remark on a binary file, or the first part of a name with a line end in it.
      const isPart = line !== '--' && line !== '' && !/: binary file matches \(found /.test(line);
      begun = isPart ? `${begun}${line}\n` : '';
      continue;
    }
    lines.push({ path: plainPath(begun + line.slice(0, end)), rest: line.slice(end + 1).replace(/\r$/, '') });
    begun = '';
  }
  return lines;
}

/** Whether a line follows the one before it without a gap. */
export function isNext(before: FoundLine, line: FoundLine): boolean {
  return before.path === line.path && Number.parseInt(line.rest, 10) === Number.parseInt(before.rest, 10) + 1;
}
