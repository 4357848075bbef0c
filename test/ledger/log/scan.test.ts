import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { LedgerReport, Store } from '#ledger';
import { errorOf, freshStore, logOf } from '../support.ts';
import { damaged, plant, type Sample, sampleLedger } from './sample.ts';

const reportOf = (store: Store, bytes: Uint8Array): Promise<LedgerReport> => {
  plant(store, 'planted', bytes);
  return store.openReader('planted');
};

/** The facts of the batches that end at or before `offset`, and where the last of them ends. */
const wholeUntil = (sample: Sample, offset: number) => sample.ends.findLast((end) => end.offset <= offset)!;

let sample: Sample;
beforeAll(async () => {
  sample = await sampleLedger();
});

describe('a changed byte', () => {
  /** Each byte in turn is changed in the file and put back; what is reported wrongly comes back as text. */
  const wrongReports = async (from: number, values: (byte: number) => readonly number[]): Promise<string[]> => {
    const store = freshStore();
    const fd = openSync(plant(store, 'planted', sample.bytes), 'r+');
    const wrong: string[] = [];
    const prefixes = sample.facts.map((_, i) => JSON.stringify(sample.facts.slice(0, i)));
    for (let at = from; at < sample.bytes.length; at++)
      for (const value of values(sample.bytes[at]!)) {
        writeSync(fd, Buffer.of(value), 0, 1, at);
        const { facts, damage } = await store.openReader('planted');
        const whole = wholeUntil(sample, at);
        const placed = damage !== null && damage.offset >= whole.offset && damage.offset <= at;
        // Of the facts behind the damage at most the one that was hit cannot be found again.
        const found = damage !== null && damage.laterRecords >= 30 - whole.facts - 5;
        if (!placed || !found || damage.lastGoodSeq !== whole.facts || JSON.stringify(facts) !== prefixes[whole.facts])
          wrong.push(`byte ${at} as ${value}: ${facts.length} facts, ${JSON.stringify(damage)}`);
        writeSync(fd, sample.bytes, at, 1, at);
      }
    closeSync(fd);
    return wrong;
  };

  it('is found at every offset of the file, and named with the last good fact', async () => {
    expect(await wrongReports(0, (byte) => [byte ^ 1, byte === 0 ? 1 : 0])).toEqual([]);
  }, 60_000);

  it('that looks like the begin of a frame is found too', async () => {
    expect(await wrongReports(0, (byte) => [byte === 0xff ? 0x46 : 0xff])).toEqual([]);
  }, 60_000);

  it('in the last batch is damage with any value, never an interrupted append', async () => {
    const values = Array.from({ length: 11 }, (_, i) => 1 + i * 23);
    expect(await wrongReports(sample.ends.at(-2)!.offset, (byte) => values.map((add) => (byte + add) & 255))).toEqual(
      [],
    );
  }, 60_000);

  it('keeps the writer out, with the place in the error', async () => {
    const store = freshStore();
    for (const at of [3, 30, 900, sample.bytes.length - 1]) {
      plant(store, 'planted', damaged(sample.bytes, at, sample.bytes[at]! ^ 4));
      const error = await errorOf(() => store.openWriter('planted'));
      expect(error).toMatchObject({ code: 'damaged', lastGoodSeq: wholeUntil(sample, at).facts });
      expect(error.message).toContain(`byte ${error.offset}`);
    }
  });

  it('leaves the record untouched when a writer was refused', async () => {
    const store = freshStore();
    const bytes = damaged(sample.bytes, sample.bytes.length - 20, 7);
    plant(store, 'planted', bytes);
    const before = await store.openReader('planted');
    await errorOf(() => store.openWriter('planted'));
    expect(await store.openReader('planted')).toEqual(before);
  });
});

describe('a file that ends early', () => {
  it('is readable at every length', async () => {
    const store = freshStore();
    for (let length = 0; length <= sample.bytes.length; length++) {
      const report = await reportOf(store, sample.bytes.subarray(0, length));
      const whole = wholeUntil(sample, length);
      expect(report.damage, `length ${length}`).toBeNull();
      expect(report.facts).toEqual(sample.facts.slice(0, whole.facts));
      // The header alone is no batch, yet nothing to cut either.
      const good = whole.facts === 0 && length >= 25 ? 25 : whole.offset;
      expect(report.tornBytes).toBe(length - good);
    }
  });

  it('is still damaged where it is damaged', async () => {
    const store = freshStore();
    const at = sample.ends[3]!.offset + 40;
    const cut = damaged(sample.bytes, at, 0x20).subarray(0, sample.bytes.length - 13);
    expect((await reportOf(store, cut)).damage).toMatchObject({ lastGoodSeq: sample.ends[3]!.facts });
  });
});

describe('zeros at the end, as a power loss leaves them', () => {
  it('are an interrupted append behind any whole batch', async () => {
    const store = freshStore();
    for (const end of sample.ends)
      for (const zeros of [1, 2, 100, 511, 4096, 600_000]) {
        const report = await reportOf(
          store,
          Buffer.concat([sample.bytes.subarray(0, end.offset), Buffer.alloc(zeros)]),
        );
        expect(report).toMatchObject({ damage: null, tornBytes: zeros });
        expect(report.facts).toHaveLength(end.facts);
      }
  });

  it('are one from a sector boundary on, inside a batch', async () => {
    const store = freshStore();
    for (let sector = 0; sector + 600 < sample.bytes.length; sector += 512)
      for (const zeros of [2, 50, 512, 5000]) {
        const report = await reportOf(store, Buffer.concat([sample.bytes.subarray(0, sector), Buffer.alloc(zeros)]));
        const whole = wholeUntil(sample, sector);
        expect(report.damage, `sector at ${sector}, ${zeros} zeros`).toBeNull();
        expect(report.facts).toHaveLength(whole.facts);
      }
  });

  it('are damage where a disk could not have left them', async () => {
    const store = freshStore();
    const end = sample.ends.at(-2)!;
    // The last bytes of a complete batch, wiped from the middle of a sector on, yet of the right length.
    for (const wiped of [1, 10, 48]) {
      const bytes = Buffer.from(sample.bytes);
      bytes.fill(0, bytes.length - wiped);
      const { damage, tornBytes } = await reportOf(store, bytes);
      const boundary = Math.ceil((bytes.length - wiped) / 512) * 512 < bytes.length - 1;
      if (!boundary) expect({ damage, tornBytes }).toMatchObject({ damage: { lastGoodSeq: end.facts }, tornBytes: 0 });
    }
    // A hole in the middle.
    const hole = Buffer.from(sample.bytes);
    hole.fill(0, 512, 1024);
    expect((await reportOf(store, hole)).damage).toMatchObject({ lastGoodSeq: wholeUntil(sample, 512).facts });
  });
});

describe('batches that are whole but not the next ones', () => {
  const pieces = (sample: Sample) =>
    sample.ends.slice(1).map((end, i) => sample.bytes.subarray(sample.ends[i]!.offset, end.offset));

  const cases: [string, (batches: Buffer[]) => Buffer[], number][] = [
    ['one is missing', (b) => b.filter((_, i) => i !== 4), 4],
    ['two changed places', (b) => [...b.slice(0, 4), b[5]!, b[4]!, ...b.slice(6)], 4],
    ['one is there twice', (b) => [...b.slice(0, 5), ...b.slice(4)], 5],
    ['the last one is there twice', (b) => [...b, b.at(-1)!], -1],
    ['the file follows itself', (b) => [...b, ...b], -1],
  ];
  for (const [what, arrange, good] of cases)
    it(`are damage: ${what}`, async () => {
      const { damage } = await reportOf(freshStore(), Buffer.concat(arrange(pieces(sample))));
      expect(damage?.lastGoodSeq).toBe(good < 0 ? 30 : sample.ends[good]!.facts);
    });

  it('are damage when they come from another session', async () => {
    const store = freshStore();
    const other = await store.create('other');
    await other.append([{ type: 'input.received', text: 'one' }]);
    await other.close();
    const foreign = Buffer.concat([plantable(store), pieces(sample)[1]!]);
    expect((await reportOf(store, foreign)).damage).toMatchObject({ lastGoodSeq: 1 });
  });
});

describe('a file that is no ledger of ours', () => {
  const foreign: [string, Buffer][] = [
    ['text', Buffer.from('{"type":"user"}\n{"type":"assistant"}\n')],
    ['one byte', Buffer.from('x')],
    ['a database', Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(4096)])],
    ['zeros and something', Buffer.concat([Buffer.alloc(600), Buffer.from('x')])],
  ];
  for (const [what, bytes] of foreign)
    it(`is damaged from the first byte: ${what}`, async () => {
      expect(await reportOf(freshStore(), bytes)).toMatchObject({ facts: [], damage: { offset: 0, lastGoodSeq: 0 } });
    });
});

const plantable = (store: Store): Buffer => readFileSync(logOf(store, 'other'));
