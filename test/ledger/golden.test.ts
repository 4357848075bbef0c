import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { plant, sampleLedger } from './log/sample.ts';
import { freshStore, said } from './support.ts';

/** One file per format or codec ever released; they are only added to. */
const files = ['format-1'];

describe('a ledger of an earlier release', () => {
  for (const name of files) {
    const bytes = readFileSync(join(import.meta.dirname, 'fixtures', `${name}.log`));
    const facts: unknown = JSON.parse(readFileSync(join(import.meta.dirname, 'fixtures', `${name}.json`), 'utf8'));

    it(`reads as it did then, fits the schemas of today and can be gone on with: ${name}`, async () => {
      const store = freshStore();
      plant(store, 'golden', bytes);
      const { report, problems } = await store.verify('golden');
      expect(report).toEqual({ facts, tornBytes: 0, damage: null, newer: [] });
      expect(problems).toEqual([]);
      const ledger = await store.openWriter('golden');
      await ledger.append([said('and on')]);
      await ledger.close();
      expect((await store.openReader('golden')).facts).toHaveLength(report.facts.length + 1);
    });
  }

  it('is what this version writes, byte for byte', async () => {
    const { bytes } = await sampleLedger();
    expect(bytes.equals(readFileSync(join(import.meta.dirname, 'fixtures', 'format-1.log')))).toBe(true);
  });
});
