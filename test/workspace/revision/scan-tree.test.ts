import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SlowScan } from '#workspace';
import { sideOfFile } from '../../../src/workspace/checkpoint/look.ts';
import { blobHash } from '../../../src/workspace/files/blob-hash.ts';
import { hugeSizeOf } from '../../../src/workspace/files/huge-file.ts';
import { asUser } from '../../as-user.ts';
import { openPlace, type Place } from '../bench-place.ts';

const git = (root: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: root, encoding: 'utf8' });

function put(place: Place, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(place.root, path)), { recursive: true });
    writeFileSync(join(place.root, path), content);
  }
}
const pathsOf = async (place: Place): Promise<string[]> =>
  [...(await place.workspace.revision.scan()).manifest.keys()].toSorted();

test('the manifest holds files with full mode and git hash, links as text, and empty folders', async () => {
  const place = await openPlace();
  put(place, { 'a/b.txt': 'hi\n', 'a/run.sh': '' });
  chmodSync(join(place.root, 'a/run.sh'), 0o750);
  symlinkSync('../../outside', join(place.root, 'a/link'));
  mkdirSync(join(place.root, 'empty'));
  execFileSync('sh', ['-c', 'mkfifo "$0"', join(place.root, 'pipe')]);
  const { manifest } = await place.workspace.revision.scan();
  expect(Object.fromEntries(manifest)).toEqual({
    'a/b.txt': `100644 ${blobHash(Buffer.from('hi\n'))}`,
    'a/run.sh': `100750 ${blobHash(Buffer.from(''))}`,
    'a/link': `120777 ${blobHash(Buffer.from('../../outside'))}`,
    'empty/': '040000 empty',
  });
});

describe('every change is seen, and its undoing gives the old revision back', () => {
  const at = (place: Place, path: string) => join(place.root, path);
  const changes: readonly [string, (place: Place) => void, (place: Place) => void, readonly string[]][] = [
    ['content', (p) => put(p, { f: 'x' }), (p) => put(p, { f: 'a' }), ['f']],
    ['a new file', (p) => put(p, { n: '' }), (p) => unlinkSync(at(p, 'n')), ['n']],
    ['a removed file', (p) => unlinkSync(at(p, 'f')), (p) => put(p, { f: 'a' }), ['f']],
    ['a mode', (p) => chmodSync(at(p, 'f'), 0o755), (p) => chmodSync(at(p, 'f'), 0o644), ['f']],
    ['a rename', (p) => renameSync(at(p, 'f'), at(p, 'g')), (p) => renameSync(at(p, 'g'), at(p, 'f')), ['f', 'g']],
    ['an empty folder', (p) => mkdirSync(at(p, 'e')), (p) => rmSync(at(p, 'e'), { recursive: true }), ['e/']],
    [
      'a link',
      (p) => {
        unlinkSync(at(p, 'f'));
        symlinkSync('a', at(p, 'f'));
      },
      (p) => {
        unlinkSync(at(p, 'f'));
        put(p, { f: 'a' });
      },
      ['f'],
    ],
    [
      'content of the same length with the old times',
      (p) => {
        put(p, { f: 'z' });
        utimesSync(at(p, 'f'), 1, 1);
      },
      (p) => {
        put(p, { f: 'a' });
        utimesSync(at(p, 'f'), 1, 1);
      },
      ['f'],
    ],
  ];
  test.each(changes)('%s', async (_name, change, undo, changed) => {
    const place = await openPlace();
    put(place, { f: 'a', 'd/g': 'b' });
    utimesSync(join(place.root, 'f'), 1, 1);
    const { revision } = place.workspace;
    const before = await revision.scan();
    change(place);
    const after = await revision.scan();
    expect(revision.changed(before, after)).toEqual(changed);
    expect(after.revision).not.toBe(before.revision);
    expect(revision.tree(after, changed)).toBe(revision.tree(before, changed));
    undo(place);
    expect((await revision.scan()).revision).toBe(before.revision);
  });

  test('times alone are no change', async () => {
    const place = await openPlace();
    put(place, { f: 'a' });
    const before = await place.workspace.revision.scan();
    utimesSync(join(place.root, 'f'), 5, 5);
    expect(await place.workspace.revision.scan()).toBe(before);
  });
});

test('equal trees have equal revisions, whatever the order they were made in', async () => {
  const name = fc.stringMatching(/^[a-zA-Z0-9é._-]{1,8}$/).filter((text) => !['.', '..'].includes(text));
  const tree = fc.dictionary(name, fc.string({ maxLength: 10 }), { minKeys: 1, maxKeys: 6, noNullPrototype: true });
  await fc.assert(
    fc.asyncProperty(tree, async (files) => {
      const [one, two] = [await openPlace(), await openPlace()];
      const entries = Object.entries(files).filter(([path]) => !path.startsWith('.git'));
      put(one, Object.fromEntries(entries));
      put(two, Object.fromEntries(entries.toReversed()));
      const [a, b] = await Promise.all([one, two].map(({ workspace }) => workspace.revision.scan()));
      expect(a?.revision).toBe(b?.revision);
      expect(one.workspace.revision.tree(a!, [])).toBe(a?.revision);
    }),
    { numRuns: 20 },
  );
});

describe('what is left out', () => {
  test.each<[string, Record<string, string>, readonly string[]]>([
    [
      'ignored files and folders',
      { '.gitignore': '*.log\nbuild/\n', 'a.log': '', 'b/c.log': '', 'build/x': '', 'b/d': '' },
      ['.gitignore', 'b/d'],
    ],
    ['an anchored rule', { '.gitignore': '/x\n', x: '', 'd/x': '' }, ['.gitignore', 'd/x']],
    ['a rule of an inner folder', { 'd/.gitignore': 'x\n', x: '', 'd/x': '', 'd/e/x': '' }, ['d/.gitignore', 'x']],
    [
      'an inner folder takes a rule back',
      { '.gitignore': '*.log\n', 'd/.gitignore': '!keep.log\n', 'd/keep.log': '', 'd/x.log': '' },
      ['.gitignore', 'd/.gitignore', 'd/keep.log'],
    ],
    [
      'an inner folder takes a whole folder back',
      { '.gitignore': 'out/\n', 'd/.gitignore': '!out/\n', 'd/out/x': '', 'out/y': '' },
      ['.gitignore', 'd/.gitignore', 'd/out/x'],
    ],
    [
      'a byte order mark and CRLF are no part of a rule',
      { '.gitignore': '\ufeff*.log\r\nbuild/\r\n', 'a.log': '', 'build/x': '', b: '' },
      ['.gitignore', 'b'],
    ],
    ['a rule minds upper and lower case', { '.gitignore': 'x\n', X: '', x: '' }, ['.gitignore', 'X']],
    ['an exclude file of the repository', { '.git/info/exclude': 'x\n', x: '', y: '' }, ['y']],
    ['entries named .git', { '.git/config': '', 'sub/.git': 'gitdir: elsewhere\n', 'sub/x': '' }, ['sub/x']],
    ['nothing of a nested repository but its .git', { 'n/.git/HEAD': '', 'n/x': '' }, ['n/x']],
    ['the names of a write in progress', { '.belay-0123456789abcdef.new': '', '.belay-x': '' }, ['.belay-x']],
  ])('%s', async (_name, files, counted) => {
    const place = await openPlace();
    put(place, files);
    expect(await pathsOf(place)).toEqual(counted);
  });

  test("Belay's own data inside the workspace", async () => {
    const place = await openPlace();
    put(place, { x: '', 'own/lock.db': '' });
    const other = await place.reopen({ protectedPaths: [join(place.root, 'own')] });
    expect([...(await other.revision.scan()).manifest.keys()]).toEqual(['x']);
  });

  test('a change of the rules is seen at once', async () => {
    const place = await openPlace();
    put(place, { 'd/x': '', 'd/y': '' });
    expect(await pathsOf(place)).toEqual(['d/x', 'd/y']);
    put(place, { 'd/.gitignore': 'x\n' });
    expect(await pathsOf(place)).toEqual(['d/.gitignore', 'd/y']);
    put(place, { 'd/.gitignore': 'y\n' });
    expect(await pathsOf(place)).toEqual(['d/.gitignore', 'd/x']);
    unlinkSync(join(place.root, 'd/.gitignore'));
    expect(await pathsOf(place)).toEqual(['d/x', 'd/y']);
  });

  test('never what git tracks', async () => {
    const place = await openPlace();
    put(place, { '.gitignore': '*.log\nbuild/\n', 'a.log': '', 'b.log': '', 'build/deep/kept': '', 'build/made': '' });
    git(place.root, 'init', '-q');
    git(place.root, 'add', '-f', 'a.log', 'build/deep/kept');
    expect(await pathsOf(place)).toEqual(['.gitignore', 'a.log', 'build/deep/kept']);
  });

  test('of git and of us the same, on a tree with rules of all kinds', async () => {
    const place = await openPlace();
    put(place, {
      '.gitignore': '# c\n\n*.o\n!keep.o\n/top\n**/deep/*.tmp\nfoo/*\n!foo/bar\nspace\\ \n\\#lit\n[ab].x\ndir/\n',
      'x/.gitignore': '*\n!.gitignore\n!y/\n!y/**\n',
      'a.o': '',
      'keep.o': '',
      top: '',
      'n/top': '',
      'q/deep/z.tmp': '',
      'deep/k.tmp': '',
      'foo/baz': '',
      'foo/bar': '',
      'space ': '',
      '#lit': '',
      'a.x': '',
      'c.x': '',
      dir: '',
      'n/dir/f': '',
      'x/1': '',
      'x/y/2': '',
      'x/z/3': '',
    });
    git(place.root, 'init', '-q');
    const listed = git(place.root, '-c', 'core.excludesFile=/dev/null', 'ls-files', '-z', '-co', '--exclude-standard');
    expect(await pathsOf(place)).toEqual(listed.split('\0').filter(Boolean).toSorted());
  });
});

describe('odd names', () => {
  test('line ends, quotes and characters of every kind', async () => {
    const place = await openPlace();
    const names = ['日本.txt', 'a b', '-x', 'q"q', 'new\nline', 'tab\t', "'", '\u{fffd}', '🎉'].toSorted();
    put(place, Object.fromEntries(names.map((name) => [name, name])));
    expect(await pathsOf(place)).toEqual(names);
  });

  test('bytes that are no text', async () => {
    const place = await openPlace();
    const folder = Buffer.concat([Buffer.from(`${place.root}/d`), Buffer.from([0xff])]);
    mkdirSync(folder);
    writeFileSync(Buffer.concat([folder, Buffer.from('/f'), Buffer.from([0xfe])]), 'x');
    expect(await pathsOf(place)).toEqual(['d\\xff/f\\xfe']);
  });
});

describe('the cache', () => {
  test('kept over runs, it gives the same revision, and still sees every change', async () => {
    const place = await openPlace();
    const cacheFile = join(place.data, 'cache');
    put(place, Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`f${i}`, `${i}`])));
    const first = await (await place.reopen({ cacheFile })).revision.scan();
    expect(readFileSync(cacheFile, 'utf8').split('\n')).toHaveLength(301);
    const again = await place.reopen({ cacheFile });
    expect((await again.revision.scan()).revision).toBe(first.revision);
    put(place, { f7: 'x' });
    const third = await (await place.reopen({ cacheFile })).revision.scan();
    expect(again.revision.changed(first, third)).toEqual(['f7']);
  });

  test.each(['', 'nonsense', 'belay scan cache 1\nf0\0x\0y'])('a damaged one is as good as none: %j', async (text) => {
    const place = await openPlace();
    put(place, { f0: 'a' });
    const cacheFile = join(place.data, 'cache');
    writeFileSync(cacheFile, text);
    const scan = await (await place.reopen({ cacheFile })).revision.scan();
    expect(scan.revision).toBe((await place.workspace.revision.scan()).revision);
  });
});

test('files above the size of one look are hashed whole', async () => {
  const place = await openPlace();
  const content = 'x'.repeat(3_000_000);
  put(place, { big: content });
  const scan = await place.workspace.revision.scan();
  expect(scan.manifest.get('big')).toBe(`100644 ${blobHash(Buffer.from(content))}`);
});

describe('files above 256 MiB', () => {
  const MIB = 1024 * 1024;
  const large = (place: Place, path: string, bytes: number) => {
    writeFileSync(join(place.root, path), '');
    truncateSync(join(place.root, path), bytes);
  };

  test('are told apart by size, inode and times, at every look alike', async () => {
    const place = await openPlace();
    large(place, 'sparse', 40_000 * MIB);
    large(place, 'hashed', 1 * MIB);
    const { files, revision } = place.workspace;
    const first = await revision.scan();
    const side = first.manifest.get('sparse') ?? '';
    expect(side).toMatch(/^100644 stat-41943040000-\d+-\d+-\d+$/);
    expect(first.manifest.get('hashed')).toMatch(/^100644 [0-9a-f]{40}$/);
    expect((await revision.scan()).revision).toBe(first.revision);
    expect(await files.hash('sparse')).toBe(side.slice(7));
    expect(await files.read('sparse', { bytesMax: 10 })).toMatchObject({ truncated: true, hash: side.slice(7) });
    expect(sideOfFile(join(place.root, 'sparse'))).toBe(side);
    expect(hugeSizeOf(side)).toBe(40_000 * MIB);
    expect(hugeSizeOf(first.manifest.get('hashed') ?? '')).toBeNull();
    truncateSync(join(place.root, 'sparse'), 41_000 * MIB);
    expect(revision.changed(first, await revision.scan())).toEqual(['sparse']);
  });

  test('a write that leaves the size counts as a change, also with the time set back', async () => {
    const place = await openPlace();
    large(place, 'sparse', 300 * MIB);
    const path = join(place.root, 'sparse');
    utimesSync(path, 1_700_000_000, 1_700_000_000);
    const first = await place.workspace.revision.scan();
    await new Promise((resolve) => setTimeout(resolve, 20));
    const file = openSync(path, 'r+');
    writeSync(file, 'x', 5);
    closeSync(file);
    utimesSync(path, 1_700_000_000, 1_700_000_000);
    expect(place.workspace.revision.changed(first, await place.workspace.revision.scan())).toEqual(['sparse']);
  });
});

test('a scan that takes long is told once, and is called off while a file is read', async () => {
  const stop = new AbortController();
  const told: SlowScan[] = [];
  const onSlowScan = (seen: SlowScan) => {
    told.push(seen);
    stop.abort();
  };
  const place = await openPlace({ onSlowScan });
  for (let i = 0; i < 60; i++) {
    writeFileSync(join(place.root, `f${i}`), '');
    truncateSync(join(place.root, `f${i}`), 250 * 1024 * 1024);
  }
  await expect(place.workspace.revision.scan(stop.signal)).rejects.toThrow();
  expect(told).toMatchObject([{ files: 60, reading: { bytes: 250 * 1024 * 1024 } }]);
}, 20_000);

describe('pipes and devices where git has files hold nobody up', () => {
  const kinds: readonly (readonly [string, (path: string) => void])[] = [
    ['a pipe', (path) => void execFileSync('mkfifo', [path])],
    ['a device', (path) => symlinkSync('/dev/zero', path)],
  ];
  const names = ['HEAD', 'index', 'config', 'info/exclude', 'info/attributes'].map((name) => `.git/${name}`);
  const rows = [...names, '.gitignore', '.gitattributes', 'sub/.gitignore', 'sub/.git', '.git'].flatMap((name) =>
    kinds.map(([kind, make]) => [name, kind, make] as const),
  );
  test.each(rows)('%s is %s', async (name, _kind, make) => {
    const place = await openPlace();
    put(place, { f: 'a', 'sub/g': 'b', 'sub/.keep': '' });
    git(place.root, 'init', '-q');
    git(place.root, 'add', '.');
    rmSync(join(place.root, name), { recursive: true, force: true });
    make(join(place.root, name));
    const { revision } = place.workspace;
    expect((await revision.scan()).manifest.has('sub/g')).toBe(true);
    await revision.ignored?.({ filesMax: 10 });
    // Where git alone would find it, below the root, it is asked, and the asking ends with the signal.
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), 300);
    await revision.isDirty(stop.signal);
    clearTimeout(timer);
  });
});

describe('rules that could be tried in very many ways', () => {
  const deep = (depth: number, name: string) => `${'a/'.repeat(depth)}${name}`;
  test('hold nothing up, and leave nothing out that they do not mean', async () => {
    const place = await openPlace();
    const rules = [`${'**/a/'.repeat(12)}b`, `a${'/**'.repeat(12)}/b`, '**/a/**/a/**/a/**/log', '*.tmp'];
    put(place, { '.gitignore': `${rules.join('\n')}\n`, [deep(150, 'c')]: '', [deep(30, 'c')]: '' });
    put(place, { [deep(30, 'log')]: '', [deep(30, 'x.tmp')]: '', [deep(150, 'x.tmp')]: '' });
    expect(await pathsOf(place)).toEqual(['.gitignore', deep(150, 'c'), deep(30, 'c')].toSorted());
  });

  test.each(['a/**/b', 'a/**/b/**/c', '/x/**/y/**/z/**/w', '**/x/**', 'a/**/b\r', '!a/**/b', '/**/q'])(
    'as git has them: %s',
    async (rule) => {
      const place = await openPlace();
      const paths = [
        'a/b',
        'a/x/b',
        'a/x/y/b',
        'x/y/z',
        'x/y/z/w',
        'x/1/y/2/z/3/w',
        'a/b/c',
        'a/1/b/2/c',
        'q',
        'xx/y/z',
      ];
      put(place, Object.fromEntries(paths.map((path) => [`${path}/f`, ''])));
      put(place, { '.gitignore': `b/x\n${rule}\n` });
      git(place.root, 'init', '-q');
      const listed = git(place.root, 'ls-files', '--others', '--exclude-standard').trim().split('\n');
      expect(await pathsOf(place)).toEqual(listed.toSorted());
    },
  );

  test.each(['[!a]', '?', '??', '[é]', '[à-ü]b', 'à', 'à ', '*ü', '日?', '[!é]/', '!à\nà'])(
    'as git has them, byte by byte: %s',
    async (rule) => {
      const place = await openPlace();
      const names = ['a', 'b', 'é', 'à', 'ü', 'éb', 'aü', '日', '日本', '日x', 'à\u00a0'];
      put(place, Object.fromEntries(names.flatMap((name) => [[`${name}/f`, ''] as const, [`z/${name}`, ''] as const])));
      put(place, { '.gitignore': `${rule}\n` });
      git(place.root, 'init', '-q');
      const listed = git(place.root, '-c', 'core.quotePath=false', 'ls-files', '-o', '--exclude-standard', '-z').split(
        '\0',
      );
      expect(await pathsOf(place)).toEqual(listed.filter((path) => path !== '').toSorted());
    },
  );
});

test('folders that let nobody in, or tell nothing, hide what is in them and hold nothing up', async () => {
  const place = await openPlace();
  put(place, { 'names/f': '1', 'names/in/g': '2', 'closed/f': '3', f: '4', unread: '5' });
  git(place.root, 'init', '-q');
  git(place.root, 'add', '.');
  const at = (path: string) => join(place.root, path);
  const paths = ['', 'names', 'names/in', 'closed', 'unread', 'f', '.git', '.git/index'];
  await asUser([dirname(place.root), place.data, ...paths.map(at)], async () => {
    chmodSync(at('names'), 0o644);
    chmodSync(at('closed'), 0);
    chmodSync(at('unread'), 0);
    const { manifest } = await place.workspace.revision.scan();
    chmodSync(at('.git'), 0);
    expect([...(await place.workspace.revision.scan()).manifest.keys()]).toEqual([...manifest.keys()]);
    for (const path of ['names', 'closed', '.git']) chmodSync(at(path), 0o755);
    expect(Object.fromEntries(manifest)).toEqual({
      'names/f': '000000 unreachable',
      'names/in/': '040000 unreadable',
      'closed/': '040000 unreadable',
      f: expect.stringContaining('100644 '),
      unread: expect.stringMatching(/^100000 unreadable-/),
    });
    expect((await place.workspace.revision.scan()).manifest.get('names/f')).toBe(
      `100644 ${blobHash(Buffer.from('1'))}`,
    );
  });
});

test('a scan can be called off', async () => {
  const place = await openPlace();
  put(place, { big: 'x'.repeat(3_000_000) });
  await expect(place.workspace.revision.scan(AbortSignal.abort())).rejects.toThrow();
});

describe('whether the working tree is dirty', () => {
  test('null without a repository, then as git sees it, and nothing of the repository is run', async () => {
    const place = await openPlace();
    const { revision } = place.workspace;
    expect(await revision.isDirty()).toBeNull();
    put(place, { f: 'a', '.gitattributes': 'f filter=evil\n' });
    git(place.root, 'init', '-q');
    expect(await revision.isDirty()).toBe(true);
    git(place.root, 'add', '.');
    git(place.root, 'commit', '-qm', 'x');
    expect(await revision.isDirty()).toBe(false);
    const trap = `sh -c 'touch ${place.data}/OWNED; cat'`;
    git(place.root, 'config', 'filter.evil.clean', trap);
    git(place.root, 'config', 'filter.evil.required', 'true');
    git(place.root, 'config', 'core.fsmonitor', `touch ${place.data}/OWNED`);
    put(place, { f: 'b' });
    expect(await revision.isDirty()).toBe(true);
    await revision.scan();
    expect(() => readFileSync(join(place.data, 'OWNED'))).toThrow();
  });
});
