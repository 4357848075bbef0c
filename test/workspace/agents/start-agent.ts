import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach } from 'vitest';

const agents: ChildProcess[] = [];

afterEach(() => {
  for (const agent of agents.splice(0)) kill(agent);
});

export interface Agent {
  /** Resolves when the agent has printed the word. */
  says(word: string): Promise<void>;
  /** Resolves when the agent is gone, with all that it printed. */
  ended(): Promise<string>;
  /** SIGKILL to the agent's whole process group; resolves when it is gone. */
  kill(): Promise<void>;
}

const FILES = {
  'run-command.ts': new URL('./run-command.ts', import.meta.url),
  'write-file.ts': new URL('./write-file.ts', import.meta.url),
  'write-files.ts': new URL('./write-files.ts', import.meta.url),
};

/** Starts a file of this folder as an agent in a process group of its own. */
export function startAgent(file: keyof typeof FILES, args: readonly string[], env: NodeJS.ProcessEnv = {}): Agent {
  const child = spawn(process.execPath, [fileURLToPath(FILES[file]), ...args], {
    env: { ...process.env, NODE_OPTIONS: '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  agents.push(child);
  let said = '';
  let listeners: (() => void)[] = [];
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    for (const listener of listeners.splice(0)) listener();
  });
  const gone = new Promise<void>((resolve) => {
    child.on('close', () => resolve());
  });
  return {
    async says(word) {
      while (!said.includes(word)) {
        await new Promise<void>((resolve) => {
          listeners = [...listeners, resolve];
        });
      }
    },
    async ended() {
      await gone;
      return said;
    },
    async kill() {
      kill(child);
      await gone;
    },
  };
}

function kill(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}
