/** A cancel may come at any moment: every call gets exactly one result, and none is told wrongly. */
import { expect, test } from 'vitest';
import type { ModelResult } from '#kernel';
import { memoryLedger } from '#ledger';
import type { OutsideMessage } from '#runtime';
import { harness, type LocalTool, localTools, modelPlanner } from './harness.ts';

const tools: { readonly [name: string]: LocalTool } = {
  Bash: { effect: 'process', run: () => ({ status: 'succeeded', output: 'ran' }) },
};
const calls = [{ tool: 'Bash' }, { tool: 'Bash' }];

test('an answer that was complete before the cancel reached it leaves no call open', async () => {
  let answered: (result: ModelResult) => void = () => {};
  const planner = modelPlanner([]);
  const h = await harness({
    planner: { ...planner, generate: () => new Promise((resolve) => (answered = resolve)) },
    tools: localTools(tools),
    record: false,
  });
  const run = h.session.run('go');
  while (h.session.state.turn?.request == null) await new Promise((resolve) => setImmediate(resolve));
  await h.session.cancel('me');
  answered({
    ok: true,
    answer: {
      parts: calls.map((call, i) => ({ kind: 'call' as const, name: call.tool, args: {}, providerCallId: `p${i}` })),
      finish: 'tool-calls',
      usage: {},
    },
  });
  expect(await run).toMatchObject({ kind: 'finish', reason: 'cancelled' });
  const verdicts = h.facts().filter((fact) => fact.type === 'action.verdict');
  expect(verdicts.map((fact) => fact.verdict)).toEqual(['cancel', 'cancel']);
});

test('a cancel between two calls of an answer closes the rest of them', async () => {
  const h = await harness({
    planner: modelPlanner([{ calls }, { text: 'done' }]),
    tools: localTools(tools),
    record: false,
  });
  h.session.subscribe(1, (fact) => {
    if (fact.type === 'attempt.outcome') void h.session.cancel('me');
  });
  expect(await h.session.run('go')).toMatchObject({ kind: 'finish', reason: 'cancelled' });
  const facts = h.facts();
  expect(facts.filter((fact) => fact.type === 'attempt.outcome')).toHaveLength(1);
  expect(facts.filter((fact) => fact.type === 'action.verdict' && fact.verdict === 'cancel')).toHaveLength(1);
});

const soon = () => new Promise<void>((resolve) => setTimeout(resolve, 5));

test('nothing is started between the fact of a cancel from outside and its flush', async () => {
  const ledger = memoryLedger('slow');
  let arrive: () => void = () => {};
  let left: OutsideMessage[] = [];
  const local = localTools(tools);
  const h = await harness({
    planner: modelPlanner([{ calls }, { text: 'done' }]),
    ledger: {
      ...ledger,
      flush: () =>
        soon()
          .then(soon)
          .then(() => ledger.flush()),
    },
    record: false,
  });
  const session = h.reopen({
    inbox: {
      list: async () => ({ messages: left }),
      remove: async () => {
        left = [];
      },
      watch: (onArrival) => {
        arrive = onArrival;
        return () => {};
      },
    },
    tools: {
      ...local,
      prepare: async (...all) => {
        left = [{ id: 'm', kind: 'cancel', by: 'me' }];
        arrive();
        await soon();
        return local.prepare(...all);
      },
    },
  });
  expect(await session.run('go')).toMatchObject({ kind: 'finish', reason: 'cancelled' });
  expect([...session.facts()].filter((fact) => fact.type === 'attempt.start')).toEqual([]);
});

test.each(['answer', 'permission', 'prepare', 'start'] as const)(
  'a cancel that nobody was told of (the process was stopped) during %s is not overtaken by an effect',
  async (moment) => {
    const ledger = memoryLedger('deaf');
    let left: OutsideMessage[] = [];
    const leave = (at: string) => {
      if (at === moment) left = [{ id: 'm', kind: 'cancel', by: 'me' }];
    };
    let ran = 0;
    const local = localTools({
      Write: {
        effect: 'file',
        paths: ['a'],
        run: (_args, { signal }) => {
          if (signal.aborted) return { status: 'cancelled', output: 'not begun' };
          ran++;
          return { status: 'succeeded', output: 'written' };
        },
      },
    });
    const planner = modelPlanner([{ calls: [{ tool: 'Write' }] }, { text: 'done' }]);
    const h = await harness({ planner, tools: local, ledger, record: false });
    const session = h.reopen({
      inbox: {
        list: async () => ({ messages: left }),
        isEmpty: () => left.length === 0,
        remove: async () => {
          left = [];
        },
        watch: () => () => {},
      },
      planner: {
        ...planner,
        generate: async (...all) => {
          const answer = await planner.generate(...all);
          leave('answer');
          return answer;
        },
      },
      permission: async (...all) => {
        leave('permission');
        return h.ports.permission(...all);
      },
      tools: {
        ...local,
        prepare: async (...all) => {
          leave('prepare');
          return local.prepare(...all);
        },
      },
      ledger: {
        ...ledger,
        append: async (bodies) => {
          const facts = await ledger.append(bodies);
          if (bodies.some(({ type }) => type === 'attempt.start')) leave('start');
          return facts;
        },
      },
    });
    expect(await session.run('go')).toMatchObject({ kind: 'finish', reason: 'cancelled' });
    expect(ran).toBe(0);
    const starts = [...session.facts()].filter((fact) => fact.type === 'attempt.start');
    expect(starts).toHaveLength(moment === 'start' ? 1 : 0);
  },
);

test('a cancel while a call left behind is settled ends the turn, and the question is told as one', async () => {
  const opaque: LocalTool = { effect: 'opaque', run: () => new Promise(() => {}) };
  const h = await harness({
    planner: modelPlanner([{ calls: [{ tool: 'Post' }] }]),
    tools: localTools({ Post: opaque }),
    record: false,
  });
  void h.session.run('go');
  while (!h.facts().some((fact) => fact.type === 'attempt.start')) await soon();
  let cancelled = false;
  const second = h.reopen({
    tools: {
      ...localTools({ Post: opaque }),
      settle: async () => {
        if (!cancelled) void second.cancel('me');
        cancelled = true;
        await soon();
        return { state: 'settled', outcome: { status: 'unknown', output: 'nobody knows' } };
      },
    },
  });
  expect(await second.resume()).toMatchObject({ kind: 'finish', reason: 'cancelled' });
  expect(h.facts().findLast((fact) => fact.type === 'attempt.outcome')).toMatchObject({ status: 'unknown' });
});

test('a cancel before a call is repeated does not say that it never ran', async () => {
  const pay: LocalTool = { effect: 'keyed', run: () => new Promise(() => {}) };
  const h = await harness({
    planner: modelPlanner([{ calls: [{ tool: 'Pay' }] }]),
    tools: localTools({ Pay: pay }),
    record: false,
  });
  void h.session.run('go');
  while (!h.facts().some((fact) => fact.type === 'attempt.start')) await soon();
  const second = h.reopen({
    tools: {
      ...localTools({ Pay: pay }),
      settle: async () => {
        void second.cancel('me');
        await soon();
        return { state: 'not-started', settling: { probe: 'key', observed: 'same key', verdict: 'repeatable' } };
      },
    },
  });
  expect(await second.resume()).toMatchObject({ kind: 'finish', reason: 'cancelled' });
  const outcome = h.facts().findLast((fact) => fact.type === 'attempt.outcome');
  expect(outcome).toMatchObject({ status: 'cancelled' });
  expect(outcome?.output).toContain('may have taken effect');
});

test('a cancel while the embedding program has a call does not say that it never ran', async () => {
  const h = await harness({ planner: modelPlanner([{ calls: [{ tool: 'Charge' }] }]) });
  expect(await h.session.run('go')).toMatchObject({ kind: 'tool' });
  await h.session.cancel('me');
  const outcome = h.facts().findLast((fact) => fact.type === 'attempt.outcome');
  expect(outcome).toMatchObject({ status: 'cancelled' });
  expect(outcome?.output).toContain('the embedding program had this call; it may have taken effect');
});
