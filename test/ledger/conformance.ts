/** What every ledger promises, whatever keeps its bytes. Run it on each implementation. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { type Fact, type FactBody, type FactType, factTypes } from '#kernel';
import type { Ledger } from '#ledger';
import { arbitraryBody } from './arbitrary-fact.ts';
import { bodyOf, errorOf, said, waited } from './support.ts';

/** `make` gives a new, empty ledger each time. */
export function ledgerConformance(name: string, make: (sessionId: string) => Promise<Ledger>): void {
  let made = 0;
  const using = async (body: (ledger: Ledger) => Promise<void>): Promise<void> => {
    const ledger = await make(`conformance-${++made}`);
    try {
      await body(ledger);
    } finally {
      await ledger.close();
    }
  };

  describe(`ledger conformance: ${name}`, () => {
    it('is empty when new', () =>
      using(async (ledger) => {
        expect(ledger.lastSeq).toBe(0);
        expect([...ledger.read()]).toEqual([]);
      }));

    it('numbers facts from 1 without gaps, over batches', () =>
      using(async (ledger) => {
        await ledger.append([waited(1), waited(2)]);
        await ledger.append([waited(3)]);
        expect([...ledger.read()].map((fact) => fact.seq)).toEqual([1, 2, 3]);
        expect(ledger.lastSeq).toBe(3);
      }));

    it('returns the facts appended, with time and number', () =>
      using(async (ledger) => {
        const facts = await ledger.append([said('a'), said('b')]);
        expect(facts).toEqual([...ledger.read()]);
        expect(facts.every((fact) => Number.isSafeInteger(fact.ts))).toBe(true);
      }));

    it('gives back any fact as it was given', () =>
      fc.assert(
        fc.asyncProperty(fc.array(fc.array(arbitraryBody(), { maxLength: 4 }), { maxLength: 6 }), (batches) =>
          using(async (ledger) => {
            for (const batch of batches) await ledger.append(batch);
            expect([...ledger.read()].map(bodyOf)).toEqual(batches.flat());
          }),
        ),
        { numRuns: 30 },
      ));

    it('leaves out undefined fields, also in what it returns', () =>
      using(async (ledger) => {
        const body = { ...said('x'), messageId: undefined } as unknown as FactBody;
        const [fact] = await ledger.append([body]);
        expect(Object.keys(fact as Fact)).not.toContain('messageId');
      }));

    it('keeps nothing of an empty batch', () =>
      using(async (ledger) => {
        expect(await ledger.append([])).toEqual([]);
        expect(ledger.lastSeq).toBe(0);
      }));

    for (const from of [-3, 0, 1, 2, 5, 6, 7, 100])
      it(`reads from fact ${from} on`, () =>
        using(async (ledger) => {
          for (let i = 1; i <= 6; i++) await ledger.append([waited(i)]);
          const expected = [1, 2, 3, 4, 5, 6].filter((seq) => seq >= from);
          expect([...ledger.read(from)].map((fact) => fact.seq)).toEqual(expected);
        }));

    it('finds facts of some types among all others', () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(arbitraryBody(), { maxLength: 4 }), { maxLength: 6 }),
          fc.uniqueArray(fc.constantFrom(...(Object.keys(factTypes) as FactType[])), { maxLength: 12 }),
          fc.nat(12),
          (batches, types, from) =>
            using(async (ledger) => {
              for (const batch of batches) await ledger.append(batch);
              const expected = [...ledger.read(from)].filter(({ type }) => types.includes(type));
              expect([...ledger.find(types, from)]).toEqual(expected);
              expect([...ledger.find(types)]).toEqual([...ledger.read()].filter(({ type }) => types.includes(type)));
            }),
        ),
        { numRuns: 30 },
      ));

    it('finds what was there when finding began', () =>
      using(async (ledger) => {
        await ledger.append([waited(1), said('a'), waited(2)]);
        const finding = ledger.find(['backoff.ended'])[Symbol.iterator]();
        expect(finding.next().value).toMatchObject({ seq: 1 });
        await ledger.append([waited(3)]);
        expect(finding.next().value).toMatchObject({ seq: 3 });
        expect(finding.next().done).toBe(true);
      }));

    it('reads what was there when reading began', () =>
      using(async (ledger) => {
        await ledger.append([waited(1), waited(2)]);
        const reading = ledger.read()[Symbol.iterator]();
        expect(reading.next().value).toMatchObject({ seq: 1 });
        await ledger.append([waited(3)]);
        expect(reading.next().value).toMatchObject({ seq: 2 });
        expect(reading.next().done).toBe(true);
      }));

    it('hands out frozen facts that the caller cannot change through what it gave', () =>
      using(async (ledger) => {
        const steps = [{ stepId: 'a', description: 'first' }];
        const [fact] = await ledger.append([{ type: 'plan.commit', steps, revision: 1 }]);
        steps[0]!.description = 'changed later';
        expect([...ledger.read()][0]).toMatchObject({ steps: [{ description: 'first' }] });
        expect(Object.isFrozen(fact)).toBe(true);
        expect(() => {
          (fact as unknown as { steps: { stepId: string }[] }).steps[0]!.stepId = 'z';
        }).toThrow(TypeError);
      }));

    const unfit: [string, unknown, RegExp][] = [
      ['a missing field', { type: 'backoff.ended' }, /waitedMs: missing/],
      ['a field of the wrong type', { type: 'backoff.ended', waitedMs: '3' }, /waitedMs: expected a whole number/],
      ['an unknown field', { type: 'backoff.ended', waitedMs: 3, more: 1 }, /more: unknown field/],
      ['an unknown type', { type: 'no.such', waitedMs: 3 }, /unknown fact type no.such/],
      ['a type that is a name of every object', { type: 'constructor' }, /unknown fact type/],
      ['a number that JSON cannot hold', { type: 'budget.warn', limit: 'x', used: Number.NaN, max: 1 }, /used/],
    ];
    for (const [what, body, message] of unfit)
      it(`refuses a batch with ${what} and keeps nothing of it`, () =>
        using(async (ledger) => {
          await ledger.append([waited(1)]);
          const error = await errorOf(() => ledger.append([waited(2), body as FactBody]));
          expect(error.code).toBe('invalid');
          expect(error.message).toMatch(message);
          expect(ledger.lastSeq).toBe(1);
          await ledger.append([waited(3)]);
          expect([...ledger.read()].map(bodyOf)).toEqual([waited(1), waited(3)]);
        }));

    it('refuses a fact beyond the size limit and goes on', () =>
      using(async (ledger) => {
        const error = await errorOf(() => ledger.append([said('x'.repeat(17 * 1024 * 1024))]));
        expect(error.code).toBe('invalid');
        await ledger.append([said('small')]);
        expect(ledger.lastSeq).toBe(1);
      }));

    it('takes a fact of several megabytes', () =>
      using(async (ledger) => {
        const text = 'ä'.repeat(2 * 1024 * 1024);
        await ledger.append([said(text)]);
        await ledger.append([said('after')]);
        expect([...ledger.read()].map(bodyOf)).toEqual([said(text), said('after')]);
      }));

    it('keeps concurrent appends apart and in order of calling', () =>
      using(async (ledger) => {
        const batches = await Promise.all(
          Array.from({ length: 50 }, (_, i) => ledger.append([waited(2 * i), waited(2 * i + 1)])),
        );
        expect(batches.flat().map((fact) => fact.seq)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
        expect([...ledger.read()].map(bodyOf)).toEqual(Array.from({ length: 100 }, (_, i) => waited(i)));
      }));

    it('flushes with nothing appended, after an append, and many at once', () =>
      using(async (ledger) => {
        await ledger.flush();
        await ledger.append([waited(1)]);
        await Promise.all(Array.from({ length: 20 }, () => ledger.flush()));
        expect(ledger.lastSeq).toBe(1);
      }));

    it('tells subscribers each batch once, in order, until they stop', () =>
      using(async (ledger) => {
        const heard: number[][] = [];
        const stop = ledger.subscribe((facts) => heard.push(facts.map((fact) => fact.seq)));
        await ledger.append([waited(1), waited(2)]);
        await ledger.append([]);
        await ledger.append([waited(3)]);
        stop();
        stop();
        await ledger.append([waited(4)]);
        expect(heard).toEqual([[1, 2], [3]]);
      }));

    it('tells a function that subscribed twice twice, and stops them one by one', () =>
      using(async (ledger) => {
        const listener = vi.fn();
        const stop = ledger.subscribe(listener);
        ledger.subscribe(listener);
        await ledger.append([waited(1)]);
        expect(listener).toHaveBeenCalledTimes(2);
        stop();
        await ledger.append([waited(2)]);
        expect(listener).toHaveBeenCalledTimes(3);
      }));

    it('tells nobody of a refused append', () =>
      using(async (ledger) => {
        const listener = vi.fn();
        ledger.subscribe(listener);
        await errorOf(() => ledger.append([{ type: 'backoff.ended' } as unknown as FactBody]));
        expect(listener).not.toHaveBeenCalled();
      }));

    it('is not disturbed by a subscriber that throws, and says so', () =>
      using(async (ledger) => {
        const warned = new Promise<Error>((resolve) => process.once('warning', resolve));
        const listener = vi.fn();
        ledger.subscribe(() => {
          throw new Error('careless');
        });
        ledger.subscribe(listener);
        await ledger.append([waited(1)]);
        expect(listener).toHaveBeenCalledOnce();
        expect((await warned).message).toContain('careless');
      }));

    it('lets a subscriber append', () =>
      using(async (ledger) => {
        ledger.subscribe((facts) => {
          if (facts[0]?.seq === 1) void ledger.append([waited(2)]);
        });
        await ledger.append([waited(1)]);
        expect([...ledger.read()].map(bodyOf)).toEqual([waited(1), waited(2)]);
      }));

    it('stores bytes by content', () =>
      fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), (bytes) =>
          using(async (ledger) => {
            const hash = await ledger.putBlob(bytes);
            expect(hash).toBe(createHash('sha256').update(bytes).digest('hex'));
            expect(await ledger.putBlob(bytes)).toBe(hash);
            expect(Buffer.from(await ledger.getBlob(hash)).equals(bytes)).toBe(true);
          }),
        ),
        { numRuns: 10 },
      ));

    it('stores the same bytes from many at once', () =>
      using(async (ledger) => {
        const hashes = await Promise.all(Array.from({ length: 8 }, () => ledger.putBlob(Buffer.from('same'))));
        expect(new Set(hashes).size).toBe(1);
      }));

    for (const hash of ['0'.repeat(64), '', '../ledger.log', 'F'.repeat(64)])
      it(`has no blob ${JSON.stringify(hash.slice(0, 16))}`, () =>
        using(async (ledger) => {
          expect((await errorOf(() => ledger.getBlob(hash))).code).toBe('missing');
        }));

    it('refuses all but reading when closed, and closes twice', () =>
      using(async (ledger) => {
        await ledger.append([waited(1)]);
        const hash = await ledger.putBlob(Buffer.from('kept'));
        await ledger.close();
        await ledger.close();
        for (const call of [
          () => ledger.append([waited(2)]),
          () => ledger.append([]),
          () => ledger.flush(),
          () => ledger.putBlob(Buffer.from('x')),
        ])
          expect((await errorOf(call)).code).toBe('closed');
        expect([...ledger.read()].map(bodyOf)).toEqual([waited(1)]);
        expect(Buffer.from(await ledger.getBlob(hash)).toString()).toBe('kept');
      }));

    it('finishes a flush that was asked for before closing', () =>
      using(async (ledger) => {
        await ledger.append([waited(1)]);
        const flushed = ledger.flush();
        await ledger.close();
        await flushed;
      }));
  });
}
