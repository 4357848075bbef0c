/** Commits and kills: the repository is asked, nothing is committed twice, and nobody is asked anything. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ended, makePlace, resultOf, until } from '../e2e/belay.ts';
import { bash, edit, read, say } from '../e2e/turns.ts';

/** `before` waits in a hook that comes before the commit, `after` in one that comes after it. */
const hooks = { before: 'pre-commit', after: 'post-commit' } as const;

test.each([
  ['before', 'agent'],
  ['after', 'agent'],
  ['before', 'tree'],
  ['after', 'tree'],
] as const)('killed %s the commit is made, the %s alone', async (when, what) => {
  const place = makePlace();
  const git = (...args: string[]) => execFileSync('git', args, { cwd: place.repository, encoding: 'utf8' }).trim();
  git('init', '-q');
  git('config', 'user.name', 'Somebody');
  git('config', 'user.email', 'somebody@localhost');
  git('add', '-A');
  git('commit', '-q', '-m', 'as found');
  const hook = path.join(place.repository, '.git/hooks', hooks[when]);
  const begun = path.join(place.folder, 'begun');
  mkdirSync(path.dirname(hook), { recursive: true });
  // Only the first time: whoever commits again is not held up.
  writeFileSync(hook, `#!/bin/sh\n[ -e ${begun} ] || { echo $$ >${begun}; sleep 2; }\n`);
  chmodSync(hook, 0o755);

  const commit = { calls: [{ tool: 'Commit', args: { message: 'Hyphens', paths: ['src/slugify.js'] } }] };
  const turns = [read('src/slugify.js'), edit('src/slugify.js', "'_'", "'-'"), commit, say('Committed.')];
  const args = ['--session', 'k', '--model', place.script(turns), '--permission-mode', 'bypassPermissions'];
  const child = place.start(['run', 'Commit it.', ...args]);
  const done = ended(child);
  await until(() => {
    try {
      return readFileSync(begun, 'utf8').trim() !== '';
    } catch {
      return false;
    }
  });
  child.kill('SIGKILL');
  if (what === 'tree') process.kill(-sessionOf(Number(readFileSync(begun, 'utf8'))), 'SIGKILL');
  await done;

  const result = resultOf(await place.belay(['resume', 'k', '--output-format', 'json']));
  const lockLeft = what === 'tree' && when === 'before';
  if (!lockLeft) {
    expect(result).toMatchObject({ exit_code: 0, result: 'Committed.', unknown: [] });
    expect(git('log', '--format=%s')).toBe('Hyphens\nas found');
  } else {
    // Git itself was killed and left its lock; that is told, and no commit is claimed.
    expect(result.unknown).toEqual([]);
    const outcome = (await place.facts('k')).findLast((fact) => fact.type === 'attempt.outcome');
    expect(outcome).toMatchObject({ status: 'failed', output: expect.stringContaining('index.lock') });
    expect(git('log', '--format=%s')).toBe('as found');
  }
});

/** The process group of a process, from the system's own table. */
function sessionOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[2]);
}

test('a commit inside Bash whose end nobody saw is named in the evidence of the question', async () => {
  const place = makePlace();
  const git = (...args: string[]) => execFileSync('git', args, { cwd: place.repository, encoding: 'utf8' }).trim();
  git('init', '-q');
  git('config', 'user.name', 'Somebody');
  git('config', 'user.email', 'somebody@localhost');
  const command = 'git add -A && git commit -q -m "by hand" && echo made && sleep 60';
  const model = place.script([bash(command), say('I see.')]);
  const child = place.start([
    'run',
    'Go.',
    '--session',
    'b',
    '--model',
    model,
    '--permission-mode',
    'bypassPermissions',
  ]);
  const done = ended(child);
  const isMade = () => {
    try {
      return git('log', '--format=%s') === 'by hand';
    } catch {
      return false;
    }
  };
  await until(isMade);
  const start = (await place.facts('b')).find((fact) => fact.type === 'attempt.start');
  const attempt = start?.type === 'attempt.start' ? start.attemptId : '';
  child.kill('SIGKILL');
  const claim = readFileSync(path.join(place.home, 'sessions/b/exec', attempt, 'claim'), 'utf8');
  process.kill(-Number(claim.split(' ')[0]), 'SIGKILL');
  await done;
  const result = resultOf(await place.belay(['resume', 'b', '--output-format', 'json']));
  expect(result).toMatchObject({ exit_code: 11 });
  const [hash = ''] = git('log', '--format=%H').split('\n');
  expect(result.unknown[0]?.evidence).toContain(`git: ${hash.slice(0, 12)} belay/`);
  expect((await place.belay(['sessions', 'show', 'b'])).stdout).toContain(hash.slice(0, 12));
});
