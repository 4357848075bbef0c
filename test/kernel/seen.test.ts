/** What the model was shown of each file, kept in two parts: the same as one list, whatever comes in which order. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { evolve, type FactOf, initialState, type State, seenFiles, seenHash } from '#kernel';

const names = ['__proto__', 'constructor', ...Array.from({ length: 300 }, (_, i) => `src/f${i}`)];
const file = fc.record({ path: fc.constantFrom(...names), hash: fc.constantFrom('a', 'b', 'c') });

/** The outcome of a read that is open in this state. */
const shown = (state: State, seen: FactOf<'attempt.outcome'>['seen']): FactOf<'attempt.outcome'> => ({
  seq: state.seq + 1,
  ts: 0,
  type: 'attempt.outcome',
  actionId: 'a',
  status: 'succeeded',
  output: '',
  ...(seen === undefined ? {} : { seen }),
});

function reading(): State {
  let state: State = initialState;
  const base = { ts: 0 };
  state = evolve(state, { ...base, seq: 1, type: 'session.start', turnId: 't', goal: 'g', planner: 'p' });
  const parts = [{ kind: 'call' as const, actionId: 'a' }];
  const response = { requestId: 'r', parts, finish: 'tool-calls' as const, usage: {} };
  state = evolve(state, { ...base, seq: 2, type: 'model.response', ...response });
  const call = {
    actionId: 'a',
    tool: 'Read',
    args: {},
    origin: 'model' as const,
    effect: 'read' as const,
    intent: 'i',
  };
  return evolve(state, { ...base, seq: 3, type: 'action.intended', ...call });
}

test('the last hash of each path is known, and no other path', () => {
  const open = reading();
  fc.assert(
    fc.property(fc.array(fc.array(file, { maxLength: 40 }), { maxLength: 20 }), (results) => {
      const known = new Map<string, string>();
      let state = open;
      for (const seen of results) {
        const before = state;
        // The same call shows again and again; only what it shows is looked at.
        state = { ...evolve({ ...state, turn: open.turn }, shown(state, seen)) };
        for (const { path, hash } of seen) known.set(path, hash);
        expect(seenFiles(before).length).toBeLessThanOrEqual(known.size);
      }
      for (const path of names) expect(seenHash(state, path)).toBe(known.get(path));
      const all = seenFiles(state).map(({ path, hash }) => [path, hash] as const);
      expect(new Map(all)).toEqual(known);
      expect(all).toHaveLength(known.size);
    }),
    { numRuns: 100 },
  );
});

test('of one path shown twice at once the last hash is known, also the one that was known before', () => {
  const open = reading();
  const before = evolve(open, shown(open, [{ path: 'p', hash: 'a' }]));
  const twice = [
    { path: 'p', hash: 'b' },
    { path: 'p', hash: 'a' },
  ];
  const after = evolve({ ...before, turn: open.turn }, shown(before, twice));
  expect(seenHash(after, 'p')).toBe('a');
});

test('one more path does not copy those that were shown long before', () => {
  let state = reading();
  const { turn } = state;
  const many = names.map((path) => ({ path, hash: 'a' }));
  state = evolve(state, shown(state, many));
  const one = evolve({ ...state, turn }, shown(state, [{ path: 'new', hash: 'b' }]));
  expect(one.seen).toBe(state.seen);
  const again = evolve({ ...one, turn }, shown(one, many));
  expect(again.seenLately).toBe(one.seenLately);
});

test('going back leaves what was shown until then', () => {
  let state = reading();
  state = evolve(state, shown(state, [{ path: 'old', hash: 'a' }]));
  const seen = [{ path: 'then', hash: 'b' }];
  state = evolve(state, { seq: 9, ts: 0, type: 'chat.rewound', undoId: 'u', toSeq: 1, seen });
  expect(seenFiles(state)).toEqual(seen);
  expect(seenHash(state, 'old')).toBeUndefined();
});
