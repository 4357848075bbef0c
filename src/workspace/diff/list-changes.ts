import { lstatSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { sideOfFile } from '../checkpoint/look.ts';
import { earlierOf, whoseChanges } from '../checkpoint/whose-changes.ts';
import type { OwnChange, PathChange, Scan } from '../contract.ts';
import { readRegular } from '../files/read-regular.ts';
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
  own?: OwnChange,
): Promise<readonly PathChange[]> {
  const found = changedPaths(before, now).filter((path) => !path.endsWith('/'));
  const sides = found.map(
    (path): Sides => ({ path, from: sideOf(before, path), to: sideOf(now, path) ?? present(root, path) }),
  );
  const all = [...sides, ...unlisted(root, before, now, own)].filter(({ from, to }) => !isSame(from, to));
  const whose = own === undefined ? null : notOurs(root, before, all, own);
  const counted = all.filter(({ path }) => whose?.get(path) !== 'others').sort((a, b) => (a.path < b.path ? -1 : 1));
  const wanted = counted.flatMap(({ from, to }) => (from === null || from.hash === to?.hash ? [] : [from.hash]));
  const known = await contents([...new Set(wanted)]);
  const changes: PathChange[] = [];
  for (const { path, from, to } of counted) {
    if (whose?.get(path) === 'older') changes.push({ path, status: 'added', diff: null, note: OLDER });
    else changes.push(await describe(root, path, from, to, known));
  }
  return changes;
}

const TOO_LARGE = 'too large to show';
const OLDER = 'it was there before, ignored or under another name; what it held then is not known';

interface Sides {
  readonly path: string;
  readonly from: Side | null;
  readonly to: Side | null;
}

const isSame = (a: Side | null, b: Side | null): boolean => a?.hash === b?.hash && a?.mode === b?.mode;

/** What a scan does not tell of, because a rule ignores it by now, is no less there. */
function present(root: string, path: string): Side | null {
  try {
    const side = sideOfFile(join(root, path));
    return side === null ? null : parsed(side);
  } catch {
    return null;
  }
}

/** Files that edits changed and that neither scan tells of. A receipt does not name a mode; an edit keeps it. */
function unlisted(root: string, before: Scan, now: Scan, own: OwnChange | undefined): readonly Sides[] {
  return [...(own?.written ?? [])].flatMap(([path, base]): Sides[] => {
    if (before.manifest.has(path) || now.manifest.has(path)) return [];
    const to = present(root, path);
    return [{ path, from: base === null ? null : { mode: to?.mode ?? '100644', hash: base }, to }];
  });
}

function notOurs(root: string, before: Scan, sides: readonly Sides[], { sinceMs, written }: OwnChange) {
  const added = sides.flatMap(({ path, from, to }) =>
    from === null && to !== null && !written.has(path) ? [{ path, before: null, now: `${to.mode} ${to.hash}` }] : [],
  );
  return whoseChanges(root, added, [{ fromMs: sinceMs, toMs: null }], earlierOf(before.manifest), Date.now());
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
  if (after === 'large') return { path, status, diff: null, note: TOO_LARGE };
  if (after === undefined) return { path, status, diff: null, note: 'the content now cannot be read' };
  if ((before?.byteLength ?? 0) + (after?.byteLength ?? 0) > DIFF_BYTES_MAX) {
    return { path, status, diff: null, note: TOO_LARGE };
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
  return parsed(value);
}

function parsed(side: string): Side {
  const [mode, hash] = side.split(' ');
  return { mode: mode ?? '', hash: hash ?? '' };
}

function readNow(path: string): Uint8Array | 'large' | undefined {
  try {
    if (lstatSync(path).isSymbolicLink()) return readlinkSync(path, 'buffer');
    return readRegular(path, DIFF_BYTES_MAX) ?? 'large';
  } catch {
    return undefined;
  }
}
