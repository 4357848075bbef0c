/** The command line of the simulation, inside the redirected modules. */
import { type Report, simulate } from './simulate.ts';

export interface Order {
  /** Replay this seed and print its trace; null: many runs. */
  readonly seed: number | null;
  readonly runs: number;
  readonly from: number;
  readonly plant: string | null;
  /** How many seeds with a violation are looked for. */
  readonly finds: number;
}

/** Returns the exit code: 0 clean, 1 a violation. */
export async function main({ seed, runs, from, plant, finds }: Order): Promise<number> {
  await warmUp();
  if (seed !== null) {
    const report = await simulate(seed);
    process.stdout.write(`${report.trace.join('\n')}\n${lineOf(report)}\n`);
    return report.violations.length === 0 ? 0 : 1;
  }
  const totals = { facts: 0, effects: 0, lives: 0, found: 0 };
  const startedMs = performance.now();
  for (let i = 0; i < runs; i++) {
    const report = await simulate(from + i);
    totals.facts += report.facts;
    totals.effects += report.effects;
    totals.lives += report.lives;
    if (report.violations.length === 0) continue;
    const again = await simulate(report.seed);
    const same = again.trace.join('\n') === report.trace.join('\n');
    process.stdout.write(`${lineOf(report)}\n`);
    const option = plant === null ? '' : ` --plant "${plant}"`;
    process.stdout.write(
      `replay: npm run sim -- --seed ${report.seed}${option}${same ? '' : ' (NOT the same again)'}\n`,
    );
    totals.found++;
    if (totals.found === finds) return 1;
  }
  if (totals.found > 0) return 1;
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  process.stdout.write(
    `${runs} runs clean: ${totals.lives} lives, ${totals.facts} facts, ${totals.effects} effects in ${seconds} s\n`,
  );
  return 0;
}

/** What the product imports on first use is imported now, so that no run is unlike another. */
async function warmUp(): Promise<void> {
  await Promise.all([import('unbash'), import('diff'), import('chardet'), import('iconv-lite')]);
  for (let seed = 1; seed <= WARM_UPS; seed++) await simulate(seed);
}

const WARM_UPS = 12;

function lineOf({ seed, violations, facts, effects, lives }: Report): string {
  const head = `seed ${seed}: ${lives} lives, ${facts} facts, ${effects} effects`;
  return violations.length === 0 ? `${head}, clean` : `${head}, VIOLATED\n  ${violations.join('\n  ')}`;
}
