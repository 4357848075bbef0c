import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { PathChange, Scan } from '../contract.ts';
import { decodeText } from '../files/text-encoding.ts';
import { changedPaths } from '../revision/manifest.ts';
import { diffText } from './diff-text.ts';

/** Contents by git blob hash; what is not known is left out. */
export type Contents = (hashes: readonly string[]) => Promise<ReadonlyMap<string, Uint8Array>>;

const DIFF_BYTES_MAX = 2 * 1024 * 1024;

interface Side {
  readonly mode: string;
  readonly hash: string;
}

/** The changes between two scans, the later of which is the workspace as it lies on the disk now. */
export async function listChanges(
  root: string,
  before: Scan,
  now: Scan,
  contents: Contents,
): Promise<readonly PathChange[]> {
  const paths = changedPaths(before, now).filter((path) => !path.endsWith('/'));
  const sides = paths.map((path) => ({ path, from: sideOf(before, path), to: sideOf(now, path) }));
  const wanted = sides.flatMap(({ from, to }) => (from === null || from.hash === to?.hash ? [] : [from.hash]));
  const known = await contents([...new Set(wanted)]);
  const changes: PathChange[] = [];
  for (const { path, from, to } of sides) changes.push(await describe(root, path, from, to, known));
  return changes;
}

async function describe(
  root: string,
  path: string,
  from: Side | null,
  to: Side | null,
  known: ReadonlyMap<string, Uint8Array>,
): Promise<PathChange> {
  if (from !== null && from.hash === to?.hash) {
    return { path, status: 'mode', diff: null, note: `mode ${from.mode} became ${to.mode}` };
  }
  const status = from === null ? 'added' : to === null ? 'deleted' : 'modified';
  const before = from === null ? null : known.get(from.hash);
  if (before === undefined) return { path, status, diff: null, note: 'the content before is not known' };
  const after = to === null ? null : readNow(join(root, path));
  if (after === undefined) return { path, status, diff: null, note: 'the content now cannot be read' };
  if ((before?.byteLength ?? 0) + (after?.byteLength ?? 0) > DIFF_BYTES_MAX) {
    return { path, status, diff: null, note: 'too large to show' };
  }
  const old = before === null ? null : await decodeText(before);
  const fresh = after === null ? null : await decodeText(after, false, old?.encoding);
  if ((before !== null && old === null) || (after !== null && fresh === null)) {
    return { path, status, diff: null, note: 'binary' };
  }
  const diff = await diffText(path, old?.text ?? null, fresh?.text ?? null);
  return diff === '' ? { path, status, diff: null, note: 'only its encoding changed' } : { path, status, diff };
}

function sideOf(scan: Scan, path: string): Side | null {
  const value = scan.manifest.get(path);
  if (value === undefined) return null;
  const [mode, hash] = value.split(' ');
  return { mode: mode ?? '', hash: hash ?? '' };
}

function readNow(path: string): Uint8Array | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path, 'buffer') : readFileSync(path);
  } catch {
    return undefined;
  }
}
