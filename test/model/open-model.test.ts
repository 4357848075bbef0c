import { afterEach, describe, expect, it } from 'vitest';
import { openModel } from '#model';
import { type LoopbackServer, startLoopback } from '../servers/loopback-server.ts';
import { protocols } from '../servers/protocols.ts';
import { answerOf, requestOf, textOf } from './conversation.ts';
import { callContext } from './facts.ts';

const servers: LoopbackServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});
const options = { baseDir: '/', readText: () => Promise.reject(new Error('no file')) };

it.each(['', 'claude', '/claude', 'anthropic/', 'nobody/claude', 'constructor/x'])(
  'refuses the model name %j',
  async (id) => {
    const opened = await openModel(id, { ANTHROPIC_API_KEY: 'k' }, options);
    expect(opened).toMatchObject({
      ok: false,
      error: { code: 'configuration', message: expect.stringContaining('PROVIDER/MODEL') },
    });
  },
);

it.each([
  ['openai/gpt-5', 'OPENAI_API_KEY'],
  ['openai-compatible/x', 'OPENAI_COMPATIBLE_API_KEY or OPENAI_API_KEY'],
  ['anthropic/claude', 'ANTHROPIC_API_KEY'],
  ['google/gemini', 'GEMINI_API_KEY or GOOGLE_GENERATIVE_AI_API_KEY'],
])('%s without a key names %s', async (id, variables) => {
  for (const env of [{}, { OPENAI_API_KEY: ' ', ANTHROPIC_API_KEY: '' }]) {
    const opened = await openModel(id, env, options);
    expect(opened).toMatchObject({ ok: false, error: { code: 'auth', message: expect.stringContaining(variables) } });
  }
});

it('refuses a base URL that is none', async () => {
  const opened = await openModel(
    'anthropic/claude',
    { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'localhost' },
    options,
  );
  expect(opened).toMatchObject({
    ok: false,
    error: { code: 'configuration', message: expect.stringContaining('ANTHROPIC_BASE_URL') },
  });
});

it('knows price and window where they are listed', async () => {
  const opened = await openModel('openai/gpt-5-mini', { OPENAI_API_KEY: 'k' }, options);
  expect(opened.ok && opened.value).toMatchObject({
    id: 'openai/gpt-5-mini',
    price: { input: 0.25 },
    contextTokens: 400_000,
  });
});

describe.each(protocols)('$provider: the address', (protocol) => {
  it.each([
    '',
    '/',
    protocol.provider === 'google' ? '/v1beta' : '/v1',
    protocol.provider === 'google' ? '/v1beta/' : '/v1/',
  ])('works with %j at its end', async (tail) => {
    const server = await startLoopback(protocol, { script: { turns: [{ text: 'reached' }] } });
    servers.push(server);
    const opened = await openModel(
      `${protocol.provider}/${protocol.model}`,
      protocol.environment(`${server.origin}${tail}`, 'test-key'),
      options,
    );
    if (!opened.ok) throw new Error(opened.error.message);
    expect(textOf(answerOf(await opened.value.generate(requestOf(), callContext().context)))).toBe('reached');
  });
});

it.each([
  ['the OpenAI variables', (origin: string) => ({ OPENAI_API_KEY: 'test-key', OPENAI_BASE_URL: origin }), 'test-key'],
  [
    'its own variables before them',
    (origin: string) => ({
      OPENAI_API_KEY: 'wrong',
      OPENAI_BASE_URL: 'http://127.0.0.1:1',
      OPENAI_COMPATIBLE_API_KEY: 'test-key',
      OPENAI_COMPATIBLE_BASE_URL: origin,
    }),
    'test-key',
  ],
  ['no key where the server is the user’s own', (origin: string) => ({ OPENAI_COMPATIBLE_BASE_URL: origin }), ''],
])('openai-compatible takes %s', async (_name, env, key) => {
  const protocol = protocols.find((candidate) => candidate.provider === 'openai-compatible')!;
  const server = await startLoopback(protocol, { script: { turns: [{ text: 'reached' }] }, key });
  servers.push(server);
  const opened = await openModel('openai-compatible/local', env(server.origin), options);
  if (!opened.ok) throw new Error(opened.error.message);
  expect(textOf(answerOf(await opened.value.generate(requestOf(), callContext().context)))).toBe('reached');
});
