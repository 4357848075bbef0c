import { describe, expect, test } from 'vitest';
import { toolFolders } from '../../../src/permission/sandbox/places.ts';
import { isBelow, isClear } from '../../../src/permission/sandbox/policy.ts';

describe('the folders of tools', () => {
  const home = '/home/me';
  test.each<[string, string, readonly string[]]>([
    ['a tool that owns a folder of the home', '/home/me/.cargo/bin', ['/home/me/.cargo']],
    ['deep in such a folder', '/home/me/.nvm/versions/node/v24/bin', ['/home/me/.nvm']],
    ['a folder that many share', '/home/me/.local/bin', ['/home/me/.local/bin']],
    ['a tool in a shared folder', '/home/me/.local/share/pnpm', ['/home/me/.local/share/pnpm']],
    ['a tool in a plain folder', '/home/me/miniconda3/bin', ['/home/me/miniconda3']],
    ['packages of a project', '/home/me/p/node_modules/.bin', ['/home/me/p/node_modules']],
    ['programs of the user', '/home/me/bin', ['/home/me/bin']],
    ['a folder that holds secrets', '/home/me/.docker/bin', ['/home/me/.docker/bin']],
    ['the home itself', '/home/me', []],
    ['all homes', '/home', []],
    ['what is not hidden', '/usr/bin', []],
    ['a cache', '/home/me/.cache/bin', ['/home/me/.cache/bin']],
    ['packages for all', '/home/me/.npm/bin', ['/home/me/.npm/bin']],
    ['settings of many', '/home/me/.config/bin', ['/home/me/.config/bin']],
    ['a folder of the system', '/home/me/Library/bin', ['/home/me/Library/bin']],
    ['programs deep in a shared folder', '/home/me/.local/share/x/bin', ['/home/me/.local/share/x']],
    ['programs that stand in for others', '/home/me/x/shims', ['/home/me/x']],
    ['a folder that only sounds so', '/home/me/x/sbin', ['/home/me/x/sbin']],
    ['the home of another', '/home/you/.cargo/bin', ['/home/you/.cargo/bin']],
    ['another hidden folder', '/run/current-system/sw/bin', ['/run/current-system/sw/bin']],
  ])('%s', (_name, entry, folders) => expect(toolFolders([entry], home, ['/home', '/run'])).toEqual(folders));

  test('without a home each is shown as it is named', () => {
    expect(toolFolders(['/home/me/.cargo/bin', '/usr/bin'], null, ['/home'])).toEqual(['/home/me/.cargo/bin']);
  });
  test('a home that is not hidden as a whole', () => {
    expect(toolFolders(['/srv/me/.cargo/bin', '/srv/me'], '/srv/me', ['/srv'])).toEqual(['/srv/me/.cargo']);
    expect(toolFolders(['/root/.cargo'], '/root/.cargo', ['/root'])).toEqual([]);
  });
  test('they are told in order', () => {
    expect(toolFolders(['/run/b', '/run/a', '/run/b'], home, ['/run'])).toEqual(['/run/a', '/run/b']);
  });

  test('one below another is not named twice', () => {
    const entries = ['/home/me/.pyenv/shims', '/home/me/.pyenv/bin', '/home/me/.pyenv/plugins/x/shims'];
    expect(toolFolders(entries, home, ['/home'])).toEqual(['/home/me/.pyenv']);
    expect(toolFolders(['/run/a/b', '/run/a', '/run/c'], null, ['/run'])).toEqual(['/run/a', '/run/c']);
  });
});

test.each([
  ['/a/b', '/a', true],
  ['/a', '/a', true],
  ['/ab', '/a', false],
  ['/a', '/a/b', false],
  ['/x', '/', true],
])('%s below %s: %s', (path, folder, is) => expect(isBelow(path, folder)).toBe(is));

test.each([
  ['/a/b', ['/c', '/a'], false],
  ['/a', ['/a'], false],
  ['/ab', ['/a', '/c'], true],
  ['/x', [], true],
])('%s clear of %j: %s', (path, folders, is) => expect(isClear(path, folders)).toBe(is));
