import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePathGlob } from '../../../src/permission/rules/path-glob.ts';
import { slowGlob } from './slow-glob.ts';

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
  ['a?c', 'a😀c', true],
  ['a/**', 'a/b\nc', true],
  ['a**b', 'axb', true],
  ['a**b', 'a/b', false],
  ['x/**b', 'x/ab', true],
  ['x/**b', 'x/a/b', false],
  ['x/a**', 'x/ab', true],
  ['x/a**', 'x/a/b', false],
  ['x/*/y', 'x/a/y', true],
  ['x/*/y', 'x/a/b/y', false],
  ['x/***/y', 'x/a/b/y', true],
  ['[]a].txt', '].txt', true],
  ['[]a].txt', 'b.txt', false],
  ['[\\d].txt', '\\.txt', true],
  ['[\\d].txt', '1.txt', false],
  ['[[].txt', '[.txt', true],
  ['[^a].txt', 'b.txt', true],
  ['[^a].txt', 'a.txt', false],
  ['a}b', 'a}b', true],
  ['a,b', 'a,b', true],
  ['a,b', 'a', false],
  ['a\\', 'a\\', true],
  ['dir/', 'x/dir/a', true],
  ['a/dir/', 'x/a/dir/b', false],
  ['Src/*.ts', 'src/a.ts', false],
  ['a/**', 'a/', false],
  ['a/**', 'a/b/', true],
  ['[]', '[]', false],
  ['[!]', 'a', true],
  ['[!]', '/', false],
  ['x[a/]y', 'x/y', false],
  ['{a,}b', 'b', true],
  ['{a,{b,c}d}e', 'cde', true],
  ['{a,{b,c}d}e', 'ce', false],
  ['{a,b}c,d}', 'ac,d}', true],
  ['\\😀?', '😀a', true],
  ['😀', '😁', false],
  ['[😀]', '😀', true],
  ['a\\/b', 'a/b', true],
];

describe('compilePathGlob', () => {
  it.each(cases)('%s on %s: %s', (pattern, path, matches) => {
    const glob = compilePathGlob(pattern);
    expect(glob.ok && glob.value(path)).toBe(matches);
  });
  it.each([
    ['', 'is empty'],
    ['./', 'is empty'],
    ['../x', '"." or ".."'],
    ['a/../b', '"." or ".."'],
    ['a/./b', '"." or ".."'],
    ['a[b', 'not closed'],
    ['a{b', 'not closed'],
    ['[z-a]', 'no character fits'],
    ['a'.repeat(1001), 'longer than 1000'],
  ])('refuses %s, which can never match: %s', (pattern, why) => {
    expect(compilePathGlob(pattern)).toMatchObject({ ok: false, error: expect.stringContaining(why) });
  });
  it('takes a long pattern', () => {
    const glob = compilePathGlob('a'.repeat(1000));
    expect(glob.ok && glob.value('a'.repeat(1000))).toBe(true);
  });
  it('takes letters of any case where it is asked to', () => {
    const glob = compilePathGlob('Src/[a-b].{ts,JS}', { anyCase: true });
    expect(glob.ok && glob.value('sRC/A.js')).toBe(true);
    expect(glob.ok && glob.value('sRC/c.js')).toBe(false);
  });
  it('takes letters of other alphabets in any of their cases', () => {
    const fits = (pattern: string, path: string) => {
      const glob = compilePathGlob(pattern, { anyCase: true });
      return glob.ok && glob.value(path);
    };
    for (const [pattern, path, matches] of [
      ['\u212a', 'k', true],
      ['k', '\u212a', true],
      ['s', '\u017f', true],
      ['Ä', 'ä', true],
      ['ß', 'ẞ', true],
      ['ẞ', 'ß', true],
      ['σ', 'ς', true],
      ['ϑ', 'ϴ', true],
      ['İ', 'i', false],
      ['+', '+', true],
      ['.', 'a', false],
    ] as const) {
      expect(fits(pattern, path), `${pattern} on ${path}`).toBe(matches);
    }
  });
  it('matches as a regular expression would that tries every way', () => {
    const pattern = fc
      .array(fc.constantFrom('a', 'b', 'B', '*', '**', '**/', '/', '?', '[ab]', '[!a]', '{', ',', '}', '\\', '.'), {
        minLength: 1,
        maxLength: 7,
      })
      .map((parts) => parts.join(''));
    const path = fc
      .array(fc.constantFrom('a', 'b', '/', '.', 'B', 'ä'), { minLength: 1, maxLength: 7 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(pattern, fc.array(path, { minLength: 1, maxLength: 12 }), fc.boolean(), (text, paths, anyCase) => {
        const glob = compilePathGlob(text, { anyCase });
        if (!glob.ok) return;
        const slow = slowGlob(text, anyCase);
        for (const one of paths) expect(glob.value(one), `${text} on ${one}`).toBe(slow.test(one));
      }),
      { numRuns: 3000 },
    );
  });
});
