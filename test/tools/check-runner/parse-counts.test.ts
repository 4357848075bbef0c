import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { parseCounts } from '../../../src/tools/check-runner/parse-counts.ts';
import { cleanText } from '../../../src/tools/text/clean-output.ts';

type Expected = readonly [passed: number, failed: number, skipped: number] | null;
const counted = (output: string): Expected => {
  const counts = parseCounts(cleanText(output));
  return counts === null ? null : [counts.passed, counts.failed, counts.skipped];
};

const spec = (pass: number, fail: number, rest = '') =>
  `ℹ tests ${pass + fail}\nℹ suites 0\nℹ pass ${pass}\nℹ fail ${fail}\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\nℹ duration_ms 12.3\n${rest}`;

describe('known formats', () => {
  it.each<[string, string, Expected]>([
    ['node:test spec', spec(3, 1), [3, 1, 0]],
    ['node:test TAP', '# tests 6\n# suites 1\n# pass 3\n# fail 1\n# cancelled 1\n# skipped 1\n# todo 1\n', [3, 2, 2]],
    ['tap by others', '1..2\n# tests 2\n# pass  2\n\n# ok\n', [2, 0, 0]],
    ['node:test, no files', spec(0, 0), [0, 0, 0]],
    ['node:test, a file without tests', `✔ test/empty.test.mjs (44.9ms)\n${spec(1, 0)}`, [0, 0, 0]],
    ['node:test TAP, a file without tests', 'ok 1 - /r/empty.test.js\n# tests 1\n# pass 1\n# fail 0\n', [0, 0, 0]],
    ['node:test, a file that does not load', `✖ test/broken.test.mjs (44.9ms)\n${spec(0, 1)}`, [0, 1, 0]],
    ['two suites in one run', `> a\n${spec(2, 0)}\n> b\n${spec(3, 0)}`, [5, 0, 0]],
    ['vitest', ' Test Files  1 failed (1)\n      Tests  1 failed | 2 passed | 1 skipped | 1 todo (5)\n', [2, 1, 2]],
    [
      'vitest in colour',
      '\x1b[2m      Tests \x1b[22m \x1b[1m\x1b[32m270 passed\x1b[39m\x1b[22m\x1b[90m (270)\x1b[39m',
      [270, 0, 0],
    ],
    ['vitest without tests', '      Tests  no tests\n', [0, 0, 0]],
    [
      'jest',
      'Test Suites: 1 failed, 1 total\nTests:       1 failed, 1 skipped, 1 todo, 2 passed, 5 total\n',
      [2, 1, 2],
    ],
    ['jest, one', 'Tests:       1 passed, 1 total\nSnapshots:   0 total\n', [1, 0, 0]],
    ['pytest', '============== 1 failed, 1 passed, 1 skipped, 1 xfailed in 0.62s ===============', [1, 1, 2]],
    ['pytest -q', '2 passed, 3 deselected, 1 warning in 0.55s', [2, 0, 0]],
    ['pytest, long', '===== 12 passed, 1 xpassed, 2 errors in 83.10s (0:01:23) =====', [13, 2, 0]],
    ['pytest, subtests', '===== 1 passed, 2 subtests passed in 0.10s =====', [1, 0, 0]],
    ['pytest, nothing found', '============ no tests ran in 0.01s ============', [0, 0, 0]],
    ['pytest, all deselected', '4 deselected in 0.58s', [0, 0, 0]],
    ['unittest', 'Ran 4 tests in 0.001s\n\nFAILED (failures=1, skipped=1, expected failures=1)\n', [1, 1, 2]],
    ['unittest, errors', 'Ran 3 tests in 0.001s\n\nFAILED (errors=2, unexpected successes=1)\n', [0, 3, 0]],
    ['unittest, one', 'Ran 1 test in 0.000s\n\nOK\n', [1, 0, 0]],
    ['unittest, all skipped', 'Ran 1 test in 0.000s\n\nOK (skipped=1)\n', [0, 0, 1]],
    ['unittest, none', 'Ran 0 tests in 0.000s\n\nNO TESTS RAN\n', [0, 0, 0]],
    ['unittest, none in older versions', 'Ran 0 tests in 0.000s\n\nOK\n', [0, 0, 0]],
  ])('%s', (_name, output, expected) => {
    expect(counted(output)).toEqual(expected);
  });

  const both = (first: string, second: string) => {
    const [one, other] = [`$ node --test\n${spec(2, 0)}`, `$ node --test\n${spec(3, 1)}`].map((text) =>
      text.split('\n'),
    );
    return (one ?? []).map((line, i) => `${first}${line}\n${second}${other?.[i] ?? ''}`).join('\n');
  };
  it.each<[string, string, Expected]>([
    ['pnpm -r', both('packages/a test: ', 'packages/b test: '), [5, 1, 0]],
    ['turbo', both('@m/a:test: ', 'b:test: '), [5, 1, 0]],
    [
      'turbo, one from its cache',
      both('@m/a:test: ', 'b:test: ').replace('$ node --test', 'cache hit, replaying logs 1a'),
      [3, 1, 0],
    ],
    ['lerna', both('@m/a: ', 'b: '), [5, 1, 0]],
    ['yarn', both('[@m/a]: ', '[b]: '), [5, 1, 0]],
    ['concurrently', both('[0] ', '[1] '), [5, 1, 0]],
    ['docker compose', both('app-1   | ', 'db-1  | '), [5, 1, 0]],
    ['vitest and jest', 'a test:       Tests  3 passed (3)\nb test: Tests:       1 passed, 1 total', [4, 0, 0]],
    ['unittest', 'a: Ran 4 tests in 0.001s\nb: Ran 1 test in 0.1s\na:\nb:\na: OK\nb: FAILED (failures=1)', [4, 1, 0]],
    [
      'one package beside plain lines',
      `a test: ${spec(1, 0).replaceAll('\n', '\na test: ')}\n${spec(2, 0)}`,
      [3, 0, 0],
    ],
  ])('each package by itself: %s', (_name, output, expected) => expect(counted(output)).toEqual(expected));

  it.each<[string, string]>([
    ['nothing', ''],
    ['a version', 'pytest 9.0.3\n'],
    ['a help text', 'usage: python -m unittest [-h] [-v]\n  -k TESTNAMEPATTERNS  Only run tests which match\n'],
    ['words about tests', '3 passed the gate\nRan 3 tests\nall tests 5\n# tests 3 are here\n'],
    ['a line that a test prints', '# pass 3\n'],
    ['a duration without tests', 'built 3 modules in 0.12s'],
    ['a warning only', '2 warnings in 0.12s'],
  ])('%s is no count', (_name, output) => {
    expect(counted(output)).toBeNull();
  });
});

const run = async (command: string, args: readonly string[], cwd: string) => {
  const { NODE_TEST_CONTEXT: _own, ...env } = process.env;
  const done = await promisify(execFile)(command, [...args], { cwd, env }).catch((error: unknown) => error);
  const { stdout, stderr } = done as { stdout: string; stderr: string };
  return `${stdout}${stderr}`;
};

describe('real runners', () => {
  const folder = mkdtempSync(join(tmpdir(), 'belay-counts-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const nodeBody = "('ok',()=>{}); test('bad',()=>{throw new Error('x')}); test.skip('s',()=>{}); test.todo('t');\n";

  it('node:test in both reporters, and behind npm test', async () => {
    put('a.test.mjs', `import test from 'node:test';\ntest${nodeBody}`);
    put('empty.test.mjs', 'console.log(1);\n');
    put('package.json', JSON.stringify({ name: 'x', version: '1.0.0', scripts: { test: 'node --test' } }));
    for (const reporter of ['spec', 'tap']) {
      const output = await run(
        process.execPath,
        ['--test', `--test-reporter=${reporter}`, 'a.test.mjs', 'empty.test.mjs'],
        folder,
      );
      expect(counted(output), output).toEqual([1, 1, 2]);
    }
    expect(counted(await run(process.execPath, ['--test', 'empty.test.mjs'], folder))).toEqual([0, 0, 0]);
    expect(counted(await run('npm', ['test'], folder))).toEqual([1, 1, 2]);
  });

  it('unittest', async () => {
    put(
      'test_a.py',
      'import unittest\nclass T(unittest.TestCase):\n def test_ok(self): pass\n def test_bad(self): self.fail()\n @unittest.skip("x")\n def test_s(self): pass\n',
    );
    expect(counted(await run('python3', ['-m', 'unittest'], folder))).toEqual([1, 1, 1]);
    expect(counted(await run('python3', ['-m', 'unittest', '-h'], folder))).toBeNull();
  });

  it('vitest', async () => {
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    put('b.check.ts', `import { test } from 'vitest';\ntest${nodeBody}`);
    put('vitest.config.mjs', "export default { test: { include: ['*.check.ts'] } };\n");
    const output = await run(process.execPath, [resolve('node_modules/vitest/vitest.mjs'), 'run'], folder);
    expect(counted(output), output).toEqual([1, 1, 2]);
  });
});
