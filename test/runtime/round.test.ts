/** One round of a model-driven turn: the order of its facts, its phases, what it is counted as, and how a run stops. */
import { describe, expect, test } from 'vitest';
import { evolve, type Fact, initialState, makeFailure, type Phase, type State } from '#kernel';
import { memoryLedger } from '#ledger';
import { type PermissionPort, replan, type ToolResult } from '#runtime';
import {
  type Answer,
  drain,
  harness,
  type LocalTool,
  listPlanner,
  localTools,
  modelPlanner,
  toolSteps,
} from './harness.ts';

const result = (output: string, over: Partial<ToolResult> = {}): ToolResult => ({
  status: 'succeeded',
  output,
  ...over,
});
const call = (...tools: string[]): Answer => ({ calls: tools.map((tool) => ({ tool })) });
const done: Answer = { text: 'done' };
const tools = (over: { readonly [name: string]: LocalTool } = {}) =>
  localTools({
    Read: { effect: 'read', paths: ['a'], run: () => result('text') },
    Edit: { effect: 'file', paths: ['a'], run: () => result('edited') },
    Bash: { effect: 'process', run: () => result('ran') },
    ...over,
  });
const asking: PermissionPort = async ({ tool }) => {
  if (tool === 'Edit') return { decision: 'ask', by: 'mode', reason: 'edits ask' };
  return { decision: tool === 'Bash' ? 'deny' : 'allow', by: 'policy', reason: 'test' };
};
const run = (answers: readonly Answer[], over: Partial<Parameters<typeof harness>[0]> = {}) =>
  harness({ planner: modelPlanner(answers), tools: tools(), record: false, ...over });

/** The phases that the facts lead through. */
function phasesOf(facts: readonly Fact[]): Phase[] {
  const phases: Phase[] = [];
  let state: State = initialState;
  for (const fact of facts) {
    state = evolve(state, fact);
    const phase = state.turn?.phase;
    if (phase !== undefined && phase !== phases.at(-1)) phases.push(phase);
  }
  return phases;
}

describe('the facts of a round', () => {
  test('intent, response, authorization, start and receipt of a call stand in this order', async () => {
    const h = await run([call('Read', 'Edit', 'Bash', 'Nope'), call('Read'), done], { permission: asking });
    const pull = await h.session.run('go');
    if (pull.kind !== 'approval') throw new Error(pull.kind);
    await h.session.approve(pull.actionId, 'approve', 'me');
    expect(await h.session.resume()).toMatchObject({ kind: 'finish' });
    const facts = h.facts();
    const starts = facts.filter((fact) => fact.type === 'attempt.start');
    expect(starts).toHaveLength(3);
    for (const start of starts) {
      const of = (type: Fact['type']) =>
        facts.find((fact) => fact.type === type && 'actionId' in fact && fact.actionId === start.actionId)?.seq ?? 0;
      const response = facts.findLast((fact) => fact.type === 'model.response' && fact.seq < of('action.intended'));
      const order = [response?.seq ?? 0, of('action.intended'), of('action.verdict'), start.seq, of('attempt.outcome')];
      expect(order).toEqual(order.toSorted((a, b) => a - b));
      expect(order[0]).toBeGreaterThan(0);
      expect(facts[of('action.verdict') - 1]).toMatchObject({ verdict: 'allow' });
    }
  });

  test('nothing starts before the start is on disk', async () => {
    const ledger = memoryLedger('test-session');
    let flushed = 0;
    const seen: boolean[] = [];
    const flush = async () => {
      flushed = ledger.lastSeq;
    };
    const watching = Object.defineProperty({ ...ledger, flush }, 'lastSeq', { get: () => ledger.lastSeq });
    const looks: LocalTool = {
      effect: 'process',
      run: () => {
        const start = [...ledger.read()].findLast((fact) => fact.type === 'attempt.start');
        seen.push(start !== undefined && start.seq <= flushed);
        return result('ran');
      },
    };
    const h = await run([call('Bash'), call('Bash'), done], { tools: tools({ Bash: looks }), ledger: watching });
    await h.session.run('go');
    expect(seen).toEqual([true, true]);
  });

  test('a response is a plan, also when Belay runs its calls', async () => {
    const h = await run([call('Read'), done]);
    await h.session.run('go');
    expect(phasesOf(h.facts())).toEqual([
      ...['planning', 'executing', 'awaiting_tool', 'reflecting'],
      ...['planning', 'executing', 'reflecting', 'done'],
    ]);
    expect(h.facts().some((fact) => fact.type === 'plan.draft' || fact.type === 'plan.commit')).toBe(false);
  });

  test('three calls of one answer are three steps of one round, charged once each', async () => {
    const h = await run([call('Read', 'Edit', 'Bash'), done]);
    await h.session.run('go');
    expect(h.session.state.turn?.budget).toMatchObject({ rounds: 2, steps: 4, toolCalls: 3, tokens: 30 });
  });

  test('a call is stored once; each event of the contract is the view of one fact', async () => {
    const h = await run([call('Read'), call('Bash'), done], { permission: asking });
    await h.session.run('go');
    const facts = h.facts();
    const events = h.events();
    expect(new Set(events.map((event) => event.seq)).size).toBe(events.length);
    const sources = events
      .filter((event) => event.type.startsWith('tool.'))
      .map((event) => [event.type, facts[event.seq - 1]?.type]);
    expect(sources).toEqual([
      ['tool.call', 'action.verdict'],
      ['tool.result', 'attempt.outcome'],
      ['tool.error', 'action.verdict'],
    ]);
    for (const event of events.filter((one) => !one.type.startsWith('tool.'))) {
      expect(facts[event.seq - 1]?.type).toBe(event.type);
    }
  });

  test('equal calls at one revision have one intent and ids of their own', async () => {
    const h = await run([call('Read'), call('Read'), call('Bash'), done]);
    await h.session.run('go');
    const intended = h.facts().filter((fact) => fact.type === 'action.intended');
    expect(intended[0]?.intent).toBe(intended[1]?.intent);
    expect(intended[2]?.intent).not.toBe(intended[0]?.intent);
    expect(new Set(intended.map((fact) => fact.actionId)).size).toBe(3);
  });
});

describe('pauses', () => {
  test('an approval is a pause from executing, before the call is told', async () => {
    const h = await run([call('Edit'), done], { permission: asking });
    await h.session.run('go');
    expect(h.session.state.turn?.pause).toMatchObject({
      from: 'executing',
      reason: expect.stringMatching(/^approval:/),
    });
    expect(h.types()).not.toContain('tool.call');
    const pull = await h.session.resume();
    await h.session.approve(pull.kind === 'approval' ? pull.actionId : '', 'approve', 'me');
    await h.session.resume();
    expect(h.types().indexOf('tool.call')).toBeGreaterThan(h.types().indexOf('session.pause'));
  });

  test('time that runs out in the middle of a call is noticed after its result', async () => {
    const slow: LocalTool = {
      effect: 'process',
      run: async () => {
        await new Promise((resolve) => setTimeout(resolve, 30));
        return result('whole');
      },
    };
    const h = await run([call('Bash'), done], { tools: tools({ Bash: slow }), limits: { maxElapsedMs: 20 } });
    expect(await h.session.run('go')).toMatchObject({ kind: 'pause', reason: 'budget_exceeded:wall_clock' });
    const outcomes = h.facts().filter((fact) => fact.type === 'attempt.outcome');
    expect(outcomes).toMatchObject([{ status: 'succeeded', output: 'whole' }]);
    expect(await h.session.resume()).toMatchObject({ kind: 'finish' });
    expect(h.facts().filter((fact) => fact.type === 'attempt.start')).toHaveLength(1);
  });

  test('a new executor first says that it is attached and pauses what was active', async () => {
    const whole = await run([call('Read'), done]);
    await whole.session.run('go');
    const all = whole.facts();
    for (let cut = all.findIndex((fact) => fact.type === 'session.start') + 1; cut < all.length; cut++) {
      const ledger = memoryLedger('test-session');
      await ledger.append(all.slice(0, cut).map(({ seq: _seq, ts: _ts, ...body }) => body));
      const again = await run([call('Read'), done], { ledger, seed: 99 });
      const phase = again.session.state.turn?.phase;
      await again.session.resume();
      expect(again.facts().slice(cut, cut + 3)).toMatchObject([
        { type: 'executor.attached' },
        { type: 'session.pause', reason: 'interrupted', from: phase },
        { type: 'session.resume', to: phase },
      ]);
    }
  });

  test('a read that was cut off runs again, as a second attempt of the same action', async () => {
    const whole = await run([call('Read'), done]);
    await whole.session.run('go');
    const all = whole.facts();
    const ledger = memoryLedger('test-session');
    const cut = all.findIndex((fact) => fact.type === 'attempt.start') + 1;
    await ledger.append(all.slice(0, cut).map(({ seq: _seq, ts: _ts, ...body }) => body));
    const again = await run([call('Read'), done], { ledger, seed: 99 });
    expect(await again.session.resume()).toMatchObject({ kind: 'finish' });
    const starts = again.facts().filter((fact) => fact.type === 'attempt.start');
    expect(new Set(starts.map((fact) => fact.actionId)).size).toBe(1);
    expect(new Set(starts.map((fact) => fact.attemptId)).size).toBe(2);
    expect(new Set(starts.map((fact) => fact.executorId)).size).toBe(2);
    expect(again.facts().filter((fact) => fact.type === 'attempt.outcome')).toHaveLength(1);
  });
});

test('the same error again and again forbids the call and asks for another strategy', async () => {
  const failing: LocalTool = {
    effect: 'process',
    run: () => result('', { status: 'failed', failure: makeFailure('tool', 'no such table', 'make it') }),
  };
  const answers = Array.from({ length: 6 }, (_, i): Answer => ({ calls: [{ tool: 'Bash', args: { i } }] }));
  const h = await run([...answers, { calls: [{ tool: 'Bash', args: { i: 5 } }] }, done], {
    tools: tools({ Bash: failing }),
  });
  expect(await h.session.run('go')).toMatchObject({ kind: 'finish' });
  const signals = h.facts().filter((fact) => fact.type === 'progress.signal');
  expect(signals[0]).toMatchObject({ signal: 'repeated_failure', count: 6, forbid: expect.any(String) });
  expect(h.facts().filter((fact) => fact.type === 'attempt.start')).toHaveLength(6);
  expect(h.facts().find((fact) => fact.type === 'action.verdict' && fact.verdict === 'deny')).toMatchObject({
    reason: 'no_progress',
    message: expect.stringContaining('another strategy'),
  });
});

describe('stopping', () => {
  const fail = (kind: 'auth'): Answer => ({
    fail: { ok: false, text: '', failure: makeFailure(kind, 'key refused', 'set the key') },
  });
  const lies = [done, done, done];
  test.each<[string, Parameters<typeof run>, string]>([
    ['accepted', [[done]], 'goal_met'],
    ['nothing to say', [[{}, {}]], 'no_plan'],
    ['an approval', [[call('Edit')], { permission: asking }], 'approval:'],
    ['a limit', [[call('Read'), done], { limits: { maxRounds: 1 } }], 'budget_exceeded:rounds'],
    ['the provider', [[fail('auth')]], 'failure:auth'],
    ['not verified', [lies, { checks: [{ command: 'x', counts: true }] }], 'handoff:unverified'],
  ])('why the loop stopped is written at every return: %s', async (_name, [answers, over], reason) => {
    const h = await run(answers, over);
    await h.session.run('go');
    const last = h.facts().findLast((fact) => fact.type === 'session.pause' || fact.type === 'session.complete');
    expect(last?.seq).toBe(h.facts().length);
    expect(last?.reason.startsWith(reason)).toBe(true);
    if (last?.type === 'session.pause') expect(last.next).not.toBe('');
  });
});

test('a plan that is found wrong is replaced when its running step is over', async () => {
  const plans = [toolSteps(3), [{ description: 'the better way' }]];
  const planner = { ...listPlanner([]), plan: () => plans.shift() ?? [] };
  const h = await harness({ planner, record: false });
  let asked = false;
  h.hooks.on('after_tool_call', () => {
    if (asked) return undefined;
    asked = true;
    return replan('the first result speaks against it');
  });
  expect(await drain(h.session, await h.session.run('go'))).toMatchObject({ kind: 'finish' });
  expect(h.types().filter((type) => type === 'tool.call')).toHaveLength(1);
  expect(
    h
      .facts()
      .filter((fact) => fact.type === 'plan.commit')
      .map((fact) => fact.revision),
  ).toEqual([1, 2]);
});
