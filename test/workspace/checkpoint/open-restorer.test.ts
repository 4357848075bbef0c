/** Bringing paths back: contents, modes, links, folders; and what is left alone because somebody else was there. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { openCheckpoints, openRestorer, openWorkspace, type RestoreItem, type Scan } from '#workspace';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function makePlace() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'belay-restore-')));
  folders.push(folder);
  const root = join(folder, 'work');
  const outside = join(folder, 'outside');
  mkdirSync(root);
  mkdirSync(outside);
  const workspace = await openWorkspace({ root, protectedPaths: [join(root, 'own')], env: process.env });
  const checkpoints = openCheckpoints({ folder: join(folder, 'store'), root, keptIn: [] });
  const base = await workspace.revision.scan();
  const restorer = openRestorer({
    root,
    protectedPaths: [join(root, 'own')],
    lockFolder: join(folder, 'lock'),
    bootId: 'boot',
    folderMode: checkpoints.folderMode,
  });
  let runs = 0;
  const at = (path: string) => join(root, path);
  const note = async () => checkpoints.noteFolders(await workspace.revision.scan());
  const take = async (): Promise<Scan> => {
    const scan = await workspace.revision.scan();
    await checkpoints.take(scan, base, new AbortController().signal);
    return scan;
  };
  return {
    root,
    outside,
    at,
    take,
    note,
    restorer,
    write: (path: string, text: string, mode = 0o644) => {
      mkdirSync(join(at(path), '..'), { recursive: true });
      writeFileSync(at(path), text);
      chmodSync(at(path), mode);
    },
    read: (path: string) => readFileSync(at(path), 'utf8'),
    mode: (path: string) => (lstatSync(at(path)).mode & 0o7777).toString(8),
    items: (from: Scan, to: Scan): RestoreItem[] =>
      [...new Set([...from.manifest.keys(), ...to.manifest.keys()])]
        .filter((path) => from.manifest.get(path) !== to.manifest.get(path))
        .map((path) => ({ path, from: from.manifest.get(path) ?? null, to: to.manifest.get(path) ?? null })),
    restore: (items: readonly RestoreItem[]) =>
      restorer.restore(items, async (hash) => checkpoints.content(hash), join(folder, 'exec', String(++runs))),
  };
}
type Place = Awaited<ReturnType<typeof makePlace>>;

describe('from what Belay left back to what was', () => {
  const changes: readonly (readonly [name: string, before: (p: Place) => void, change: (p: Place) => void])[] = [
    ['a content', (p) => p.write('f', 'one'), (p) => p.write('f', 'two')],
    ['a content of bytes that are no text', (p) => p.write('f', '\u0000\r\n'), (p) => p.write('f', 'text')],
    ['an empty file', (p) => p.write('f', ''), (p) => p.write('f', 'two')],
    ['a removed file', (p) => p.write('f', 'one', 0o755), (p) => rmSync(p.at('f'))],
    ['a new file', () => undefined, (p) => p.write('f', 'new')],
    ['a file in new folders', () => undefined, (p) => p.write('d/e/f', 'new')],
    ['a removed folder', (p) => p.write('d/e/f', 'one'), (p) => rmSync(p.at('d'), { recursive: true })],
    ['a mode', (p) => p.write('f', 'one', 0o644), (p) => chmodSync(p.at('f'), 0o755)],
    ['a mode that was taken away', (p) => p.write('f', 'one', 0o755), (p) => chmodSync(p.at('f'), 0o600)],
    ['content and mode', (p) => p.write('f', 'one', 0o600), (p) => p.write('f', 'two', 0o666)],
    ['a moved file', (p) => p.write('a', 'one'), (p) => renameSync(p.at('a'), p.at('b'))],
    ['a link', () => undefined, (p) => symlinkSync('f', p.at('l'))],
    ['a removed link that leads nowhere', (p) => symlinkSync('nowhere', p.at('l')), (p) => rmSync(p.at('l'))],
    [
      'a link that leads elsewhere',
      (p) => symlinkSync('one', p.at('l')),
      (p) => {
        rmSync(p.at('l'));
        symlinkSync('two', p.at('l'));
      },
    ],
    [
      'a file that became a link',
      (p) => p.write('f', 'one'),
      (p) => {
        rmSync(p.at('f'));
        symlinkSync('/etc/hostname', p.at('f'));
      },
    ],
    [
      'a link that became a file',
      (p) => symlinkSync('x', p.at('f')),
      (p) => {
        rmSync(p.at('f'));
        p.write('f', 'two');
      },
    ],
    [
      'a file that became a folder',
      (p) => p.write('x', 'one'),
      (p) => {
        rmSync(p.at('x'));
        p.write('x/y/z', 'two');
      },
    ],
    [
      'a folder that became a file',
      (p) => p.write('x/y/z', 'one'),
      (p) => {
        rmSync(p.at('x'), { recursive: true });
        p.write('x', 'two');
      },
    ],
    ['an empty folder', () => undefined, (p) => mkdirSync(p.at('d/e'), { recursive: true })],
    ['a removed empty folder', (p) => mkdirSync(p.at('d')), (p) => rmSync(p.at('d'), { recursive: true })],
    ['a folder that was empty', (p) => mkdirSync(p.at('d')), (p) => p.write('d/f', 'new')],
    ['a folder that became empty', (p) => p.write('d/f', 'one'), (p) => rmSync(p.at('d/f'))],
    ['names with blanks, quotes and line ends', (p) => p.write('a b"\n\'', 'one'), (p) => p.write('a b"\n\'', 'two')],
  ];
  test.each(changes)('%s', async (_name, before, change) => {
    const place = await makePlace();
    before(place);
    const then = await place.take();
    change(place);
    const now = await place.take();
    const back = await place.restore(place.items(now, then));
    expect(back.refused).toEqual([]);
    expect((await place.take()).revision).toBe(then.revision);
    // And forth again, as a redo does.
    await place.restore(place.items(then, now));
    expect((await place.take()).revision).toBe(now.revision);
    expect(readdirSync(place.root).filter((name) => name.startsWith('.belay-'))).toEqual([]);
  });
});

describe('what is left alone, and said so', () => {
  test('a file that somebody else changed since; the others go on', async () => {
    const place = await makePlace();
    place.write('mine', 'one');
    place.write('theirs', 'one');
    const then = await place.take();
    place.write('mine', 'two');
    place.write('theirs', 'two');
    const items = place.items(await place.take(), then);
    place.write('theirs', 'three');
    expect(await place.restore(items)).toEqual({
      restored: ['mine'],
      refused: [{ path: 'theirs', why: 'somebody else changed it after Belay did' }],
      notes: [],
    });
    expect([place.read('mine'), place.read('theirs')]).toEqual(['one', 'three']);
  });

  test.each<readonly [name: string, meddle: (p: Place) => void]>([
    ['was removed', (p) => rmSync(p.at('f'))],
    [
      'became a folder',
      (p) => {
        rmSync(p.at('f'));
        p.write('f/x', 'theirs');
      },
    ],
    [
      'became a link',
      (p) => {
        rmSync(p.at('f'));
        symlinkSync(p.outside, p.at('f'));
      },
    ],
  ])('a file that %s', async (_name, meddle) => {
    const place = await makePlace();
    place.write('f', 'one');
    const then = await place.take();
    place.write('f', 'two');
    const items = place.items(await place.take(), then);
    meddle(place);
    const before = await place.take();
    expect((await place.restore(items)).refused).toHaveLength(1);
    expect((await place.take()).revision).toBe(before.revision);
  });

  test.each<readonly [name: string, path: string, make: (absolute: string) => void]>([
    ['a pipe in the place of a folder', 'd/', (one) => void execFileSync('mkfifo', [one])],
    ['a file in the place of a folder', 'd/', (one) => writeFileSync(one, 'theirs')],
    ['a link in the place of a folder', 'd/', (one) => symlinkSync('elsewhere', one)],
    ['a pipe in the place of a file', 'd', (one) => void execFileSync('mkfifo', [one])],
  ])('%s is not said to be brought back', async (_name, path, make) => {
    const place = await makePlace();
    if (path.endsWith('/')) mkdirSync(place.at('d'));
    else place.write('d', 'one');
    const then = await place.take();
    rmSync(place.at('d'), { recursive: true });
    const items = place.items(await place.take(), then);
    make(place.at('d'));
    const refused = [{ path, why: 'something else lies there that an undo does not take away' }];
    expect(await place.restore(items)).toEqual({ restored: [], refused, notes: [] });
    // Nor that a pipe was taken away; a file there is what a look tells of.
    const forth = items.map((item) => ({ ...item, from: item.to, to: item.from }));
    const isPipe = lstatSync(place.at('d')).isFIFO();
    expect((await place.restore(forth)).restored).toEqual(isPipe ? [] : [path]);
  });

  test('nothing is written through a folder that became a link', async () => {
    const place = await makePlace();
    place.write('d/f', 'one');
    const then = await place.take();
    place.write('d/f', 'two');
    const items = place.items(await place.take(), then);
    rmSync(place.at('d'), { recursive: true });
    writeFileSync(join(place.outside, 'f'), 'two');
    symlinkSync(place.outside, place.at('d'));
    expect((await place.restore(items)).restored).toEqual([]);
    expect(readFileSync(join(place.outside, 'f'), 'utf8')).toBe('two');
  });

  test.each(['../outside/f', '.git/config', 'sub/.git/hooks/post-commit', 'own/ledger', '/etc/belay-test'])(
    'the path %s is refused whatever a plan says',
    async (path) => {
      const place = await makePlace();
      place.write('f', 'content');
      const side = (await place.take()).manifest.get('f') ?? null;
      expect((await place.restore([{ path, from: null, to: side }])).restored).toEqual([]);
      expect(existsSync(join(place.root, path))).toBe(false);
    },
  );

  test('a name that is no UTF-8, and one that reads like it', async () => {
    const place = await makePlace();
    const bytes = Buffer.from(`${place.root}/b\xff`, 'latin1');
    writeFileSync(bytes, 'bytes');
    place.write('b\\xff', 'text');
    const then = await place.take();
    for (const name of [bytes, place.at('b\\xff')]) rmSync(name);
    const now = await place.take();
    const why = 'its name is no UTF-8, or reads like one that is not';
    for (const items of [place.items(now, then), place.items(then, now)]) {
      const { restored, refused } = await place.restore(items);
      expect({ restored, refused }).toEqual({
        restored: [],
        refused: ['b\\xff', 'b\\xff\\x'].map((path) => ({ path, why })),
      });
      expect(readdirSync(place.root)).toEqual([]);
    }
  });

  test('a content that is not kept', async () => {
    const place = await makePlace();
    place.write('f', 'two');
    const from = (await place.take()).manifest.get('f') ?? null;
    const result = await place.restore([{ path: 'f', from, to: `100644 ${'0'.repeat(40)}` }]);
    expect(result.refused).toEqual([{ path: 'f', why: 'its content is not kept' }]);
    expect(place.read('f')).toBe('two');
  });
});

describe('modes', () => {
  test.each<readonly [name: string, then: number, left: number, now: number, expected: string]>([
    ['as they were', 0o755, 0o644, 0o644, '755'],
    ['never wider than somebody made them since', 0o644, 0o644, 0o600, '600'],
    ['what somebody widened goes back', 0o600, 0o600, 0o666, '600'],
    ['no special bit comes back by itself', 0o4755, 0o755, 0o755, '755'],
  ])('%s', async (_name, then, left, now, expected) => {
    const place = await makePlace();
    place.write('f', 'one', then);
    const before = await place.take();
    place.write('f', 'two', left);
    const items = place.items(await place.take(), before);
    chmodSync(place.at('f'), now);
    expect((await place.restore(items)).refused).toEqual([]);
    expect([place.read('f'), place.mode('f')]).toEqual(['one', expected]);
  });
});

test('what is back already counts as restored, so an interrupted run is simply run again', async () => {
  const place = await makePlace();
  for (const name of ['a', 'b', 'c']) place.write(name, 'one');
  const then = await place.take();
  for (const name of ['a', 'b', 'c']) place.write(name, 'two');
  const items = place.items(await place.take(), then);
  await place.restore(items.slice(0, 2));
  expect(await place.restore(items)).toEqual({ restored: ['a', 'b', 'c'], refused: [], notes: [] });
});

test('a run that was given up cannot go on, and a link keeps its text', async () => {
  const place = await makePlace();
  symlinkSync('target', place.at('l'));
  const folder = join(place.root, '..', 'exec', 'frozen');
  place.restorer.abandon(folder, []);
  const side = (await place.take()).manifest.get('l') ?? null;
  await expect(
    place.restorer.restore([{ path: 'l', from: side, to: null }], async () => null, folder),
  ).rejects.toThrow();
  expect(readlinkSync(place.at('l'))).toBe('target');
});

describe('folders that are made anew', () => {
  test.each<readonly [name: string, mode: number, noted: boolean, around: number, expected: string]>([
    ['the usual permissions', 0o755, true, 0o755, '755'],
    ['private ones', 0o700, true, 0o755, '700'],
    ['shared ones', 0o775, true, 0o755, '775'],
    ['ones that keep the owner from writing', 0o555, true, 0o755, '555'],
    ['the usual ones where nothing is known', 0o755, false, 0o755, '755'],
    ['never more than the folder around where nothing is known', 0o755, false, 0o750, '750'],
  ])('%s', async (_name, mode, noted, around, expected) => {
    const place = await makePlace();
    place.write('p/d/e/f', 'one');
    chmodSync(place.at('p/d'), mode);
    chmodSync(place.at('p'), around);
    if (noted) await place.note();
    const then = await place.take();
    chmodSync(place.at('p/d'), 0o700);
    rmSync(place.at('p/d'), { recursive: true });
    expect((await place.restore(place.items(await place.take(), then))).restored).toContain('p/d/e/f');
    expect(place.mode('p/d')).toBe(expected);
  });
});
