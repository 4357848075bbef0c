/** The short form of the simulation, and the proof that it would find what it looks for. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { plants } from './plants.ts';

const root = path.resolve(import.meta.dirname, '../..');
const RUNS = 250;
/** Runs within which every planted bug must have been found. */
const RUNS_FOR_A_BUG = 3000;
const timeout = 300_000;
/** As many at once as a small machine has cores. */
const AT_ONCE = 2;

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

let running = 0;
const waiting: (() => void)[] = [];

async function simulate(...args: string[]): Promise<Ran> {
  while (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  running++;
  try {
    return await new Promise((resolve) => {
      const options = { cwd: root, maxBuffer: 64 * 1024 * 1024 };
      execFile(process.execPath, ['scripts/sim.ts', ...args], options, (error, stdout, stderr) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, stdout, stderr });
      });
    });
  } finally {
    running--;
    waiting.shift()?.();
  }
}

const replay = /^replay: npm run sim -- --seed (\d+)(?: --plant "(.*)")?$/m;

describe.concurrent('the simulation', () => {
  test(`${RUNS} runs are clean`, { timeout }, async ({ expect }) => {
    const { code, stdout, stderr } = await simulate('--runs', String(RUNS));
    expect(stderr + stdout).toContain(`${RUNS} runs clean`);
    // A call that the simulated machine cannot serve fails like any other, and then little happens.
    const [, effects = '0'] = /(\d+) effects/.exec(stdout) ?? [];
    expect(Number(effects) / RUNS).toBeGreaterThan(2.8);
    expect(code).toBe(0);
  });

  test('the same seed gives the same trace in another process, byte for byte', { timeout }, async ({ expect }) => {
    const [one, two] = await Promise.all([simulate('--seed', '42'), simulate('--seed', '42')]);
    expect(one.stdout.split('\n').length).toBeGreaterThan(50);
    expect(two.stdout).toBe(one.stdout);
  });

  test('a failure prints the command that shows it again, after other runs or alone', { timeout }, async ({
    expect,
  }) => {
    const found = await simulate('--plant', 'todo completed by a red test', '--runs', String(RUNS_FOR_A_BUG));
    const [, seed = '', name = ''] = replay.exec(found.stdout) ?? [];
    expect(Number(seed)).toBeGreaterThan(0);
    const violations = found.stdout.split('\n').filter((line) => line.startsWith('  '));
    const again = await simulate('--seed', seed, '--plant', name);
    expect(again.stdout.split('\n').filter((line) => line.startsWith('  '))).toEqual(violations);
    expect(again.code).toBe(1);
  });

  test.each(plants)('a planted bug is found: $name', { timeout }, async ({ name }) => {
    const found = await simulate('--plant', name, '--runs', String(RUNS_FOR_A_BUG));
    expect(found.stderr).not.toContain('was not planted');
    expect(found.stdout).toContain('VIOLATED');
    expect(replay.exec(found.stdout)?.[2], found.stdout).toBe(name);
    expect(found.code).toBe(1);
  });
});

test('at least fifteen different bugs are planted', () => {
  expect(plants.length).toBeGreaterThanOrEqual(15);
  expect(new Set(plants.map(({ name }) => name)).size).toBe(plants.length);
});
