import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createProjector } from '#context';
import { type Fact, type FactBody, type Message, type ModelRequest, makeFailure } from '#kernel';
import { arbitraryBody } from '../ledger/arbitrary-fact.ts';
import { factsOf, story } from './story.ts';
import { requestFaults } from './valid-request.ts';

const tools = [{ name: 'Read', description: 'reads', inputSchema: { type: 'object' } }];

function project(facts: readonly Fact[]): ModelRequest {
  const projector = createProjector(tools);
  projector.fold(facts);
  return projector.request();
}

const start: readonly FactBody[] = [
  { type: 'session.created', sessionId: 's', workspace: '/repo', version: '1' },
  { type: 'session.start', turnId: 't', goal: 'Fix the bug.', planner: 'model' },
];
const request: FactBody = { type: 'model.request', requestId: 'r', model: 'm', messages: 1, bytes: 1 };
const calling = (...ids: string[]): FactBody => ({
  type: 'model.response',
  requestId: 'r',
  parts: ids.map((actionId) => ({ kind: 'call', actionId })),
  finish: 'tool-calls',
  usage: {},
});
const saying = (text: string): FactBody => ({
  type: 'model.response',
  requestId: 'r',
  parts: [{ kind: 'text', text }],
  finish: 'stop',
  usage: {},
});
const intended = (actionId: string, more: Partial<FactBody> = {}): FactBody =>
  ({
    type: 'action.intended',
    actionId,
    tool: 'Read',
    args: { file_path: actionId },
    origin: 'model',
    effect: 'read',
    intent: 'i',
    ...more,
  }) as FactBody;
const outcome = (actionId: string, output: string, more: Partial<FactBody> = {}): FactBody =>
  ({ type: 'attempt.outcome', actionId, status: 'succeeded', output, ...more }) as FactBody;

const afterStart = (...bodies: FactBody[]) => project(factsOf([...start, ...bodies])).messages;
const resultsOf = (messages: readonly Message[]) =>
  messages.flatMap((message) => (message.role === 'tool' ? message.results : []));

describe('the projection of a ledger', () => {
  test('is a request that every provider accepts, after every prefix', () => {
    fc.assert(
      fc.property(story, (bodies) => {
        const facts = factsOf(bodies);
        for (let n = 0; n <= facts.length; n++) expect(requestFaults(project(facts.slice(0, n)))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  test('is accepted by providers even where facts are missing or repeated', () => {
    const some = story.chain((bodies) =>
      fc
        .array(fc.integer({ min: 0, max: bodies.length - 1 }), { maxLength: 30 })
        .map((at) => at.map((i) => bodies[i]!)),
    );
    fc.assert(
      fc.property(some, (bodies) => {
        expect(requestFaults(project(factsOf(bodies)))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test('is accepted by providers whatever the facts say', () => {
    fc.assert(
      fc.property(fc.array(arbitraryBody(), { maxLength: 40 }), (bodies) => {
        expect(requestFaults(project(factsOf(bodies)))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test('only ever grows: each request starts with the one before it', () => {
    fc.assert(
      fc.property(story, (bodies) => {
        const facts = factsOf(bodies);
        let before: ModelRequest | null = null;
        facts.forEach((fact, i) => {
          if (fact.type !== 'model.request') return;
          const now = project(facts.slice(0, i));
          if (before !== null) {
            expect(now.system).toBe(before.system);
            expect(textOf(now.messages).startsWith(textOf(before.messages))).toBe(true);
          }
          before = now;
        });
      }),
      { numRuns: 100 },
    );
  });

  test('is the same, folded at once or fact by fact', () => {
    fc.assert(
      fc.property(story, (bodies) => {
        const facts = factsOf(bodies);
        const projector = createProjector(tools);
        for (const fact of facts) {
          projector.fold([fact]);
          projector.request();
        }
        projector.fold(facts);
        expect(projector.request()).toEqual(project(facts));
      }),
      { numRuns: 60 },
    );
  });
});

/** The conversation as one text, in which a longer last message still counts as grown. */
function textOf(messages: readonly Message[]): string {
  return messages
    .map((message) => (message.role === 'user' ? `user ${message.text}` : JSON.stringify(message)))
    .join('\n\n');
}

describe('what the model is shown', () => {
  test('results stand in the order of calling, whatever finished first, under our own ids', () => {
    const messages = afterStart(
      request,
      calling('a', 'b'),
      intended('a', { callId: 'x' } as Partial<FactBody>),
      intended('b', { callId: 'x' } as Partial<FactBody>),
      outcome('b', 'second'),
      outcome('a', 'first'),
    );
    expect(resultsOf(messages).map((result) => [result.callId, result.text])).toEqual([
      ['call_a', 'first'],
      ['call_b', 'second'],
    ]);
  });

  const endings: readonly [string, FactBody[], string, boolean][] = [
    [
      'a denied call',
      [{ type: 'action.verdict', actionId: 'a', verdict: 'deny', by: 'person' }],
      'A person denied',
      true,
    ],
    [
      'a denied call with its message',
      [{ type: 'action.verdict', actionId: 'a', verdict: 'deny', by: 'mode', message: 'Plan first.' }],
      'Plan first.',
      true,
    ],
    [
      'a denied call with the words of the person',
      [
        { type: 'approval.resolved', actionId: 'a', verdict: 'deny', by: 'me', note: 'use sed' },
        { type: 'action.verdict', actionId: 'a', verdict: 'deny', by: 'person' },
      ],
      'use sed',
      true,
    ],
    ['a skipped call', [{ type: 'action.verdict', actionId: 'a', verdict: 'skip', by: 'hook' }], 'did not run', false],
    [
      'an aborted call',
      [{ type: 'action.verdict', actionId: 'a', verdict: 'abort', by: 'hook', reason: 'no rm' }],
      'no rm',
      true,
    ],
    [
      'a cancelled call',
      [{ type: 'action.verdict', actionId: 'a', verdict: 'cancel', by: 'runtime' }],
      'did not run',
      true,
    ],
    ['an unknown end', [outcome('a', '', { status: 'unknown' } as Partial<FactBody>)], 'not known', true],
    ['a success without output', [outcome('a', '')], 'no output', false],
    ['a call cut short', [], 'has no result', true],
    [
      'an input that a hook changed',
      [
        {
          type: 'hook.decided',
          topic: 'before_tool_call',
          decision: 'rewrite',
          invocationId: 'h',
          actionId: 'a',
          args: { x: 1 },
        },
        outcome('a', 'fine'),
      ],
      '{"x":1}\nfine',
      false,
    ],
  ];
  test.each(endings)('%s is told truthfully', (_, bodies, expected, isError) => {
    const [result] = resultsOf(afterStart(request, calling('a'), intended('a'), ...bodies));
    expect(result?.text).toContain(expected);
    expect(result?.isError).toBe(isError);
  });

  test('a call that can never run is answered with its problem and the next step', () => {
    const problem = makeFailure('schema', '/file_path: missing', 'Send file_path.');
    const [result] = resultsOf(afterStart(request, calling('a'), intended('a', { problem } as Partial<FactBody>)));
    expect(result).toMatchObject({ text: '/file_path: missing\nSend file_path.', isError: true });
  });

  test('a failed request leaves no trace', () => {
    const failed: FactBody = {
      type: 'model.failed',
      requestId: 'r',
      failure: makeFailure('incomplete', 'cut', 'retry'),
      text: 'I will',
    };
    expect(afterStart(request, failed)).toEqual(afterStart());
  });

  describe('files that a provider refused', () => {
    const file = (blob: string) => ({ path: `${blob}.png`, mediaType: 'image/png', bytes: 3, blob });
    const round = (id: string): FactBody[] => [
      request,
      calling(id),
      intended(id),
      outcome(id, 'read', { attachments: [file(id)] } as Partial<FactBody>),
    ];
    const refused = (...media: string[]): FactBody => ({
      type: 'model.failed',
      requestId: 'r',
      failure: makeFailure('invalid_request', 'no', 'next', { retryable: true }),
      media,
    });
    const plain = (kind: 'invalid_request' | 'transient'): FactBody => ({
      type: 'model.failed',
      requestId: 'r',
      failure: makeFailure(kind, 'no', 'next'),
    });
    const shown = (...bodies: FactBody[]) =>
      resultsOf(afterStart(...bodies)).map(({ text, attachments = [] }) => [
        attachments.map(({ blob }) => blob).join(),
        text.includes('cannot be shown'),
      ]);

    test.each<[string, FactBody[], (readonly [string, boolean])[]]>([
      [
        'the newest alone',
        [...round('a'), ...round('b'), request, refused('a', 'b')],
        [
          ['a', false],
          ['', true],
        ],
      ],
      [
        'all of them where it is refused again',
        [...round('a'), ...round('b'), request, refused('a', 'b'), request, refused('a')],
        [
          ['', true],
          ['', true],
        ],
      ],
      [
        'an answered one, if there is no other',
        [...round('a'), request, saying('x'), request, refused('a')],
        [['', true]],
      ],
      ['also after an answer', [...round('a'), request, refused('a'), request, saying('x')], [['', true]]],
      [
        'also where it is read again',
        [...round('a'), request, refused('a'), ...round('b').map(readingA)],
        [
          ['', true],
          ['', true],
        ],
      ],
      [
        'a fault of the network says nothing',
        [...round('a'), request, refused('a'), request, plain('transient')],
        [['', true]],
      ],
      [
        'they come back where it was not for them',
        [...round('a'), request, refused('a'), request, plain('invalid_request')],
        [['a', false]],
      ],
      [
        'but not once a request without them was answered',
        [...round('a'), request, refused('a'), ...round('b'), request, plain('invalid_request')],
        [
          ['', true],
          ['b', false],
        ],
      ],
    ])('%s', (_name, bodies, expected) => {
      expect(shown(...bodies)).toEqual(expected);
    });

    function readingA(body: FactBody): FactBody {
      return body.type === 'attempt.outcome' ? { ...body, attachments: [file('a')] } : body;
    }

    test('what one projector shows step by step another shows at once', () => {
      const bodies = [...round('a'), ...round('b'), request, refused('a', 'b'), request, saying('x'), ...round('c')];
      const facts = factsOf([...start, ...bodies]);
      const live = createProjector(tools);
      for (const [i, fact] of facts.entries()) {
        live.fold([fact]);
        expect(live.request()).toEqual(project(facts.slice(0, i + 1)));
        expect(requestFaults(live.request())).toEqual([]);
      }
    });
  });

  test('words that the user saw before interrupting are kept', () => {
    const failed: FactBody = {
      type: 'model.failed',
      requestId: 'r',
      failure: makeFailure('cancelled', 'stopped', 'resume'),
      text: 'I will',
    };
    const messages = afterStart(request, failed, { type: 'input.received', text: 'Do less.' });
    expect(messages[1]).toEqual({ role: 'assistant', parts: [{ kind: 'text', text: 'I will' }] });
    expect(messages[2]).toMatchObject({ role: 'user', text: expect.stringContaining('Do less.') });
  });

  test('words that arrive while the model answers come after its answer', () => {
    const messages = afterStart(request, { type: 'input.received', text: 'And the docs.' }, saying('Done.'));
    expect(messages.map((message) => message.role)).toEqual(['user', 'assistant', 'user']);
    expect(messages[2]).toEqual({ role: 'user', text: 'And the docs.' });
  });

  test('a check that the gate ran and its verdict reach the model as words of Belay', () => {
    const messages = afterStart(
      request,
      saying('Done.'),
      intended('g', { tool: 'Test', origin: 'runtime' } as Partial<FactBody>),
      outcome('g', '1 failed'),
      { type: 'completion.verdict', accepted: false, verified: false, reason: 'failing', feedback: 'Fix the test.' },
    );
    expect(messages.at(-1)).toEqual({
      role: 'user',
      text: '[Belay] Test was run for you:\n1 failed\n\n[Belay] Fix the test.',
    });
  });

  test('the mode, checks and instructions at the start are in the prompt; later ones are told', () => {
    const facts = factsOf([
      start[0]!,
      {
        type: 'settings.changed',
        by: 'user',
        mode: 'plan',
        checks: [{ command: 'npm test', counts: true }],
        instructions: 'Use tabs.',
      },
      start[1]!,
      request,
      saying('A plan.'),
      { type: 'mode.changed', mode: 'default', by: 'user' },
      { type: 'settings.changed', by: 'user', checks: [{ command: 'tox -q', counts: false }] },
    ]);
    const { system, messages } = project(facts);
    for (const text of ['/repo', 'npm test', 'Use tabs.', 'at the start: plan']) expect(system).toContain(text);
    expect(system).not.toContain('tox');
    expect(messages[0]).toMatchObject({ text: expect.stringContaining('ExitPlanMode') });
    expect(messages[2]).toMatchObject({ text: expect.stringMatching(/now default[\s\S]*1\. tox -q/) });
  });

  test('an unknown outcome that a person settled is told with their answer', () => {
    const messages = afterStart(
      request,
      calling('a'),
      intended('a'),
      outcome('a', 'gone', { status: 'unknown' } as Partial<FactBody>),
      { type: 'unknown.settled', actionId: 'a', answer: 'not-applied', by: 'me', note: 'looked' },
    );
    expect(messages.at(-1)).toMatchObject({ text: expect.stringMatching(/call_a.*did not take effect \(looked\)/) });
  });

  test('a second turn goes on with the same conversation', () => {
    const messages = afterStart(
      request,
      saying('Done.'),
      { type: 'session.complete', reason: 'goal_met', text: 'Done.' },
      { type: 'session.start', turnId: 't2', goal: 'Now the docs.', planner: 'model' },
    );
    expect(messages.map((message) => (message.role === 'user' ? message.text : message.role))).toEqual([
      'Fix the bug.',
      'assistant',
      'Now the docs.',
    ]);
  });
});
