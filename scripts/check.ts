/**
 * Everything that CI runs, without set-up; it never rewrites a file. The last line is `N passed, N failed`: each check
 * counts as one, the tests count one by one. BELAY_MATRIX=1 adds the run under the other Node versions.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const inRoot = (...parts: string[]): string => path.join(root, ...parts);

// Whatever a test starts as `node` shall be this Node, also where the host's own is too old.
const env = { ...process.env, PATH: [path.dirname(process.execPath), process.env['PATH']].join(path.delimiter) };

// Without a terminal Biome would still colour every single character.
const colors = `--colors=${process.stdout.isTTY ? 'force' : 'off'}`;

const checks: readonly { readonly name: string; readonly args: readonly string[] }[] = [
  { name: 'format and lint', args: ['node_modules/@biomejs/biome/bin/biome', 'ci', colors, '.'] },
  { name: 'types', args: ['node_modules/typescript/bin/tsc', '-p', '.'] },
  { name: 'import law', args: ['scripts/law.ts'] },
  { name: 'dead code', args: ['node_modules/knip/bin/knip.js', '--no-progress'] },
  { name: 'generated pages', args: ['scripts/docs.ts'] },
  ...(process.env['BELAY_MATRIX'] === '1' ? [{ name: 'other Node versions', args: ['scripts/matrix.ts'] }] : []),
];

interface Count {
  readonly passed: number;
  readonly failed: number;
}

function runNode(args: readonly string[]): number {
  return spawnSync(process.execPath, args, { cwd: root, env, stdio: 'inherit' }).status ?? 1;
}

function runChecks(): Count {
  const results = checks.map(({ name, args }) => {
    const good = runNode(args) === 0;
    process.stdout.write(`${good ? 'ok  ' : 'FAIL'} ${name}\n`);
    return good;
  });
  return { passed: results.filter(Boolean).length, failed: results.filter((good) => !good).length };
}

function readReport(file: string): { numPassedTests: number; numFailedTests: number; numPendingTests: number } {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0 };
  }
}

function runTests(): Count {
  const reportFile = inRoot('.node', `vitest-${process.pid}.json`);
  mkdirSync(path.dirname(reportFile), { recursive: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
  const exitCode = runNode(['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...process.argv.slice(2)]);
  const { numPassedTests, numFailedTests, numPendingTests } = readReport(reportFile);
  rmSync(reportFile, { force: true });
  if (numPendingTests > 0) process.stdout.write(`${numPendingTests} tests did not run\n`);
  // A file that cannot be loaded, an unhandled error or an empty run fails no single test, yet nothing is shown.
  const nothingShown = numPassedTests === 0 || (exitCode !== 0 && numFailedTests === 0);
  return { passed: numPassedTests, failed: numFailedTests + (nothingShown ? 1 : 0) };
}

const counts = [runChecks(), runTests()];
const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.reduce((sum, count) => sum + count.failed, 0);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
