import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Json, Task } from '#kernel';
import type { ProcessResult } from '#workspace';
import type { Preparation, ToolOutcome } from '../../../src/tools/contract.ts';
import { createTaskTable, type TaskTable } from '../../../src/tools/task/task-table.ts';
import { createTaskOutputTool } from '../../../src/tools/task-output/task-output-tool.ts';
import { createTaskStopTool } from '../../../src/tools/task-stop/task-stop-tool.ts';
import { isRunning } from '../../field/background.ts';
import { openSession, type TestSession } from '../session.ts';

/** Starts a command in the background and keeps its fact in the state, as the kernel would. */
async function start(command: string, session?: TestSession): Promise<{ session: TestSession; task: Task }> {
  const open = session ?? (await openSession());
  const outcome = await open.call('Bash', { command, run_in_background: true });
  const fact = outcome.facts?.find((one) => one.type === 'task.started');
  if (fact?.type !== 'task.started') throw new Error(outcome.output);
  const { actionId, attemptId, timeoutMs, cwd = '.' } = fact;
  const task = {
    actionId,
    attemptId,
    command,
    cwd,
    timeoutMs,
    bootId: null,
    startedAt: Date.now(),
    wasAskedAbout: false,
  };
  open.state = { ...open.state, tasks: [...open.state.tasks, task] };
  return { session: open, task };
}

const output = (session: TestSession, task: Task, args: Json = {}): Promise<ToolOutcome> =>
  session.call('TaskOutput', { task_id: `call_${task.actionId}`, ...(args as object) });

async function runOf(preparation: Promise<Preparation>): Promise<ToolOutcome> {
  const prepared = await preparation;
  if (!prepared.ok) throw new Error(prepared.failure.message);
  return prepared.attempt.run();
}

describe('waiting', () => {
  test.each<[string, string, object, RegExp]>([
    ['for the end', 'echo a; exit 3', {}, /^a\nended: exit code 3$/],
    ['not at all', 'echo a; sleep 30', { block: false }, /\nstill running after [\d.]+ s: echo a; sleep 30$/],
    ['until the time is over', 'sleep 30', { timeout: 200 }, /^\(no output\)\nstill running after [\d.]+ s: sleep 30$/],
    [
      'for a line',
      'echo one; sleep 0.3; echo ready 7; sleep 30',
      { wait_for: 'ready \\d' },
      /one\nready 7\nmatched: ready 7\nstill running/,
    ],
    ['for a line that never comes', 'echo one', { wait_for: 'two' }, /^one\nended: exit code 0$/],
    [
      'for a line with colours',
      "printf '\\033[32mready\\033[0m\\n'; sleep 30",
      { wait_for: '^ready$' },
      /matched: ready\n/,
    ],
    ['for a line far behind', 'seq 1 400000; echo ready; sleep 30', { wait_for: '^ready$' }, /matched: ready\nstill/],
    [
      'for the end of a line, not for its beginning',
      "printf Listening; sleep 0.6; echo ' not yet'; sleep 0.3; echo Listening; sleep 30",
      { wait_for: 'Listening$' },
      /not yet\nListening\nmatched: Listening\nstill/,
    ],
    [
      'for a line that ends with the command',
      'printf Listening',
      { wait_for: 'Listening$' },
      /matched: Listening\nended/,
    ],
    ['for an unfinished line', 'printf "Name: "; sleep 30', { wait_for: 'Name: ' }, /matched: Name:\s*\nstill/],
    [
      'for a very long line',
      "node -e 'console.log(`port 80 ${`x`.repeat(5000)} ready`)'; sleep 30",
      { wait_for: 'ready' },
      /matched: port 80 x{200}[^\n]*\nstill/,
    ],
    [
      'for a line that is cut in a word',
      `node -e 'console.log("ready " + "x ".repeat(242) + "Zq8xPlm42KdWvTr91yHs")'; sleep 30`,
      { wait_for: 'ready' },
      /matched: ready (x ){200,}[^Z]*\nstill/,
    ],
    ['for a dollar sign', "printf 'costs 5$'; sleep 30", { wait_for: '5\\$' }, /matched: costs 5\$\nstill/],
    ['for a pattern that is none', 'sleep 30', { wait_for: '(' }, /regex parse error[\s\S]*Give wait_for as/],
  ])('%s', async (_name, command, args, expected) => {
    const { session, task } = await start(command);
    if (args && 'block' in args) await new Promise((resolve) => setTimeout(resolve, 300));
    const outcome = await output(session, task, args as Json);
    await session.workspace.processes.stopLeftovers();
    expect(outcome.output).toMatch(expected);
  });

  test('for the same line once more: where a later one can be waited for is told', async () => {
    const { session, task } = await start('echo built; while [ ! -e go ]; do sleep 0.05; done; echo built; sleep 30');
    const first = (await output(session, task, { wait_for: 'built' })).output;
    expect(first).toMatch(/\nmatched: built\nstill running[^\n]*\n\(to wait for a later line, give offset 6\)$/);
    const early = (await output(session, task, { wait_for: 'built', offset: 6, timeout: 300 })).output;
    expect(early).not.toContain('matched');
    session.put('go', '');
    const later = (await output(session, task, { wait_for: 'built', offset: 6 })).output;
    await session.workspace.processes.stopLeftovers();
    expect(later).toMatch(/^built\n\n\(bytes 6 to 12 of 12\)\nmatched: built\nstill running[^\n]*\n\(.* offset 12\)$/);
  });

  test('output that comes faster than it is looked at does not make the wait longer, and what was not seen is said', async () => {
    const { session, task } = await start('yes x | head -c 6000000; echo; echo ready; sleep 30');
    await output(session, task, { wait_for: '^ready$' });
    const waited = (await output(session, task, { wait_for: 'never', timeout: 1 })).output;
    const offset = Number(/no match in the first (\d+) bytes.*; go on with offset \1\nstill running/.exec(waited)?.[1]);
    const wentOn = (await output(session, task, { wait_for: '^ready$', offset })).output;
    await session.workspace.processes.stopLeftovers();
    expect(offset).toBeGreaterThan(1_000_000);
    expect(offset).toBeLessThan(3_000_000);
    expect(wentOn).toContain('\nmatched: ready\nstill running');
  });

  test('a pattern that would explode elsewhere costs a look only', async () => {
    const { session, task } = await start(`printf '%s\\n' ${'a'.repeat(5_000)}b; sleep 30`);
    const outcome = await output(session, task, { wait_for: '^(a+)+$', timeout: 600 });
    await session.workspace.processes.stopLeftovers();
    expect(outcome.output).toContain('still running');
  });
});

describe('a part by offset', () => {
  test.each<[string, number, RegExp]>([
    ['the beginning', 0, /^0123456789a\S+\n\(bytes 0 to 30000 of 40001; go on with offset 30000\)/],
    ['the rest', 39_995, /\(bytes 39995 to 40001 of 40001\)/],
    ['behind the end', 50_000, /^\(there are 40001 bytes; nothing from 50000 on\)/],
  ])('%s', async (_name, offset, expected) => {
    const { session, task } = await start(`node -e 'console.log("0123456789abcdef".repeat(2500))'`);
    expect((await output(session, task, { offset })).output).toMatch(expected);
  });

  test('characters are not torn: the parts together are the whole', async () => {
    const { session, task } = await start(`node -e 'console.log("日本🧗x".repeat(6000))'`);
    let text = '';
    for (let offset = 0; ; ) {
      const shown = (await output(session, task, { offset })).output;
      const found = /^([\s\S]*)\n\(bytes \d+ to (\d+) of (\d+)/.exec(shown);
      text += found?.[1] ?? '';
      offset = Number(found?.[2]);
      if (found === null || found[2] === found[3]) break;
    }
    expect(text.trim()).toBe('日本🧗x'.repeat(6000));
  });
});

test('both ends of a long output are shown, with its length', async () => {
  const { session, task } = await start('seq 1 200000');
  expect((await output(session, task)).output).toMatch(/^1\n2\n[\s\S]*left out[\s\S]*\n200000\nended: exit code 0$/);
});

test('the end is told with the result, as a fact', async () => {
  const { session, task } = await start('echo over; exit 4');
  expect((await output(session, task)).facts).toEqual([
    {
      type: 'task.ended',
      actionId: task.actionId,
      status: 'exited',
      output: 'over',
      outputBytes: 5,
      exitCode: 4,
      told: true,
    },
  ]);
});

describe('what the sandbox did at its end is told', () => {
  const moved = '/work/.envrc starts programs outside the sandbox later; it was moved to /data/refused-1.';
  const result: ProcessResult = {
    state: 'exited',
    exitCode: 6,
    output: Buffer.from('curl: (6) Could not resolve host: example.org\n'),
    outputBytes: 46,
    omitted: null,
    cut: false,
    consistent: true,
    provenance: 'live',
    spoolPath: '',
    leftAlive: [],
    confined: { network: false, putAway: [moved] },
  };
  const task: Task = {
    actionId: 'a',
    attemptId: 'a1',
    command: 'curl example.org',
    cwd: '.',
    timeoutMs: 1000,
    bootId: null,
    startedAt: 0,
    wasAskedAbout: false,
  };
  const ways: readonly [string, (session: TestSession, table: TaskTable) => Promise<string | undefined>][] = [
    ['by a fact', async (_, table) => (await table.ended([task]))[0]?.output],
    ['when the run ends', async (_, table) => (await table.stop([task]))[0]?.output],
    [
      'by TaskOutput',
      async (session, table) => {
        const tool = createTaskOutputTool(session.workspace, table, { find: async () => null });
        return (await runOf(tool.prepare({ task_id: 'a' }, session.context()))).output;
      },
    ],
    [
      'by TaskStop',
      async (session, table) => {
        const tool = createTaskStopTool(session.workspace, table, { find: async () => null });
        return (await runOf(tool.prepare({ task_id: 'a' }, session.context()))).output;
      },
    ],
  ];
  test.each(ways)('%s', async (_name, tell) => {
    const session = await openSession({ out: result.output });
    session.state = { ...session.state, tasks: [task] };
    const table = createTaskTable(session.workspace, { folder: () => '', putBlob: async () => '' });
    const attempt = { actionId: 'a', attemptId: 'a1', execFolder: session.root };
    await table.follow(attempt, Promise.resolve(result), new AbortController()).end;
    const told = await tell(session, table);
    expect(told).toContain(`\n${moved}\n`);
    expect(told).toContain('The command ran in a sandbox: it has no network');
  });
});

test('a command that nobody knows is refused with those that run', async () => {
  const { session, task } = await start('sleep 30');
  const outcome = await session.call('TaskOutput', { task_id: 'x' });
  await session.workspace.processes.stopLeftovers();
  expect(outcome.output).toBe(
    `There is no command with this task_id.\nName one that runs: call_${task.actionId} (sleep 30).`,
  );
});

test.each(['before', 'after'] as const)(
  'a child that outlives the shell of its command is stopped, %s its end was recorded',
  async (when) => {
    const { session, task } = await start('setsid sleep 300 & echo $! >pid; exit 4');
    const seen = await output(session, task);
    expect(seen.output).toContain('still running in the background');
    if (when === 'after') session.state = { ...session.state, tasks: [] };
    const read = async () => ({ bytes: new Uint8Array(), size: 0 });
    const archive = { find: async () => ({ attemptId: task.attemptId, end: 'ended', read }) };
    const table = createTaskTable(session.workspace, { folder: () => '', putBlob: async () => '' });
    const stop = createTaskStopTool(session.workspace, table, archive);
    const args = { task_id: task.actionId };
    const outcome =
      when === 'before' ? await session.call('TaskStop', args) : await runOf(stop.prepare(args, session.context()));
    const pid = session.file('pid').toString().trim();
    expect(outcome.output).toMatch(new RegExp(`stopped[^\n]*${pid}`));
    expect(isRunning(Number(pid), (file) => readFileSync(file, 'latin1'))).toBe(false);
  },
);

test('a stopped command is told as stopped, one that ended cannot be stopped', async () => {
  const { session, task } = await start('echo here; sleep 30');
  const stop = () => session.call('TaskStop', { task_id: task.actionId });
  await output(session, task, { wait_for: 'here' });
  const stopped = await stop();
  expect(stopped.output).toBe('here\nstopped, with what could be found of it');
  expect(stopped.facts).toMatchObject([{ type: 'task.ended', status: 'stopped', reason: 'by TaskStop', told: true }]);
  session.state = { ...session.state, tasks: [] };
  expect((await stop()).status).toBe('failed');
});
