/** What people are told of a workspace that takes long to look at. */
import type { Scan, SlowScan } from '#workspace';
import { hugeSizeOf } from '#workspace';

/** Paths named in one line. */
const namedMax = 3;

/** The line for a first look that takes long; nothing where nobody listens. */
export const slowScanTo = (say: ((line: string) => void) | undefined): ((seen: SlowScan) => void) | undefined =>
  say === undefined ? undefined : (seen) => say(slowLine(seen));

function slowLine({ files, reading }: SlowScan): string {
  const now = reading === null ? '' : `, now at ${JSON.stringify(reading.path)} (${sizeText(reading.bytes)})`;
  return `looking at the workspace takes long: ${files} files so far${now}; a rule in .gitignore leaves out what need not be seen`;
}

/** Which files are too large to be hashed and so told apart by size and time; a line, or none. */
export function notHashed(scan: Scan): readonly string[] {
  const found: string[] = [];
  for (const [path, side] of scan.manifest) {
    const bytes = hugeSizeOf(side);
    if (bytes !== null) found.push(`${JSON.stringify(path)} (${sizeText(bytes)})`);
  }
  if (found.length === 0) return [];
  const more = found.length > namedMax ? ` and ${found.length - namedMax} more` : '';
  return [
    `too large to be read at each look, so changes are known by size and time only and undo does not cover them: ${found.slice(0, namedMax).join(', ')}${more}`,
  ];
}

function sizeText(bytes: number): string {
  const gib = bytes / 1024 ** 3;
  return gib >= 1 ? `${gib.toFixed(1)} GiB` : `${Math.round(bytes / 1024 ** 2)} MiB`;
}
