/** Laws of the reducer, over arbitrary facts and over real histories that were damaged at random. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decide, evolve, type Fact, type FactBody, fold, initialState, type State, transition } from '#kernel';
import { arbitraryBody } from '../ledger/arbitrary-fact.ts';
import { drain, harness, listPlanner, localTools, modelPlanner, toolSteps } from '../runtime/harness.ts';

const numbered = (bodies: readonly FactBody[]): Fact[] =>
  bodies.map((body, i) => ({ ...body, seq: i + 1, ts: i * 10 }) as Fact);

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const item of Object.values(value)) freeze(item);
  }
  return value;
}

/** Folds step by step over frozen states, and checks what must hold at every step. */
function walk(facts: readonly Fact[]): State {
  let state: State = freeze(structuredClone(initialState));
  for (const fact of facts) {
    const next = freeze(evolve(state, freeze(fact)));
    const [from, to] = [state.turn?.phase ?? 'idle', next.turn?.phase ?? 'idle'];
    const sameTurn = state.turn?.turnId === next.turn?.turnId;
    if (from !== to && sameTurn) expect(transition(from, to, state.turn?.pause?.from ?? null).ok).toBe(true);
    expect(next.seq).toBe(fact.seq);
    expect(() => decide(next)).not.toThrow();
    state = next;
  }
  return state;
}

test('evolve and decide are total, pure and keep to the table, whatever the facts', () => {
  fc.assert(
    fc.property(fc.array(arbitraryBody(), { maxLength: 30 }), (bodies) => {
      const facts = numbered(bodies);
      expect(walk(facts)).toEqual(fold(facts));
    }),
    { numRuns: 300 },
  );
});

test('a history with facts lost, doubled and swapped is folded without an exception', async () => {
  const h = await harness({ planner: listPlanner(toolSteps(4)), limits: { maxToolCalls: 2 } });
  await h.session.run('goal');
  await h.session.resume({ error: 'x' });
  await drain(h.session, await h.session.resume({ result: 1 }));
  await drain(h.session, await h.session.resume());
  const tools = localTools({ Bash: { effect: 'process', run: () => ({ status: 'succeeded', output: 'ok' }) } });
  const m = await harness({
    planner: modelPlanner([{ calls: [{ tool: 'Bash' }, { tool: 'Nope' }] }, { text: 'done' }]),
    tools,
  });
  await m.session.run('goal');
  const histories = [h.facts(), m.facts()];
  fc.assert(
    fc.property(
      fc.constantFrom(...histories),
      fc.array(fc.tuple(fc.constantFrom('drop', 'double', 'swap'), fc.nat(200)), { maxLength: 8 }),
      (history, damage) => {
        const bodies: FactBody[] = history.map(({ seq: _seq, ts: _ts, ...body }) => body as FactBody);
        for (const [how, where] of damage) {
          const at = where % bodies.length;
          const body = bodies[at];
          const next = bodies[at + 1];
          if (body === undefined) continue;
          if (how === 'drop' && bodies.length > 1) bodies.splice(at, 1);
          else if (how === 'double') bodies.splice(at, 0, body);
          else if (next !== undefined) bodies.splice(at, 2, next, body);
        }
        walk(numbered(bodies));
      },
    ),
    { numRuns: 400 },
  );
});

test('folding in two parts equals folding at once', async () => {
  const h = await harness({ planner: listPlanner(toolSteps(3)) });
  await drain(h.session, await h.session.run('goal'));
  const facts = h.facts();
  for (let cut = 0; cut <= facts.length; cut++) {
    expect(fold(facts.slice(cut), fold(facts.slice(0, cut)))).toEqual(fold(facts));
  }
});

test('one fact in round 2,000 costs the state as little as one in round 2', async () => {
  const rounds = 2000;
  const answers = Array.from({ length: rounds }, (_, i) => ({ calls: [{ tool: 'Bash', args: { i } }] }));
  const tools = localTools({ Bash: { effect: 'process', run: () => ({ status: 'succeeded', output: '' }) } });
  const h = await harness({ planner: modelPlanner([...answers.slice(0, 3), { text: 'done' }]), tools });
  await h.session.run('goal');
  const small = JSON.stringify(h.session.state).length;
  let count = 0;
  const quick = modelPlanner([]);
  const big = await harness({
    planner: {
      ...quick,
      generate: async () => {
        const n = count++;
        const parts =
          n < rounds
            ? [{ kind: 'call' as const, name: 'Bash', providerCallId: 'p', args: { n } }]
            : [{ kind: 'text' as const, text: 'done' }];
        return { ok: true, answer: { parts, finish: 'stop', usage: {} } };
      },
    },
    tools,
    record: false,
  });
  await big.session.run('goal');
  expect(big.session.state.totals.rounds).toBe(rounds + 1);
  expect(JSON.stringify(big.session.state).length).toBeLessThan(small * 1.5);
}, 60_000);
