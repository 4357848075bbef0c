import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { WriteResult } from '#workspace';
import { asUser } from '../../as-user.ts';
import { startAgent } from '../agents/start-agent.ts';
import { openPlace, type Place } from '../bench-place.ts';

/** `printf 'old\n' | git hash-object --stdin`, and so on: the hashes are git's own. */
const OLD = '3367afdbbf91e638efe983616377c60477cc6612';
const NEW = '3e757656cf36eca53338e520d134963a44f793f8';

async function placeWith(content = 'old\n', more: Parameters<typeof openPlace>[0] = {}): Promise<Place> {
  const place = await openPlace(more);
  writeFileSync(join(place.root, 'f'), content);
  return place;
}

const write = (place: Place, more: object = {}): Promise<WriteResult> =>
  place.workspace.files.write({ path: 'f', bytes: Buffer.from('new\n'), base: OLD, execFolder: null, ...more });
const contentOf = (place: Place, path = 'f'): string => readFileSync(join(place.root, path), 'latin1');
const names = (place: Place): string[] => readdirSync(place.root).toSorted();

describe('a write', () => {
  test('replaces exactly the base and says what it did', async () => {
    const place = await placeWith();
    const execFolder = place.exec();
    expect(await write(place, { execFolder })).toEqual({
      ok: true,
      hash: NEW,
      fingerprint: { path: 'f', base: OLD, result: NEW },
      notes: [],
    });
    expect(contentOf(place)).toBe('new\n');
    expect(names(place)).toEqual(['f']);
    expect(readFileSync(join(execFolder, 'claim'), 'utf8')).toBe(
      `${process.pid} ${await place.workspace.processes.bootId()}\n`,
    );
    expect(readFileSync(join(execFolder, 'applied'), 'utf8')).toBe(`${NEW}\n`);
  });

  test.each([0o755, 0o600, 0o664, 0o444 | 0o200])('keeps mode %o', async (mode) => {
    const place = await placeWith();
    chmodSync(join(place.root, 'f'), mode);
    await write(place);
    expect(statSync(join(place.root, 'f')).mode & 0o7777).toBe(mode);
  });

  test.runIf(process.getuid?.() === 0).each([
    ['the group that the user is in', 0o664, [0], 0o664, 0],
    ['no rights of another owner', 0o6775, [0], 0o775, 0],
    ['what the system lets it', 0o664, [], 0o664, 65_534],
  ])('of a file of somebody else keeps %s, and says whose it is now', async (_name, mode, groups, expected, group) => {
    const place = await placeWith();
    chmodSync(join(place.root, 'f'), mode);
    const paths = [dirname(place.root), place.root, place.data];
    const result = await asUser(paths, () => write(place), groups);
    const { uid, gid, mode: now } = statSync(join(place.root, 'f'));
    expect([uid, gid, now & 0o7777]).toEqual([65_534, group, expected]);
    expect(result.ok && result.notes).toEqual([`f was of user 0, group 0; now it is of 65534, ${group}.`]);
    expect(contentOf(place)).toBe('new\n');
  });

  test('names no temporary file where a folder lets nothing be made in it', async () => {
    const place = await placeWith();
    mkdirSync(join(place.root, 'd'));
    writeFileSync(join(place.root, 'd/f'), 'old\n');
    const paths = [dirname(place.root), place.root, place.data, join(place.root, 'd'), join(place.root, 'd/f')];
    await asUser(paths, async () => {
      chmodSync(join(place.root, 'd'), 0o555);
      const result = await write(place, { path: 'd/f' });
      chmodSync(join(place.root, 'd'), 0o755);
      expect(result).toMatchObject({ ok: false, code: 'denied', message: 'd/f: EACCES: permission denied' });
    });
  });

  test('goes through a link to its target, and the link stays', async () => {
    const place = await placeWith();
    symlinkSync('f', join(place.root, 'l'));
    expect(await write(place, { path: 'l' })).toMatchObject({ ok: true, fingerprint: { path: 'f' } });
    expect(readlinkSync(join(place.root, 'l'))).toBe('f');
    expect(contentOf(place)).toBe('new\n');
  });

  test('says when it splits a hard link', async () => {
    const place = await placeWith();
    linkSync(join(place.root, 'f'), join(place.root, 'twin'));
    const result = await write(place);
    expect(result).toMatchObject({ ok: true });
    expect(result.ok && result.notes.join()).toContain('hard links');
    expect(contentOf(place, 'twin')).toBe('old\n');
  });

  test('compares content, not times', async () => {
    const place = await placeWith();
    const { atime, mtime } = statSync(join(place.root, 'f'));
    writeFileSync(join(place.root, 'f'), 'odd\n');
    utimesSync(join(place.root, 'f'), atime, mtime);
    expect(await write(place)).toMatchObject({ ok: false, code: 'stale' });
    writeFileSync(join(place.root, 'f'), 'old\n');
    utimesSync(join(place.root, 'f'), new Date(), new Date());
    expect(await write(place)).toMatchObject({ ok: true });
  });

  test('creates with the missing folders, byte for byte', async () => {
    const place = await placeWith();
    const bytes = Buffer.from(Array.from({ length: 1_000_000 }, (_, i) => i % 251));
    expect(await write(place, { path: 'x/y/z', bytes, base: null })).toMatchObject({ ok: true });
    expect(readFileSync(join(place.root, 'x/y/z')).equals(bytes)).toBe(true);
    expect(readdirSync(join(place.root, 'x/y'))).toEqual(['z']);
  });

  test('may make a file empty', async () => {
    const place = await placeWith();
    expect(await write(place, { bytes: new Uint8Array() })).toMatchObject({ ok: true });
    expect(contentOf(place)).toBe('');
  });

  test('hands over what it displaces first', async () => {
    const seen: [string, string | undefined, string][] = [];
    const place = await placeWith('old\n', {
      onDisplace: (path, before) => void seen.push([path, before?.hash, Buffer.from(before?.bytes ?? []).toString()]),
    });
    await write(place);
    await write(place, { path: 'g', base: null });
    await write(place, { path: 'f', base: OLD });
    expect(seen).toEqual([
      ['f', OLD, 'old\n'],
      ['g', undefined, ''],
    ]);
  });
});

describe('refused, and nothing changes', () => {
  test.each([
    ['another content than the base', { base: NEW }, 'stale'],
    ['a base that is gone', { path: 'gone' }, 'stale'],
    ['a creation where a file is', { base: null }, 'stale'],
    ['a folder', { path: '.' }, 'denied'],
    ['outside', { path: '../x', base: null }, 'denied'],
    ["git's own data", { path: '.git/hooks/pre-commit', base: null }, 'denied'],
    ["Belay's own data", { path: '../data/x', base: null }, 'denied'],
    ['below a file', { path: 'f/x', base: null }, 'denied'],
  ])('%s', async (_name, more, code) => {
    const place = await placeWith();
    expect(await write(place, more)).toMatchObject({ ok: false, code });
    expect(contentOf(place)).toBe('old\n');
    expect(names(place)).toEqual(['f']);
  });

  test('a failure inside leaves neither temporary files nor new folders', async () => {
    const place = await placeWith('old\n', { onDisplace: () => Promise.reject(new Error('no')) });
    expect(await write(place)).toMatchObject({ ok: false, code: 'io' });
    expect(await write(place, { path: 'a/b/c', base: null })).toMatchObject({ ok: false, code: 'io' });
    expect(names(place)).toEqual(['f']);
  });

  test('no room for what must be kept of the displaced file: thrown, because nothing can be recorded either', async () => {
    const place = await placeWith('old\n', {
      onDisplace: () => {
        throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
      },
    });
    await expect(write(place)).rejects.toMatchObject({ name: 'WorkspaceError', code: 'full' });
    expect(contentOf(place)).toBe('old\n');
    expect(names(place)).toEqual(['f']);
  });

  test('a revoked claim', async () => {
    const place = await placeWith();
    const execFolder = place.exec();
    expect(await place.workspace.files.settle(execFolder, [])).toEqual({ state: 'not-started' });
    expect(await write(place, { execFolder })).toMatchObject({ ok: false, code: 'revoked' });
    expect(contentOf(place)).toBe('old\n');
  });
});

describe('somebody else changes the file at the last moment', () => {
  const rivals: readonly [string, (file: string) => void, string][] = [
    ['by writing into it', (file) => writeFileSync(file, 'theirs\n'), 'theirs\n'],
    ['by appending', (file) => appendFileSync(file, 'more\n'), 'old\nmore\n'],
    [
      'by renaming another over it',
      (file) => {
        writeFileSync(`${file}.tmp`, 'theirs\n');
        renameSync(`${file}.tmp`, file);
      },
      'theirs\n',
    ],
  ];
  test.each(rivals)('%s: theirs stays', async (_name, rival, content) => {
    const place: Place = await placeWith('old\n', { onDisplace: () => rival(join(place.root, 'f')) });
    expect(await write(place)).toMatchObject({ ok: false, code: 'stale' });
    expect(contentOf(place)).toBe(content);
    expect(names(place)).toEqual(['f']);
  });

  test('by creating it: theirs stays', async () => {
    const place: Place = await placeWith('old\n', {
      onDisplace: () => writeFileSync(join(place.root, 'g'), 'theirs\n'),
    });
    expect(await write(place, { path: 'g', base: null })).toMatchObject({ ok: false, code: 'stale' });
    expect(contentOf(place, 'g')).toBe('theirs\n');
    expect(names(place)).toEqual(['f', 'g']);
  });

  test('by turning its folder into a link that leads out: nothing is written there', async () => {
    const place: Place = await openPlace();
    mkdirSync(join(place.root, 'd'));
    const slow = await place.reopen({ onDisplace: () => undefined });
    const writing = slow.files.write({ path: 'd/x', bytes: Buffer.from('x'), base: null, execFolder: null });
    renameSync(join(place.root, 'd'), join(place.root, 'e'));
    symlinkSync(place.data, join(place.root, 'd'));
    await writing;
    expect(existsSync(join(place.data, 'x'))).toBe(false);
  });
});

test('of many agents that count up in one file none loses a count', async () => {
  const place = await placeWith('0');
  const agents = await Promise.all(Array.from({ length: 4 }, () => place.reopen()));
  const countUp = async (files: Place['workspace']['files']) => {
    for (let done = 0; done < 5; ) {
      const now = await files.read('f');
      if ('code' in now) throw new Error(now.message);
      const bytes = Buffer.from(String(Number(now.text) + 1));
      if ((await files.write({ path: 'f', bytes, base: now.hash, execFolder: null })).ok) done++;
    }
  };
  await Promise.all(agents.map(({ files }) => countUp(files)));
  expect(contentOf(place)).toBe('20');
  expect(names(place)).toEqual(['f']);
});

describe('settling', () => {
  const files = [{ path: 'f', base: OLD, result: NEW }];

  test('an applied write, with and without its marker, changed since or not', async () => {
    const place = await placeWith();
    const execFolder = place.exec();
    await write(place, { execFolder });
    const { settle } = place.workspace.files;
    expect(await settle(execFolder, files)).toEqual({ state: 'applied', changedSince: false });
    renameSync(join(execFolder, 'applied'), join(execFolder, 'marker'));
    expect(await settle(execFolder, files)).toEqual({ state: 'applied', changedSince: false });
    writeFileSync(join(place.root, 'f'), 'later\n');
    expect(await settle(execFolder, files)).toMatchObject({ state: 'diverged' });
    renameSync(join(execFolder, 'marker'), join(execFolder, 'applied'));
    expect(await settle(execFolder, files)).toEqual({ state: 'applied', changedSince: true });
  });

  test('a killed agent between claim and rename: not applied, and tidied up', async () => {
    const place = await placeWith();
    const execFolder = place.exec();
    const agent = startAgent('write-file.ts', [place.root, place.data, 'f', OLD, execFolder]);
    await agent.says('displacing');
    expect(names(place)).toHaveLength(3);
    await agent.kill();
    expect(await place.workspace.files.settle(execFolder, files)).toEqual({ state: 'not-applied' });
    expect(names(place)).toEqual(['f']);
    expect(lstatSync(join(place.root, 'f')).nlink).toBe(1);
    expect(await write(place)).toMatchObject({ ok: true });
  });

  test('a killed agent before a creation: not applied, and tidied up', async () => {
    const place = await placeWith();
    const execFolder = place.exec();
    const agent = startAgent('write-file.ts', [place.root, place.data, 'g', '-', execFolder]);
    await agent.says('displacing');
    await agent.kill();
    const created = [{ path: 'g', base: null, result: NEW }];
    expect(await place.workspace.files.settle(execFolder, created)).toEqual({ state: 'not-applied' });
    expect(names(place)).toEqual(['f']);
  });

  test('a killed agent, and somebody edits before the settling: diverged, theirs stays', async () => {
    const place = await placeWith();
    const execFolder = place.exec();
    const agent = startAgent('write-file.ts', [place.root, place.data, 'f', OLD, execFolder]);
    await agent.says('displacing');
    await agent.kill();
    writeFileSync(join(place.root, 'f'), 'theirs\n');
    const settled = await place.workspace.files.settle(execFolder, files);
    expect(settled).toMatchObject({ state: 'diverged' });
    expect(contentOf(place)).toBe('theirs\n');
    expect(names(place)).toEqual(['f']);
  });

  test('several files of which one was written: diverged, each named', async () => {
    const place = await placeWith();
    const execFolder = place.exec();
    await write(place, { execFolder });
    renameSync(join(execFolder, 'applied'), join(execFolder, 'marker'));
    const settled = await place.workspace.files.settle(execFolder, [...files, { path: 'g', base: null, result: NEW }]);
    expect(settled).toEqual({ state: 'diverged', evidence: 'f holds the new content\ng holds the old content' });
  });
});
