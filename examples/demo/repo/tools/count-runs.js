/**
 * Lets somebody outside see how often the tests really ran: where `count-runs.json` names a file, each run appends a
 * line to it. Run number N then waits, for ten seconds at most, as long as the file `HOLD-N` exists.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';

const settings = new URL('../count-runs.json', import.meta.url);

if (existsSync(settings)) {
  const { effects, hold } = JSON.parse(readFileSync(settings, 'utf8'));
  appendFileSync(effects, `${process.pid}\n`);
  const runs = readFileSync(effects, 'utf8').trim().split('\n').length;
  const still = new Int32Array(new SharedArrayBuffer(4));
  for (let waited = 0; waited < 10_000 && existsSync(`${hold}-${runs}`); waited += 20) Atomics.wait(still, 0, 0, 20);
}
