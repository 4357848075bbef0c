import fc from 'fast-check';
import { type Fact, type FactBody, makeFailure } from '#kernel';

/** Numbers bodies as a ledger does. */
export const factsOf = (bodies: readonly FactBody[]): Fact[] =>
  bodies.map((body, i) => ({ ...body, seq: i + 1, ts: 1000 + i }));

const note = fc.oneof(
  fc.string({ minLength: 1 }).map((text): FactBody => ({ type: 'input.received', text: `w${text}` })),
  fc.constant<FactBody>({ type: 'mode.changed', mode: 'acceptEdits', by: 'user' }),
  fc.constant<FactBody>({ type: 'workspace.rebased', from: 'a', to: 'b', tree: 'c', changed: ['x.js'] }),
  fc.constant<FactBody>({ type: 'budget.warn', limit: 'maxRounds', used: 3, max: 3 }),
);

const ending = fc.constantFrom('succeeded', 'failed', 'cancelled', 'unknown', 'deny', 'skip', 'problem');

interface Call {
  readonly ending: string;
  readonly malformed: boolean;
}

/** One round as the driver writes it: request, sometimes a failure first, answer, calls, results in any order, notes. */
const round = fc.record({
  text: fc.option(fc.string(), { nil: undefined }),
  calls: fc.array(fc.record({ ending, malformed: fc.boolean() }), { maxLength: 4 }),
  failsFirst: fc.boolean(),
  during: fc.array(note, { maxLength: 1 }),
  after: fc.array(note, { maxLength: 2 }),
  reversed: fc.boolean(),
});

/** Sessions of several rounds, as bodies. Runs of the runtime's own check are among them. */
export const story: fc.Arbitrary<FactBody[]> = fc
  .record({ rounds: fc.array(round, { maxLength: 6 }), mode: fc.constantFrom('default', 'plan') })
  .map(({ rounds, mode }) => {
    const bodies: FactBody[] = [
      { type: 'session.created', sessionId: 's', workspace: '/w', version: '1' },
      {
        type: 'settings.changed',
        by: 'user',
        mode: mode as 'default',
        checks: [{ command: 'node --test', counts: true }],
      },
      { type: 'session.start', turnId: 't', goal: 'Fix it.', planner: 'model' },
    ];
    rounds.forEach((one, r) => {
      const requestId = `r${r}`;
      const request: FactBody = { type: 'model.request', requestId, model: 'm', messages: 0, bytes: 0 };
      if (one.failsFirst) {
        const failure = makeFailure('transient', 'down', 'wait');
        bodies.push(request, { type: 'model.failed', requestId, failure, text: 'half' });
      }
      bodies.push(request, ...one.during, answer(requestId, one.text, one.calls));
      const intents = one.calls.map((call, i) => intent(`${r}x${i}`, call));
      const ends = one.calls.flatMap((call, i) => end(`${r}x${i}`, call));
      bodies.push(...intents, ...(one.reversed ? ends.reverse() : ends));
      if (one.calls.length === 0) {
        bodies.push(
          intent(`gate${r}`, { ending: 'succeeded', malformed: false }),
          ...end(`gate${r}`, { ending: 'succeeded', malformed: false }),
          { type: 'completion.verdict', accepted: false, verified: false, reason: 'no evidence', feedback: 'Run it.' },
        );
      }
      bodies.push(...one.after);
    });
    return bodies;
  });

const answer = (requestId: string, text: string | undefined, calls: readonly Call[]): FactBody => ({
  type: 'model.response',
  requestId,
  parts: [
    ...(text === undefined ? [] : [{ kind: 'text', text } as const]),
    ...calls.map((_, i) => ({ kind: 'call', actionId: `${requestId.slice(1)}x${i}` }) as const),
  ],
  finish: 'stop',
  usage: {},
});

const intent = (actionId: string, call: Call): FactBody => ({
  type: 'action.intended',
  actionId,
  tool: 'Read',
  args: call.malformed ? 'no object' : { file_path: 'a' },
  origin: 'model',
  effect: 'read',
  intent: 'i',
  callId: 'same for all',
  ...(call.ending === 'problem' ? { problem: makeFailure('schema', 'bad', 'send file_path') } : {}),
});

function end(actionId: string, call: Call): FactBody[] {
  switch (call.ending) {
    case 'problem':
      return [];
    case 'deny':
    case 'skip':
      return [{ type: 'action.verdict', actionId, verdict: call.ending, by: 'person' }];
    default:
      return [{ type: 'attempt.outcome', actionId, status: call.ending as 'succeeded', output: `out ${actionId}` }];
  }
}
