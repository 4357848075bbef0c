import { afterEach, describe, expect, it } from 'vitest';
import type { Message, ModelRequest } from '#kernel';
import type { LoopbackServer } from '../../servers/loopback-server.ts';
import { isObj, type Obj, objects, signatureOf } from '../../servers/protocol.ts';
import { protocols } from '../../servers/protocols.ts';
import { answerOf, extend, failureOf, requestOf, user } from '../conversation.ts';
import { callContext } from '../facts.ts';
import { openLoopback } from '../loopback-model.ts';

const servers: LoopbackServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});
const byName = (name: string) => protocols.find((protocol) => protocol.provider === name)!;

async function open(name: string, turns: readonly object[]) {
  const opened = await openLoopback(byName(name), { script: { turns }, chunkBytesMax: 0 });
  servers.push(opened.server);
  return opened;
}

/** Two rounds: the second request carries the first answer. Gives its body as it was sent. */
async function secondBody(name: string, reasoning: string, between: (messages: Message[]) => Message[] = (m) => m) {
  const first = {
    reasoning,
    text: 'Look.',
    calls: [
      { tool: 'Read', args: { file_path: 'a' } },
      { tool: 'Read', args: { file_path: 'b' } },
    ],
  };
  const { model, server } = await open(name, [first, { text: 'Done.' }]);
  const answer = answerOf(await model.generate(requestOf(), callContext().context));
  // Through JSON, as the ledger stores it.
  const stored = JSON.parse(JSON.stringify(extend([user('go')], answer, ['A', 'B']))) as Message[];
  answerOf(await model.generate(requestOf(between(stored)), callContext().context));
  return server.requests[1]!.body;
}

describe('what goes back to the provider that made it', () => {
  it('anthropic: thinking with its signature, byte for byte', async () => {
    const thinking = 'Hm — ü, 漢字.\n Then: "x".';
    const content = objects(objects((await secondBody('anthropic', thinking))['messages'])[1]?.['content']);
    expect(content[0]).toEqual({ type: 'thinking', thinking, signature: signatureOf(thinking) });
  });

  it('anthropic: a redacted block', async () => {
    const content = objects(objects((await secondBody('anthropic', 'redacted: secret'))['messages'])[1]?.['content']);
    expect(content[0]).toEqual({ type: 'redacted_thinking', data: signatureOf('redacted: secret') });
  });

  it('openai: encrypted reasoning in its last form, nothing stored there', async () => {
    const body = await secondBody('openai', 'Thinking about a.');
    expect(body).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] });
    const reasoning = objects(body['input']).find((item) => item['type'] === 'reasoning');
    expect(reasoning).toMatchObject({ id: 'rs_0', encrypted_content: signatureOf('Thinking about a.') });
  });

  it('google: the signature of thoughts and of the first call', async () => {
    const parts = objects(objects((await secondBody('google', 'Thinking.'))['contents'])[1]?.['parts']);
    expect(parts.find((part) => part['thought'] === true)?.['thoughtSignature']).toBe(signatureOf('Thinking.'));
    const calls = parts.filter((part) => isObj(part['functionCall']));
    expect(calls[0]?.['thoughtSignature']).toBe(signatureOf('Read {"file_path":"a"}'));
    expect(calls[1]?.['thoughtSignature']).toBeUndefined();
  });

  it('openai-compatible: plain reasoning inside a turn only', async () => {
    const inTurn = objects((await secondBody('openai-compatible', 'Thinking.'))['messages']);
    expect(inTurn.find((message) => message['role'] === 'assistant')?.['reasoning_content']).toBe('Thinking.');
    const later = await secondBody('openai-compatible', 'Thinking.', (messages) => [...messages, user('next')]);
    expect(JSON.stringify(later)).not.toContain('reasoning_content');
  });
});

it.each(protocols.map((protocol) => protocol.provider))(
  '%s: foreign and unsigned reasoning is left out',
  async (name) => {
    const { model, server } = await open(name, [{ text: 'unused' }, { text: 'Fine.' }]);
    const foreign = {
      from: 'other/model',
      data: { anthropic: { signature: 'x' }, openai: { itemId: 'rs_9' }, google: { thoughtSignature: 'y' } },
    };
    const messages: Message[] = [
      user('go'),
      {
        role: 'assistant',
        parts: [
          { kind: 'reasoning', text: 'foreign thought', meta: foreign },
          { kind: 'call', callId: 'c1', name: 'Read', args: {}, meta: foreign },
        ],
      },
      { role: 'tool', results: [{ callId: 'c1', name: 'Read', text: 'A', isError: false }] },
      user('go on'),
    ];
    answerOf(await model.generate(requestOf(messages), callContext().context));
    expect(server.requests[0]!.text).not.toContain('foreign thought');
    expect(server.requests[0]!.text).not.toContain('rs_9');
  },
);

describe('anthropic: cache breakpoints', () => {
  const marked = (value: unknown, path = ''): string[] => {
    if (Array.isArray(value)) return value.flatMap((item, i) => marked(item, `${path}/${i}`));
    if (!isObj(value)) return [];
    return Object.entries(value).flatMap(([key, item]) =>
      key === 'cache_control' ? [path] : marked(item, `${path}/${key}`),
    );
  };

  it('lie on the system prompt, the last tool and the last block of the conversation', async () => {
    const { model, server } = await open('anthropic', [
      {
        calls: [
          { tool: 'Read', args: {} },
          { tool: 'Read', args: {} },
        ],
      },
      { text: 'x' },
    ]);
    const answer = answerOf(await model.generate(requestOf(), callContext().context));
    answerOf(await model.generate(requestOf(extend([user('go')], answer, ['A', 'B'])), callContext().context));
    expect(marked(server.requests[0]!.body).sort()).toEqual(['/messages/0/content/0', '/system/0', '/tools/1']);
    expect(marked(server.requests[1]!.body).sort()).toEqual(['/messages/2/content/1', '/system/0', '/tools/1']);
  });

  it('leave the rest of the request append-only', async () => {
    const { model, server } = await open('anthropic', [{ calls: [{ tool: 'Read', args: {} }] }, { text: 'x' }]);
    const answer = answerOf(await model.generate(requestOf(), callContext().context));
    answerOf(await model.generate(requestOf(extend([user('go')], answer, ['A'])), callContext().context));
    const bare = (body: Obj) => JSON.stringify(body).replace(/,"cache_control":\{[^}]*\}/g, '');
    const [first, second] = server.requests.map((request) => objects(request.body['messages']).map(bare));
    expect(second?.slice(0, first?.length)).toEqual(first);
  });
});

it.each(protocols.map((protocol) => protocol.provider))(
  '%s: empty texts and lone surrogates do not make the request invalid',
  async (name) => {
    const { model } = await open(name, [{ text: 'unused' }, { text: 'Fine.' }]);
    const messages: Message[] = [
      user('go \ud83d'),
      {
        role: 'assistant',
        parts: [
          { kind: 'text', text: ' \n' },
          { kind: 'call', callId: 'c1', name: 'Read', args: { 'k\udc00': ['\ud83d'] } },
        ],
      },
      { role: 'tool', results: [{ callId: 'c1', name: 'Read', text: '', isError: true }] },
    ];
    answerOf(await model.generate(requestOf(messages), callContext().context));
  },
);

it.each([
  ['anthropic', '"is_error":true'],
  ['openai', '"output":"no such file"'],
  ['openai-compatible', '"content":"no such file"'],
  ['google', '"content":"no such file"'],
])('%s: a failed result is told as the format allows', async (name, expected) => {
  const { model, server } = await open(name, [{ text: 'unused' }, { text: 'Fine.' }]);
  const messages: Message[] = [
    user('go'),
    { role: 'assistant', parts: [{ kind: 'call', callId: 'c1', name: 'Read', args: {} }] },
    { role: 'tool', results: [{ callId: 'c1', name: 'Read', text: 'no such file', isError: true }] },
  ];
  answerOf(await model.generate(requestOf(messages), callContext().context));
  expect(server.requests[0]!.text).toContain(expected);
});

const call = (callId: string) => ({ kind: 'call' as const, callId, name: 'Read', args: {} });
const result = (...ids: string[]): Message => ({
  role: 'tool',
  results: ids.map((callId) => ({ callId, name: 'Read', text: 'A', isError: false })),
});
const broken: readonly (readonly [string, readonly Message[]])[] = [
  ['a call without a result', [user('go'), { role: 'assistant', parts: [call('c1')] }, user('next')]],
  ['a result without a call', [user('go'), { role: 'assistant', parts: [{ kind: 'text', text: 'x' }] }, result('c9')]],
  ['a missing result of two', [user('go'), { role: 'assistant', parts: [call('c1'), call('c2')] }, result('c1')]],
];

describe.each(protocols)('$provider: the loopback provider refuses', (protocol) => {
  it.each([
    ...broken,
    // Gemini pairs by order and name; ids do not matter to it.
    ...(protocol.provider === 'google'
      ? []
      : [
          [
            'a repeated call id',
            [
              user('go'),
              { role: 'assistant', parts: [call('c1')] },
              result('c1'),
              { role: 'assistant', parts: [call('c1')] },
              result('c1'),
            ],
          ] as const,
        ]),
    // The Responses format lets an answer come first.
    ...(protocol.provider === 'anthropic' || protocol.provider === 'google'
      ? [
          [
            'a conversation that starts with an answer',
            [{ role: 'assistant', parts: [{ kind: 'text', text: 'x' }] }, user('go')],
          ] as const,
        ]
      : []),
  ] as readonly (readonly [string, readonly Message[]])[])('%s', async (_name, messages) => {
    const { model, server } = await openLoopback(protocol, {
      script: { turns: [{ text: '' }, { text: '' }, { text: '' }] },
    });
    servers.push(server);
    const request: ModelRequest = requestOf(messages);
    expect(failureOf(await model.generate(request, callContext().context))).toMatchObject({
      kind: 'invalid_request',
      retryable: false,
    });
    expect(server.requests[0]).toMatchObject({ status: 400 });
  });
});
