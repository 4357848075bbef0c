import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type BaseStore, openBaseStore, toolEnv } from '#workspace';
import { openPlace, type Place } from '../bench-place.ts';

const git = (root: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: root, encoding: 'utf8' });

async function placeWithStore(): Promise<{ readonly place: Place; readonly store: BaseStore }> {
  let capture: BaseStore['capture'] | null = null;
  const place = await openPlace({ onDisplace: (path, before) => capture?.(path, before) });
  const store = openBaseStore({
    folder: join(place.data, 'base'),
    root: place.root,
    git: place.workspace.processes.program('git'),
    env: toolEnv(process.env),
  });
  capture = store.capture;
  return { place, store };
}

const file = (place: Place, path: string, content: string | Uint8Array): void =>
  writeFileSync(join(place.root, path), content);

test('the change of a session alone: edits, commands and commits, but not what was dirty before', async () => {
  const { place, store } = await placeWithStore();
  git(place.root, 'init', '-q');
  for (const name of ['committed', 'shell', 'dirty', 'gone', 'mode']) file(place, name, `${name} 1\n`);
  git(place.root, 'add', '.');
  git(place.root, 'commit', '-qm', 'x');
  file(place, 'dirty', 'dirty by the user\n');
  file(place, 'untracked', 'untracked 1\n');
  const { files, processes, revision } = place.workspace;
  await store.snapshot(await revision.scan());
  const now = await files.read('committed');
  if ('code' in now) throw new Error(now.message);
  await files.write({ path: 'committed', bytes: Buffer.from('edited\n'), base: now.hash, execFolder: null });
  await place.run('echo 2 >>shell; echo 2 >>dirty; echo 2 >>untracked; rm gone; chmod +x mode; echo new >fresh');
  git(place.root, 'commit', '-qam', 'y');
  expect(processes.program('git')).not.toBeNull();
  const changes = await store.changesSince(await revision.scan());
  expect(changes.map(({ path, status, note }) => [path, status, note])).toEqual([
    ['committed', 'modified', undefined],
    ['dirty', 'modified', undefined],
    ['fresh', 'added', undefined],
    ['gone', 'deleted', undefined],
    ['mode', 'mode', 'mode 100644 became 100755'],
    ['shell', 'modified', undefined],
    ['untracked', 'modified', undefined],
  ]);
  const diffs = Object.fromEntries(changes.map(({ path, diff }) => [path, diff]));
  expect(diffs['dirty']).toBe('--- a/dirty\n+++ b/dirty\n@@ -1,1 +1,2 @@\n dirty by the user\n+2\n');
  expect(diffs['committed']).toContain('-committed 1\n+edited\n');
  expect(diffs['fresh']).toContain('--- /dev/null\n+++ b/fresh\n');
  expect(diffs['gone']).toContain('+++ /dev/null\n');
});

test('the first snapshot wins, and a session can be looked at by another process later', async () => {
  const { place, store } = await placeWithStore();
  file(place, 'f', '1\n');
  await store.snapshot(await place.workspace.revision.scan());
  file(place, 'f', '2\n');
  await store.snapshot(await place.workspace.revision.scan());
  const later = openBaseStore({ folder: join(place.data, 'base'), root: place.root, git: null, env: {} });
  expect(await later.base()).toEqual(await store.base());
  const changes = await later.changesSince(await place.workspace.revision.scan());
  expect(changes[0]?.diff).toContain('-1\n+2\n');
});

test('without a snapshot there is nothing to compare with', async () => {
  const { place, store } = await placeWithStore();
  file(place, 'f', '1\n');
  expect(await store.base()).toBeNull();
  expect(await store.changesSince(await place.workspace.revision.scan())).toEqual([]);
});

test('what cannot be shown says why', async () => {
  const { place, store } = await placeWithStore();
  file(place, 'binary', 'a\0b');
  file(place, 'huge', 'x'.repeat(3_000_000));
  file(place, 'grows', 'x\n');
  symlinkSync('a', join(place.root, 'link'));
  mkdirSync(join(place.root, 'empty'));
  await store.snapshot(await place.workspace.revision.scan());
  file(place, 'binary', 'a\0c');
  file(place, 'huge', 'y');
  file(place, 'grows', 'x\n'.repeat(2_000_000));
  unlinkSync(join(place.root, 'link'));
  symlinkSync('b', join(place.root, 'link'));
  rmSync(join(place.root, 'empty'), { recursive: true });
  const changes = await store.changesSince(await place.workspace.revision.scan());
  expect(changes.map(({ path, note }) => [path, note])).toEqual([
    ['binary', 'binary'],
    ['grows', 'too large to show'],
    ['huge', 'the content before is not known'],
    ['link', undefined],
  ]);
  expect(changes[3]?.diff).toContain('-a\n');
});

test('git contents that no working file has are found; damaged copies are not believed', async () => {
  const { place, store } = await placeWithStore();
  git(place.root, 'init', '-q');
  file(place, 'f', 'in git\n');
  git(place.root, 'add', '.');
  const hash = git(place.root, 'hash-object', 'f').trim();
  expect(Buffer.from((await store.content(hash)) ?? []).toString()).toBe('in git\n');
  expect(await store.content('0'.repeat(40))).toBeNull();
  file(place, 'g', 'own\n');
  await store.snapshot(await place.workspace.revision.scan());
  const [copy] = readdirSync(join(place.data, 'base/objects'));
  const path = join(place.data, 'base/objects', copy as string);
  expect(await store.content(copy as string)).not.toBeNull();
  chmodSync(path, 0o600);
  writeFileSync(path, 'damaged');
  expect(await store.content(copy as string)).toBeNull();
});

test('both sides of a change are read in the encoding that the file had before', async () => {
  const { place, store } = await placeWithStore();
  file(place, 'latin1.txt', Buffer.from('café SLUG\n', 'latin1'));
  await store.snapshot(await place.workspace.revision.scan());
  const now = await place.workspace.files.read('latin1.txt');
  if ('code' in now) throw new Error(now.message);
  // On its own this is taken for Cyrillic.
  const bytes = Buffer.from('café slug é\n', 'latin1');
  await place.workspace.files.write({ path: 'latin1.txt', bytes, base: now.hash, execFolder: null });
  const [change] = await store.changesSince(await place.workspace.revision.scan());
  expect(change?.diff).toContain('-café SLUG\n+café slug é\n');
});

test('what a rule shows or hides is no change; an edit of an ignored file is one', async () => {
  const { place, store } = await placeWithStore();
  const { files, revision } = place.workspace;
  file(place, '.gitignore', 'data\nenv\n');
  for (const name of ['data', 'env', 'seen', 'moved']) file(place, name, `${name} 1\n`);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const sinceMs = Date.now();
  await store.snapshot(await revision.scan());
  const now = await files.read('env');
  if ('code' in now) throw new Error(now.message);
  await files.write({ path: 'env', bytes: Buffer.from('env 2\n'), base: now.hash, execFolder: null });
  await place.run('printf "env\\nseen\\n" >.gitignore; mkdir to; mv moved to/here');
  const changes = await store.changesSince(await revision.scan(), { sinceMs, written: new Map([['env', now.hash]]) });
  expect(changes.map(({ path, status, note }) => [path, status, note])).toEqual([
    ['.gitignore', 'modified', undefined],
    ['env', 'modified', undefined],
    ['moved', 'deleted', undefined],
    ['to/here', 'added', undefined],
  ]);
  expect(changes.find(({ path }) => path === 'env')?.diff).toContain('-env 1\n+env 2\n');
});
