import { expect, test } from 'vitest';
import { type Phase, transition } from '#kernel';

const phases: readonly Phase[] = ['idle', 'planning', 'executing', 'awaiting_tool', 'reflecting', 'done'];

// Rows are from, columns to, in the order of `phases`; the second table holds the resume edges of an open pause.
const legal = [
  [0, 1, 0, 0, 0, 0],
  [1, 0, 1, 0, 0, 1],
  [1, 0, 0, 1, 1, 0],
  [1, 0, 0, 0, 1, 0],
  [1, 1, 1, 0, 0, 1],
  [0, 0, 0, 0, 0, 0],
];

test('the whole table of 36 pairs', () => {
  const found = phases.map((from) => phases.map((to) => (transition(from, to).ok ? 1 : 0)));
  expect(found).toEqual(legal);
  expect(found.flat().filter((cell) => cell === 1)).toHaveLength(13);
});

test('with an open pause only the edge back to the paused phase is legal', () => {
  for (const pausedFrom of phases) {
    for (const from of phases) {
      for (const to of phases) {
        const resumable = pausedFrom !== 'idle' && pausedFrom !== 'done';
        const expected = resumable && from === 'idle' && to === pausedFrom;
        expect({ pausedFrom, from, to, ok: transition(from, to, pausedFrom).ok }).toEqual({
          pausedFrom,
          from,
          to,
          ok: expected,
        });
      }
    }
  }
});

test('a refusal names both states', () => {
  const refused = transition('done', 'executing');
  expect(refused).toEqual({
    ok: false,
    error: {
      code: 'illegal_move',
      from: 'done',
      to: 'executing',
      message: 'illegal transition from done to executing',
    },
  });
});
