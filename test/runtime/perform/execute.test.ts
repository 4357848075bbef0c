/** Receipts of calls that run side by side: written together where they end together, each as soon as it is there. */
import { expect, test } from 'vitest';
import type { FactBody } from '#kernel';
import { memoryLedger } from '#ledger';
import type { SessionPorts, ToolResult } from '#runtime';
import { type Answer, harness, localTools, modelPlanner } from '../harness.ts';

const result = (output: string, facts?: readonly FactBody[]): ToolResult => ({
  status: 'succeeded',
  output,
  ...(facts === undefined ? {} : { facts }),
});
const calls = (...tools: string[]): Answer => ({ calls: tools.map((tool) => ({ tool })) });

/** A ledger, and the outcomes that each append of any brought. */
function watched() {
  const base = memoryLedger('watched');
  const appends: string[][] = [];
  const ledger: SessionPorts['ledger'] = {
    ...base,
    get lastSeq() {
      return base.lastSeq;
    },
    append: async (bodies) => {
      const outputs = bodies.flatMap((body) => (body.type === 'attempt.outcome' ? [body.output] : []));
      if (outputs.length > 0) appends.push(outputs);
      return base.append(bodies);
    },
  };
  return { ledger, appends };
}

const reads = (runs: { readonly [name: string]: () => Promise<ToolResult> | ToolResult }) =>
  localTools(
    Object.fromEntries(
      Object.entries(runs).map(([name, run]) => [name, { effect: 'read' as const, paths: [name], run }]),
    ),
  );

test('outcomes of one moment are one write, in order of the calls', async () => {
  const { ledger, appends } = watched();
  const tools = reads({ A: () => result('a'), B: () => result('b'), C: () => result('c') });
  const { session } = await harness({
    ledger,
    tools,
    planner: modelPlanner([calls('A', 'B', 'C'), { text: 'done' }]),
    record: false,
  });
  expect((await session.run('go')).kind).toBe('finish');
  expect(appends).toEqual([['a', 'b', 'c']]);
});

test('an outcome does not wait for a call that still runs', async () => {
  const { ledger, appends } = watched();
  const slow = Promise.withResolvers<ToolResult>();
  const tools = reads({ A: () => slow.promise, B: () => result('b') });
  const { session } = await harness({
    ledger,
    tools,
    planner: modelPlanner([calls('A', 'B'), { text: 'done' }]),
    record: false,
  });
  const ended = session.run('go');
  await expect.poll(() => appends).toEqual([['b']]);
  slow.resolve(result('a'));
  expect((await ended).kind).toBe('finish');
  expect(appends).toEqual([['b'], ['a']]);
});

test('the end of a task that two calls saw in the same moment is told once, also of one that began in it', async () => {
  const { ledger } = watched();
  const started = { type: 'task.started' as const, actionId: 't', attemptId: 't.1', command: 'sleep', timeoutMs: 1 };
  const ended = { type: 'task.ended' as const, actionId: 't', status: 'exited' as const, output: '', outputBytes: 0 };
  const tools = reads({
    A: () => result('a', [started]),
    B: () => result('b', [ended]),
    C: () => result('c', [ended]),
  });
  const h = await harness({
    ledger,
    tools,
    planner: modelPlanner([calls('A', 'B', 'C'), { text: 'done' }]),
    record: false,
  });
  expect((await h.session.run('go')).kind).toBe('finish');
  expect(h.facts().filter((fact) => fact.type === 'task.ended')).toHaveLength(1);
  expect(h.session.state.tasks).toEqual([]);
});

test('where the store is full, what ended is recorded and the run stops with it', async () => {
  const { ledger, appends } = watched();
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC' });
  const tools = reads({
    A: () => result('a'),
    B: () => Promise.reject(full),
    C: () => new Promise<ToolResult>(() => {}),
  });
  const { session } = await harness({ ledger, tools, planner: modelPlanner([calls('A', 'B', 'C')]), record: false });
  await expect(session.run('go')).rejects.toThrow('no space');
  expect(appends).toEqual([['a']]);
});
