import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { blobHash } from '../../../src/workspace/files/blob-hash.ts';
import { holdsExactly } from '../../../src/workspace/files/same-content.ts';
import { openPlace } from '../bench-place.ts';

test('a file is read with the hash that git gives it', async () => {
  const { root, workspace } = await openPlace();
  writeFileSync(join(root, 'f'), 'a\r\nb', { mode: 0o755 });
  const hash = execFileSync('git', ['hash-object', '--no-filters', join(root, 'f')], { encoding: 'utf8' }).trim();
  expect(await workspace.files.read('./f')).toEqual({
    path: 'f',
    bytes: Buffer.from('a\r\nb'),
    size: 4,
    truncated: false,
    hash,
    mode: 0o755,
    binary: false,
    text: 'a\r\nb',
    encoding: 'utf-8',
    bom: false,
    isPlain: true,
  });
  expect(await workspace.files.hash('f')).toBe(hash);
});

test('a longer file comes back as its head, with the hash of the whole', async () => {
  const { root, workspace } = await openPlace();
  writeFileSync(join(root, 'f'), `${'é'.repeat(700_000)}`);
  const hash = execFileSync('git', ['hash-object', '--no-filters', join(root, 'f')], { encoding: 'utf8' }).trim();
  const head = await workspace.files.read('f', { bytesMax: 101 });
  expect(head).toMatchObject({ size: 1_400_000, truncated: true, hash, text: 'é'.repeat(50) });
  expect(await workspace.files.hash('f')).toBe(hash);
});

test('what is no file is a problem, and says which', async () => {
  const { root, workspace } = await openPlace();
  mkdirSync(join(root, 'd'));
  execFileSync('sh', ['-c', 'mkfifo "$0"', join(root, 'pipe')]);
  symlinkSync('/dev/zero', join(root, 'device'));
  expect(await workspace.files.read('d')).toMatchObject({ code: 'directory' });
  expect(await workspace.files.read('gone')).toMatchObject({ code: 'missing' });
  expect(await workspace.files.read('pipe')).toMatchObject({ code: 'invalid' });
  expect(await workspace.files.read('device')).toMatchObject({ code: 'outside' });
  expect(await workspace.files.hash('gone')).toBeNull();
  expect(await workspace.files.hash('d')).toBeNull();
});

test('a file that grows while it is read is read as of one moment', async () => {
  const { root, workspace } = await openPlace();
  const path = join(root, 'log');
  writeFileSync(path, 'x'.repeat(100_000));
  const timer = setInterval(() => appendFileSync(path, 'more\n'), 0);
  for (let i = 0; i < 20; i++) {
    const content = await workspace.files.read('log');
    expect(content).toMatchObject({ truncated: false });
    if (!('code' in content)) expect(content.bytes.byteLength).toBe(content.size);
  }
  clearInterval(timer);
});

test('folders are listed sorted, folders with a slash, own data hidden', async () => {
  const { root, workspace, reopen } = await openPlace();
  for (const folder of ['b', 'own']) mkdirSync(join(root, folder));
  for (const file of ['a', 'Z', '.hidden']) writeFileSync(join(root, file), '');
  symlinkSync('b', join(root, 'c'));
  const other = await reopen({ protectedPaths: [join(root, 'own')] });
  expect(await other.files.list('.', 100)).toEqual(['.hidden', 'Z', 'a', 'b/', 'c/']);
  expect(await other.files.list('.', 2)).toEqual(['.hidden', 'Z']);
  expect(await workspace.files.list('a', 10)).toEqual([]);
  expect(await workspace.files.list('..', 10)).toEqual([]);
});

test.each([
  ['src/indx.ts', 'src/index.ts'],
  ['index.ts', 'src/index.ts'],
  ['lib/index.ts', 'src/index.ts'],
  ['Shot 1.00 PM.png', 'Shot 1.00\u{202f}PM.png'],
  ['README.MD', 'readme.md'],
  ['src/\u{65}\u{301}.txt', 'src/\u{e9}.txt'],
])('a path that does not exist brings the closest one to mind: %s', async (wanted, best) => {
  const { root, workspace } = await openPlace();
  mkdirSync(join(root, 'src'));
  for (const file of ['src/index.ts', 'src/other.ts', 'Shot 1.00\u{202f}PM.png', 'readme.md', 'src/\u{e9}.txt']) {
    writeFileSync(join(root, file), '');
  }
  expect((await workspace.files.suggest(wanted, 3))[0]).toBe(best);
  expect((await workspace.files.suggest(join(root, wanted), 3))[0]).toBe(best);
  expect(await workspace.files.suggest('nothing-like-it-at-all.xyz', 3)).toEqual([]);
});

describe('a large file', () => {
  const big = 'some line of text\n'.repeat(100_000);
  const open = async () => {
    const place = await openPlace();
    writeFileSync(join(place.root, 'f'), big);
    return place;
  };

  test('is compared and not hashed again, and any change is seen', async () => {
    const { root, workspace } = await open();
    const read = async () => {
      const found = await workspace.files.read('f');
      if ('code' in found) throw new Error(found.message);
      return found;
    };
    const first = await read();
    expect(await read()).toBe(first);
    const { atime, mtime } = statSync(join(root, 'f'));
    writeFileSync(join(root, 'f'), big.replace('some', 'Some'));
    utimesSync(join(root, 'f'), atime, mtime);
    const changed = await read();
    expect(changed.text?.startsWith('Some')).toBe(true);
    expect(changed.hash).not.toBe(first.hash);
  });

  test('that was written in pieces is known, and put together only when somebody asks', async () => {
    const { root, workspace } = await open();
    const { files } = workspace;
    const first = await files.read('f');
    if ('code' in first) throw new Error(first.message);
    const pieces = [first.bytes.subarray(0, 18), Buffer.from('one more line\n'), first.bytes.subarray(18)];
    const wanted = Buffer.concat(pieces);
    let asked = 0;
    const change = {
      path: 'f',
      get bytes() {
        asked++;
        return Buffer.concat(pieces);
      },
      pieces,
      isPlain: true,
      base: first.hash,
      baseBytes: first.bytes,
      result: blobHash(wanted),
    };
    expect(await files.writeAll([change], null)).toMatchObject({ ok: true });
    expect(asked).toBe(0);
    expect(readFileSync(join(root, 'f')).equals(wanted)).toBe(true);
    const second = await files.read('f', { trusting: true });
    if ('code' in second) throw new Error(second.message);
    expect(Buffer.compare(second.bytes, wanted)).toBe(0);
    expect(second.text).toBe(wanted.toString('latin1'));
    expect(second.hash).toBe(change.result);
    await expect.poll(() => asked).toBe(1);
  });

  test.each<[string, (pieces: readonly Uint8Array[]) => readonly Uint8Array[]]>([
    ['one byte less', (pieces) => [...pieces.slice(0, -1), (pieces.at(-1) as Uint8Array).subarray(1)]],
    ['one byte more', (pieces) => [...pieces, Buffer.from('x')]],
    ['another byte', ([first, ...rest]) => [Buffer.from('X'), (first as Uint8Array).subarray(1), ...rest]],
  ])('holds exactly its pieces, and not %s', async (_name, other) => {
    const { root } = await open();
    const file = join(root, 'f');
    const pieces = [big.slice(0, 7), '', big.slice(7, 700_000), big.slice(700_000)].map((text) => Buffer.from(text));
    expect(holdsExactly(file, pieces)).toBe(true);
    expect(holdsExactly(file, other(pieces))).toBe(false);
  });

  test('as it was written is known; a caller that only trusted its look is refused at the write', async () => {
    const { root, workspace } = await open();
    const { files } = workspace;
    const first = await files.read('f', { trusting: true });
    if ('code' in first) throw new Error(first.message);
    const bytes = Buffer.from(big.replace('some', 'Some'));
    const result = blobHash(bytes);
    const change = { path: 'f', bytes, base: first.hash, baseBytes: first.bytes, result };
    expect(await files.writeAll([change], null)).toMatchObject({ ok: true });
    const second = await files.read('f', { trusting: true });
    expect(second).toMatchObject({ hash: result });
    expect('text' in second && second.text === bytes.toString()).toBe(true);
    // The same length, so that only the content tells.
    writeFileSync(join(root, 'f'), big.replace('some', 'SOME'));
    const back = { path: 'f', bytes: first.bytes, base: result, baseBytes: bytes, result: first.hash };
    expect(await files.writeAll([back], null)).toMatchObject({ ok: false, code: 'stale' });
    expect(readFileSync(join(root, 'f'), 'utf8').startsWith('SOME')).toBe(true);
    expect(readdirSync(root)).toEqual(['f']);
    const third = await files.read('f', { trusting: true });
    expect('text' in third && third.text?.startsWith('SOME')).toBe(true);
  });
});
