import { afterEach, describe, expect, it } from 'vitest';
import type { Message } from '#kernel';
import { acceptsMedia } from '../../../src/model/gateway/accepted-media.ts';
import { openModel } from '../../../src/model/open-model.ts';
import type { LoopbackServer } from '../../servers/loopback-server.ts';
import { startLoopback } from '../../servers/loopback-server.ts';
import { protocols } from '../../servers/protocols.ts';
import { answerOf, requestOf, user } from '../conversation.ts';
import { callContext } from '../facts.ts';

const servers: LoopbackServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const base64 = png.toString('base64');

const messages = (mediaType: string): Message[] => [
  user('Look at it.'),
  { role: 'assistant', parts: [{ kind: 'call', callId: 'c1', name: 'Read', args: { file_path: 'a.png' } }] },
  {
    role: 'tool',
    results: [
      {
        callId: 'c1',
        name: 'Read',
        text: 'a.png is a PNG image, 16 bytes.',
        isError: false,
        attachments: [{ path: 'shots/a.png', mediaType, bytes: png.byteLength, blob: 'h1' }],
      },
    ],
  },
];

/** The body of a request with an attachment, as the provider gets it. */
async function body(
  name: string,
  modelName: string,
  mediaType: string,
  blob?: (hash: string) => Promise<Uint8Array>,
  said = messages(mediaType),
) {
  const protocol = protocols.find(({ provider }) => provider === name);
  if (protocol === undefined) throw new Error(name);
  const server = await startLoopback(protocol, {
    script: { turns: [{ text: 'not asked' }, ...Array.from({ length: 4 }, () => ({ text: 'Seen.' }))] },
    chunkBytesMax: 0,
  });
  servers.push(server);
  const opened = await openModel(`${name}/${modelName}`, protocol.environment(server.origin, 'test-key'), {
    baseDir: '/',
    readText: async () => '',
  });
  if (!opened.ok) throw new Error(opened.error.message);
  const { context } = callContext();
  answerOf(await opened.value.generate(requestOf(said), blob === undefined ? context : { ...context, blob }));
  return JSON.stringify(server.requests[0]?.body);
}

describe('an image of a result', () => {
  it.each([
    ['anthropic', 'claude-sonnet-5', 'image/png'],
    ['anthropic', 'claude-sonnet-5', 'application/pdf'],
    ['openai', 'gpt-5', 'image/png'],
    ['openai', 'gpt-5', 'application/pdf'],
    ['google', 'gemini-2.5-flash', 'image/png'],
    ['openai-compatible', 'qwen2.5-vl-7b', 'image/png'],
  ])('%s/%s is given %s with its bytes', async (provider, model, mediaType) => {
    const sent = await body(provider, model, mediaType, async () => png);
    expect(sent).toContain(base64);
    expect(sent).toContain('a.png is a PNG image');
    expect(sent).not.toContain('is not shown');
  });

  it.each([
    ['a model that takes none', 'openai-compatible', 'some-coder', 'image/png', async () => png],
    ['a kind that the provider does not take', 'google', 'gemini-2.5-flash', 'image/gif', async () => png],
    ['bytes that are gone', 'anthropic', 'claude-sonnet-5', 'image/png', async () => Promise.reject(new Error('gone'))],
    ['a host without blobs', 'anthropic', 'claude-sonnet-5', 'image/png', undefined],
  ] as const)('%s: told in words', async (_name, provider, model, mediaType, blob) => {
    const sent = await body(provider, model, mediaType, blob);
    expect(sent).not.toContain(base64);
    expect(sent).toContain('This model is not shown shots/a.png');
  });
});

it.each(protocols)(
  '$provider: a refusal of a request with a file names it, and may be tried without',
  async (protocol) => {
    const server = await startLoopback(protocol, {
      script: { turns: [{ text: 'not asked' }, { text: 'x' }] },
      faults: [400, 413, 404, 500].map((status) => ({ kind: 'status', status, message: 'Could not process image' })),
    });
    servers.push(server);
    const isSent = acceptsMedia(`${protocol.provider}/${protocol.model}`, 'image/png');
    const env = protocol.environment(server.origin, 'test-key');
    const opened = await openModel(`${protocol.provider}/${protocol.model}`, env, {
      baseDir: '/',
      readText: async () => '',
    });
    if (!opened.ok) throw new Error(opened.error.message);
    const ask = async () => {
      const context = { ...callContext().context, blob: async () => png };
      const result = await opened.value.generate(requestOf(messages('image/png')), context);
      return result.ok ? null : { media: result.media, retryable: result.failure.retryable };
    };
    const refused = isSent ? { media: ['h1'], retryable: true } : { media: undefined, retryable: false };
    expect(await ask()).toEqual(refused);
    expect(await ask()).toEqual(refused);
    expect(await ask()).toEqual({ media: undefined, retryable: false });
    expect(await ask()).toEqual({ media: undefined, retryable: true });
  },
);

it('of a large document that was read again and again the last reading is sent, the others are told', async () => {
  const pdf = Buffer.alloc(9.4 * 1024 * 1024, '%PDF-');
  const again = (n: number): Message[] => [
    { role: 'assistant', parts: [{ kind: 'call', callId: `c${n}`, name: 'Read', args: { file_path: 'a.pdf' } }] },
    {
      role: 'tool',
      results: [
        {
          callId: `c${n}`,
          name: 'Read',
          text: `reading ${n}`,
          isError: false,
          attachments: [{ path: 'a.pdf', mediaType: 'application/pdf', bytes: pdf.byteLength, blob: 'h1' }],
        },
      ],
    },
  ];
  const said = [user('Look.'), ...[1, 2, 3, 4].flatMap(again)];
  const sent = await body('anthropic', 'claude-sonnet-5', 'application/pdf', async () => pdf, said);
  const parts = sent.split('reading ');
  expect(parts.map((part) => part.includes(pdf.toString('base64')))).toEqual([false, false, false, true, true]);
  expect(parts.map((part) => part.includes('shown further below'))).toEqual([false, true, true, false, false]);
}, 20_000);

it.each([
  ['anthropic/claude-haiku-4-5', 'image/webp', true],
  ['openai/gpt-4.1-mini', 'image/png', true],
  ['openai/gpt-3.5-turbo', 'image/png', false],
  ['openai-compatible/openai/gpt-5', 'image/png', true],
  ['openai-compatible/llama3.2-vision', 'image/jpeg', true],
  ['openai-compatible/qwen3-coder', 'image/png', false],
  ['openai-compatible/gpt-5', 'application/pdf', false],
  ['other/model', 'image/png', false],
])('%s takes %s: %s', (id, mediaType, expected) => {
  expect(acceptsMedia(id, mediaType)).toBe(expected);
});
