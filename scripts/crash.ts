/**
 * The crash matrix. The bundle is built first and is what is killed; in half of the trials commands run in the sandbox
 * where it is Linux. `--only` repeats one trial of a seed; `--write` puts the results into docs/crash-correctness.md.
 * Exit code 0 means that nothing was found, 1 that something was, 2 that an option was not understood.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';
import { runFrozen } from '../test/crash/matrix/frozen.ts';
import { confinedHere, plansOf } from '../test/crash/matrix/plans.ts';
import { apartText, faultText, realOf, tableOf } from '../test/crash/matrix/report.ts';
import { runTrials } from '../test/crash/matrix/run-trials.ts';
import { build } from './build.ts';
import { readOptions, refuse, wholeNumber } from './options.ts';

const usage =
  'npm run crash -- [-n N] [--seed N] [--only N] [--jobs N] [--json FILE] [--write] [--sandbox all|half|none]';
const values = readOptions(
  {
    n: { type: 'string', short: 'n', default: '200' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string' },
    jobs: { type: 'string', default: '2' },
    json: { type: 'string' },
    sandbox: { type: 'string', default: confinedHere },
    write: { type: 'boolean', default: false },
  },
  usage,
);
const count = wholeNumber('-n', values.n, 1, usage);
const seed = wholeNumber('--seed', values.seed, 0, usage);
const jobs = wholeNumber('--jobs', values.jobs, 1, usage);
const only = values.only === undefined ? null : wholeNumber('--only', values.only, 0, usage);
const confined = (['all', 'half', 'none'] as const).find((one) => one === values.sandbox);
if (confined === undefined) refuse('--sandbox is all, half or none', usage);
const plans = plansOf(seed, count, confined);
const chosen = only === null ? plans : plans.filter(({ number }) => number === only);
if (chosen.length === 0) refuse(`there is no trial ${only} of ${count}`, usage);
const target = path.resolve(import.meta.dirname, '..', '.node', 'crash');
build(target, false);
const program = path.join(target, 'belay.js');
const print = (text: string) => process.stdout.write(`${text}\n`);

print(`seed ${seed}, ${chosen.length} trials`);
const trials = await runTrials(chosen, program, jobs, (trial) => {
  if (trial.faults.length > 0) print(faultText(trial));
  for (const { command, ended } of only === null ? [] : trial.ran)
    print(`--- belay ${command} ended ${ended.code}\n${ended.stdout}${ended.stderr}`);
});
const table = tableOf(trials);
print(table);
print(apartText(trials));
const frozen = only === null ? await runFrozen(program, Math.max(2, Math.round(chosen.length / 20))) : [];
const revived = frozen.map(
  ({ kind, trials: tried, missed, faults }) =>
    `${kind} stopped before its claim, revived after it was revoked: ${tried} trials (${missed} came too late), ${faults.length} faults`,
);
for (const line of [...revived, ...frozen.flatMap(({ faults }) => faults)]) print(line);
const bad = trials.filter(({ faults }) => faults.length > 0);
const isBad = bad.length > 0 || frozen.some(({ faults }) => faults.length > 0);
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify({ seed, trials, frozen }, null, 1));
print(isBad ? `${bad.length} trials with faults; repeat one with --seed ${seed} -n ${count} --only N` : 'no faults');
if (values.write) {
  const page = path.resolve(import.meta.dirname, '..', 'docs', 'crash-correctness.md');
  const where = `Seed ${seed}, ${realOf(trials).length} trials, ${bad.length} with faults; ${process.platform}, ${cpus().length} cores, Node ${process.version}.`;
  const results = [where, '', table, '', `* ${apartText(trials)}`, ...revived.map((line) => `* ${line}`)].join('\n');
  const text = readFileSync(page, 'utf8');
  const marks = /(<!-- results -->\n)[\s\S]*(<!-- \/results -->)/;
  writeFileSync(
    page,
    text.replace(marks, (_, begin: string, end: string) => `${begin}${results}\n${end}`),
  );
}
process.exitCode = isBad ? 1 : 0;
