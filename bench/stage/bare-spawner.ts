/** A bare Node process that spawns shell commands with pipes: what a tool call costs when nothing is remembered. */
import { spawn } from 'node:child_process';
import type { Stage } from '../row.ts';

const program = `
const { spawn } = require('node:child_process');
process.on('message', ({ command, cwd }) => {
  const began = performance.now();
  const child = spawn('bash', ['-c', command], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.on('data', () => {});
  child.stderr.on('data', () => {});
  child.on('close', () => process.send(performance.now() - began));
});
`;

export interface BareSpawner {
  readonly pid: number;
  /** Milliseconds from the spawn to the end of its pipes. */
  time(command: string, cwd: string): Promise<number>;
  close(): void;
}

export function startBareSpawner(stage: Stage): BareSpawner {
  const child = spawn(stage.node, ['-e', program], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  return {
    pid: child.pid ?? 0,
    time: (command, cwd) =>
      new Promise((resolve, reject) => {
        child.once('message', (ms) => resolve(Number(ms)));
        child.send({ command, cwd }, (error) => {
          if (error) reject(error);
        });
      }),
    close: () => void child.kill(),
  };
}

/** Starts a Node that does nothing, looks at it once it runs, and ends it. */
export async function startBareNode<T>(stage: Stage, look: (pid: number) => T): Promise<T> {
  const child = spawn(stage.node, ['-e', "process.send('up'); process.on('message', () => {})"], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    child.once('error', reject);
  });
  const seen = look(child.pid ?? 0);
  child.kill();
  return seen;
}
