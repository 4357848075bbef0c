/**
 * Runs the simulation. With `--seed` alone it replays that run and prints its whole trace; with `--runs` it makes so many
 * runs, from that seed or from 1, or ends as soon as `--finds` of them broke a rule. `--plant` changes one line of the
 * product first; `--plant list` names the bugs there are. Exit code 0 means clean, 1 found, 2 not understood.
 */
import { install } from '../test/sim/loader.ts';
import { plants } from '../test/sim/plants.ts';
import { readOptions, refuse, wholeNumber } from './options.ts';

const usage = 'npm run sim -- [--seed N] [--runs N] [--plant NAME|list] [--finds N]';
const values = readOptions(
  {
    seed: { type: 'string' },
    runs: { type: 'string' },
    plant: { type: 'string' },
    finds: { type: 'string', default: '1' },
  },
  usage,
);
const seed = values.seed === undefined ? null : wholeNumber('--seed', values.seed, 0, usage);
const runs = values.runs === undefined ? null : wholeNumber('--runs', values.runs, 1, usage);
const finds = wholeNumber('--finds', values.finds, 1, usage);

if (values.plant === 'list') {
  process.stdout.write(`${plants.map(({ name, file }) => `${name} (${file})`).join('\n')}\n`);
} else {
  const plant = plants.find(({ name }) => name === values.plant) ?? null;
  if (values.plant !== undefined && plant === null) refuse(`there is no bug called ${values.plant}`, usage);
  install(plant);
  const { main } = await import('../test/sim/main.ts');
  process.exitCode = await main({
    seed: runs === null ? seed : null,
    runs: runs ?? 1000,
    from: seed ?? 1,
    plant: values.plant ?? null,
    finds,
  });
}
