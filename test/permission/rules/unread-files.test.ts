import { expect, it } from 'vitest';
import { createPermission } from '../../../src/permission/create-permission.ts';
import { everythingRead, unreadFiles } from '../../../src/permission/rules/unread-files.ts';

const place = { workspace: '/home/me/repo', home: '/home/me' };

it.each([
  [['Read(.env)'], [], '.env', true],
  [['Read(.env)'], [], 'a/.env', true],
  [['Read(.env)'], [], '.ENV', true],
  [['Read(.env)'], [], 'a', false],
  [[], ['Read(a/**)'], 'a/b', true],
  [['Read(//home/me/repo/a)'], [], 'a', true],
  [['Read(~/repo/a)'], [], 'a', true],
  [['Edit(a)', 'Bash(cat a)', 'Grep', 'no rule'], [], 'a', false],
] as const)('deny %j, ask %j: %s stays unread: %s', async (deny, ask, path, unread) => {
  expect((await unreadFiles({ deny, ask }, place)).isUnread(path)).toBe(unread);
});

it('names the rules that reach below a folder', async () => {
  const { rulesBelow } = await unreadFiles(
    { deny: ['Read(.env)', 'Read(a/b/**)'], ask: ['Read(c/*)', 'Edit(a)'] },
    place,
  );
  expect(rulesBelow('.')).toEqual(['Read(.env)', 'Read(a/b/**)', 'Read(c/*)']);
  expect(rulesBelow('a')).toEqual(['Read(.env)', 'Read(a/b/**)']);
  expect(rulesBelow('c')).toEqual(['Read(.env)', 'Read(c/*)']);
  expect(everythingRead.rulesBelow('.')).toEqual([]);
  expect(everythingRead.isUnread('.env')).toBe(false);
});

it.each([
  ['Read(.env)', 'Read', ['.env'], 'deny'],
  ['Read(.env)', 'Grep', ['.env'], 'deny'],
  ['Read(.env)', 'Symbols', ['.env'], 'deny'],
  ['Read(.env)', 'Grep', ['link', '.env'], 'deny'],
  ['Read(.env)', 'Glob', ['.env'], 'allow'],
  ['Read(.env)', 'Grep', ['.'], 'allow'],
  ['Read(.env)', 'Edit', ['.env'], 'ask'],
  ['Read(a/**)', 'Grep', ['a/b'], 'deny'],
  ['Read', 'Read', ['a'], 'deny'],
  ['Read', 'Grep', ['.'], 'deny'],
  ['Read', 'Symbols', ['.'], 'deny'],
  ['Read', 'Glob', ['.'], 'allow'],
  ['Grep', 'Read', ['a'], 'allow'],
] as const)('%s, denied: %s of %j is %s', async (rule, tool, paths, decision) => {
  const call = { tool, args: {}, effect: 'read', paths } as const;
  const context = { mode: 'default', allow: [], checks: [], workspace: '/repo', signal: AbortSignal.abort() } as const;
  expect(await createPermission(null, [], { deny: [rule], ask: [] })(call, context)).toMatchObject({ decision });
  const asked = await createPermission(null, [], { deny: [], ask: [rule] })(call, context);
  expect(asked).toMatchObject({ decision: decision === 'deny' ? 'ask' : decision });
});
