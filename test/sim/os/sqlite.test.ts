/** The simulated lock is held and given back by the same statements as a real database. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runningMachine } from '../pump.ts';
import { DatabaseSync as Simulated } from './sqlite.ts';

const { volume } = runningMachine(13);

type Database = Pick<DatabaseSync, 'exec' | 'close'>;
type Call = readonly [who: number, file: string, what: 'take' | 'give back' | 'close'];

/** The product opens a database to take its lock, and closes one that it could not take. */
function outcomes(calls: readonly Call[], open: (file: string) => Database): readonly string[] {
  const opened = new Map<string, Database>();
  const told = calls.map(([who, file, what]) => {
    const name = `${who} ${file}`;
    const database = opened.get(name);
    if (what !== 'take') {
      if (database === undefined) return 'nothing';
      if (what === 'give back') database.exec('ROLLBACK');
      database.close();
      opened.delete(name);
      return what;
    }
    if (database !== undefined) return 'has it';
    const mine = open(file);
    try {
      mine.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
      opened.set(name, mine);
      return 'took it';
    } catch (error) {
      mine.close();
      return `error ${(error as { errcode?: number }).errcode}`;
    }
  });
  for (const database of opened.values()) database.close();
  return told;
}

test('any sequence of calls of three holders on two files has the results of a real one', () => {
  const call = fc.tuple(
    fc.integer({ min: 1, max: 3 }),
    fc.constantFrom('a', 'b'),
    fc.constantFrom<Call[2]>('take', 'take', 'give back', 'close'),
  );
  let run = 0;
  fc.assert(
    fc.property(fc.array(call, { maxLength: 12 }), (calls) => {
      const folder = mkdtempSync(join(tmpdir(), 'belay-lock-'));
      const twin = `/locks/${++run}`;
      volume.makeFolders(twin);
      try {
        for (const name of ['a', 'b']) writeFileSync(join(folder, name), '');
        const real = outcomes(calls, (file) => new DatabaseSync(join(folder, file), { timeout: 0 }));
        expect(outcomes(calls, (file) => new Simulated(`${twin}/${file}`))).toEqual(real);
      } finally {
        rmSync(folder, { recursive: true });
      }
    }),
    { numRuns: 100 },
  );
});
