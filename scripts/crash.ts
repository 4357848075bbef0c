/**
 * The crash matrix: `npm run crash -- [-n N] [--seed N] [--only N] [--jobs N] [--json FILE] [--write]
 * [--sandbox all|half|none]`. The bundle is built first and is what is killed; in half of the trials commands run in the
 * sandbox where it is Linux. `--only` repeats one trial of a seed; `--write` puts the results into
 * docs/crash-correctness.md. Exit code 0 means: nothing was found.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runFrozen } from '../test/crash/matrix/frozen.ts';
import { confinedHere, plansOf } from '../test/crash/matrix/plans.ts';
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
    sandbox: { type: 'string', default: confinedHere },
    write: { type: 'boolean', default: false },
  },
});
const target = path.resolve(import.meta.dirname, '..', '.node', 'crash');
build(target, false);
const program = path.join(target, 'belay.js');
const confined = (['all', 'half', 'none'] as const).find((one) => one === values.sandbox);
if (confined === undefined) throw new Error('--sandbox is all, half or none');
const plans = plansOf(Number(values.seed), Number(values.n), confined);
const chosen = values.only === undefined ? plans : plans.filter(({ number }) => number === Number(values.only));
const print = (text: string) => process.stdout.write(`${text}\n`);

print(`seed ${values.seed}, ${chosen.length} trials`);
const trials = await runTrials(chosen, program, Number(values.jobs), (trial) => {
  if (trial.faults.length > 0) print(faultText(trial));
  for (const { command, ended } of values.only === undefined ? [] : trial.ran)
    print(`--- belay ${command} ended ${ended.code}\n${ended.stdout}${ended.stderr}`);
});
const table = tableOf(trials);
print(table);
const frozen = values.only === undefined ? await runFrozen(program, Math.max(2, Math.round(chosen.length / 20))) : [];
const revived = frozen.map(
  ({ kind, trials: count, missed, faults }) =>
    `${kind} stopped before its claim, revived after it was revoked: ${count} trials (${missed} came too late), ${faults.length} faults`,
);
for (const line of [...revived, ...frozen.flatMap(({ faults }) => faults)]) print(line);
const bad = trials.filter(({ faults }) => faults.length > 0);
const isBad = bad.length > 0 || frozen.some(({ faults }) => faults.length > 0);
if (values.json !== undefined)
  writeFileSync(values.json, JSON.stringify({ seed: values.seed, trials, frozen }, null, 1));
print(
  isBad
    ? `${bad.length} trials with faults; repeat one with --seed ${values.seed} -n ${values.n} --only N`
    : 'no faults',
);
if (values.write) {
  const page = path.resolve(import.meta.dirname, '..', 'docs', 'crash-correctness.md');
  const where = `Seed ${values.seed}, ${trials.length} trials, ${bad.length} with faults; ${process.platform}, ${cpus().length} cores, Node ${process.version}.`;
  const results = [where, '', table, '', ...revived.map((line) => `* ${line}`)].join('\n');
  const text = readFileSync(page, 'utf8');
  const marks = /(<!-- results -->\n)[\s\S]*(<!-- \/results -->)/;
  writeFileSync(
    page,
    text.replace(marks, (_, begin: string, end: string) => `${begin}${results}\n${end}`),
  );
}
process.exitCode = isBad ? 1 : 0;
