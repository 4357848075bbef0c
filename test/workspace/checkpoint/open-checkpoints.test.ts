/** Points to go back to: what is kept, what is not and said so, and that the store stays within its limits. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type CheckpointLimits, type Checkpoints, openCheckpoints, openWorkspace, type Scan } from '#workspace';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

interface Place {
  readonly root: string;
  readonly store: string;
  readonly checkpoints: Checkpoints;
  scan(): Promise<Scan>;
  write(path: string, text: string): void;
}

async function makePlace(limits: Partial<CheckpointLimits> = {}): Promise<Place> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'belay-points-')));
  folders.push(folder);
  const root = join(folder, 'work');
  const store = join(folder, 'store');
  mkdirSync(root);
  const workspace = await openWorkspace({ root, protectedPaths: [], env: process.env });
  return {
    root,
    store,
    checkpoints: openCheckpoints({ folder: store, root, keptIn: [], limits }),
    scan: () => workspace.revision.scan(),
    write: (path, text) => writeFileSync(join(root, path), text),
  };
}

const live = new AbortController().signal;
const hashIn = (scan: Scan, path: string) => scan.manifest.get(path)?.split(' ')[1] ?? '';
const objectsIn = (store: string) =>
  readdirSync(join(store, 'objects'), { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('/'));
const bytesIn = (store: string) =>
  objectsIn(store).reduce((sum, name) => sum + statSync(join(store, 'objects', name)).size, 0);

describe('a point', () => {
  test('keeps what differs from the start, with its contents, and the start itself', async () => {
    const place = await makePlace();
    place.write('same', 'same');
    place.write('gone', 'gone');
    place.write('edited', 'before');
    const base = await place.scan();
    await place.checkpoints.keepStart(base, base, live);
    place.write('edited', 'after');
    rmSync(join(place.root, 'gone'));
    symlinkSync('edited', join(place.root, 'link'));
    mkdirSync(join(place.root, 'empty'));
    const now = await place.scan();
    const { ref, uncovered } = await place.checkpoints.take(now, base, live);
    expect(uncovered).toEqual([]);
    const manifest = place.checkpoints.manifest(ref);
    expect([...(manifest?.keys() ?? [])].sort()).toEqual(['edited', 'empty/', 'gone', 'link']);
    expect(manifest?.get('gone')).toBeNull();
    const text = (hash: string) => Buffer.from(place.checkpoints.content(hash) ?? []).toString();
    expect(text(hashIn(now, 'edited'))).toBe('after');
    expect(text(hashIn(now, 'link'))).toBe('edited');
    expect(text(hashIn(base, 'edited'))).toBe('before');
    expect(text(hashIn(base, 'gone'))).toBe('gone');
  });

  test('without a difference costs nothing', async () => {
    const place = await makePlace();
    const base = await place.scan();
    const { ref } = await place.checkpoints.take(base, base, live);
    expect(place.checkpoints.manifest(ref)).toEqual(new Map());
    expect(existsSync(place.store)).toBe(false);
  });

  test('stores a content once, however often it is seen', async () => {
    const place = await makePlace();
    const base = await place.scan();
    for (const name of ['a', 'b', 'c']) {
      place.write(name, 'the same text');
      await place.checkpoints.take(await place.scan(), base, live);
    }
    // One content and three manifests.
    expect(objectsIn(place.store)).toHaveLength(4);
  });

  test('ends at once when it is aborted', async () => {
    const place = await makePlace();
    const base = await place.scan();
    place.write('a', 'a');
    await expect(place.checkpoints.take(await place.scan(), base, AbortSignal.abort())).rejects.toThrow();
  });

  test('says which contents it does not keep: too large, too much at once, changed since the look', async () => {
    const place = await makePlace({ fileBytesMax: 1000, pointBytesMax: 1500 });
    const base = await place.scan();
    place.write('a-large', 'x'.repeat(1001));
    place.write('b', 'b'.repeat(900));
    place.write('c-too-much', 'c'.repeat(900));
    place.write('d-moved', 'one');
    const scan = await place.scan();
    place.write('d-moved', 'two');
    const { uncovered } = await place.checkpoints.take(scan, base, live);
    expect(uncovered).toEqual(['a-large', 'c-too-much', 'd-moved']);
    expect(place.checkpoints.content(hashIn(scan, 'a-large'))).toBeNull();
    expect(place.checkpoints.content(hashIn(scan, 'b'))).not.toBeNull();
  });
});

describe('the store', () => {
  test('is a bare git directory that git reads, and never one that runs anything', async () => {
    const place = await makePlace();
    const base = await place.scan();
    place.write('a', 'content\r\n');
    const scan = await place.scan();
    await place.checkpoints.take(scan, base, live);
    const git = (...args: string[]) =>
      execFileSync('git', [`--git-dir=${place.store}`, ...args], { encoding: 'utf8', stdio: 'pipe' });
    expect(git('cat-file', 'blob', hashIn(scan, 'a'))).toBe('content\r\n');
    expect(git('rev-parse', '--is-bare-repository').trim()).toBe('true');
    expect(git('config', 'core.hooksPath').trim()).toBe('/dev/null');
    expect(git('fsck', '--no-dangling')).toBe('');
    expect(statSync(join(place.store, 'objects')).mode & 0o077).toBe(0);
  });

  test('a damaged object is as good as none', async () => {
    const place = await makePlace();
    const base = await place.scan();
    place.write('a', 'content');
    const scan = await place.scan();
    await place.checkpoints.take(scan, base, live);
    const hash = hashIn(scan, 'a');
    const file = join(place.store, 'objects', hash.slice(0, 2), hash.slice(2));
    for (const damage of [(bytes: Buffer) => bytes.subarray(0, 5), () => Buffer.from('nothing of the kind')]) {
      const bytes = readFileSync(file);
      rmSync(file);
      writeFileSync(file, damage(bytes));
      expect(place.checkpoints.content(hash)).toBeNull();
    }
  });

  test('stays within its size: the oldest contents go, the newest stay', async () => {
    const place = await makePlace({ storeBytesMax: 60_000 });
    const base = await place.scan();
    const hashes: string[] = [];
    for (let n = 0; n < 12; n++) {
      writeFileSync(join(place.root, 'file'), randomBytes(9_000));
      const scan = await place.scan();
      hashes.push(hashIn(scan, 'file'));
      await place.checkpoints.take(scan, base, live);
      // As if some time lay between them.
      for (const name of objectsIn(place.store)) {
        const path = join(place.store, 'objects', name);
        const seconds = statSync(path).mtimeMs / 1000 - 1200;
        utimesSync(path, seconds, seconds);
      }
    }
    expect(bytesIn(place.store)).toBeLessThanOrEqual(60_000);
    const isKept = hashes.map((hash) => place.checkpoints.content(hash) !== null);
    expect(isKept[0]).toBe(false);
    expect(isKept.at(-1)).toBe(true);
    // What is left are the last ones without a gap.
    expect(isKept).toEqual([...isKept].sort());
  });

  test('lets go what nobody used for longer than its age limit', async () => {
    const place = await makePlace({ ageMaxMs: 3_600_000 });
    const base = await place.scan();
    place.write('old', 'old');
    const first = await place.scan();
    const { ref } = await place.checkpoints.take(first, base, live);
    for (const name of objectsIn(place.store)) utimesSync(join(place.store, 'objects', name), 1, 1);
    place.write('new', 'new');
    const scan = await place.scan();
    await place.checkpoints.take(scan, base, live);
    await place.checkpoints.prune();
    expect(place.checkpoints.manifest(ref)).toBeNull();
    // Still in use by the second point, and so not let go.
    expect(place.checkpoints.content(hashIn(scan, 'old'))).not.toBeNull();
  });
});

describe('files kept apart', () => {
  test('are a manifest of their own, with contents, and with what is gone', async () => {
    const place = await makePlace();
    place.write('a', 'one');
    symlinkSync('nowhere', join(place.root, 'link'));
    const kept = await place.checkpoints.takeApart(['a', 'gone', 'link'], live);
    expect(kept.uncovered).toEqual([]);
    const manifest = place.checkpoints.manifest(kept.ref);
    expect([...(manifest?.keys() ?? [])]).toEqual(['a', 'gone', 'link']);
    expect(manifest?.get('gone')).toBe(null);
    const contentOf = (path: string) => place.checkpoints.content(manifest?.get(path)?.split(' ')[1] ?? '');
    expect(Buffer.from(contentOf('a') ?? []).toString()).toBe('one');
    expect(Buffer.from(contentOf('link') ?? []).toString()).toBe('nowhere');
    place.write('a', 'two');
    const later = await place.checkpoints.takeApart(['a', 'gone', 'link'], live);
    expect(later.ref).not.toBe(kept.ref);
    expect(Buffer.from(contentOf('a') ?? []).toString()).toBe('one');
  });

  test('too much of it is told as not covered', async () => {
    const place = await makePlace({ fileBytesMax: 10, pointBytesMax: 12 });
    place.write('small', '12345678');
    place.write('long', 'x'.repeat(11));
    place.write('second', '87654321');
    expect(await place.checkpoints.takeApart(['small', 'long', 'second'], live)).toMatchObject({
      uncovered: ['long', 'second'],
    });
    expect((await place.checkpoints.takeApart([], live)).ref).toBe('base');
  });
});
