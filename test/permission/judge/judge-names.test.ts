/** Words that mean a file where one is there, and a branch elsewhere. */
import { expect, it } from 'vitest';
import type { PermissionPorts } from '../../../src/permission/contract.ts';
import { createPermission } from '../../../src/permission/create-permission.ts';

const there: { readonly [path: string]: 'file' | 'directory' } = {
  src: 'directory',
  'src/topic': 'file',
  file: 'file',
};
const ports: PermissionPorts = {
  realPath: async (path) => (path === 'link' ? null : path),
  kind: async (path) => there[path] ?? 'missing',
};
const decide = async (
  command: string,
  given: PermissionPorts | null = ports,
  mode: 'default' | 'bypassPermissions' = 'default',
) => {
  const { decision, losses } = await createPermission(given)(
    { tool: 'Bash', args: { command }, effect: 'process', paths: null },
    {
      mode,
      allow: ['Bash(git *)', 'Bash(cd *)'],
      checks: [],
      workspace: '/repo',
      signal: new AbortController().signal,
    },
  );
  return `${decision}${losses === undefined ? '' : ` ${losses.flatMap(({ paths }) => paths ?? ['anything']).join(' ')}`}`;
};

it.each([
  'git checkout main',
  'git checkout feature/a-b_c.d+1',
  'git checkout v1.0 -q',
  'git checkout --guess main',
  'git checkout topic',
  'timeout 5 git checkout main',
])('%s keeps what is uncommitted', async (text) => {
  expect(await decide(text)).toBe('allow');
  expect(await decide(text, ports, 'bypassPermissions')).toBe('allow');
});

it.each([
  ['git checkout src', 'src'],
  ['git checkout file', 'file'],
  ['git checkout src/topic', 'src/topic'],
])('%s takes it back', async (text, path) => {
  expect(await decide(text)).toBe(`ask ${path}`);
  expect(await decide(text, ports, 'bypassPermissions')).toBe(`allow ${path}`);
});

it.each([
  'git checkout link',
  'git checkout main src',
  'git checkout -- main',
  'git checkout main --',
  'git checkout -f main',
  'git checkout --detach main',
  'git checkout -t main',
  'git checkout .main',
  'git checkout ../main',
  'git checkout a..b',
  'git checkout main/',
  "git checkout '*'",
  'git checkout :main',
  'git checkout HEAD~1',
  'git checkout $X',
  'git checkout m*',
  'git checkout',
  'git -C src checkout main',
  'git --no-pager checkout main',
  'cd src && git checkout topic',
])('%s asks', async (text) => expect(await decide(text)).toMatch(/^ask/));

it('asks where nobody looks', async () => {
  expect(await decide('git checkout main', null)).toMatch(/^ask/);
  expect(await decide('git checkout main', { realPath: ports.realPath })).toMatch(/^ask/);
});
