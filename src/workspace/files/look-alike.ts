import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isProblem, type Resolve } from './resolve-path.ts';

/**
 * The one file beside a missing path whose name differs from it only in kinds of blanks (a narrow no-break space in
 * screenshots of macOS) or in how accented letters are composed; null when there is none, or more than one.
 */
export function lookAlike(resolve: Resolve, text: string): string | null {
  const wanted = resolve(text);
  if (isProblem(wanted) || wanted.kind !== 'missing') return null;
  const name = plain(basename(wanted.absolute));
  const folder = dirname(wanted.absolute);
  const alike = namesIn(folder).filter((one) => plain(one) === name);
  const found = alike.length === 1 ? resolve(join(folder, alike[0] ?? '')) : null;
  return found === null || isProblem(found) || found.kind !== 'file' ? null : found.path;
}

const plain = (name: string): string => name.normalize('NFC').replace(/[\s\u200b\u2060]/gu, ' ');

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
