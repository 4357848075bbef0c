import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Fact, type FactBody, type FactType, factTypes } from '#kernel';
import { openStore } from '#ledger';
import { codeOf, peekCode, peekTime, UNREAD } from '../../../src/ledger/log/peek.ts';
import { arbitraryBody } from '../arbitrary-fact.ts';
import { errorOf, freshStore, logOf, said, temporaryFolder, waited } from '../support.ts';
import { ledgerOf, plant } from './sample.ts';

const types = Object.keys(factTypes) as FactType[];

it('shows every fact once while a ledger is opened, and finds what a filter of all of them would', async () => {
  const body = fc.oneof(
    arbitraryBody(),
    fc.nat(90_000).map((size) => said('x'.repeat(size))),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(body, { minLength: 1, maxLength: 30 }), { maxLength: 25 }),
      fc.uniqueArray(fc.constantFrom(...types), { maxLength: 8 }),
      fc.double({ min: 0, max: 1.1, noNaN: true }),
      async (batches, wanted, part) => {
        let nowMs = 1000;
        const store = openStore({ home: temporaryFolder(), now: () => nowMs++ });
        const first = await store.create('a');
        for (const bodies of batches as FactBody[][]) await first.append(bodies);
        await first.close();
        const shown: Fact[] = [];
        const ledger = await store.openWriter('a', { see: (facts) => shown.push(...facts) });
        const more = await ledger.append([waited(7), said('later')]);
        const facts = [...shown, ...more];
        expect([...ledger.read()]).toEqual(facts);
        expect(facts.map(({ seq }) => seq)).toEqual(facts.map((_fact, i) => i + 1));
        const from = Math.floor(part * facts.length);
        for (const some of [wanted, ['backoff.ended', 'input.received'] as const]) {
          const expected = facts.filter(({ seq, type }) => seq >= from && (some as readonly string[]).includes(type));
          expect([...ledger.find(some, from)]).toEqual(expected);
        }
        await ledger.close();
        expect([...ledger.find(['backoff.ended'])].at(-1)).toEqual(more[0]);
      },
    ),
    { numRuns: 25 },
  );
}, 60_000);

it('finds facts that do not begin as ours do', async () => {
  const store = freshStore();
  const batches = [
    ['[1,5,"backoff.ended",{"waitedMs":1}]', '[2,0,"input.received",{"text":"a"}]'],
    ['[ 3, 6, "input.received", {"text":"b"}]', '[4,0,"backoff.ended",{"waitedMs":2}]'],
    ['[5,7,"backoff.\\u0065nded",{"waitedMs":3}]'],
  ];
  plant(store, 'a', ledgerOf(batches));
  const ledger = await store.openWriter('a');
  expect([...ledger.find(['backoff.ended'])].map(({ seq, ts, waitedMs }) => [seq, ts, waitedMs])).toEqual([
    [1, 5, 1],
    [4, 6, 2],
    [5, 7, 3],
  ]);
  expect([...ledger.find(['input.received'], 3)]).toMatchObject([{ seq: 3, ts: 6, text: 'b' }]);
  await ledger.close();
});

it('says so where a fact that it is asked for was changed since the opening', async () => {
  const store = freshStore();
  const first = await store.create('a');
  for (let i = 1; i <= 9; i++) await first.append([said(`word ${i}`), waited(i)]);
  await first.close();
  const ledger = await store.openWriter('a');
  const bytes = readFileSync(logOf(store, 'a'));
  const at = bytes.indexOf('word 5') + 5;
  for (const changed of [
    Buffer.concat([bytes.subarray(0, at), Buffer.from('6'), bytes.subarray(at + 1)]),
    bytes.subarray(0, at),
  ]) {
    writeFileSync(logOf(store, 'a'), changed);
    const told: number[] = [];
    const error = await errorOf(() => {
      for (const fact of ledger.find(['input.received'])) told.push(fact.seq);
    });
    expect(error).toMatchObject({ code: 'damaged', lastGoodSeq: 8, path: logOf(store, 'a') });
    expect(told).toEqual([1, 3, 5, 7]);
  }
  writeFileSync(logOf(store, 'a'), bytes);
  expect([...ledger.find(['input.received'])]).toHaveLength(9);
  await ledger.close();
});

it('knows type and time of a payload by its first bytes, or that only decoding tells', () => {
  for (const [code, type] of types.entries()) {
    const payload = Buffer.from(`..[12,1767225600000,"${type}",{}]`);
    expect([codeOf(type), peekCode(payload, 2), peekTime(payload, 2)]).toEqual([code, code, 1767225600000]);
  }
  for (const text of [
    '',
    '[',
    '{}',
    '[1',
    '[1,',
    '[1,2',
    '[1,2,',
    '[1,2,"',
    '[,2,"a"',
    '[1,,"a"',
    '[1,2,"dream.had",{}]',
  ])
    expect(peekCode(Buffer.from(text), 0)).toBe(UNREAD);
  expect(peekTime(Buffer.from('[1,x'), 0)).toBe(null);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(40), (bytes, at) => {
      expect(peekCode(Buffer.from(bytes), Math.min(at, bytes.length))).toBe(UNREAD);
    }),
  );
});
