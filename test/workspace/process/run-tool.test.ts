import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { programFinder, runForeground, runTool, startForeground } from '#workspace';
import { tempFolder } from '../bench-place.ts';

const options = { cwd: '/', env: { PATH: '/usr/bin:/bin' }, timeoutMs: 10_000, outputBytesMax: 1_000 };

test.each([
  [
    'output and exit code',
    'echo a; echo b >&2; exit 3',
    {},
    { exitCode: 3, out: 'a\n', stderr: 'b\n', truncated: false },
  ],
  ['input', 'cat', { input: 'given' }, { exitCode: 0, out: 'given', stderr: '', truncated: false }],
  ['a flood', 'yes', {}, { exitCode: null, out: 'y\n'.repeat(500), stderr: '', truncated: true }],
  ['a deadline', 'sleep 300 & sleep 300', { timeoutMs: 50 }, { exitCode: null, out: '', stderr: '', timedOut: true }],
])('a helper program: %s', async (_name, command, more, expected) => {
  const result = await runTool('/bin/sh', ['-c', command], { ...options, ...more });
  expect({ ...result, out: Buffer.from(result.stdout).toString() }).toMatchObject(expected);
});

test('a helper program that does not exist, or is aborted, has no exit code', async () => {
  expect(await runTool('/nonexistent', [], options)).toMatchObject({ exitCode: null, timedOut: false });
  const signal = AbortSignal.timeout(30);
  expect(await runTool('/bin/sh', ['-c', 'sleep 300'], { ...options, signal })).toMatchObject({ exitCode: null });
});

test('arguments that the system does not take are told, not thrown', async () => {
  const result = await runTool('/bin/true', ['x'.repeat(4_000_000)], options);
  expect(result).toMatchObject({ exitCode: null, timedOut: false });
  expect(result.stderr).toContain('E2BIG');
});

const agent = fileURLToPath(new URL('../agents/run-tool.ts', import.meta.url));

test.each(['SIGKILL', 'SIGTERM'] as const)('a helper program that lasts ends with this process: %s', async (signal) => {
  const pidFile = join(tempFolder(), 'pid');
  const child = spawn(process.execPath, [agent, pidFile], {
    stdio: 'ignore',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const helper = () => (existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : 0);
  await expect.poll(helper, { timeout: 10_000 }).toBeGreaterThan(0);
  // A shell watches it only when it lasts.
  await expect.poll(() => isWatched(helper()), { timeout: 10_000 }).toBe(true);
  child.kill(signal);
  await expect.poll(() => isRunning(helper()), { timeout: 10_000 }).toBe(false);
});

/** The shell is told the group of the helper, as its last word. */
const isWatched = (pid: number): boolean =>
  readdirSync('/proc').some((name) => {
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8').endsWith(`\0belay\0-${pid}\0`);
    } catch {
      return false;
    }
  });

const isRunning = (pid: number): boolean => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'));
  } catch {
    return false;
  }
};

test('where the system has no more descriptors, starting a program fails and nothing else', () => {
  const folder = tempFolder();
  const file = fileURLToPath(new URL('../agents/no-descriptors.ts', import.meta.url));
  const run = spawnSync('/bin/sh', ['-c', 'ulimit -n 90; exec "$0" "$@"', process.execPath, file, folder], {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  expect(run.stderr).toBe('');
  expect(run.status).toBe(0);
  const told = JSON.parse(run.stdout) as readonly { readonly tool: number | null; readonly command: string }[];
  expect(told).toHaveLength(16);
  expect(told.filter(({ tool }) => tool === null).length).toBeGreaterThan(0);
  expect(told.at(-1)).toEqual({ tool: 0, command: 'exited' });
});

test('a program in the foreground gives its exit code, as a shell counts', async () => {
  const foreground = { cwd: '/', env: {} };
  expect(await runForeground('/bin/sh', ['-c', 'exit 9'], foreground)).toBe(9);
  expect(await runForeground('/nonexistent', [], foreground)).toBe(127);
  const started = startForeground('/bin/sh', ['-c', 'sleep 300 & sleep 300'], { ...foreground, ownGroup: true });
  started.stop('SIGKILL');
  expect(await started.ended).toBe(137);
});

test('programs are never taken from inside the workspace, nor from relative entries of the path', () => {
  const top = tempFolder();
  const root = join(top, 'work');
  const outside = join(top, 'bin');
  for (const folder of [root, outside]) mkdirSync(folder);
  for (const folder of [root, outside]) {
    writeFileSync(join(folder, 'tool'), '#!/bin/sh\n');
    chmodSync(join(folder, 'tool'), 0o755);
  }
  writeFileSync(join(outside, 'plain'), 'not executable');
  symlinkSync(join(root, 'tool'), join(outside, 'led-inside'));
  symlinkSync(root, join(top, 'link'));
  const find = programFinder(root, `.:${root}:${join(top, 'link')}:relative::${outside}`);
  expect(find('tool')).toBe(join(outside, 'tool'));
  expect(find('led-inside')).toBeNull();
  expect(find('plain')).toBeNull();
  expect(find('no-such-program')).toBeNull();
});
