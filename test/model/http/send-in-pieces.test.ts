import { Writable } from 'node:stream';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sendInPieces } from '../../../src/model/http/send-in-pieces.ts';

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

it('sends the pieces of a text as its bytes, and waits for who reads slowly', async () => {
  const piece = fc.tuple(fc.constantFrom('a', 'é', '字', '🧗', '\n'), fc.integer({ min: 0, max: 70_000 }));
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 6 }), async (drawn) => {
      const pieces = drawn.map(([one, times]) => one.repeat(times));
      const largest = Math.max(...pieces.map((one) => Buffer.byteLength(one)));
      const reader = slowReader();
      let asked = 0;
      sendInPieces(reader.stream, {
        *[Symbol.iterator]() {
          for (const one of pieces) {
            asked++;
            yield one;
          }
        },
      });
      expect(asked).toBeLessThanOrEqual(2 + pieces.filter((one) => Buffer.byteLength(one) < 1000).length);
      await reader.ended;
      expect(reader.bytes().equals(Buffer.from(pieces.join('')))).toBe(true);
      expect(reader.most()).toBeLessThanOrEqual(1000 + 2 * largest);
    }),
    { numRuns: 40 },
  );
});
