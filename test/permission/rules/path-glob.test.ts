import { describe, expect, it } from 'vitest';
import { compilePathGlob } from '../../../src/permission/rules/path-glob.ts';

const cases: readonly (readonly [pattern: string, path: string, matches: boolean])[] = [
  ['**', 'a', true],
  ['**', 'a/b/c.ts', true],
  ['src/**', 'src/a.ts', true],
  ['src/**', 'src/a/b.ts', true],
  ['src/**', 'srcx/a.ts', false],
  ['src/**', 'src', false],
  ['src/', 'src/a/b', true],
  ['./src/*.ts', 'src/a.ts', true],
  ['/src/*.ts', 'src/a.ts', true],
  ['src/*.ts', 'src/a/b.ts', false],
  ['*.ts', 'a/b/c.ts', true],
  ['*.ts', 'c.tsx', false],
  ['.env', 'a/.env', true],
  ['.env', 'a/.envrc', false],
  ['a/**/z', 'a/z', true],
  ['a/**/z', 'a/b/c/z', true],
  ['a/**/z', 'a/bz', false],
  ['{a,b}/*.{js,ts}', 'b/x.ts', true],
  ['{a,b}/*.{js,ts}', 'c/x.ts', false],
  ['[ab].txt', 'b.txt', true],
  ['[!ab].txt', 'b.txt', false],
  ['x/[!a]b', 'x/zb', true],
  ['a?c', 'abc', true],
  ['a?c', 'a/c', false],
  ['a+(b).txt', 'a+(b).txt', true],
  ['a.txt', 'abtxt', false],
  ['\\*.txt', '*.txt', true],
  ['\\*.txt', 'a.txt', false],
  ['日本*', '日本語', true],
];

describe('compilePathGlob', () => {
  it.each(cases)('%s on %s: %s', (pattern, path, matches) => {
    const glob = compilePathGlob(pattern);
    expect(glob.ok && glob.value(path)).toBe(matches);
  });
  it.each(['', './', '../x', 'a/../b', 'a[b', 'a{b', '[z-a]'])('refuses %s, which can never match', (pattern) => {
    expect(compilePathGlob(pattern).ok).toBe(false);
  });
});
