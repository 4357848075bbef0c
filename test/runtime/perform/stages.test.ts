/** A call through all its stages, and the calls that stop at one of them. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Fact, type Json, makeFailure } from '#kernel';
import { HookAbort, type PermissionPort, skip, type ToolsPort } from '#runtime';
import { callStages } from '../../../src/runtime/perform/stages.ts';
import { type Answer, harness, type LocalTool, localTools, modelPlanner } from '../harness.ts';

const done: Answer = { text: 'done' };
const call = (...tools: readonly string[]): Answer => ({ calls: tools.map((tool) => ({ tool })) });

function counted() {
  const runs: string[] = [];
  let running = 0;
  let peak = 0;
  const tool = (name: string, effect: LocalTool['effect'], run?: LocalTool['run']): LocalTool => ({
    effect,
    run: async (args, context) => {
      runs.push(name);
      peak = Math.max(peak, ++running);
      await new Promise((resolve) => setTimeout(resolve, 2));
      running--;
      return run?.(args, context) ?? { status: 'succeeded', output: `${name} ${JSON.stringify(args)}` };
    },
  });
  return { runs, tool, peak: () => peak };
}

const answers = (decision: 'allow' | 'ask' | 'deny'): PermissionPort => {
  return async () => ({ decision, by: 'rule', reason: 'drawn' });
};
const order = (facts: readonly Fact[]): readonly string[] => facts.map((fact) => fact.type);

it('every stage is done in a file that exists, and its facts come in the order of the list', async () => {
  const root = path.resolve(import.meta.dirname, '../../../src');
  for (const { where } of callStages) expect(existsSync(path.join(root, where)), where).toBe(true);

  const { tool } = counted();
  const tools = localTools({ Edit: tool('Edit', 'file') });
  const h = await harness({ planner: modelPlanner([call('Edit'), done]), tools, permission: answers('ask') });
  h.hooks.on('before_tool_call', (payload) => {
    (payload['step'] as { args: Json }).args = { better: true };
  });
  const pull = await h.session.run('go');
  if (pull.kind !== 'approval') throw new Error(pull.kind);
  await h.session.approve(pull.actionId, 'approve', 'me');
  await h.session.resume();
  const own = h.facts().filter((fact) => 'actionId' in fact || 'stepId' in fact);
  const places = own.flatMap((fact) => {
    const at = callStages.findIndex(({ facts }) => facts.includes(fact.type));
    return at < 0 ? [] : [at];
  });
  // The answer that ends the turn is a step of its own.
  const first = places.slice(0, places.indexOf(callStages.length - 1) + 1);
  expect(first).toEqual(first.toSorted((a, b) => a - b));
  expect(new Set(first)).toEqual(new Set([0, 2, 3, 4, 5, 6, 8]));
});

describe('a call that does not pass', () => {
  const failing: ToolsPort['profile'] = () => ({
    effect: 'read',
    paths: null,
    free: false,
    problem: makeFailure('schema', 'two faults:\n- /a: missing\n- /b: send a string', 'call it again'),
  });
  type Over = Partial<Parameters<typeof harness>[0]>;
  const { tool } = counted();
  const base = localTools({ Edit: tool('Edit', 'file') });

  it.each<[string, Answer, Over, string, RegExp]>([
    ['no such tool', call('Nope'), {}, 'not_found', /no tool Nope\nNext: use another/],
    ['faulty arguments', call('Edit'), { tools: { ...base, profile: failing } }, 'schema', /- \/a: .*- \/b: .*Next/s],
    ['denied by policy', call('Edit'), { permission: answers('deny') }, 'drawn', /Find another way/],
    [
      'cannot be made ready',
      call('Edit'),
      {
        tools: {
          ...base,
          prepare: async () => ({ ok: false, failure: makeFailure('precondition', 'not read yet', 'Read it first.') }),
        },
      },
      'precondition',
      /not read yet\nNext: Read it first\./,
    ],
    [
      'making ready throws',
      call('Edit'),
      { tools: { ...base, prepare: () => Promise.reject(new Error('broken')) } },
      'internal',
      /broken\nNext: nothing was started/,
    ],
  ])('%s: never reaches its tool, and is told the next step', async (_name, answer, over, kind, text) => {
    const h = await harness({ planner: modelPlanner([answer, done]), tools: base, record: false, ...over });
    expect((await h.session.run('go')).kind).toBe('finish');
    const facts = h.facts();
    expect(order(facts)).not.toContain('attempt.start');
    const verdict = facts.find((fact) => fact.type === 'action.verdict' && fact.verdict === 'deny');
    const outcome = facts.find((fact) => fact.type === 'attempt.outcome');
    const said =
      verdict?.type === 'action.verdict' ? verdict.message : outcome?.type === 'attempt.outcome' ? outcome.output : '';
    const why =
      verdict?.type === 'action.verdict'
        ? verdict.reason
        : outcome?.type === 'attempt.outcome'
          ? outcome.failure?.kind
          : '';
    expect(why).toBe(kind);
    expect(said).toMatch(text);
  });

  it.each<[string, () => unknown, RegExp]>([
    ['skipped by a hook', () => skip(), /Go on without it/],
    [
      'refused by a hook',
      () => {
        throw new HookAbort('not today');
      },
      /not today.*find another way/,
    ],
  ])('%s', async (_name, hook, text) => {
    const h = await harness({ planner: modelPlanner([call('Edit'), done]), tools: base, record: false });
    h.hooks.on('before_tool_call', () => hook() as undefined);
    await h.session.run('go');
    const verdict = h.facts().find((fact) => fact.type === 'action.verdict');
    expect(verdict?.type === 'action.verdict' ? verdict.message : '').toMatch(text);
    expect(order(h.facts())).not.toContain('attempt.start');
  });
});

describe('the rules of dispatching', () => {
  it('twenty calls at once: never more than eight run, each once, results in the order of the calls', async () => {
    const { tool, runs, peak } = counted();
    const tools = localTools({ Read: tool('Read', 'read') });
    const calls = Array.from({ length: 20 }, (_, n) => ({ tool: 'Read', args: { n } }));
    const h = await harness({ planner: modelPlanner([{ calls }, done]), tools, record: false });
    await h.session.run('go');
    expect(runs).toHaveLength(20);
    expect(peak()).toBeLessThanOrEqual(8);
    expect(peak()).toBeGreaterThan(1);
    const intended = h.facts().flatMap((fact) => (fact.type === 'action.intended' ? [fact.actionId] : []));
    const output = (id: string) =>
      h.facts().flatMap((fact) => (fact.type === 'attempt.outcome' && fact.actionId === id ? [fact.output] : []));
    expect(intended.flatMap(output)).toEqual(calls.map(({ args }) => `Read ${JSON.stringify(args)}`));
  });

  it('two equal calls at once are two calls: nothing is answered from what another one found', async () => {
    const { tool, runs } = counted();
    const tools = localTools({ Read: tool('Read', 'read') });
    const h = await harness({ planner: modelPlanner([call('Read', 'Read'), done]), tools, record: false });
    await h.session.run('go');
    expect(runs).toEqual(['Read', 'Read']);
  });

  it.each<[LocalTool['effect'], number]>([
    ['read', 1],
    ['opaque', 1],
    ['process', 1],
  ])('a tool of class %s that throws is not tried again by the runtime', async (effect, count) => {
    const { tool, runs } = counted();
    const broken = tool('Broken', effect, () => {
      throw new Error('transient: try again');
    });
    const settled: LocalTool = {
      ...broken,
      settle: async () => ({ state: 'settled', outcome: { status: 'failed', output: 'looked: not there' } }),
    };
    const h = await harness({
      planner: modelPlanner([call('Broken'), done]),
      tools: localTools({ Broken: settled }),
      record: false,
    });
    await h.session.run('go');
    expect(runs).toHaveLength(count);
    expect(order(h.facts()).filter((type) => type === 'attempt.start')).toHaveLength(count);
  });

  it('without budget for a call nothing is asked and nothing runs', async () => {
    const { tool, runs } = counted();
    let asked = 0;
    const permission: PermissionPort = async () => {
      asked++;
      return { decision: 'allow', by: 'rule', reason: 'drawn' };
    };
    const h = await harness({
      planner: modelPlanner([call('Read'), done]),
      tools: localTools({ Read: tool('Read', 'read') }),
      permission,
      limits: { maxToolCalls: 0 },
      record: false,
    });
    expect(await h.session.run('go')).toMatchObject({ kind: 'pause', reason: 'budget_exceeded:tool_calls' });
    expect({ asked, runs }).toEqual({ asked: 0, runs: [] });
  });
});
