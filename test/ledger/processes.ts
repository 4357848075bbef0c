import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach } from 'vitest';

export const programPath = (name: string): string => join(import.meta.dirname, 'program', `${name}.ts`);

export interface Running {
  readonly child: ChildProcess;
  /** The next line it prints. */
  line(): Promise<string>;
  say(text: string): void;
  /** SIGKILL, and until it is gone. */
  kill(): Promise<void>;
}

const running = new Set<Running>();
afterEach(async () => {
  for (const program of [...running]) await program.kill();
});

/** Starts one of the programs beside this file; it is killed at the end of the test at the latest. */
export function start(name: string, ...args: string[]): Running {
  const child = spawn(process.execPath, [programPath(name), ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines: string[] = [];
  const waiting: ((line: string) => void)[] = [];
  createInterface({ input: child.stdout! }).on('line', (line) => {
    const next = waiting.shift();
    if (next) next(line);
    else lines.push(line);
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const program: Running = {
    child,
    line: () => {
      const line = lines.shift();
      return line === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(line);
    },
    say: (text) => void child.stdin!.write(`${text}\n`),
    async kill() {
      child.kill('SIGKILL');
      await ended;
      running.delete(program);
    },
  };
  running.add(program);
  return program;
}
