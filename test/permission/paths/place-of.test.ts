import { expect, it } from 'vitest';
import { beforeClimbs, beforePattern, fullPath, placeOf, waysOf } from '../../../src/permission/paths/place-of.ts';

it.each([
  ['a', '.', '/repo', 'a'],
  ['a/../b', './src', '/repo', 'src/b'],
  ['..', './src', '/repo', '.'],
  ['../..', './src', '/repo', null],
  ['/repo', '.', '/repo', '.'],
  ['/repo/', '.', '/repo/', '.'],
  ['/repo/a', '/tmp', '/repo', 'a'],
  ['a', '/tmp', '/repo', null],
  ['a', '/repo/src', '/repo', 'src/a'],
  ['/repository', '.', '/repo', null],
  ['~/a', '.', '/repo', null],
  ['~', '.', '/', null],
  ['/etc/x', '.', '/', 'etc/x'],
  ['/', '.', '/', '.'],
  ['', '.', '/repo', '.'],
] as const)('%j from %s in %s leads to %j', (text, folder, workspace, place) => {
  expect(placeOf(text, folder, workspace)).toBe(place);
});

it.each([
  ['a', './src', '/repo/src/a'],
  ['/a/./b//c/../d', '.', '/a/b/d'],
  ['a', '/tmp', '/tmp/a'],
  ['~/../a', '.', '~/../a'],
  ['/../..', '.', '/'],
] as const)('the full path of %s from %s is %s', (text, folder, full) => {
  expect(fullPath(text, folder, '/repo')).toBe(full);
});

it.each([
  ['a/b', []],
  ['../a', []],
  ['./../a', []],
  ['../../a', []],
  ['/../a', []],
  ['a/../b', ['a']],
  ['../a/../b/..', ['../a', '../a/../b']],
] as const)('%s climbs behind %j', (text, before) => {
  expect(beforeClimbs(text)).toEqual(before);
});

it.each([
  ['a/b', 'a/b'],
  ['a/*/b', 'a'],
  ['a/b?', 'a'],
  ['a/[b]/c', 'a'],
  ['a/{b,c}', 'a'],
  ['a/~', 'a'],
  ['*', '.'],
  ['/*', '/'],
  ['/a/*', '/a'],
] as const)('the folder before the pattern of %s is %s', (text, folder) => {
  expect(beforePattern(text)).toBe(folder);
});

it.each([
  ['a', '.', '/repo', ['a']],
  ['a/../b', '.', '/repo', ['a/../b']],
  ['./a//b/.', '.', '/repo', ['a/b']],
  ['../a', './src', '/repo', ['src/../a']],
  ['../a', './x/..', '/repo', ['x/../../a', '../a']],
  ['a', '/repo/src', '/repo', ['src/a']],
  ['a', '/tmp/x/..', '/repo', ['/tmp/x/../a']],
  ['/repo', '.', '/repo', ['.']],
  ['/repo/', './src', '/repo/', ['.']],
  ['/repo/x/../a', './src', '/repo', ['x/../a']],
  ['/repository/a', '.', '/repo', ['/repository/a']],
  ['/tmp/./x/../a', '.', '/repo', ['/tmp/x/../a']],
  ['/a', '.', '/', ['a']],
  ['.', '.', '/repo', ['.']],
] as const)('%j from %s in %s is looked up as %j', (text, folder, workspace, ways) => {
  expect(waysOf(text, folder, workspace)).toEqual(ways);
});
