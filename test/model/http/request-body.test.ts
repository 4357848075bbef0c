import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { requestBody } from '../../../src/model/http/request-body.ts';
import { openWire } from '../../../src/model/http/wire.ts';

const conversation = (letters: number) => ({ model: 'm', messages: Array(40).fill({ text: 'ü🧗'.repeat(letters) }) });

for (const [name, body] of [
  ['small', conversation(10)],
  ['large', conversation(20_000)],
] as const) {
  it(`knows the bytes of a ${name} body before they are asked for, and gives it as often as wanted`, () => {
    const text = JSON.stringify(body);
    for (const one of [requestBody(body), requestBody(text)]) {
      expect(one.bytes).toBe(Buffer.byteLength(text));
      expect([...one.pieces()].join('')).toBe(text);
      expect([...one.pieces()].join('')).toBe(text);
    }
  });

  it(`carries a ${name} body over the wire with its length told, as a text or as an object`, async () => {
    const text = JSON.stringify(body);
    const server = createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const isWhole = Buffer.concat(parts).equals(Buffer.from(text));
      response.end(`${isWhole} ${request.headers['content-length']} ${request.headers['transfer-encoding']}`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      for (const sent of [text, body as unknown as string]) {
        const signal = new AbortController().signal;
        const one = openWire({ signal, env: {}, idleTimeoutMs: 5000, stallTimeoutMs: 5000 });
        const answer = await one.fetch(origin, { method: 'POST', headers: {}, body: sent });
        const parts: Uint8Array[] = [];
        for await (const part of answer.body!) parts.push(part);
        expect(Buffer.concat(parts).toString()).toBe(`true ${Buffer.byteLength(text)} undefined`);
        one.close();
      }
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
}
