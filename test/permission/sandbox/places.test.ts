import { describe, expect, test } from 'vitest';
import { toolFolders } from '../../../src/permission/sandbox/places.ts';
import { isBelow } from '../../../src/permission/sandbox/policy.ts';

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
    ['another hidden folder', '/run/current-system/sw/bin', ['/run/current-system/sw/bin']],
  ])('%s', (_name, entry, folders) => expect(toolFolders([entry], home, ['/home', '/run'])).toEqual(folders));

  test('one below another is not named twice', () => {
    const entries = ['/home/me/.pyenv/shims', '/home/me/.pyenv/bin', '/home/me/.pyenv/plugins/x/shims'];
    expect(toolFolders(entries, home, ['/home'])).toEqual(['/home/me/.pyenv']);
  });
});

test.each([
  ['/a/b', '/a', true],
  ['/a', '/a', true],
  ['/ab', '/a', false],
  ['/a', '/a/b', false],
  ['/x', '/', true],
])('%s below %s: %s', (path, folder, is) => expect(isBelow(path, folder)).toBe(is));
