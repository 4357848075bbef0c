import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const run = (script: string, args: string) => {
  const words = [`scripts/${script}.ts`, ...args.split(' ')];
  return spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8' });
};

test.each([
  ['sim', '--runs abc'],
  ['sim', '--runs 0'],
  ['sim', '--seed x'],
  ['sim', '--runs 1e3'],
  ['sim', '--finds -1'],
  ['sim', '--plant nothing'],
  ['sim', '--unknown 1'],
  ['crash', '-n abc'],
  ['crash', '-n 0'],
  ['crash', '--seed x'],
  ['crash', '-n 3 --only 3'],
  ['crash', '--sandbox maybe'],
])('%s %s is refused with the usage and 2', (script, args) => {
  const { status, stdout, stderr } = run(script, args);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain(`usage: npm run ${script} -- `);
});

test('a seed with a number of runs is where they begin', () => {
  const { status, stdout } = run('sim', '--seed 12 --runs 3');
  expect(stdout).toMatch(/^3 runs clean: /);
  expect(status).toBe(0);
});
