import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type OwnTool, ownTool } from '#tools';
import { createRegistry } from '../../../src/tools/registry/create-registry.ts';
import { openSession } from '../session.ts';

const bootId = async () => 'boot';
const schema = { type: 'object', properties: {} } as const;
const reading = (run: OwnTool['run']): OwnTool => ({
  name: 'Look',
  description: 'looks',
  inputSchema: schema,
  effect: 'read',
  run,
});

async function call(tool: OwnTool, actionId = 'a') {
  const session = await openSession();
  const context = { ...session.context(actionId), actionId };
  const prepared = await ownTool(tool, bootId).prepare({}, context);
  if (!prepared.ok) throw new Error(prepared.failure.message);
  return prepared.attempt.run();
}

describe('a long result', () => {
  it('is shown by both ends, kept whole, and the way to the rest is named', async () => {
    const text = `begin ${'é'.repeat(100_000)} end`;
    const outcome = await call(reading(() => text));
    expect(outcome.output.length).toBeLessThan(41_000);
    expect(outcome.output).toMatch(/^begin/);
    expect(outcome.output).toContain(
      ' end\n(any part of all 200010 bytes: TaskOutput with task_id call_a and an offset)',
    );
    expect(Buffer.from(outcome.full ?? []).toString()).toBe(text);
  });

  it('that fits is as it is', async () => {
    expect(await call(reading(() => 'x'.repeat(40_000)))).toEqual({ status: 'succeeded', output: 'x'.repeat(40_000) });
  });
});

describe('the class', () => {
  it('of a reading tool may begin early, of the others never', async () => {
    expect(
      await ownTool(
        reading(() => ''),
        bootId,
      ).classify({}),
    ).toMatchObject({ effect: 'read', early: true });
    const opaque: OwnTool = { ...reading(() => ''), effect: 'opaque' };
    expect(await ownTool(opaque, bootId).classify({})).toEqual({ effect: 'opaque', paths: [] });
  });
});

it('a key is as old as the first try with it', async () => {
  const session = await openSession();
  const base = session.context('a');
  const state = () => {
    const now = base.state();
    return {
      ...now,
      turn: { open: [{ actionId: 'a', mayHaveRun: true, firstBase: { startedMs: 5 } }] },
    } as unknown as typeof now;
  };
  const tool = ownTool({ ...reading(() => ''), effect: 'keyed' }, bootId);
  const prepared = await tool.prepare({}, { ...base, actionId: 'a', state });
  expect(prepared.ok && prepared.attempt.base).toEqual({ startedMs: 5 });
});

it.each([
  ['was proven not to have begun', false, { status: 'cancelled', output: /nothing was changed/ }],
  ['may have had its effect', true, { status: 'unknown', output: /an earlier try of it was begun/ }],
])('a call that is given up after a try that %s', async (_name, mayHaveRun, { status, output }) => {
  const session = await openSession();
  const base = session.context('a');
  const state = () => {
    const now = base.state();
    return { ...now, turn: { open: [{ actionId: 'a', mayHaveRun }] } } as unknown as typeof now;
  };
  const tool = ownTool({ ...reading(() => ''), effect: 'keyed' }, bootId);
  const prepared = await tool.prepare({}, { ...base, actionId: 'a', state, signal: AbortSignal.abort() });
  const outcome = prepared.ok ? await prepared.attempt.run() : null;
  expect(outcome?.status).toBe(status);
  expect(outcome?.output).toMatch(output);
});

it('a schema that cannot be checked is refused before any model sees it', () => {
  const tool = ownTool({ ...reading(() => ''), inputSchema: { type: 'object', oneOf: [] } }, bootId);
  expect(() => createRegistry([tool])).toThrow('oneOf');
});

describe('settling after somebody removed', () => {
  const tool: OwnTool = { ...reading(() => 'made'), effect: 'opaque' };

  it.each<[string, string[], boolean, string]>([
    ['nothing, and it did not begin', [], false, 'not-started'],
    ['nothing, and it began', [], true, 'settled'],
    ['its claim', ['claim'], true, 'settled'],
    ['its claim and its mark', ['claim', 'rc'], true, 'settled'],
    ['its folder', ['.'], true, 'settled'],
    ['its folder, and it did not begin', ['.'], false, 'settled'],
  ])('%s', async (_name, parts, begins, state) => {
    const session = await openSession();
    const context = { ...session.context('a'), bootId: 'boot' };
    const own = ownTool(tool, bootId);
    const prepared = await own.prepare({}, context);
    if (prepared.ok && begins) await prepared.attempt.run();
    for (const part of parts) rmSync(join(context.execFolder, part), { recursive: true, force: true });
    for (const _again of [1, 2]) {
      const settled = await own.settle({}, null, context);
      expect(settled.state).toBe(state);
      if (settled.state === 'settled') expect(settled.outcome.status).toBe('unknown');
    }
  });
});

describe('a run that takes too long', () => {
  const never = () => new Promise<string>(() => {});
  const timeoutMs = 30;
  const counted = (tool: OwnTool) => {
    const runs: string[] = [];
    const run: OwnTool['run'] = (args, own) => {
      runs.push(own.actionId);
      return tool.run(args, own);
    };
    return { tool: { ...tool, run }, runs: () => runs.length };
  };
  const base = { ...reading(never), timeoutMs };

  it.each<[string, OwnTool, string, number]>([
    ['reading: failed', base, 'failed', 1],
    ['opaque: unknown, and never tried again', { ...base, effect: 'opaque' }, 'unknown', 1],
    ['keyed: tried again with its key, then unknown', { ...base, effect: 'keyed' }, 'unknown', 3],
    ['query, not applied: failed', { ...base, effect: 'query', ask: () => ({ state: 'not-applied' }) }, 'failed', 1],
    [
      'query, applied: succeeded',
      { ...base, effect: 'query', ask: () => ({ state: 'applied', output: 'there' }) },
      'succeeded',
      1,
    ],
  ])('%s', async (_name, slow, status, runs) => {
    const { tool, runs: ran } = counted(slow);
    expect((await call(tool, `late-${_name.length}`)).status).toBe(status);
    expect(ran()).toBe(runs);
  });

  it('is told by its signal', async () => {
    let told = false;
    const run: OwnTool['run'] = (_args, { signal }) =>
      new Promise(() => {
        signal.addEventListener('abort', () => {
          told = true;
        });
      });
    const outcome = await call({ ...base, run });
    expect({ told, status: outcome.status }).toEqual({ told: true, status: 'failed' });
    expect(outcome.output).toContain('longer than 0.03 s');
  });

  it('a result that is there counts, whoever held the thread', async () => {
    const run: OwnTool['run'] = () => {
      const until = performance.now() + 60;
      while (performance.now() < until);
      return 'done';
    };
    expect(await call({ ...base, run, effect: 'opaque' }, 'sync')).toMatchObject({
      status: 'succeeded',
      output: 'done',
    });
  });
});
