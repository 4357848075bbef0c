import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { programPath } from '../processes.ts';
import { temporaryFolder } from '../support.ts';

// In a process of its own: the test runner rewrites imports in a way that slows down inner loops.
it('reading, checking and decoding takes at most 2.2 times as long as parsing the same facts as lines', () => {
  const ratios: number[] = [];
  // A machine busy with other suites disturbs single measurements; it cannot make the program faster than it is.
  while (ratios.length < 4 && !ratios.some((ratio) => ratio <= 2.2)) {
    const run = spawnSync(process.execPath, [programPath('read-speed'), temporaryFolder(), '20000'], {
      encoding: 'utf8',
    });
    expect(run.stderr).toBe('');
    ratios.push(Number(run.stdout));
  }
  expect(Math.min(...ratios)).toBeLessThanOrEqual(2.2);
}, 120_000);
