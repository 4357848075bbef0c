/**
 * The crash matrix: `npm run crash -- [-n N] [--seed N] [--only N] [--jobs N] [--json FILE]`. The bundle is built first
 * and is what is killed. `--only` repeats one trial of a seed. Exit code 0 means: nothing was found.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runFrozen } from '../test/crash/matrix/frozen.ts';
import { plansOf } from '../test/crash/matrix/plans.ts';
import { faultText, tableOf } from '../test/crash/matrix/report.ts';
import { runTrials } from '../test/crash/matrix/run-trials.ts';
import { build } from './build.ts';

const { values } = parseArgs({
  options: {
    n: { type: 'string', short: 'n', default: '200' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string' },
    jobs: { type: 'string', default: '2' },
    json: { type: 'string' },
  },
});
const target = path.resolve(import.meta.dirname, '..', '.node', 'crash');
build(target, false);
const program = path.join(target, 'belay.js');
const plans = plansOf(Number(values.seed), Number(values.n));
const chosen = values.only === undefined ? plans : plans.filter(({ number }) => number === Number(values.only));
const print = (text: string) => process.stdout.write(`${text}\n`);

print(`seed ${values.seed}, ${chosen.length} trials`);
const trials = await runTrials(chosen, program, Number(values.jobs), (trial) => {
  if (trial.faults.length > 0) print(faultText(trial));
  for (const { command, ended } of values.only === undefined ? [] : trial.ran)
    print(`--- belay ${command} ended ${ended.code}\n${ended.stdout}${ended.stderr}`);
});
print(tableOf(trials));
const frozen = values.only === undefined ? await runFrozen(program, Math.max(2, Math.round(chosen.length / 20))) : [];
for (const { kind, trials: count, missed, faults } of frozen) {
  print(
    `${kind} stopped before its claim, revived after it was revoked: ${count} trials (${missed} came too late), ${faults.length} faults`,
  );
  for (const fault of faults) print(`  ${fault}`);
}
const bad = trials.filter(({ faults }) => faults.length > 0);
const isBad = bad.length > 0 || frozen.some(({ faults }) => faults.length > 0);
if (values.json !== undefined)
  writeFileSync(values.json, JSON.stringify({ seed: values.seed, trials, frozen }, null, 1));
print(
  isBad
    ? `${bad.length} trials with faults; repeat one with --seed ${values.seed} -n ${values.n} --only N`
    : 'no faults',
);
process.exitCode = isBad ? 1 : 0;
