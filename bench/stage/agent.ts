/** Belay as a process, as a user starts it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Stage } from '../row.ts';

export interface AgentOptions {
  readonly cwd: string;
  readonly env: { readonly [name: string]: string };
  readonly args?: readonly string[];
  /** What Belay is told to do; absent: a new run. */
  readonly command?: readonly string[];
  /** Runs the agent under this program, for example strace. */
  readonly under?: readonly string[];
}

export interface Agent {
  readonly child: ChildProcess;
  readonly startedAt: number;
  /** Exit code and everything printed. */
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>;
}

/** Data folder of everything that is measured on this stage. */
export const homeOf = (stage: Stage): string => path.join(stage.folder, 'home');

/** Only what a user's environment has; nothing that makes Node or Belay behave differently. */
export function environment(stage: Stage, more: { readonly [name: string]: string } = {}): NodeJS.ProcessEnv {
  const { PATH, HOME, LANG, TMPDIR } = process.env;
  return { PATH, HOME, LANG, TMPDIR, BELAY_HOME: homeOf(stage), ...more };
}

export function startAgent(stage: Stage, options: AgentOptions): Agent {
  mkdirSync(options.cwd, { recursive: true });
  const run = options.command ?? ['run', 'go on until you are done'];
  const args = [stage.entry, ...run, '--permission-mode', 'bypassPermissions'];
  const limits = ['--max-rounds', '100000'];
  const command = [...(options.under ?? []), stage.node, ...args, ...limits, ...(options.args ?? [])];
  const startedAt = performance.now();
  const child = spawn(command[0] as string, command.slice(1), {
    cwd: options.cwd,
    env: environment(stage, options.env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
  const ended = new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
  return { child, startedAt, ended };
}

/** Throws with what the agent printed unless it ended with 0. */
export async function endedWell(agent: Agent): Promise<void> {
  const { code, output } = await agent.ended;
  if (code !== 0) throw new Error(`belay ended with ${code}:\n${output}`);
}
