/** What hooks may do besides changing a payload: record facts of their own, ask for a person, follow other hooks. */
import { describe, expect, test } from 'vitest';
import type { Fact } from '#kernel';
import { askPerson, createHooks, HookAbort, type PermissionPort, pause, skip } from '#runtime';
import { harness, localTools, modelPlanner } from './harness.ts';

const answers = [{ calls: [{ tool: 'Bash' }] }, { text: 'done' }];
const tools = () => localTools({ Bash: { effect: 'process', run: () => ({ status: 'succeeded', output: 'ran' }) } });
const allow: PermissionPort = async () => ({ decision: 'allow', by: 'rule', reason: 'a rule' });
const deny: PermissionPort = async () => ({ decision: 'deny', by: 'rule', reason: 'a rule' });
const one = (facts: Iterable<Fact>, type: Fact['type']) => [...facts].find((fact) => fact.type === type);
const types = (facts: Iterable<Fact>) => [...facts].map(({ type }) => type);

const scene = (permission = allow) =>
  harness({ planner: modelPlanner(answers), tools: tools(), record: false, permission });

describe('a hook that records', () => {
  test('its facts are in the ledger before it goes on, in order, before what follows from its answer', async () => {
    const seen: string[][] = [];
    const { hooks, session } = await scene();
    hooks.on('before_tool_call', async (_payload, { record, invocationId }) => {
      for (const text of ['one', 'two']) {
        await record([{ type: 'hook.said', invocationId, hook: 'h', text }]);
        seen.push(types(session.facts()).slice(-1));
      }
    });
    await session.run('go');
    expect(seen).toEqual([['hook.said'], ['hook.said']]);
    const order = types(session.facts());
    expect(order.indexOf('hook.said')).toBeGreaterThan(order.indexOf('step.start'));
    expect(order.lastIndexOf('hook.said')).toBeLessThan(order.indexOf('action.verdict'));
  });

  test('what it recorded before it threw stays', async () => {
    const { hooks, session } = await scene();
    hooks.on('before_tool_call', async (_payload, { record, invocationId }) => {
      await record([{ type: 'hook.said', invocationId, hook: 'h', text: 'so far' }]);
      throw new HookAbort('no');
    });
    await session.run('go');
    expect(one(session.facts(), 'action.verdict')).toMatchObject({ verdict: 'abort', by: 'hook' });
    expect(types(session.facts())).toContain('hook.said');
  });
});

test('a hook is told of a cancel, and the turn ends without a decision about its call', async () => {
  const { hooks, session } = await scene();
  hooks.on('before_tool_call', async (_payload, { signal }) => {
    const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    await session.cancel('ann');
    await aborted;
  });
  await session.run('go');
  expect(one(session.facts(), 'session.complete')).toMatchObject({ reason: 'cancelled' });
  expect(types(session.facts())).not.toContain('attempt.start');
  expect(one(session.facts(), 'action.verdict')).toMatchObject({ verdict: 'cancel' });
});

describe('a hook that asks', () => {
  test('makes a person decide about a call that a rule allows', async () => {
    const { hooks, session } = await scene();
    hooks.on('before_tool_call', () => askPerson('it is late'));
    await session.run('go');
    expect(one(session.facts(), 'approval.requested')).toMatchObject({ reason: 'a hook asks: it is late' });
    expect(types(session.facts())).not.toContain('attempt.start');
  });

  test('does not lift a refusal', async () => {
    const { hooks, session } = await scene(deny);
    hooks.on('before_tool_call', () => askPerson('please'));
    await session.run('go');
    expect(one(session.facts(), 'action.verdict')).toMatchObject({ verdict: 'deny' });
  });
});

describe('hooks behind others', () => {
  const record = async () => {};
  test('see what the others changed, and the first request counts', async () => {
    const outer = createHooks();
    const inner = createHooks(outer);
    outer.on('before_step', (payload) => {
      payload['n'] = 1;
      return skip();
    });
    inner.on('before_step', (payload) => {
      payload['n'] = Number(payload['n']) + 1;
      return pause('late');
    });
    expect(await inner.fire('before_step', 'i', { n: 0 }, record)).toMatchObject({
      payload: { n: 2 },
      sentinel: { sentinel: 'skip' },
    });
    expect(await outer.fire('before_step', 'i', { n: 0 }, record)).toMatchObject({ payload: { n: 1 } });
  });

  test('are not asked after a refusal; either makes the whole not empty', async () => {
    const outer = createHooks();
    const inner = createHooks(outer);
    expect(inner.isEmpty()).toBe(true);
    const off = outer.on('before_step', () => {
      throw new HookAbort('no');
    });
    expect([inner.isEmpty(), inner.has('before_step'), inner.has('after_step')]).toEqual([false, true, false]);
    expect(await inner.fire('before_step', 'i', {}, record)).toMatchObject({ ok: false, reason: 'no' });
    off();
    expect(inner.isEmpty()).toBe(true);
  });
});
