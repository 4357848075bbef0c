/** Ledgers of every released version are read, folded and gone on with, for ever. */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createProjector } from '#context';
import { decide, evolve, initialState } from '#kernel';
import { openStore } from '#ledger';
import { version } from '../../src/assembly/version.ts';
import { requestFaults } from '../context/valid-request.ts';
import { stories } from './stories.ts';
import { type Summary, summaryOf } from './summary.ts';

interface Golden {
  readonly provenance: { readonly belay: string; readonly node: string; readonly tells: string };
  readonly summary: Summary;
}

const recorded = path.join(import.meta.dirname, 'fixtures');
const versions = readdirSync(recorded);

test('this version has its ledgers', () => {
  const names = readdirSync(path.join(recorded, version));
  expect(names.toSorted()).toEqual(stories.flatMap(({ name }) => [`${name}.json`, `${name}.log`]).toSorted());
});

describe.each(versions)('ledgers of %s', (release) => {
  const folder = path.join(recorded, release);
  const names = readdirSync(folder).flatMap((name) => (name.endsWith('.log') ? [name.slice(0, -4)] : []));

  test.each(names)('%s means what it meant', async (name) => {
    const golden = JSON.parse(readFileSync(path.join(folder, `${name}.json`), 'utf8')) as Golden;
    expect(golden.provenance).toMatchObject({ belay: release, tells: expect.stringMatching(/\w/) });
    const home = mkdtempSync(path.join(tmpdir(), 'belay-golden-'));
    try {
      const session = path.join(home, 'sessions', 's');
      mkdirSync(session, { recursive: true });
      copyFileSync(path.join(folder, `${name}.log`), path.join(session, 'ledger.log'));
      const store = openStore({ home });
      const { report, problems } = await store.verify('s');
      expect(report).toMatchObject({ damage: null, newer: [], tornBytes: 0 });
      expect(problems.filter((problem) => !problem.includes('no blob'))).toEqual([]);
      expect(summaryOf(report.facts)).toEqual(golden.summary);

      let state = initialState;
      const projector = createProjector([]);
      for (const fact of report.facts) {
        state = evolve(state, fact);
        projector.fold([fact]);
        expect(decide(state).kind).toMatch(/\w/);
        expect(requestFaults(projector.request())).toEqual([]);
      }

      const ledger = await store.openWriter('s');
      await ledger.append([{ type: 'input.received', text: 'and on' }]);
      await ledger.close();
      expect((await store.openReader('s')).facts).toHaveLength(report.facts.length + 1);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });
});
