import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { OpenModelOptions } from '#model';
import type { Fault } from '../../servers/fault.ts';
import type { LoopbackServer } from '../../servers/loopback-server.ts';
import { protocols } from '../../servers/protocols.ts';
import { answerOf, failureOf, requestOf, textOf } from '../conversation.ts';
import { callContext } from '../facts.ts';
import { openLoopback } from '../loopback-model.ts';

const servers: LoopbackServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const args = { file_path: 'src/ü.ts', content: 'const a = "b";\n' };
const script = { turns: [{ text: 'I write the file 🧗 now.', calls: [{ tool: 'Edit', args }] }] };

describe.each(protocols)('$provider: a broken stream', (protocol) => {
  const open = async (fault: Fault | null, extra: Partial<OpenModelOptions> = {}) => {
    const opened = await openLoopback(protocol, { script, faults: [fault], seed: 7 }, extra);
    servers.push(opened.server);
    return opened;
  };
  const run = async (fault: Fault | null, extra: Partial<OpenModelOptions> = {}) => {
    const { model, server } = await open(fault, extra);
    const result = await model.generate(requestOf(), callContext().context);
    expect(server.requests).toHaveLength(1);
    return result;
  };

  it.each([0.05, 0.3, 0.6, 0.9, 0.99])('is no answer where the socket is cut at %d', async (share) => {
    const failure = failureOf(await run({ kind: 'cut', share }));
    expect(failure).toMatchObject({ kind: 'incomplete', retryable: true });
  });

  it.each([0, 0.3, 0.6, 1])('is no answer where it ends without an end marker after %d of it', async (share) => {
    const failure = failureOf(await run({ kind: 'eof', share }));
    expect(failure).toMatchObject({ kind: 'incomplete', retryable: true });
    if (share === 1) expect(failure.text).toBe('I write the file 🧗 now.');
  });

  it('is a typed failure after an error event, with the text so far', async () => {
    const failure = failureOf(await run({ kind: 'error-event', afterFrames: 7, message: 'Overloaded just now' }));
    expect(failure).toMatchObject({ kind: 'transient', retryable: true });
    expect(failure.message).toContain('Overloaded just now');
    expect('I write the file 🧗 now.').toContain(failure.text);
  });

  it('is no answer after an event that is no JSON', async () => {
    expect(failureOf(await run({ kind: 'bad-event', afterFrames: 5 }))).toMatchObject({
      kind: 'incomplete',
      retryable: true,
    });
  });

  it('is whole in spite of an event of a new type', async () => {
    expect(textOf(answerOf(await run({ kind: 'new-event', afterFrames: 3 })))).toBe('I write the file 🧗 now.');
  });

  it('is whole when it is slow but steady, however long it takes', async () => {
    const text = 'a steady stream '.repeat(8);
    const { model, server } = await openLoopback(
      protocol,
      { script: { turns: [{ text }] }, faults: [{ kind: 'slow', chunkDelayMs: 4 }], chunkBytesMax: 30 },
      { idleTimeoutMs: 900, stallTimeoutMs: 900 },
    );
    servers.push(server);
    expect(textOf(answerOf(await model.generate(requestOf(), callContext().context)))).toBe(text);
  });

  it('is given up when no byte comes', async () => {
    const failure = failureOf(await run({ kind: 'silent', afterFrames: 3 }, { idleTimeoutMs: 700 }));
    expect(failure).toMatchObject({ kind: 'transient', retryable: true });
    expect(failure.message).toContain('no byte for 700 ms');
  });

  it('is given up when only keep-alive comments come', async () => {
    const failure = failureOf(await run({ kind: 'silent', afterFrames: 3, comments: true }, { stallTimeoutMs: 700 }));
    expect(failure).toMatchObject({ kind: 'transient', retryable: true });
    expect(failure.message).toContain('no event');
  });

  it('never yields a call whose argument text was cut, wherever it was cut', async () => {
    const whole = JSON.stringify(args).length;
    // With nothing left, a provider that sends empty texts for empty arguments has said "no arguments".
    const first = protocol.provider === 'openai' || protocol.provider === 'google' ? 0 : 1;
    const cuts = Array.from({ length: whole - first }, (_, i) => i + first);
    const { model, server } = await openLoopback(protocol, {
      script,
      chunkBytesMax: 0,
      faults: cuts.map((keep) => ({ kind: 'arguments-cut', keep })),
    });
    servers.push(server);
    for (const keep of cuts) {
      const result = await model.generate(requestOf(), callContext().context);
      const calls = result.ok ? result.answer.parts.filter((part) => part.kind === 'call') : [];
      for (const call of calls) {
        expect(call, `cut at ${keep}`).toMatchObject({ args: {}, malformed: expect.stringMatching(/position \d+/) });
      }
      if (!result.ok) expect(result.failure.retryable).toBe(true);
    }
    expect(server.requests).toHaveLength(cuts.length);
  });

  it('gives one cancelled end and closes the socket when it is aborted while a call streams', async () => {
    const { model, server } = await open({ kind: 'slow', chunkDelayMs: 2 });
    const abort = new AbortController();
    const { context, deltas } = callContext([], abort.signal);
    const running = model.generate(requestOf(), {
      ...context,
      onDelta(delta) {
        context.onDelta(delta);
        if (delta.kind === 'call') abort.abort();
      },
    });
    expect(failureOf(await running)).toMatchObject({ kind: 'cancelled', retryable: false });
    const heard = deltas.length;
    await expect.poll(() => server.abandoned, { timeout: 10_000 }).toBe(1);
    expect(deltas).toHaveLength(heard);
    expect(server.requests).toHaveLength(1);
  });

  it('is cancelled at once when it is aborted in silence', async () => {
    const { model, server } = await open({ kind: 'silent', afterFrames: 2 });
    const abort = new AbortController();
    const running = model.generate(requestOf(), callContext([], abort.signal).context);
    await expect.poll(() => server.requests.length, { timeout: 10_000 }).toBe(1);
    abort.abort();
    expect(failureOf(await running).kind).toBe('cancelled');
  });

  it('gives the same answer however the bytes are cut into chunks', async () => {
    const expected = {
      text: 'Zwölf Boxkämpfer — 漢字🧗‍♀️',
      calls: [{ tool: 'Edit', args: { file_path: '漢/🧗', content: '\u2028"\\' } }],
    };
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.integer({ min: 1, max: 60 }), async (seed, chunkBytesMax) => {
        const { model, server } = await openLoopback(protocol, { script: { turns: [expected] }, seed, chunkBytesMax });
        try {
          const answer = answerOf(await model.generate(requestOf(), callContext().context));
          expect(textOf(answer)).toBe(expected.text);
          expect(answer.parts.at(-1)).toMatchObject({ kind: 'call', args: expected.calls[0]?.args });
        } finally {
          await server.close();
        }
      }),
      { numRuns: 12 },
    );
  });

  it('keeps the connection for the next request', async () => {
    const { model, server } = await openLoopback(protocol, { script: { turns: [{ text: 'again' }] } });
    servers.push(server);
    for (let i = 0; i < 4; i++) answerOf(await model.generate(requestOf(), callContext().context));
    expect(server.connections).toBe(1);
  });
});

it('does not wait for a connection that stays open after the end marker', async () => {
  const anthropic = protocols.find((protocol) => protocol.provider === 'anthropic')!;
  const { model, server } = await openLoopback(anthropic, { script, faults: [{ kind: 'hold-open' }] });
  servers.push(server);
  expect(textOf(answerOf(await model.generate(requestOf(), callContext().context)))).toContain('I write');
});
