/**
 * Runs the simulation: `npm run sim -- [--seed N] [--runs N] [--from N] [--plant NAME] [--finds N]`. With a seed it
 * replays that run and prints its whole trace; without one it ends after so many runs, or as soon as N of them broke a rule. `--plant` changes one line of the product first; `--plant list` names the bugs there are.
 */
import { parseArgs } from 'node:util';
import { install } from '../test/sim/loader.ts';
import { plants } from '../test/sim/plants.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    runs: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    plant: { type: 'string' },
    finds: { type: 'string', default: '1' },
  },
});

if (values.plant === 'list') {
  process.stdout.write(`${plants.map(({ name, file }) => `${name} (${file})`).join('\n')}\n`);
} else {
  const plant = plants.find(({ name }) => name === values.plant) ?? null;
  if (values.plant !== undefined && plant === null) throw new Error(`there is no bug called ${values.plant}`);
  install(plant);
  const { main } = await import('../test/sim/main.ts');
  process.exitCode = await main({
    seed: values.seed === undefined ? null : Number(values.seed),
    runs: Number(values.runs),
    from: Number(values.from),
    plant: values.plant ?? null,
    finds: Number(values.finds),
  });
}
