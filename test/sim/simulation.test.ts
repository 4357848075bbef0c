/** The short form of the simulation, and the proof that it would find what it looks for. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { plants } from './plants.ts';

const root = path.resolve(import.meta.dirname, '../..');
const RUNS = 250;
/** Runs within which every planted bug must have been found. */
const RUNS_FOR_A_BUG = 1200;
const timeoutMs = 240_000;

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const simulate = (...args: string[]): Promise<Ran> =>
  new Promise((resolve) => {
    const options = { cwd: root, maxBuffer: 64 * 1024 * 1024 };
    execFile(process.execPath, ['scripts/sim.ts', ...args], options, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, stdout, stderr });
    });
  });

test(`${RUNS} runs are clean`, { timeout: timeoutMs }, async () => {
  const { code, stdout, stderr } = await simulate('--runs', String(RUNS));
  expect(stderr + stdout).toContain(`${RUNS} runs clean`);
  expect(code).toBe(0);
});

test('the same seed gives the same trace, byte for byte, in another process and after other runs', {
  timeout: timeoutMs,
}, async () => {
  const [one, two] = await Promise.all([simulate('--seed', '42'), simulate('--seed', '42')]);
  expect(one.stdout.split('\n').length).toBeGreaterThan(50);
  expect(two.stdout).toBe(one.stdout);
});

describe('planted bugs', () => {
  test('are at least fifteen', () => {
    expect(plants.length).toBeGreaterThanOrEqual(15);
    expect(new Set(plants.map(({ name }) => name)).size).toBe(plants.length);
  });

  test.each(plants)('$name is found, and its seed shows it again', { timeout: timeoutMs }, async ({ name }) => {
    const found = await simulate('--plant', name, '--runs', String(RUNS_FOR_A_BUG));
    expect(found.stderr).not.toContain('was not planted');
    expect(found.stdout).toContain('VIOLATED');
    expect(found.code).toBe(1);
    const seed = /^replay: npm run sim -- --seed (\d+) --plant "(.*)"$/m.exec(found.stdout);
    expect(seed?.[2]).toBe(name);
    const violation = found.stdout.split('\n').find((line) => line.startsWith('  '));
    const again = await simulate('--seed', seed?.[1] ?? '', '--plant', name);
    expect(again.stdout).toContain(violation);
  });
});
