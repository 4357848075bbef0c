import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
