/** A short form of `npm run mutate`: a sample of small faults in the room, each of which a test must find. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const sample = process.env['MUTANTS'] ?? '120';

it('small faults in the room are found by its quick tests', { timeout: 900_000 }, () => {
  const args = ['scripts/mutate.ts', '--sample', sample, '--seed', process.env['MUTANTS_SEED'] ?? '7'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  expect({ status, told: status === 0 ? '' : `${stdout}\n${stderr}` }).toEqual({ status: 0, told: '' });
});
