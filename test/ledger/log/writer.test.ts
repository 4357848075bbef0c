import { appendFileSync, readFileSync, statSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FactBody } from '#kernel';
import type { LedgerErrorCode } from '#ledger';
import { arbitraryBody } from '../arbitrary-fact.ts';
import { bodyOf, errorOf, faultyDisk, freshStore, logOf, said, systemFault, waited } from '../support.ts';

describe('a write that fails', () => {
  const faults: [string, () => Error | 'short', LedgerErrorCode][] = [
    ['no space', () => systemFault('ENOSPC'), 'full'],
    ['no quota', () => systemFault('EDQUOT'), 'full'],
    ['file size limit', () => systemFault('EFBIG'), 'full'],
    ['read-only', () => systemFault('EROFS'), 'readonly'],
    ['a broken disk', () => systemFault('EIO'), 'io'],
  ];
  for (const [what, fault, code] of faults)
    for (const nth of [1, 2, 3])
      it(`leaves the ledger as it was: ${what} at write ${nth}`, async () => {
        const { disk } = faultyDisk({ write: (n) => (n === nth ? fault() : undefined) });
        const store = freshStore({ disk });
        const ledger = await store.create('a');
        for (let i = 1; i < nth; i++) await ledger.append([waited(i)]);
        const before = readFileSync(logOf(store, 'a'));
        expect((await errorOf(() => ledger.append([said('lost'), said('too')]))).code).toBe(code);
        expect(readFileSync(logOf(store, 'a'))).toEqual(before);
        expect(ledger.lastSeq).toBe(nth - 1);
        await ledger.append([said('again')]);
        await ledger.close();
        const report = await store.openReader('a');
        expect(report).toMatchObject({ tornBytes: 0, damage: null });
        expect(report.facts.map(bodyOf).at(-1)).toEqual(said('again'));
        expect(report.facts).toHaveLength(nth);
      });

  it('after half of its bytes is cut back', async () => {
    const { disk } = faultyDisk({ write: (n) => (n === 2 ? 'short' : n === 3 ? systemFault('ENOSPC') : undefined) });
    const store = freshStore({ disk });
    const ledger = await store.create('a');
    await ledger.append([waited(1)]);
    const size = statSync(logOf(store, 'a')).size;
    expect((await errorOf(() => ledger.append([said('x'.repeat(999))]))).code).toBe('full');
    expect(statSync(logOf(store, 'a')).size).toBe(size);
    await ledger.close();
  });

  it('is no failure when the rest can be written', async () => {
    const { disk, calls } = faultyDisk({ write: () => 'short' });
    const store = freshStore({ disk });
    const ledger = await store.create('a');
    await ledger.append([said('in pieces')]);
    expect(calls.write).toBeGreaterThan(2);
    await ledger.close();
    expect((await store.openReader('a')).facts.map(bodyOf)).toEqual([said('in pieces')]);
  });

  it('that cannot be cut back is cut before the next one', async () => {
    const { disk } = faultyDisk({
      write: (n) => (n === 2 ? 'short' : n === 3 ? systemFault('ENOSPC') : undefined),
      truncate: (n) => (n <= 2 ? systemFault('EIO') : undefined),
    });
    const store = freshStore({ disk });
    const ledger = await store.create('a');
    await ledger.append([waited(1)]);
    expect((await errorOf(() => ledger.append([said('x'.repeat(99))]))).code).toBe('full');
    expect((await store.openReader('a')).tornBytes).toBeGreaterThan(0);
    await errorOf(() => ledger.append([waited(2)]));
    await ledger.append([waited(3)]);
    await ledger.close();
    expect((await store.openReader('a')).facts.map(bodyOf)).toEqual([waited(1), waited(3)]);
  });

  it('never leaves a batch in part, whichever writes fail', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(arbitraryBody(), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 }),
        fc.array(fc.constantFrom(undefined, 'short' as const, 'ENOSPC', 'EIO'), { maxLength: 12 }),
        async (batches, faults) => {
          const { disk } = faultyDisk({
            write: (n) => {
              const fault = faults[n - 1];
              return fault === undefined || fault === 'short' ? fault : systemFault(fault);
            },
          });
          const store = freshStore({ disk });
          const ledger = await store.create('a');
          const kept: FactBody[] = [];
          for (const batch of batches)
            await ledger.append(batch).then(
              () => kept.push(...batch),
              () => undefined,
            );
          await ledger.close();
          const report = await store.openReader('a');
          expect(report).toMatchObject({ tornBytes: 0, damage: null });
          expect(report.facts.map(bodyOf)).toEqual(kept);
        },
      ),
      { numRuns: 40 },
    ));
});

describe('a file that somebody else changed', () => {
  it('gets no append on top of foreign bytes', async () => {
    const store = freshStore();
    const ledger = await store.create('a');
    await ledger.append([waited(1)]);
    appendFileSync(logOf(store, 'a'), 'foreign');
    const error = await errorOf(() => ledger.append([waited(2)]));
    expect(error.code).toBe('io');
    expect(error.message).toContain('another program');
    await ledger.close();
  });
});

describe('flush', () => {
  it('costs one sync for all who ask together, and none with nothing new', async () => {
    const { disk, calls } = faultyDisk({ datasync: () => undefined });
    const ledger = await freshStore({ disk }).create('a');
    await ledger.append([waited(1)]);
    await ledger.append([waited(2)]);
    await ledger.flush();
    expect(calls.datasync).toBe(1);
    await Promise.all([ledger.flush(), ledger.flush()]);
    expect(calls.datasync).toBe(1);
    await ledger.append([waited(3)]);
    await Promise.all(Array.from({ length: 10 }, () => ledger.flush()));
    // The first starts at once, and nothing was appended after it began.
    expect(calls.datasync).toBe(2);
    await ledger.close();
  });

  it('covers an append that came while another sync was running', async () => {
    const { disk, calls } = faultyDisk({ datasync: () => undefined });
    const ledger = await freshStore({ disk }).create('a');
    await ledger.append([waited(1)]);
    const first = ledger.flush();
    await ledger.append([waited(2)]);
    const rest = [ledger.flush(), ledger.flush()];
    await ledger.append([waited(3)]);
    rest.push(ledger.flush());
    await Promise.all([first, ...rest]);
    expect(calls.datasync).toBe(2);
    await ledger.flush();
    expect(calls.datasync).toBe(2);
    await ledger.close();
  });

  it('syncs once what a writer before may have left unflushed, even with nothing new', async () => {
    const { disk, calls } = faultyDisk({ datasync: () => undefined });
    const store = freshStore({ disk });
    const first = await store.create('a');
    await first.append([waited(1)]);
    await first.close();
    expect(calls.datasync).toBe(0);
    const second = await store.openWriter('a');
    await second.flush();
    await second.flush();
    expect(calls.datasync).toBe(1);
    await second.close();
  });

  it('does not hold up appends', async () => {
    const { disk } = faultyDisk({ datasync: () => undefined });
    let release = () => {};
    const slow = { ...disk, datasync: () => new Promise<void>((resolve) => (release = resolve)) };
    const ledger = await freshStore({ disk: slow }).create('a');
    await ledger.append([waited(1)]);
    const flushed = ledger.flush();
    await ledger.append([waited(2)]);
    expect(ledger.lastSeq).toBe(2);
    release();
    await flushed;
    await ledger.close();
  });

  const faults: [string, LedgerErrorCode][] = [
    ['EIO', 'io'],
    ['ENOSPC', 'full'],
  ];
  for (const [errno, code] of faults)
    it(`that fails ends the writer, not the ledger: ${errno}`, async () => {
      const { disk } = faultyDisk({ datasync: (n) => (n === 2 ? systemFault(errno) : undefined) });
      const store = freshStore({ disk });
      const ledger = await store.create('a');
      await ledger.append([waited(1)]);
      await ledger.flush();
      await ledger.append([waited(2)]);
      const together = await Promise.all([errorOf(() => ledger.flush()), errorOf(() => ledger.flush())]);
      expect(together.map((error) => error.code)).toEqual([code, code]);
      expect((await errorOf(() => ledger.append([waited(3)]))).code).toBe(code);
      expect((await errorOf(() => ledger.flush())).code).toBe(code);
      await ledger.close();
      const again = await store.openWriter('a');
      await again.append([waited(3)]);
      await again.flush();
      expect([...again.read()].map(bodyOf)).toEqual([waited(1), waited(2), waited(3)]);
      await again.close();
    });
});
