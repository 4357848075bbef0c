import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandEnv } from '#workspace';
import { NON_INTERACTIVE } from '../../../src/workspace/process/non-interactive.ts';
import { asUser } from '../../as-user.ts';
import { isAlive, openPlace, textOf, until } from '../bench-place.ts';

describe('what can never run is refused before anything starts', () => {
  test.each([
    ['NUL in the command', { command: 'echo a\0b' }, 'invalid'],
    ['a missing working directory', { cwd: '/nonexistent-folder' }, 'missing'],
    ['a file as working directory', { cwd: '/etc/passwd' }, 'missing'],
    ['no space for the output', { execFolder: '/proc/belay/exec' }, 'full'],
  ])('%s', async (_name, more, code) => {
    const place = await openPlace();
    const request = place.request('true', more);
    await expect(place.workspace.processes.prepare(request)).rejects.toMatchObject({ name: 'WorkspaceError', code });
    expect(existsSync(request.execFolder)).toBe(false);
  });
});

test('a working directory that may not be entered is refused, and why', async () => {
  const place = await openPlace();
  const cwd = join(place.root, 'closed');
  mkdirSync(cwd);
  chmodSync(cwd, 0o600);
  const message = `The working directory ${cwd} may not be entered.`;
  await asUser([dirname(place.root), place.root, place.data, cwd], () =>
    expect(place.workspace.processes.prepare(place.request('true', { cwd }))).rejects.toMatchObject({ message }),
  );
});

test('a discarded attempt never ran and leaves nothing', async () => {
  const place = await openPlace();
  const request = place.request('echo x >effect');
  const prepared = await place.workspace.processes.prepare(request);
  await prepared.discard();
  expect(existsSync(request.execFolder)).toBe(false);
  expect(existsSync(join(place.root, 'effect'))).toBe(false);
});

test('an attempt that is cancelled before its start never runs', async () => {
  const place = await openPlace();
  const stop = new AbortController();
  const request = place.request('echo x >effect', { signal: stop.signal });
  const prepared = await place.workspace.processes.prepare(request);
  stop.abort();
  expect(await prepared.start()).toMatchObject({ state: 'cancelled', exitCode: null });
  expect(existsSync(join(place.root, 'effect'))).toBe(false);
});

describe('stopping', () => {
  const stubborn = `trap '' TERM; echo $$ >pids; (trap '' TERM; sleep 301) & echo $! >>pids;
    setsid sh -c 'trap "" TERM; echo $$ >>pids; sleep 302; sleep 302' & (sh -c 'echo $$ >>pids; exec sleep 303' &) &
    nohup sleep 304 >/dev/null 2>&1 & echo $! >>pids; echo ready; while :; do sleep 1; done`;

  test('at the deadline nothing of the tree is left, whatever it does against it', async () => {
    const place = await openPlace();
    const result = await place.run(stubborn, { timeoutMs: 400 });
    expect(result).toMatchObject({ state: 'timed-out', stopLevel: 'session+tag', leftAlive: [] });
    expect(textOf(result)).toContain('ready\n');
    const pids = readFileSync(join(place.root, 'pids'), 'utf8').trim().split('\n').map(Number);
    expect(pids).toHaveLength(5);
    expect(pids.filter(isAlive)).toEqual([]);
  });

  test('a command that answers TERM keeps its own exit code and last words', async () => {
    const place = await openPlace();
    const stop = new AbortController();
    const running = place.run(`trap 'echo bye; exit 7' TERM; echo x >up; while :; do sleep 0.05; done`, {
      signal: stop.signal,
    });
    await until(() => existsSync(join(place.root, 'up')));
    stop.abort();
    const result = await running;
    expect(result).toMatchObject({ state: 'cancelled', exitCode: 7, consistent: true });
    expect(textOf(result)).toMatch(/^(Terminated\n)?bye\n$/);
  });

  test('a command that ended in time is not "timed out"', async () => {
    const place = await openPlace();
    expect(await place.run('true', { timeoutMs: 60_000 })).toMatchObject({ state: 'exited', exitCode: 0 });
  });

  test('an orderly end stops detached children of earlier commands', async () => {
    const place = await openPlace();
    await place.run(
      `setsid sh -c 'echo $$ >pid; exec sleep 305' >/dev/null 2>&1 & while ! [ -s pid ]; do sleep 0.01; done`,
    );
    const pid = Number(readFileSync(join(place.root, 'pid'), 'utf8'));
    expect(isAlive(pid)).toBe(true);
    await place.workspace.processes.stopLeftovers();
    expect(isAlive(pid)).toBe(false);
  });
});

describe('output', () => {
  test('is shown while the command runs, in order, without the end marker', async () => {
    const place = await openPlace();
    const seen: string[] = [];
    const onOutput = (text: string) => void seen.push(text);
    const result = await place.run('echo é; sleep 0.4; echo b; sleep 0.4; printf "c\\n\\n"', { onOutput });
    expect(seen.length).toBeGreaterThan(1);
    expect(seen.join('')).toBe('é\nb\nc\n\n');
    expect(Buffer.from(result.output).toString()).toBe('é\nb\nc\n\n');
  });

  test('of a flood the first and the last part are returned, with the count of what lies between', async () => {
    const place = await openPlace();
    const result = await place.run('echo first; head -c 9000000 /dev/zero; echo; echo last');
    expect(result.outputBytes).toBe(9_000_012);
    expect(result.omitted).toEqual({ at: 2 * 1024 * 1024, bytes: 9_000_012 - 4 * 1024 * 1024 });
    expect(textOf(result).startsWith('first\n')).toBe(true);
    expect(textOf(result).endsWith('\nlast\n')).toBe(true);
    expect(result).toMatchObject({ consistent: true, cut: false });
  });

  test('a live follower of a flood is given parts, not all of it', async () => {
    const place = await openPlace();
    let shown = 0;
    await place.run('timeout 0.5 yes', { onOutput: (text) => (shown += text.length), spoolBytesMax: 64 * 1024 * 1024 });
    expect(shown).toBeGreaterThan(0);
    expect(shown).toBeLessThan(4 * 1024 * 1024);
  });
});

describe('the environment of a command', () => {
  const secrets = {
    OPENAI_API_KEY: 's1',
    ANTHROPIC_API_KEY: 's2',
    GITHUB_TOKEN: 's3',
    NPM_TOKEN: 's4',
    AWS_SECRET_ACCESS_KEY: 's5',
    LC_SECRET: 's6',
    NVM_AUTH_TOKEN: 's7',
    BASH_ENV: 's8',
    GIT_DIR: 's9',
  };
  const ordinary = { PATH: '/bin', HOME: '/h', LC_ALL: 'C', CI: '1', VIRTUAL_ENV: '/v', NVM_DIR: '/n', TZ: 'UTC' };

  test('passes what is on the list and nothing else', () => {
    expect(commandEnv({ ...secrets, ...ordinary, OTHER: 'x', LANG: undefined }, 'at', 'ac')).toEqual({
      ...ordinary,
      BELAY_ATTEMPT: 'at',
      GIT_REFLOG_ACTION: 'belay/ac',
      ...NON_INTERACTIVE,
    });
  });

  test('a command sees no secret, and git names the action in its reflog', async () => {
    const place = await openPlace({ env: secrets });
    const request = place.request(
      'git init -q . && git -c user.name=a -c user.email=a@b.c commit -q --allow-empty -m x && git reflog && env',
    );
    const result = await (await place.workspace.processes.prepare(request)).start();
    expect(textOf(result)).toContain(`belay/${request.actionId}`);
    expect(textOf(result)).not.toMatch(/=s\d$/m);
    expect(result.exitCode).toBe(0);
  });
});
