import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sendInPieces } from '../../../src/model/http/send-in-pieces.ts';
import { openWire } from '../../../src/model/http/wire.ts';

/** Takes one write at a time, and knows how much it was given before it was asked for more. */
function slowReader() {
  const taken: Buffer[] = [];
  let most = 0;
  const stream: Writable = new Writable({
    highWaterMark: 1000,
    write(chunk: Buffer, _encoding, done) {
      most = Math.max(most, stream.writableLength);
      taken.push(chunk);
      setImmediate(done);
    },
  });
  const ended = new Promise<void>((resolve) => stream.on('finish', () => resolve()));
  return { stream, ended, bytes: () => Buffer.concat(taken), most: () => most };
}

it('sends every text as the bytes that it has as a whole, and waits for who reads slowly', async () => {
  const part = fc.constantFrom('a', 'é', '字', '🧗', '\ud83e', '\udd14', '\n');
  const text = fc
    .array(fc.tuple(part, fc.integer({ min: 1, max: 70_000 })), { maxLength: 6 })
    .map((parts) => parts.map(([one, times]) => one.repeat(times)).join(''));
  await fc.assert(
    fc.asyncProperty(text, async (whole) => {
      const reader = slowReader();
      sendInPieces(reader.stream, whole);
      await reader.ended;
      expect(reader.bytes().equals(Buffer.from(whole))).toBe(true);
      expect(reader.most()).toBeLessThanOrEqual(4 * 65_537);
    }),
    { numRuns: 40 },
  );
});

it('cuts no pair of surrogates, wherever the first piece begins', async () => {
  for (let before = 65_530; before < 65_540; before++) {
    const whole = `${'x'.repeat(before)}${'🧗'.repeat(70_000)}`;
    const reader = slowReader();
    sendInPieces(reader.stream, whole);
    await reader.ended;
    expect(reader.bytes().equals(Buffer.from(whole))).toBe(true);
  }
});

it('carries a large request over the wire with its length told', async () => {
  const body = JSON.stringify({ text: 'ein Wort mit ü 🧗 '.repeat(100_000) });
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const isWhole = Buffer.concat(parts).equals(Buffer.from(body));
    response.end(`${isWhole} ${request.headers['content-length']} ${request.headers['transfer-encoding']}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const signal = new AbortController().signal;
    const one = openWire({ signal, env: {}, idleTimeoutMs: 5000, stallTimeoutMs: 5000 });
    const answer = await one.fetch(origin, { method: 'POST', headers: {}, body });
    const parts: Uint8Array[] = [];
    for await (const part of answer.body!) parts.push(part);
    expect(Buffer.concat(parts).toString()).toBe(`true ${Buffer.byteLength(body)} undefined`);
    one.close();
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
