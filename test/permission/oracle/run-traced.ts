/** Runs shell texts in a sandbox without network, under a tracer, and tells which programs each of them started. */
import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { standIns } from './grammar.ts';

export const shells = ['bash', 'dash'] as const;
/** Names of the programs that really started, by shell and by number of the text. */
export type Ran = { readonly [S in (typeof shells)[number]]: readonly (readonly string[])[] };

/** Texts mostly wait, for a tracer or for what they left running; so some sandboxes stand side by side. */
const sandboxes = 4;

/** Rejects where bubblewrap or strace is missing or does not work: then nothing is shown. */
export async function runTraced(texts: readonly string[]): Promise<Ran> {
  const size = Math.ceil(texts.length / sandboxes);
  const parts = Array.from({ length: sandboxes }, (_one, i) => texts.slice(i * size, (i + 1) * size));
  const ran = await Promise.all(parts.map(runPart));
  return { bash: ran.flatMap(({ bash }) => bash), dash: ran.flatMap(({ dash }) => dash) };
}

async function runPart(texts: readonly string[]): Promise<Ran> {
  const folder = mkdtempSync(path.join(tmpdir(), 'belay-oracle-'));
  try {
    fill(folder, texts);
    return await trace(start(folder), texts.length);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function fill(folder: string, texts: readonly string[]): void {
  for (const name of ['bin', 'shells', 'work/sub']) mkdirSync(path.join(folder, name), { recursive: true });
  for (const name of standIns) symlinkSync('/bin/true', path.join(folder, 'bin', name));
  for (const name of shells) symlinkSync(`/bin/${name}`, path.join(folder, 'shells', name));
  copyFileSync(path.join(import.meta.dirname, 'driver.bash'), path.join(folder, 'driver.bash'));
  writeFileSync(path.join(folder, 'texts'), texts.map((text) => `${text}\0`).join(''));
  for (const name of ['a.txt', 'b.txt', 'sub/c.txt']) writeFileSync(path.join(folder, 'work', name), 'zap\n');
  // Named by its path, it runs what it names.
  symlinkSync('/bin/true', path.join(folder, 'work/zap'));
}

function start(folder: string): ChildProcess {
  const sandbox =
    '--unshare-all --die-with-parent --new-session --ro-bind / / --dev /dev --proc /proc --tmpfs /run --tmpfs /tmp'.split(
      ' ',
    );
  const places = ['--ro-bind', folder, '/tmp/oracle', '--bind', path.join(folder, 'work'), '/tmp/work'];
  const tracer = 'strace -f -qq -s 4096 --seccomp-bpf -e signal=none -e trace=execve,execveat'.split(' ');
  const environment = ['-E', 'HOME=/tmp/work', '-E', 'PATH=/tmp/oracle/bin:/usr/bin:/bin'];
  return spawn(
    'bwrap',
    [
      ...sandbox,
      ...places,
      '--clearenv',
      '--setenv',
      'PATH',
      '/usr/bin:/bin',
      ...tracer,
      ...environment,
      'bash',
      '/tmp/oracle/driver.bash',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
}

async function trace(child: ChildProcess, count: number): Promise<Ran> {
  const ran = { bash: lists(count), dash: lists(count) };
  let current: string[] | null = null;
  let complete = false;
  const pending = new Map<string, Started>();
  const strange: string[] = [];
  const startedOne = ({ program, args }: Started): void => {
    const shell = shells.find((name) => program === `/tmp/oracle/shells/${name}`);
    if (shell === undefined) current?.push(program.slice(program.lastIndexOf('/') + 1));
    else {
      complete = args.at(-1) === 'end';
      current = ran[shell][Number(args.at(-1))] ?? null;
    }
  };
  const failure = new Promise<never>((_resolve, reject) => {
    child.once('error', (cause) => reject(new Error('bwrap (bubblewrap) must be installed for this test', { cause })));
  });
  if (child.stderr === null) throw new Error('the trace cannot be read');
  const reading = (async () => {
    for await (const line of createInterface({ input: child.stderr as NodeJS.ReadableStream })) {
      const [, pid = '', event = ''] = /^(?:\[pid +(\d+)\] )?(.*)$/s.exec(line) ?? [];
      const resumed = pending.get(pid);
      const one = readStart(event);
      if (event.includes('<unfinished') && one !== null) pending.set(pid, one);
      else if (/^<\.\.\. execve(at)? resumed>.* = 0$/.test(event) && resumed !== undefined) startedOne(resumed);
      else if (one !== null && / = 0$/.test(event)) startedOne(one);
      else if (!/^(<\.\.\. )?execve|^strace: Process|^\+\+\+|^---/.test(event) && strange.length < 5)
        strange.push(line);
    }
  })();
  await Promise.race([reading, failure]);
  if (!complete)
    throw new Error(`strace in bwrap did not run every text; both must work for this test: ${strange.join(' ')}`);
  return ran;
}

const lists = (count: number): string[][] => Array.from({ length: count }, () => []);

interface Started {
  readonly program: string;
  readonly args: readonly string[];
}

function readStart(event: string): Started | null {
  const named = /^execve\("((?:[^"\\]|\\.)*)", (?:\[(.*?)\]|0x)/s.exec(event);
  if (named !== null) {
    const args = [...(named[2] ?? '').matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => text);
    return { program: named[1] ?? '', args };
  }
  return event.startsWith('execveat(') ? { program: event, args: [] } : null;
}
