/** What is known of a ledger already saves decoding, and checks batch by batch; never the look at every byte. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Fact, type FactBody, type FactType, factTypes } from '#kernel';
import { type FirstReader, type Mark, openStore, type Store } from '#ledger';
import { arbitraryBody } from '../arbitrary-fact.ts';
import { created, errorOf, freshStore, logOf, said, temporaryFolder, waited } from '../support.ts';
import { ledgerOf, plant } from './sample.ts';

const types = Object.keys(factTypes) as FactType[];

/** A reader that says what it was shown since the last judgement, and how that came out. */
function reader(mark: Mark, wanted: readonly FactType[]) {
  const shown: Fact[] = [];
  const judged: boolean[] = [];
  const reader: FirstReader = {
    known: () => ({ mark, types: wanted }),
    see: (facts) => void shown.push(...facts),
    judged(isKnown) {
      judged.push(isKnown);
      if (!isKnown) shown.length = 0;
    },
  };
  return { reader, shown, judged };
}

/** A ledger of these batches; with the mark after each of them. */
async function made(store: Store, id: string, batches: readonly (readonly FactBody[])[]) {
  const ledger = await store.create(id);
  const marks: Mark[] = [];
  expect(ledger.mark()).toBe(null);
  for (const bodies of batches) {
    await ledger.append(bodies);
    marks.push(ledger.mark() as Mark);
  }
  const facts = [...ledger.read()];
  await ledger.close();
  return { facts, marks };
}

it('shows only what is asked for up to the mark, everything behind it, and finds all of it later', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(arbitraryBody(), { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 20 }),
      fc.uniqueArray(fc.constantFrom(...types), { maxLength: 30 }),
      fc.nat(),
      async (batches, wanted, n) => {
        let nowMs = 1000;
        const store = openStore({ home: temporaryFolder(), now: () => nowMs++ });
        const { facts, marks } = await made(store, 'a', batches);
        const mark = marks[n % marks.length] as Mark;
        const one = reader(mark, wanted);
        const ledger = await store.openWriter('a', one.reader);
        expect(one.judged).toEqual([true]);
        expect(one.shown).toEqual(facts.filter(({ seq, type }) => seq > mark.seq || wanted.includes(type)));
        expect([...ledger.read()]).toEqual(facts);
        expect([...ledger.find(wanted)]).toEqual(facts.filter(({ type }) => wanted.includes(type)));
        expect(ledger.mark()).toEqual(marks.at(-1));
        await ledger.close();
      },
    ),
    { numRuns: 40 },
  );
}, 60_000);

it('shows everything anew where the ledger has no such mark', async () => {
  const store = freshStore();
  const { facts, marks } = await made(store, 'a', [[created('a'), said('x')], [waited(1), said('y')], [waited(2)]]);
  const other = await made(store, 'b', [[created('b'), said('x')], [waited(1), said('y')], [waited(2)]]);
  const mark = marks[1] as Mark;
  const { seq, bytes, sha256 } = mark;
  const foreign: readonly Mark[] = [
    { ...mark, sha256: sha256.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) },
    { ...mark, sha256: '' },
    ...[seq - 1, seq + 1, 99, 0, 2].map((wrong) => ({ ...mark, seq: wrong })),
    ...[bytes - 1, bytes + 1, 0, -1, 9999, Number.NaN].map((wrong) => ({ ...mark, bytes: wrong })),
    { ...(marks[0] as Mark), sha256 },
    { ...(marks[2] as Mark), sha256 },
    other.marks[1] as Mark,
    // As another version of Belay would have left it.
    { seq, link: sha256.slice(0, 32) } as unknown as Mark,
  ];
  for (const mark of foreign) {
    const one = reader(mark, ['backoff.ended']);
    const ledger = await store.openWriter('a', one.reader);
    expect({ mark, judged: one.judged, shown: one.shown }).toEqual({ mark, judged: [false], shown: facts });
    expect(ledger.mark()).toEqual(marks[2]);
    expect([...ledger.find(['input.received'])].map(({ text }) => text)).toEqual(['x', 'y']);
    await ledger.close();
  }
});

it('refuses a ledger whose known part was changed at any byte, as it would without knowing anything', async () => {
  const store = freshStore();
  const { marks } = await made(store, 'a', [[created('a')], [waited(1), said('a word')], [waited(2)], [said('late')]]);
  const bytes = readFileSync(logOf(store, 'a'));
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] as number) ^ 1;
    writeFileSync(logOf(store, 'a'), changed);
    const one = reader(marks[2] as Mark, ['backoff.ended']);
    const knowing = await errorOf(() => store.openWriter('a', one.reader));
    const plain = await errorOf(() => store.openWriter('a'));
    expect({ at, ...knowing, message: knowing.message }).toEqual({ at, ...plain, message: plain.message });
  }
});

it('goes on where the end was cut, and knows nothing where the mark was cut with it', async () => {
  const store = freshStore();
  const { facts, marks } = await made(store, 'a', [[created('a')], [waited(1), said('a word')], [waited(2)]]);
  const bytes = readFileSync(logOf(store, 'a'));
  for (const [keep, judged] of [
    [statSync(logOf(store, 'a')).size, true],
    [bytes.length - 1, false],
  ] as const) {
    writeFileSync(logOf(store, 'a'), bytes.subarray(0, keep));
    const one = reader(marks[2] as Mark, []);
    const ledger = await store.openWriter('a', one.reader);
    expect([one.judged, one.shown]).toEqual([[judged], judged ? [] : facts.slice(0, 3)]);
    await ledger.close();
  }
});

it('looks at facts of the future and at heads that are not ours wherever they stand', async () => {
  const store = freshStore();
  const payloads = [
    ['[1,5,"backoff.ended",{"waitedMs":1}]', '[ 2,0,"input.received",{"text":"a"}]'],
    [
      '[ 3,7,"input.received",{"text":"b"}]',
      '[4,0,"backoff.ended",{"waitedMs":4}]',
      '[5,0,"backoff.ended",{"waitedMs":5}]',
    ],
  ];
  plant(store, 'a', ledgerOf(payloads));
  const first = await store.openWriter('a');
  const mark = first.mark() as Mark;
  const facts = [...first.read()];
  await first.close();
  const one = reader(mark, []);
  await (await store.openWriter('a', one.reader)).close();
  // A batch whose time only decoding tells is shown whole.
  expect(one.shown).toEqual(facts.slice(1));
  for (const payload of ['[1,5,"backoff.ended",{"waitedMs":1},2]', '[1,5,"dream.had",{"of":"sheep"}]']) {
    plant(store, 'n', ledgerOf([[payload], ['[2,5,"backoff.ended",{"waitedMs":1}]']]));
    const error = await errorOf(() => store.openWriter('n', reader({ seq: 2, bytes: 160, sha256 }, []).reader));
    expect(error).toMatchObject({ code: 'newer', lastGoodSeq: 0 });
  }
});

const sha256 = '0'.repeat(64);
