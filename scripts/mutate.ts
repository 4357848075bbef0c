/**
 * Plants small faults into a room, one at a time, and expects that a test fails: `npm run mutate -- [--sample N]
 * [--seed N] [--only WORD,WORD] [--again FILE] [--jobs N] [--json FILE]`. A fault that no test finds is a survivor; those that change
 * nothing which anybody could see are listed, with the reason, in test/permission/mutants.json. Exits 1 on any other.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { chooseSample } from './mutate/choose-sample.ts';
import type { Mutant } from './mutate/find-mutants.ts';
import { permissionRoom } from './mutate/permission-room.ts';
import { runMutants } from './mutate/run-mutants.ts';

const { values } = parseArgs({
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    /** What an earlier run wrote with --json: only those survivors are tried. */
    again: { type: 'string' },
    jobs: { type: 'string', default: '1' },
    json: { type: 'string' },
  },
});

interface Listed {
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly nth: number;
  readonly why: string;
}

const root = path.resolve(import.meta.dirname, '..');
const listFile = path.join(root, 'test/permission/mutants.json');
const listed = JSON.parse(readFileSync(listFile, 'utf8')) as readonly Listed[];
const keyOf = ({ file, from, to, nth }: Omit<Listed, 'why'>): string => JSON.stringify([file, from, to, nth]);
const known = new Set(listed.map(keyOf));
const relative = (mutant: Mutant) => ({ ...mutant, file: path.relative(root, mutant.file) });

const room = permissionRoom(root);
const again =
  values.again === undefined
    ? null
    : new Set((JSON.parse(readFileSync(values.again, 'utf8')) as readonly Omit<Listed, 'why'>[]).map(keyOf));
const all = room.mutants
  .filter(({ file }) => values.only.split(',').some((word) => path.relative(root, file).includes(word)))
  .filter((mutant) => again === null || again.has(keyOf(relative(mutant))));
const chosen =
  values.sample === undefined
    ? all
    : chooseSample(all, Number(values.sample), {
        seed: Number(values.seed),
        keyOf: (mutant) => keyOf(relative(mutant)),
      });
const started = Date.now();
const survivors: ReturnType<typeof relative>[] = [];
const unlisted: ReturnType<typeof relative>[] = [];
const results = await runMutants(room, chosen, {
  jobs: Number(values.jobs),
  onResult({ mutant, killer }) {
    if (killer !== null) return;
    const survivor = relative(mutant);
    survivors.push(survivor);
    if (known.has(keyOf(survivor))) return;
    unlisted.push(survivor);
    const { file, line, from, to, nth } = survivor;
    process.stdout.write(`survived  ${file}:${line}  ${JSON.stringify({ from, to, nth })}\n`);
  },
});
const present = new Set(room.mutants.map((mutant) => keyOf(relative(mutant))));
const gone = listed.filter((one) => !present.has(keyOf(one)));
const found = new Set(survivors.map(keyOf));
const run = new Set(chosen.map((mutant) => keyOf(relative(mutant))));
const dead = listed.filter((one) => run.has(keyOf(one)) && !found.has(keyOf(one)));

for (const one of gone) process.stdout.write(`listed, but not there any more  ${keyOf(one)}\n`);
for (const one of dead) process.stdout.write(`listed, but found by a test  ${keyOf(one)}\n`);
if (values.json !== undefined) {
  const rows = unlisted.map(({ file, line, from, to, nth }) => ({ file, line, from, to, nth }));
  writeFileSync(values.json, `${JSON.stringify(rows, null, 1)}\n`);
}
const killed = results.length - survivors.length;
process.stdout.write(
  `${results.length} of ${room.mutants.length} faults: ${killed} found, ${survivors.length - unlisted.length} listed, ${unlisted.length} survived; ${Math.round((Date.now() - started) / 1000)} s\n`,
);
process.exitCode = unlisted.length + gone.length + dead.length > 0 ? 1 : 0;
