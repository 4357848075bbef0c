import { describe, expect, it } from 'vitest';
import type { PermissionPorts } from '../../../src/permission/contract.ts';
import { createPermission } from '../../../src/permission/create-permission.ts';
import { stagedLosses } from '../../../src/permission/guard/staged.ts';
import { judgeUnheld } from '../../../src/permission/judge/judge-unheld.ts';
import { analyse } from '../../../src/permission/shell/analyse.ts';

const there = ['a.txt', 'clean.txt', 'sub', 'sub/b.txt'];
let looks = 0;
const portsOf = (staged: readonly string[] | null): PermissionPorts => ({
  realPath: async (path) => (path === 'link' ? 'a.txt' : path),
  kind: async (path) => (there.includes(path) ? 'file' : 'missing'),
  staged: async () => {
    looks++;
    return staged;
  },
});
const files = ['a.txt', 'sub/b.txt', 'gone.txt', '../up.txt'];
const lost = async (text: string, staged: readonly string[] | null = files) => {
  const { folders, ...rest } = await analyse(text);
  const around = { folders, workspace: '/repo', ports: portsOf(staged) };
  return (await stagedLosses({ folders, ...rest }, around)).map(({ why }) => why);
};
const sentence = (names: string) => `what is staged of ${names} would be lost: no commit and no file holds it`;
const all = files.join(', ');

describe('what only the index holds is lost', () => {
  it.each<[text: string, names: readonly string[]]>([
    ['git reset', [all]],
    ['git reset HEAD', [all]],
    ['git reset HEAD~2', [all]],
    ['git reset a.txt', ['a.txt']],
    ['git reset gone.txt', ['gone.txt']],
    ['git reset clean.txt', []],
    ['git reset HEAD a.txt', ['a.txt']],
    ['git reset HEAD clean.txt', []],
    ['git reset --soft HEAD~1', []],
    ['git restore --staged .', [all]],
    ['git restore --staged sub', ['sub/b.txt']],
    ['git rm -r --cached .', [all]],
    ['git add -A', [all]],
    ['git add link', ['a.txt']],
    ['git add sub clean.txt', ['sub/b.txt']],
    ['git add clean.txt', []],
    ['git commit -am x', [all]],
    ['git commit -m x', []],
    ['git commit -m x a.txt', ['a.txt']],
    ['cd sub && git add b.txt', ['sub/b.txt']],
    ['timeout 5 git reset', [all]],
    ['git add a.txt && git reset sub', ['a.txt', 'sub/b.txt']],
    ['git status', []],
    ['reset', []],
    ['yarn add a.txt', []],
    ['echo git reset', []],
  ])('%s: %j', async (text, names) => {
    expect(await lost(text)).toEqual(names.map(sentence));
  });
  it('is nothing where nothing is staged', async () => {
    expect([await lost('git reset', []), await lost('git reset HEAD', [])]).toEqual([[], []]);
  });
  it('is anything where git does not say', async () => {
    for (const text of ['git reset', 'git reset a.txt'])
      expect(await lost(text, null)).toEqual([sentence('files (git did not say of which)')]);
  });
  it('is named up to eight', async () => {
    const many = Array.from({ length: 9 }, (_one, i) => `f${i}`);
    expect(await lost('git reset', many)).toEqual([sentence('f0, f1, f2, f3, f4, f5, f6, f7 and 1 more')]);
    expect(await lost('git reset', many.slice(1))).toEqual([sentence('f1, f2, f3, f4, f5, f6, f7, f8')]);
  });
  it('is told as what no undo brings back', async () => {
    const { folders, ...rest } = await analyse('git reset a.txt');
    const around = { folders, workspace: '/repo', ports: portsOf(files) };
    expect(await stagedLosses({ folders, ...rest }, around)).toEqual([
      {
        what: 'git reset a.txt',
        why: sentence('a.txt'),
        takes: [],
        paths: [],
        beyond: 'what is staged of a.txt (git fsck --lost-found finds it for some time)',
      },
    ]);
  });
  it('is looked up once, and only where a command replaces it', async () => {
    looks = 0;
    await lost('git add a.txt && git reset sub && git commit -a');
    expect(looks).toBe(1);
    await lost('git status');
    expect(looks).toBe(1);
  });
  it('nobody looks without somebody who knows', async () => {
    const { folders, ...rest } = await analyse('git reset');
    expect(await stagedLosses({ folders, ...rest }, { folders, workspace: '/repo', ports: null })).toEqual([]);
  });
});

it('a part that tells a loss asks', async () => {
  const { folders, ...rest } = await analyse('git reset');
  const around = { folders, workspace: '/repo', ports: portsOf(['a.txt']) };
  expect(await judgeUnheld({ folders, ...rest }, around)).toEqual([
    { what: 'git reset', decision: 'ask', reason: sentence('a.txt') },
  ]);
});

describe.each(['Bash', 'Bash(git *)', 'Bash(git reset)'])('under the rule %s', (rule) => {
  const decide = (command: string, staged: readonly string[] | null) =>
    createPermission(portsOf(staged))(
      { tool: 'Bash', args: { command }, effect: 'process', paths: null },
      { mode: 'default', allow: [rule], checks: [], workspace: '/repo', signal: new AbortController().signal },
    );
  it('a loss asks, and is told', async () => {
    expect(await decide('git reset', ['a.txt'])).toMatchObject({
      decision: 'ask',
      reason: `git reset: ${sentence('a.txt')}`,
      losses: [{ why: sentence('a.txt') }],
    });
    expect((await decide('git reset', [])).decision).toBe('allow');
  });
});
