import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isInside, isProblem, pathResolver } from '../../../src/workspace/files/resolve-path.ts';
import { tempFolder } from '../bench-place.ts';

function place() {
  const top = tempFolder();
  const root = join(top, 'proj');
  for (const folder of ['proj/sub/deep', 'proj/.git/hooks', 'proj/own', 'proj-evil', 'out']) {
    mkdirSync(join(top, folder), { recursive: true });
  }
  for (const file of ['proj/a.txt', 'proj/sub/b.txt', 'proj/own/lock', 'proj-evil/x', 'out/v', 'proj/.git/config']) {
    writeFileSync(join(top, file), file);
  }
  symlinkSync('../out', join(root, 'd'));
  symlinkSync('../out/v', join(root, 'f'));
  symlinkSync('sub', join(root, 'in'));
  symlinkSync('a.txt', join(root, 'sub', 'dangling'));
  symlinkSync('../../out/new', join(root, 'sub', 'leaving'));
  symlinkSync('loop', join(root, 'loop'));
  symlinkSync('own', join(root, 'alias'));
  symlinkSync(root, join(top, 'spelling'));
  symlinkSync('.', join(root, 'self'));
  symlinkSync('sub/deep', join(root, 'down'));
  return { top, root, resolve: pathResolver(root, [join(root, 'own'), join(top, 'not-yet')]) };
}

describe('a path that leaves the workspace is refused by its real path', () => {
  test.each([
    ['a parent', '../out/v', 'outside'],
    ['a way out and elsewhere', 'sub/../../out/v', 'outside'],
    ['an absolute path', '/etc/passwd', 'outside'],
    ['the root of the system', '/', 'outside'],
    ['a sibling with the same prefix', '../proj-evil/x', 'outside'],
    ['a link to a folder outside', 'd', 'outside'],
    ['below a link to a folder outside', 'd/v', 'outside'],
    ['a new file below such a link', 'd/new', 'outside'],
    ['a new folder below such a link', 'd/e/w', 'outside'],
    ['a link to a file outside', 'f', 'outside'],
    ['a dangling link that leads outside', 'sub/leaving', 'outside'],
    ['the home folder', '~/x', 'outside'],
    ['a .. behind a link to the root', 'self/../x', 'outside'],
    ['the same of what is there', 'self/../out/v', 'outside'],
    ['a .. behind a link to a folder outside', 'd/../proj-evil/x', 'outside'],
    ['a .. behind a missing name, then behind a link', 'nothing/../self/../x', 'outside'],
    ['more .. than the target of a link lies deep', 'down/../../../x', 'outside'],
    ['NUL', 'a\0b', 'invalid'],
    ['a circle of links', 'loop/x', 'invalid'],
    ['below a file', 'a.txt/x', 'invalid'],
    ['a file as a folder', 'a.txt/', 'invalid'],
    ['a missing folder', 'nothing/', 'missing'],
    ['a name that is too long', 'x'.repeat(300), 'invalid'],
    ["Belay's own data", 'own/lock', 'protected'],
    ['the same under another name', 'alias/lock', 'protected'],
    ['the folder of it', 'own', 'protected'],
  ])('%s', (_name, text, code) => {
    expect(place().resolve(text)).toMatchObject({ code });
  });
});

test.each([
  ['d/v', (top: string) => `d/v leads to ${top}/out/v, outside the workspace ${top}/proj.`],
  ['../out/v', (top: string) => `../out/v is outside the workspace ${top}/proj.`],
])('what leads out by a link is told with where it leads: %s', (text, message) => {
  const { top, resolve } = place();
  expect(resolve(text)).toEqual({ code: 'outside', message: message(top) });
});

describe('a path inside has one name', () => {
  test.each([
    ['a.txt', 'a.txt', 'file'],
    ['./a.txt', 'a.txt', 'file'],
    ['sub/../a.txt', 'a.txt', 'file'],
    ['in/b.txt', 'sub/b.txt', 'file'],
    ['in', 'sub', 'directory'],
    ['sub/', 'sub', 'directory'],
    ['.', '.', 'directory'],
    ['', '.', 'directory'],
    ['../proj/a.txt', 'a.txt', 'file'],
    ['../spelling/sub/b.txt', 'sub/b.txt', 'file'],
    ['new.txt', 'new.txt', 'missing'],
    ['down/../b.txt', 'sub/b.txt', 'file'],
    ['down/../new.txt', 'sub/new.txt', 'missing'],
    ['self/self/sub/..', '.', 'directory'],
    ['d/../proj/a.txt', 'a.txt', 'file'],
    ['nothing/../a.txt', 'a.txt', 'file'],
    ['nothing/../new.txt', 'new.txt', 'missing'],
    ['in/x/y/new.txt', 'sub/x/y/new.txt', 'missing'],
    ['sub/dangling', 'sub/a.txt', 'missing'],
    ['..name', '..name', 'missing'],
    ['-x', '-x', 'missing'],
    ['日本 a.txt', '日本 a.txt', 'missing'],
  ])('%s', (text, path, kind) => {
    const { root, resolve } = place();
    expect(resolve(text)).toMatchObject({ path, kind, absolute: path === '.' ? root : join(root, path) });
    expect(resolve(`${root}/${text}`)).toMatchObject({ path });
  });
});

test.each([
  ['.git/config', true],
  ['.git/hooks/new', true],
  ['sub/.git/x', true],
  ['.GIT/config', true],
  ['.gitignore', false],
  ['sub/git/x', false],
])('git data is known as such: %s', (text, gitInternal) => {
  expect(place().resolve(text)).toMatchObject({ gitInternal });
});

test('whatever the text, the answer is a problem or a path inside', () => {
  const { root, resolve } = place();
  const part = fc.oneof(fc.constantFrom('..', '.', '', 'd', 'f', 'in', 'sub', 'loop', '~', 'own'), fc.string());
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), fc.boolean(), (parts, isAbsolute) => {
      const found = resolve((isAbsolute ? '/' : '') + parts.join('/'));
      if (isProblem(found)) return;
      expect(isInside(root, found.absolute)).toBe(true);
      expect(resolve(found.path)).toEqual(found);
    }),
    { examples: [[['.', '~'], false]] },
  );
});

describe('names whose letters are composed otherwise', () => {
  const [one, two] = ['caf\u00e9', 'cafe\u0301'];
  const made = (names: readonly string[]) => {
    const { root } = place();
    for (const name of names) {
      mkdirSync(join(root, name, '..'), { recursive: true });
      writeFileSync(join(root, name), name);
    }
    return (text: string, spelling?: 'exact' | 'alike') => {
      const found = pathResolver(root, [], spelling)(text);
      return isProblem(found) ? found.code : [found.path, found.kind];
    };
  };

  test.each<[string, readonly string[], string, readonly string[]]>([
    ['the one that is there', [`${two}.txt`], `${one}.txt`, [`${two}.txt`, 'file']],
    ['the other way round', [`${one}.txt`], `${two}.txt`, [`${one}.txt`, 'file']],
    ['a folder on the way', [`${two}/a/${one}.txt`], `${one}/a/${two}.txt`, [`${two}/a/${one}.txt`, 'file']],
    ['a new file in such a folder', [`${two}/x`], `${one}/${one}`, [`${two}/${one}`, 'missing']],
    ['the exact one where both are there', [one, two], one, [one, 'file']],
    ['none where two others are', ['e\u0323\u0302', '\u1eb9\u0302'], '\u1ec7', ['\u1ec7', 'missing']],
    ['never one that differs in more', ['cafe', 'cafe\u0300'], one, [one, 'missing']],
  ])('%s', (_name, names, text, expected) => {
    expect(made(names)(text, 'alike')).toEqual(expected);
  });

  test('are other names for whoever restores files', () => {
    expect(made([two])(one)).toEqual([one, 'missing']);
  });

  test('a link is followed by either name, and stays a way out', () => {
    const { root } = place();
    symlinkSync('../out', join(root, two));
    expect(pathResolver(root, [], 'alike')(`${one}/v`)).toMatchObject({ code: 'outside' });
  });
});
