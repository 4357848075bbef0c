import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonPieces } from '../../../src/model/http/json-pieces.ts';

it('gives in pieces what JSON.stringify gives as a whole', () => {
  const leaf = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\ud83e', undefined, new Date(0), Number.NaN, { toJSON: () => 'own' }, { toJSON: () => undefined }),
  );
  const value = fc.oneof(leaf, fc.array(leaf, { maxLength: 100 }), fc.array(leaf, { minLength: 30, maxLength: 34 }));
  fc.assert(
    fc.property(fc.dictionary(fc.string(), value), (body) => {
      expect([...jsonPieces(body)].join('')).toBe(JSON.stringify(body));
    }),
    { numRuns: 300 },
  );
});

it('holds no long conversation as a whole', () => {
  const messages = Array.from({ length: 20_000 }, (_, i) => ({ role: 'user', content: `${i} `.repeat(50) }));
  const pieces = [...jsonPieces({ model: 'm', messages, tools: [] })];
  expect(pieces.join('')).toBe(JSON.stringify({ model: 'm', messages, tools: [] }));
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(128 * 1024);
  expect(pieces.length).toBeGreaterThan(50);
});
