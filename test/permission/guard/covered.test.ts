import { expect, it } from 'vitest';
import type { PermissionPorts } from '../../../src/permission/contract.ts';
import { coversOf } from '../../../src/permission/guard/covered.ts';
import { analyse } from '../../../src/permission/shell/analyse.ts';

const ports: PermissionPorts = {
  home: '/home/me',
  realPath: async (path) => (path === 'link' ? 'data/x' : path === 'away' ? null : path),
};
const some = ['a', 'a/b', 'ab', 'data/x', 'data/x/y', 'sub/a', 'sub/a/b', 'x1', 'x1/y', 'node_modules/'];

/** Its tops, and what it covers of some files. */
const shown = async (words: string, folders: readonly string[] = ['.'], given: PermissionPorts | null = ports) => {
  const command = (await analyse(`tool ${words}`)).commands[0];
  const covers = await coversOf(command?.words.slice(1) ?? null, { folders, workspace: '/home/me/w/', ports: given });
  const covered = some.filter((file) => covers.some((cover) => cover.covers(file)));
  return `${covers.map(({ top }) => top).join(' ')}: ${covered.length === some.length ? 'all' : covered.join(' ')}`;
};

it.each([
  ['a', 'a: a a/b'],
  ['./a/', 'a: a a/b'],
  ['a sub', 'a sub: a a/b sub/a sub/a/b'],
  ['none', 'none: '],
  ['.', '.: all'],
  ['..', '.: all'],
  ['/', '.: all'],
  ['/home/me', '.: all'],
  ['/home/m', ': '],
  ['../other', ': '],
  ['/home/me/w/a', 'a: a a/b'],
  ['~/w/a', 'a: a a/b'],
  ['~/other', ': '],
  ['~x', '.: all'],
  ['~-/a', '.: all'],
  ['"x"*', '.: all'],
  ["'x'*", '.: all'],
  ['\\x*', '.: all'],
  ['link', 'link data/x: data/x data/x/y'],
  ['away', 'away: '],
  ['"$X"', '.: all'],
  ['x*', '.: x1 x1/y'],
  ['sub/*', 'sub: sub/a sub/a/b'],
  ['sub/**/b', 'sub: sub/a/b'],
  ['nod*', '.: node_modules/'],
  ['x[9', 'x[9: '],
  ['x[0-9]', '.: x1 x1/y'],
  ['x[9-0]*', '.: all'],
  ['../*', '.: all'],
  ['../v/*', ': '],
  ["'../*'", ': '],
])('%s covers %s', async (words, expected) => {
  expect(await shown(words)).toBe(expected);
});

it('counts from every folder in which the text may run', async () => {
  expect(await shown('a', ['.', 'sub'])).toBe('a sub/a: a a/b sub/a sub/a/b');
  expect(await shown('../a', ['sub'])).toBe('a: a a/b');
});

it('where nobody looks, a path is what it says, and a home is unknown', async () => {
  expect(await shown('link', ['.'], null)).toBe('link: ');
  expect(await shown('"~"/a', ['.'], null)).toBe(': ');
  expect(await shown('~/w/a', ['.'], null)).toBe('.: all');
});

it('a loss of which nothing is known covers everything', async () => {
  const [cover] = await coversOf(null, { folders: ['sub'], workspace: '/w', ports });
  expect([cover?.top, cover?.covers('any')]).toEqual(['.', true]);
});
