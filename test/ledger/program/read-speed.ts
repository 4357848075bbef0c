/** Prints how many times longer a ledger takes to be read and checked than the same facts as lines of JSON. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FactBody } from '#kernel';
import { openStore } from '#ledger';

const [, , home = '', facts = '0'] = process.argv;
const RUNS = 9;
const store = openStore({ home });
const ledger = await store.create('a');
const body: FactBody = {
  type: 'attempt.outcome',
  actionId: 'abcdefghijklmnop',
  attemptId: 'qrstuvwxyz012345',
  status: 'succeeded',
  output: 'a line of output\n'.repeat(8),
  files: [{ path: 'src/some/file.ts', base: null, result: 'd'.repeat(40) }],
  durationMs: 12,
};
for (let n = 0; ledger.lastSeq < Number(facts); n++)
  await ledger.append(Array.from({ length: 1 + (n % 4) }, () => body));
await ledger.close();
const lines = join(home, 'lines');
writeFileSync(lines, (await store.openReader('a')).facts.map((fact) => JSON.stringify(fact)).join('\n'));

// The quickest of several runs each, in turn: whatever else the machine does only ever makes a run slower.
let ours = Number.POSITIVE_INFINITY;
let plain = Number.POSITIVE_INFINITY;
const timed = async (run: () => unknown): Promise<number> => {
  const begin = performance.now();
  await run();
  return performance.now() - begin;
};
const parseLines = (): number => {
  const parsed: unknown[] = [];
  for (const line of readFileSync(lines, 'utf8').split('\n')) parsed.push(JSON.parse(line));
  return parsed.length;
};
for (let i = 0; i < RUNS; i++) {
  ours = Math.min(ours, await timed(() => store.openReader('a')));
  plain = Math.min(plain, await timed(parseLines));
}
console.log((ours / plain).toFixed(2));
