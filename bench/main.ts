/**
 * The bench: one line a row, Belay beside a baseline of the same run.
 *
 *   npm run bench              all rows
 *   npm run bench -- rounds    only these
 *   npm run bench -- --entry FILE   another built entry than dist/belay.js
 *
 * It exits 1 when a row misses its bound. Ratios are of medians of interleaved pairs, because the machine is shared.
 */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { isWithin, judged, type Reading, type Row } from './row.ts';
import { commands } from './rows/commands.ts';
import { durability } from './rows/durability.ts';
import { files } from './rows/files.ts';
import { history } from './rows/history.ts';
import { listing } from './rows/listing.ts';
import { permission } from './rows/permission.ts';
import { prompt } from './rows/prompt.ts';
import { large, resumed } from './rows/resume.ts';
import { memory, rounds } from './rows/rounds.ts';
import { sandbox } from './rows/sandbox.ts';
import { search } from './rows/search.ts';
import { firstRequest, throughScript, version } from './rows/start-up.ts';
import { undo } from './rows/undo.ts';

const rows: readonly Row[] = [
  version,
  throughScript,
  firstRequest,
  rounds,
  memory,
  durability,
  prompt,
  history,
  resumed,
  large,
  listing,
  undo,
  commands,
  files,
  permission,
  sandbox,
  search,
];
const root = path.resolve(import.meta.dirname, '..');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { entry: { type: 'string', default: path.join(root, 'dist', 'belay.js') } },
});
const unknown = positionals.filter((id) => !rows.some((row) => row.id === id));
if (unknown.length > 0) {
  console.error(`unknown rows ${unknown.join(', ')}; there are ${rows.map((row) => row.id).join(', ')}`);
  process.exit(2);
}

let missed = 0;
print(['row', 'Belay', 'baseline', 'ratio', 'bound', '']);
for (const row of rows.filter(({ id }) => positionals.length === 0 || positionals.includes(id))) {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'belay-bench-')));
  try {
    for (const reading of await row.run({ node: process.execPath, entry: values.entry, root, folder })) tell(reading);
  } catch (error) {
    missed++;
    console.log(`${row.id}: could not be measured: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
process.exitCode = missed > 0 ? 1 : 0;

function tell(reading: Reading): void {
  if (!isWithin(reading)) missed++;
  const figure = (value: number) => `${value >= 100 ? value.toFixed(0) : value.toFixed(2)} ${reading.unit}`;
  print([
    reading.name,
    figure(reading.belay),
    reading.baseline === null ? '–' : figure(reading.baseline),
    reading.baseline === null ? '–' : `${judged(reading).toFixed(2)}×`,
    reading.baseline === null ? `≤ ${reading.bound}` : `≤ ${reading.bound}×`,
    `${isWithin(reading) ? 'ok' : 'MISS'}${reading.note === undefined ? '' : `  (${reading.note})`}`,
  ]);
}

function print([name = '', ...rest]: readonly string[]): void {
  console.log(`${name.padEnd(78)} ${rest.map((text, i) => (i < 4 ? text.padStart(12) : ` ${text}`)).join('')}`);
}
