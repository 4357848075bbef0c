import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { makePlace } from '../e2e/belay.ts';
import { bash, say } from '../e2e/turns.ts';

const bypass = ['--permission-mode', 'bypassPermissions'];
const other = 'packages/b/o.ts';

/** A repository of two packages, changed in both; the workspace is one of them. */
function makeWork() {
  const place = makePlace();
  const git = (...args: string[]) => execFileSync('git', args, { cwd: place.repository });
  for (const folder of ['packages/a/sub', 'packages/b'])
    mkdirSync(path.join(place.repository, folder), { recursive: true });
  for (const file of ['packages/a/s.ts', 'packages/a/sub/t.ts', other]) place.write(file, 'committed\n');
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'a');
  git('config', 'user.email', 'a@b');
  git('add', '.');
  git('commit', '-q', '-m', 'begin');
  place.write('packages/a/s.ts', 'mine\n');
  place.write(other, 'mine\n');
  place.write('packages/b/new.ts', 'mine\n');
  const cwd = path.join(place.repository, 'packages/a');
  const run = (command: string, args: readonly string[]) =>
    place.belay(['run', 'go', '--session', 's', '--model', place.script([bash(command), say('Done.')]), ...args], {
      cwd,
    });
  const isMine = (file: string) => {
    const at = path.join(place.repository, file);
    return existsSync(at) && readFileSync(at, 'utf8') === 'mine\n';
  };
  return { place, git, cwd, run, isMine };
}

describe('work outside the workspace, in the same repository', () => {
  test.each([
    'git reset --hard',
    'git stash',
    'git checkout -f',
    'git checkout -- :/',
    'git restore :/',
    'git restore ../b',
    'git clean -fd :/',
    'cd .. && git checkout -- .',
    'git -C ../b checkout -- .',
    'git rm -qrf ../b',
  ])('is asked about in bypassPermissions: %s', async (command) => {
    const { cwd, run, isMine } = makeWork();
    const asked = await run(command, bypass);
    expect({ code: asked.code, kept: [isMine(other), isMine('packages/b/new.ts')] }).toEqual({
      code: 10,
      kept: [true, true],
    });
    const name = command.includes('clean') ? '../b/new.ts' : '../b/o.ts';
    expect(asked.stderr).toContain(`what no commit holds outside the workspace would be taken away: ${name}`);
    expect(asked.stderr).toContain(`Not kept, and not brought back by an undo: ${name}`);
    // The control: it takes it away where nobody asks.
    execFileSync('sh', ['-c', command], { cwd });
    expect(isMine(other) && isMine('packages/b/new.ts')).toBe(false);
  });

  test.each(['git checkout -- .', 'git restore .', 'git stash -- .', 'git clean -fd', 'git checkout HEAD -- sub s.ts'])(
    'is not touched, and nobody asks: %s',
    async (command) => {
      const { run, isMine } = makeWork();
      expect(await run(command, bypass)).toMatchObject({ code: 0 });
      expect([isMine(other), isMine('packages/b/new.ts')]).toEqual([true, true]);
    },
  );

  test('nobody asks where nothing is changed there, and an undo brings back what lies inside', async () => {
    const { place, git, run, isMine } = makeWork();
    git('checkout', '-q', '--', other);
    expect(await run('git reset --hard', bypass)).toMatchObject({ code: 0 });
    expect(isMine('packages/a/s.ts')).toBe(false);
    expect(await place.belay(['undo', 's', '--files'])).toMatchObject({ code: 0 });
    expect(isMine('packages/a/s.ts')).toBe(true);
  });

  test('a question names only what the command reaches', async () => {
    const { run } = makeWork();
    const asked = await run('git checkout -- .', []);
    expect(asked.code).toBe(10);
    expect(asked.stderr).toContain('1 file with uncommitted changes: s.ts');
    expect(asked.stderr).toContain('Files of the workspace are kept first');
    expect(asked.stderr).not.toContain('../b');
    expect(asked.stderr).not.toContain('Not kept');
  });
});

test('what would be overwritten is told only where something is', async () => {
  const { place, run } = makeWork();
  const { repository } = place;
  const told = async (command: string) => {
    const { code, stderr } = await run(command, []);
    rmSync(place.home, { recursive: true });
    mkdirSync(place.home);
    return { code, stderr };
  };
  const moved = await told(`mv ${repository} ${repository}-moved`);
  expect(moved.code).toBe(10);
  expect(moved.stderr).toContain('the git directory would be lost');
  expect(moved.stderr).not.toContain('-moved would be overwritten');
  expect((await told('cp s.ts "../b/none [x].ts"')).stderr).not.toContain('Could be lost');
  mkdirSync(`${repository}-moved`);
  expect((await told(`mv ${repository} ${repository}-moved`)).stderr).toContain('-moved would be overwritten');
  expect((await told('cp s.ts ../b/o.ts')).stderr).toContain('the present content of ../b/o.ts would be overwritten');
});
