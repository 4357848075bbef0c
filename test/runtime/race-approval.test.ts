import { expect, test } from 'vitest';
import { initialState, type State } from '#kernel';
import { type Pull, type RaceTurn, raceApproval, type SafetyClassifier } from '#runtime';

const pull: Extract<Pull, { kind: 'approval' }> = {
  kind: 'approval',
  state: 'idle',
  reason: 'approval:a',
  actionId: 'a',
  preview: null,
  always: ['Bash(ls)'],
  personOnly: false,
};
const action = { actionId: 'a', tool: 'Bash', args: { command: 'ls' }, effect: 'process', paths: null };
const state = { ...initialState, workspace: '/w', turn: { open: [action] } } as unknown as State;

/** A race whose every moment is chosen by the test. */
function makeRace(options: { readonly personOnly?: boolean; readonly classify?: SafetyClassifier | null } = {}) {
  const parts = {
    turn: null as RaceTurn | null,
    asked: [] as unknown[],
    passGrace: () => {},
    say: (_answer: string) => {},
    judge: (_safe: boolean) => {},
    fail: () => {},
    ended: null as unknown,
  };
  const classify: SafetyClassifier = (call) => {
    parts.asked.push(call);
    return new Promise((resolve, reject) => {
      parts.judge = (safe) => resolve({ safe, reason: safe ? 'it reads' : 'who knows' });
      parts.fail = () => reject(new Error('broken'));
    });
  };
  const done = raceApproval<string>({
    session: { state },
    pull: { ...pull, personOnly: options.personOnly === true },
    classify: options.classify === undefined ? classify : options.classify,
    ask: (turn) => {
      parts.turn = turn;
      return new Promise((resolve) => {
        parts.say = resolve;
      });
    },
    clock: {
      sleep: (_ms, signal) =>
        new Promise((resolve) => {
          parts.passGrace = () => resolve();
          signal.addEventListener('abort', () => resolve());
        }),
    },
  }).then((result) => {
    parts.ended = result;
    return result;
  });
  return { parts, done };
}
/** Lets everything happen that can happen now. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

const byClassifier = { by: 'classifier', reason: 'it reads' };
const byPerson = { by: 'person', answer: 'no' };

type Step = 'touch' | 'grace' | 'safe' | 'unsafe' | 'fail' | 'say';
test.each<[string, readonly Step[], unknown]>([
  ['nobody touches it: the first safe answer counts at once', ['safe'], byClassifier],
  ['not safe: the person answers', ['unsafe', 'say'], byPerson],
  ['the classifier fails: the person answers', ['fail', 'grace', 'say'], byPerson],
  ['a touch in the first moments holds the answer back', ['touch', 'safe'], null],
  ['and when they are over it counts: the key may have been an accident', ['touch', 'safe', 'grace'], byClassifier],
  ['a touch in the first moments does not cancel a later answer', ['touch', 'grace', 'safe'], byClassifier],
  ['a touch after them makes it the person’s', ['grace', 'touch', 'safe'], null],
  ['who then answers', ['grace', 'touch', 'safe', 'say'], byPerson],
  ['a touch in and one after them', ['touch', 'grace', 'touch', 'safe', 'say'], byPerson],
  ['a whole answer in the first moments wins over one that is held back', ['touch', 'safe', 'say', 'grace'], byPerson],
  ['a person is faster', ['say', 'safe'], byPerson],
  ['a late safe changes nothing', ['touch', 'say', 'grace', 'safe'], byPerson],
])('%s', async (_what, steps, expected) => {
  const { parts } = makeRace();
  for (const step of steps) {
    await settle();
    if (step === 'touch') parts.turn?.touched();
    if (step === 'grace') parts.passGrace();
    if (step === 'safe') parts.judge(true);
    if (step === 'unsafe') parts.judge(false);
    if (step === 'fail') parts.fail();
    if (step === 'say') parts.say('no');
  }
  await settle();
  expect(parts.ended).toEqual(expected);
  // The question is taken away exactly when somebody has answered.
  expect(parts.turn?.signal.aborted).toBe(expected !== null);
  expect(parts.asked).toEqual([
    { tool: 'Bash', args: { command: 'ls' }, effect: 'process', paths: null, workspace: '/w', always: ['Bash(ls)'] },
  ]);
});

test('what only a person may answer no classifier is asked about, nor without one', async () => {
  for (const options of [{ personOnly: true }, { classify: null }]) {
    const { parts, done } = makeRace(options);
    await settle();
    expect(parts.asked).toEqual([]);
    parts.say('no');
    expect(await done).toEqual(byPerson);
  }
});

test('only true is safe', async () => {
  const classify = (async () => ({ safe: 'yes', reason: '' })) as unknown as SafetyClassifier;
  const { parts, done } = makeRace({ classify });
  await settle();
  expect(parts.ended).toBe(null);
  parts.say('no');
  expect(await done).toEqual(byPerson);
});
