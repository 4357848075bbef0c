import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { openModel } from '#model';
import type { Fault } from '../../servers/fault.ts';
import type { LoopbackServer } from '../../servers/loopback-server.ts';
import { protocols } from '../../servers/protocols.ts';
import { failureOf, requestOf } from '../conversation.ts';
import { callContext } from '../facts.ts';
import { openLoopback } from '../loopback-model.ts';

const servers: LoopbackServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});
const script = { turns: [{ text: 'fine' }] };
const byName = (name: string) => protocols.find((protocol) => protocol.provider === name)!;
const noFile = { baseDir: '/', readText: () => Promise.reject(new Error('no file')) };

describe.each(protocols)('$provider: a refusal', (protocol) => {
  const failWith = async (fault: Fault | null, key = 'test-key') => {
    const { model, server } = await openLoopback(protocol, { script, faults: [fault] }, { key });
    servers.push(server);
    const failure = failureOf(await model.generate(requestOf(), callContext().context));
    expect(server.requests).toHaveLength(1);
    return failure;
  };

  it.each([
    [400, 'tools.3: something is wrong', 'invalid_request'],
    [404, 'model does not exist', 'invalid_request'],
    [422, 'unprocessable', 'invalid_request'],
    [401, 'who are you', 'auth'],
    [403, 'not for you', 'auth'],
    [402, 'pay first', 'quota'],
    [429, 'insufficient_quota', 'quota'],
    [400, 'Your credit balance is too low to access the API.', 'quota'],
    [408, 'too late', 'transient'],
    [409, 'conflict', 'transient'],
    [429, 'slow down: 30000 tokens per minute', 'transient'],
    [500, 'oops', 'transient'],
    [503, 'unavailable', 'transient'],
    [529, 'Overloaded', 'transient'],
    [413, 'Request exceeds the maximum size', 'overflow'],
    [400, 'prompt is too long: 210000 tokens > 200000 maximum', 'overflow'],
    [
      400,
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
      'overflow',
    ],
    [400, 'Your input exceeds the context window of this model. Please adjust your input and try again.', 'overflow'],
    [400, 'The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).', 'overflow'],
    [400, 'the request exceeds the available context size', 'overflow'],
    [400, 'input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000', 'overflow'],
    [500, 'prompt is too long: 210000 tokens > 200000 maximum', 'overflow'],
  ] as const)('%d "%s" is %s', async (status, message, kind) => {
    const failure = await failWith({ kind: 'status', status, message });
    expect(failure.kind).toBe(kind);
    expect(failure.retryable).toBe(kind === 'transient');
    expect(failure.message).toContain(message);
    expect(failure.message).toContain(String(status));
  });

  it('names the variable of a refused key and never the key', async () => {
    const failure = await failWith(null, 'sk-very-secret');
    expect(failure.kind).toBe('auth');
    const variable = Object.keys(protocol.environment('', '')).find((name) => name.endsWith('KEY'))!;
    expect(failure.message).toContain(variable);
    const leak = await failWith(
      { kind: 'status', status: 400, message: 'bad key sk-very-secret given' },
      'sk-very-secret',
    );
    expect(JSON.stringify(leak)).not.toContain('sk-very-secret');
  });

  it.each([
    [{ 'retry-after': '2' }, 2000],
    [{ 'retry-after-ms': '750', 'retry-after': '9' }, 750],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ])('honours %j', async (headers, expected) => {
    const failure = await failWith({ kind: 'status', status: 529, headers });
    expect(failure.retryAfterMs).toBe(expected);
  });

  it('honours a date in retry-after', async () => {
    const date = new Date(Date.now() + 60_000).toUTCString();
    const failure = await failWith({ kind: 'status', status: 429, headers: { 'retry-after': date } });
    expect(failure.retryAfterMs).toBeGreaterThan(0);
    expect(failure.retryAfterMs).toBeLessThanOrEqual(60_000);
  });

  it.each([
    ['an HTML page', '<html><body><h1>502 Bad Gateway</h1></body></html>', '502 Bad Gateway'],
    ['another JSON', '{"detail":"upstream"}', '502'],
    ['nothing', '', '502'],
  ])('understands %s', async (_name, body, told) => {
    const failure = await failWith({ kind: 'raw', status: 502, body });
    expect(failure.kind).toBe('transient');
    expect(failure.message).toContain(told);
  });

  it('does not follow a redirect', async () => {
    const headers = { location: 'http://127.0.0.1:1/elsewhere' };
    const failure = await failWith({ kind: 'status', status: 307, headers, message: 'moved' });
    expect(failure).toMatchObject({ kind: 'invalid_request', retryable: false });
  });

  it('is transient when nobody listens', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`;
    await new Promise((resolve) => closed.close(resolve));
    const opened = await openModel(`${protocol.provider}/${protocol.model}`, protocol.environment(origin, 'k'), noFile);
    if (!opened.ok) throw new Error(opened.error.message);
    const failure = failureOf(await opened.value.generate(requestOf(), callContext().context));
    expect(failure).toMatchObject({ kind: 'transient', retryable: true });
    expect(failure.message).toContain('ECONNREFUSED');
  });
});

it('reads the wait of a quota error from its details', async () => {
  const body = JSON.stringify({
    error: {
      code: 429,
      message: 'Resource has been exhausted',
      status: 'RESOURCE_EXHAUSTED',
      details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '37s' }],
    },
  });
  const { model, server } = await openLoopback(byName('google'), {
    script,
    faults: [{ kind: 'raw', status: 429, body }],
  });
  servers.push(server);
  expect(failureOf(await model.generate(requestOf(), callContext().context))).toMatchObject({
    kind: 'transient',
    retryAfterMs: 37_000,
  });
});

it('takes an invalid key that is reported as 400 for what it is', async () => {
  const message = 'API key not valid. Please pass a valid API key.';
  const { model, server } = await openLoopback(byName('google'), {
    script,
    faults: [{ kind: 'status', status: 400, message }],
  });
  servers.push(server);
  expect(failureOf(await model.generate(requestOf(), callContext().context)).kind).toBe('auth');
});
