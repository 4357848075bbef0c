import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { bodyOf, freshStore, said, waited } from '../support.ts';
import { plant, type Sample, sampleLedger } from './sample.ts';

let sample: Sample;
beforeAll(async () => {
  sample = await sampleLedger();
});

describe('opening a ledger whose last append was interrupted', () => {
  it('cuts the rest, keeps it aside, says so, and goes on, at every length', async () => {
    const store = freshStore();
    const last = sample.ends.at(-2)!;
    const lengths = [
      ...Array(60).keys(),
      ...Array.from({ length: sample.bytes.length - last.offset }, (_, i) => last.offset + i),
    ];
    for (const length of lengths) {
      const id = `cut-${length}`;
      const path = plant(store, id, sample.bytes.subarray(0, length));
      const whole = sample.ends.findLast((end) => end.offset <= length)!;
      const good = whole.facts === 0 && length >= 25 ? 25 : whole.offset;
      const ledger = await store.openWriter(id);
      expect(ledger.lastSeq).toBe(whole.facts);
      if (length === good) expect(ledger.torn).toBeNull();
      else {
        expect(ledger.torn).toEqual({ bytes: length - good, keptIn: join(dirname(path), 'ledger.torn-1') });
        expect(readFileSync(ledger.torn!.keptIn)).toEqual(sample.bytes.subarray(good, length));
        expect(statSync(ledger.torn!.keptIn).mode & 0o777).toBe(0o600);
      }
      await ledger.append([said('goes on')]);
      await ledger.close();
      const report = await store.openReader(id);
      expect(report).toMatchObject({ tornBytes: 0, damage: null });
      expect(report.facts.map(bodyOf)).toEqual([...sample.facts.slice(0, whole.facts).map(bodyOf), said('goes on')]);
    }
  });

  it('numbers what it keeps aside', async () => {
    const store = freshStore();
    const path = plant(store, 'twice', sample.bytes.subarray(0, 500));
    await (await store.openWriter('twice')).close();
    for (const n of [2, 3]) {
      plant(store, 'twice', Buffer.concat([readFileSync(path), Buffer.from([0xff])]));
      const ledger = await store.openWriter('twice');
      expect(ledger.torn).toMatchObject({ bytes: 1, keptIn: join(dirname(path), `ledger.torn-${n}`) });
      await ledger.close();
    }
    expect(readdirSync(dirname(path)).filter((name) => name.startsWith('ledger.torn-'))).toHaveLength(3);
  });

  it('changes nothing by reading', async () => {
    const store = freshStore();
    const path = plant(store, 'read', sample.bytes.subarray(0, 500));
    expect((await store.openReader('read')).tornBytes).toBeGreaterThan(0);
    expect(readFileSync(path)).toEqual(sample.bytes.subarray(0, 500));
    expect(readdirSync(dirname(path))).toEqual(['ledger.log']);
  });
});

describe('a writer that keeps few facts in memory', () => {
  for (const recentBytesMax of [0, 100, 400, 1e9])
    it(`reads all of them: ${recentBytesMax} bytes`, async () => {
      const store = freshStore({ recentBytesMax });
      const first = await store.create('a');
      for (let i = 1; i <= 20; i++) await first.append(i % 3 === 0 ? [waited(i), waited(-i)] : [waited(i)]);
      const expected = [...first.read()];
      expect(expected.map((fact) => fact.seq)).toEqual(Array.from({ length: 26 }, (_, i) => i + 1));
      await first.close();
      const second = await store.openWriter('a');
      await second.append([waited(100)]);
      for (const from of [1, 5, 13, 20, 27, 28])
        expect([...second.read(from)].map((fact) => fact.seq)).toEqual(
          Array.from({ length: Math.max(0, 28 - from) }, (_, i) => from + i),
        );
      await second.close();
    });
});
