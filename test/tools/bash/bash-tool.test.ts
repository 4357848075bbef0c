import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { asUser } from '../../as-user.ts';
import { slowClaim } from '../../workspace/slow-claim.ts';
import { openSession } from '../session.ts';

const bash = async (command: string, more: { timeout?: number } = {}) => {
  const session = await openSession({ 'a.txt': 'hello\n' });
  return session.call('Bash', { command, ...more });
};

describe('Bash', () => {
  it.each([
    ['output and code', 'cat a.txt', 'hello\nexit code 0', 0],
    ['both streams in order', 'echo a; echo b >&2; echo c', 'a\nb\nc\nexit code 0', 0],
    ['a failing command', 'echo no; exit 3', 'no\nexit code 3', 3],
    ['no output', 'true', '(no output)\nexit code 0', 0],
    ['no input', 'cat', '(no output)\nexit code 0', 0],
    ['an exit code above 128', 'exit 137', '(no output)\nexit code 137 (exit 137 or SIGKILL)', 137],
    ['colours', "printf '\\033[31mred\\033[0m\\n'", 'red\nexit code 0', 0],
    ['a progress bar', "printf '1\\r2\\r3\\n'", '3\nexit code 0', 0],
    ['broken UTF-8', "printf 'a\\377b\\n'", 'a\\xffb\nexit code 0', 0],
    ['the root as folder', 'basename "$PWD"', 'work\nexit code 0', 0],
  ])('%s', async (_name, command, output, exitCode) => {
    expect(await bash(command)).toMatchObject({ status: 'succeeded', output, exitCode, provenance: 'live' });
  });

  it.each([
    ['each for itself', 'echo a; echo b >&2; echo c', 'stdout:\na\nc\nstderr:\nb\nexit code 0'],
    ['nothing', 'exit 3', 'stdout:\n(no output)\nstderr:\n(no output)\nexit code 3'],
    [
      'with a pipe',
      'echo b >&2; false | cat',
      'stdout:\n(no output)\nstderr:\nb\nexit code 0; stages of the last pipe: 1 | 0',
    ],
    ['redirected by itself', 'exec 2>&1; echo b >&2', 'stdout:\nb\nstderr:\n(no output)\nexit code 0'],
  ])('both streams on request: %s', async (_name, command, expected) => {
    const session = await openSession();
    expect((await session.call('Bash', { command, separate_output: true })).output).toBe(expected);
  });

  it('a folder that may not be entered is refused with a way on, and does not stay for later commands', async () => {
    const session = await openSession({ 'closed/a': '' });
    const at = (path: string) => join(session.root, path);
    const data = ['.belay-data', '.belay-data/exec'].map(at);
    await asUser([dirname(session.root), session.root, at('closed'), ...data], async () => {
      chmodSync(at('closed'), 0o644);
      for (const more of [{}, { run_in_background: true }]) {
        const outcome = await session.call('Bash', { command: 'pwd', cwd: 'closed', ...more });
        expect(outcome).toMatchObject({ status: 'failed' });
        expect(outcome.output).toMatch(/closed may not be entered\.\nGive another cwd/);
        expect(outcome.cwd).toBeUndefined();
      }
      chmodSync(at('closed'), 0o755);
    });
  });

  it.each([
    ['no folder', '.', 'nope', 'There is no folder nope.\nGive cwd as an existing folder'],
    ['a file', '.', 'a.txt', 'a.txt is not a folder.\nGive cwd as'],
    [
      'one below the folder of the commands',
      'src',
      'lib',
      'There is no folder lib.\ncwd counts from the workspace root, wherever commands run: give src/lib.',
    ],
    ['one above it that leads out', 'src', '..', '.. is outside the workspace'],
  ])('a cwd that is none says where it counts from: %s', async (_name, cwd, asked, said) => {
    const session = await openSession({ 'a.txt': '', 'src/lib/x': '' });
    session.state = { ...session.state, cwd };
    const outcome = await session.call('Bash', { command: 'touch ran', cwd: asked });
    expect(outcome).toMatchObject({ status: 'failed' });
    expect(outcome.output).toContain(said);
    expect(() => session.file('ran')).toThrow();
  });

  it('both streams of a command in the background are refused before it starts', async () => {
    const session = await openSession();
    const args = { command: 'echo a >started', separate_output: true, run_in_background: true };
    expect(await session.inspect('Bash', args)).toMatchObject({ ok: false, failure: { kind: 'precondition' } });
    expect((await session.call('Bash', args)).output).toContain('Leave separate_output out');
    expect(() => session.file('started')).toThrow();
  });

  it('a long output is shown from both ends and kept whole', async () => {
    const outcome = await bash('seq 1 20000');
    expect(outcome.output.length).toBeLessThan(31_000);
    expect(outcome.output.startsWith('1\n2\n')).toBe(true);
    expect(outcome.output).toContain('characters left out');
    expect(outcome.output).toMatch(
      /20000\n\(any part of all 108894 bytes: TaskOutput with task_id call_action\w+ and an offset\)\nexit code 0$/,
    );
    expect(
      Buffer.from(outcome.full ?? [])
        .toString()
        .split('\n'),
    ).toHaveLength(20_001);
  });

  it('an output that is too long for one record names its whole length and the way to read it', async () => {
    const session = await openSession();
    const bash = (command: string) => session.call('Bash', { command });
    const outcome = await bash("head -c 5000000 /dev/zero | tr '\\0' x; echo END");
    expect(outcome.output).toMatch(/END\n\(any part of all 5000004 bytes: TaskOutput [^\n]*\)\nexit code 0$/);
  });

  it('a command that does not end in time is stopped, with its children, and says what to do', async () => {
    const session = await openSession();
    const outcome = await session.call('Bash', {
      command: 'echo begun; (sleep 3; touch late) & sleep 30',
      timeout: 400,
    });
    expect(outcome).toMatchObject({ status: 'failed', failure: { kind: 'timeout' } });
    expect(outcome.output).toMatch(/^begun\n(.*\n)*Stopped after 0\.4 s/);
    expect(outcome.output).toContain('longer timeout');
    expect(session.workspace.root && existsSync(join(session.root, 'late'))).toBe(false);
  });

  it('a command killed by a signal has the exit code that the shell gives it', async () => {
    expect(await bash('kill -9 $$')).toMatchObject({ status: 'succeeded', exitCode: 137 });
  });

  it('a cancelled command is cancelled, with its output so far', async () => {
    const session = await openSession();
    const abort = new AbortController();
    const command = 'echo begun; touch started; sleep 30';
    const pending = session.call('Bash', { command }, { signal: abort.signal });
    while (!existsSync(join(session.root, 'started'))) await sleep(20);
    abort.abort();
    expect(await pending).toMatchObject({ status: 'cancelled', failure: { kind: 'cancelled' } });
    expect((await pending).output).toContain('begun');
  });

  it.each(['', '   ', 'ls \0'])('refuses %j', async (command) => {
    const session = await openSession();
    const inspection = await session.inspect('Bash', { command });
    const refused = !inspection.ok || (await session.call('Bash', { command })).status === 'failed';
    expect(refused).toBe(true);
  });

  it('what was prepared and dropped never runs', async () => {
    const session = await openSession();
    const prepared = await session.tool('Bash').prepare({ command: 'touch made' }, session.context());
    if (!prepared.ok) throw new Error(prepared.failure.message);
    await prepared.attempt.discard();
    expect(existsSync(join(session.root, 'made'))).toBe(false);
  });

  it('settles: not started, then the receipt', async () => {
    const session = await openSession();
    const args = { command: 'echo x >> log; exit 4' };
    const first = await session.tool('Bash').prepare(args, session.context('t1'));
    expect(await session.settle('Bash', args, null, 't1')).toMatchObject({ state: 'not-started' });
    if (first.ok) expect((await first.attempt.run()).status).toBe('cancelled');
    expect(existsSync(join(session.root, 'log'))).toBe(false);
    await session.call('Bash', args, { attemptId: 't2' });
    const settled = await session.settle('Bash', args, null, 't2');
    expect(settled).toMatchObject({
      state: 'settled',
      outcome: { status: 'succeeded', exitCode: 4, provenance: 'receipt' },
    });
    expect(session.file('log').toString()).toBe('x\n');
  });

  it('settles in the background: not started, or started, without waiting for the end', async () => {
    const session = await openSession();
    const args = { command: 'echo x >> log; sleep 30', run_in_background: true };
    const first = await session.tool('Bash').prepare(args, session.context('b1'));
    expect(await session.settle('Bash', args, null, 'b1')).toMatchObject({ state: 'not-started' });
    if (first.ok) await first.attempt.run();
    await session.call('Bash', args, { attemptId: 'b2' });
    while (!existsSync(join(session.root, 'log'))) await new Promise((resolve) => setTimeout(resolve, 10));
    const settled = await session.settle('Bash', args, null, 'b2');
    expect(settled).toMatchObject({
      state: 'settled',
      outcome: { status: 'succeeded', facts: [{ type: 'task.started', command: args.command }] },
    });
    await session.workspace.processes.stopLeftovers();
    expect(session.file('log').toString()).toBe('x\n');
  });

  it('starts nothing in the background after the run was stopped', async () => {
    const session = await openSession();
    const args = { command: 'echo x >> log', run_in_background: true };
    const stop = new AbortController();
    const context = { ...session.context('b1'), signal: stop.signal };
    const prepared = await session.tool('Bash').prepare(args, context);
    stop.abort();
    const outcome = prepared.ok ? await prepared.attempt.run() : null;
    expect(outcome).toMatchObject({ status: 'cancelled', output: expect.stringContaining('nothing was started') });
    expect(outcome?.facts).toBeUndefined();
    expect(await session.settle('Bash', args, null, 'b1')).toMatchObject({ state: 'not-started' });
    expect(existsSync(join(session.root, 'log'))).toBe(false);
  });

  it('settles in the background where its traces were removed: a question, never another run', async () => {
    const session = await openSession();
    const args = { command: 'echo x >> log', run_in_background: true };
    await session.call('Bash', args, { attemptId: 'b1' });
    const { execFolder } = session.context('b1');
    // Until its end is written its wrapper is alive, and whoever finds that knows that it was started.
    while (!/ end\n/.test(readFileSync(join(execFolder, 'rc'), 'latin1'))) await sleep(10);
    await session.workspace.processes.stopLeftovers();
    rmSync(execFolder, { recursive: true });
    const settled = await session.settle('Bash', args, null, 'b1');
    expect(settled).toMatchObject({ state: 'settled', outcome: { status: 'unknown' } });
  });

  it.each([
    ['left nothing', [], 'unknown'],
    ['claimed', ['claim'], 'succeeded'],
  ])('settles in the background after another boot: what %s', async (_name, kept, status) => {
    const session = await openSession();
    const args = { command: 'true', run_in_background: true };
    await session.call('Bash', args, { attemptId: 'b1' });
    const context = { ...session.context('b1'), bootId: 'another-boot' };
    // Its place is there from the beginning; once the receipt stands in it the wrapper writes nothing any more.
    while (!/ end\n/.test(readFileSync(join(context.execFolder, 'rc'), 'latin1'))) await sleep(10);
    await session.workspace.processes.stopLeftovers();
    for (const name of ['claim', 'rc']) {
      if (!kept.includes(name)) rmSync(join(context.execFolder, name), { force: true });
    }
    const settled = await session.tool('Bash').settle(args, null, context);
    expect(settled).toMatchObject({ state: 'settled', outcome: { status } });
    expect(JSON.stringify(settled).includes('task.started')).toBe(status === 'succeeded');
  });

  it('settles in the background while its wrapper is in the middle of its claim: it is waited for, and runs once', async () => {
    const session = await openSession({}, [], (root) => slowClaim(join(root, '..', 'bin'), join(root, 'gate')));
    const args = { command: 'echo x >> log', run_in_background: true };
    const running = session.call('Bash', args, { attemptId: 'b1' });
    while (!existsSync(join(session.context('b1').execFolder, 'claim'))) await sleep(10);
    const settling = session.settle('Bash', args, null, 'b1');
    await sleep(100);
    session.put('gate', '');
    expect(await settling).toMatchObject({ outcome: { status: 'succeeded', facts: [{ type: 'task.started' }] } });
    expect(await running).toMatchObject({ status: 'succeeded' });
    while (!existsSync(join(session.root, 'log'))) await sleep(10);
    await session.workspace.processes.stopLeftovers();
    expect(session.file('log').toString()).toBe('x\n');
  });

  it('a command that is a declared check is evidence, in any writing', async () => {
    const checks = [{ command: 'node --test a.test.mjs', counts: true }];
    const session = await openSession(
      { 'a.test.mjs': "import test from 'node:test';\ntest('t', () => {});\n" },
      checks,
    );
    const outcome = await session.call('Bash', { command: "node  --test 'a.test.mjs'" });
    expect(outcome.facts).toMatchObject([
      { type: 'evidence.recorded', check: 'node --test a.test.mjs', passed: true, counts: { passed: 1 } },
    ]);
    const other = await session.call('Bash', { command: 'node --test a.test.mjs; true' });
    expect(other.facts).toBeUndefined();
  });
});
