import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openModel } from '#model';
import { answerOf, failureOf, requestOf, textOf } from '../model/conversation.ts';
import { callContext } from '../model/facts.ts';
import { protocols } from './protocols.ts';

let folder = '';
let child: ChildProcess | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'belay-loopback-'));
});
afterAll(async () => {
  child?.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

it('serves a script as a program until its stdin ends', async () => {
  const script = join(folder, 'script.json');
  await writeFile(
    script,
    JSON.stringify({ turns: [{ text: 'from a process' }], faults: [{ kind: 'status', status: 529 }] }),
  );
  const running = spawn(process.execPath, ['test/servers/run.ts', '--provider', 'anthropic', '--script', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child = running;
  const port = await new Promise<string>((resolve) =>
    running.stdout.once('data', (data) => resolve(String(data).trim())),
  );
  const origin = `http://127.0.0.1:${port}`;
  const protocol = protocols[0]!;
  const opened = await openModel(`${protocol.provider}/${protocol.model}`, protocol.environment(origin, 'test-key'), {
    baseDir: folder,
    readText: () => Promise.reject(new Error('no file')),
  });
  if (!opened.ok) throw new Error(opened.error.message);
  expect(failureOf(await opened.value.generate(requestOf(), callContext().context)).kind).toBe('transient');
  expect(textOf(answerOf(await opened.value.generate(requestOf(), callContext().context)))).toBe('from a process');
  const requests = (await (await fetch(`${origin}/__requests`)).json()) as { status: number }[];
  expect(requests.map((request) => request.status)).toEqual([529, 200]);
  const ended = new Promise((resolve) => running.once('exit', resolve));
  running.stdin.end();
  expect(await ended).toBe(0);
});
