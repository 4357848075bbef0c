/** Facts are decoded many at a time; what comes out must be what one at a time would give. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FactBody } from '#kernel';
import { openStore } from '#ledger';
import { freshStore, said, temporaryFolder, waited } from '../support.ts';
import { ledgerOf, plant } from './sample.ts';

it('gives back every fact of a long ledger: tiny, large, in any script, one or many to a batch', async () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 60 });
  const body = fc.oneof(
    text.map(said),
    fc.nat().map(waited),
    fc.integer({ min: 1, max: 90_000 }).map((size) => said('x'.repeat(size))),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(body, { minLength: 1, maxLength: 40 }), { maxLength: 25 }), async (batches) => {
      let nowMs = 1000;
      const store = openStore({ home: temporaryFolder(), now: () => nowMs++ });
      const ledger = await store.create('a');
      for (const bodies of batches as FactBody[][]) await ledger.append(bodies);
      const facts = [...ledger.read()];
      await ledger.close();
      expect(await store.openReader('a')).toEqual({ facts, tornBytes: 0, damage: null, newer: [] });
      const again = await store.openWriter('a');
      const from = Math.ceil(facts.length / 2);
      expect([...again.read(from)]).toEqual(facts.slice(Math.max(0, from - 1)));
      await again.close();
    }),
    { numRuns: 15 },
  );
}, 60_000);

const fact = (seq: number, text = 'x'.repeat(3000), ts = 5) => JSON.stringify([seq, ts, 'input.received', { text }]);
const many = (from: number, count: number) => Array.from({ length: count }, (_, i) => [fact(from + i)]);

it.each([
  ['no JSON', '{'],
  ['no list', '7'],
  ['nothing', ' '],
  ['another number', fact(9999)],
  ['two lists', `${fact(61)},${fact(62)}`],
  ['a list that goes on behind its frame', '[61,5,"input.received",{"text":"a"}'],
])('names the place where a frame that checks holds no fact: %s', async (_what, payload) => {
  const store = freshStore();
  plant(store, 'a', ledgerOf([...many(1, 60), [payload], ...many(62, 60)]));
  const { facts, damage } = await store.openReader('a');
  expect(facts.map(({ seq }) => seq)).toEqual(Array.from({ length: 60 }, (_, i) => i + 1));
  expect(damage).toMatchObject({ lastGoodSeq: 60 });
  await expect(store.openWriter('a')).rejects.toMatchObject({ code: 'damaged' });
});

it('leaves facts of the future out wherever they stand, and keeps the time of their batch', async () => {
  const store = freshStore();
  const future = (seq: number, ts: number) => JSON.stringify([seq, ts, 'dream.had', { of: 'sheep' }]);
  plant(
    store,
    'a',
    ledgerOf([...many(1, 40), [future(41, 77), fact(42, 'b', 0)], ...many(43, 40), [fact(83), future(84, 0)]]),
  );
  const { facts, newer, damage } = await store.openReader('a');
  expect(damage).toBe(null);
  expect(newer.map(({ seq }) => seq)).toEqual([41, 84]);
  expect(facts).toHaveLength(82);
  expect(facts.find(({ seq }) => seq === 42)?.ts).toBe(77);
});
