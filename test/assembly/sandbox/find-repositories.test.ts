import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { repositoryFinder } from '../../../src/assembly/sandbox/find-repositories.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A path with a slash behind is a folder. */
function open(...paths: readonly string[]) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'belay-found-')));
  folders.push(root);
  const make = (path: string) => {
    mkdirSync(join(root, path.endsWith('/') ? path : join(path, '..')), { recursive: true });
    if (!path.endsWith('/')) writeFileSync(join(root, path), '');
  };
  for (const path of paths) make(path);
  const find = repositoryFinder(root);
  const found = () => {
    const { dotGits, bare } = find();
    return [...dotGits.map((at) => at.slice(root.length + 1)), ...bare.map((at) => `${at.slice(root.length + 1)}:`)];
  };
  return { root, make, found };
}

describe('what git takes for a repository is found', () => {
  test.each<[paths: readonly string[], found: readonly string[]]>([
    [['.git/'], ['.git']],
    [['a/.git'], ['a/.git']],
    [['a/b/c/.git/'], ['a/b/c/.git']],
    [['a/b/c/d/.git/'], []],
    [['node_modules/a/.git/'], []],
    [['.git/modules/x/.git/'], ['.git']],
    [['HEAD', 'objects/', 'refs/'], [':']],
    [['a/HEAD', 'a/objects', 'a/refs'], ['a:']],
    [['a/HEAD', 'a/commondir'], ['a:']],
    [['a/HEAD', 'a/objects/'], []],
    [['a/HEAD', 'a/refs/'], []],
    [['a/objects/', 'a/refs/', 'a/commondir'], []],
    [['.git/', 'HEAD', 'objects/', 'refs/'], ['.git']],
  ])('%j', (paths, found) => {
    expect(open(...paths).found()).toEqual(found);
  });
  test('links are not followed', () => {
    const { root, found } = open('a/b/');
    const other = open('.git/');
    symlinkSync(other.root, join(root, 'a/link'));
    expect(found()).toEqual([]);
  });
});

test('what comes and goes is seen, also right after a look and in a folder whose time is set back', async () => {
  const { root, make, found } = open('a/b/');
  expect(found()).toEqual([]);
  make('a/b/.git');
  expect(found()).toEqual(['a/b/.git']);
  await sleep(150);
  expect(found()).toEqual(['a/b/.git']);
  rmSync(join(root, 'a/b/.git'));
  expect(found()).toEqual([]);
  await sleep(150);
  expect(found()).toEqual([]);
  make('a/.git');
  utimesSync(join(root, 'a'), 1, 1);
  expect(found()).toEqual(['a/.git']);
  rmSync(join(root, 'a'), { recursive: true });
  expect(found()).toEqual([]);
});
