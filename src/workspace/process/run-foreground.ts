import { spawn } from 'node:child_process';
import { constants } from 'node:os';

export interface ForegroundOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A process group of its own, which `stop` can end as a whole. It then does not hear Ctrl-C by itself. */
  readonly ownGroup?: boolean;
}
export interface Foreground {
  readonly pid: number;
  /** Signals the program, or its whole group when it has its own. */
  stop(signal: NodeJS.Signals): void;
  /** As a shell counts: 128 + the signal's number for a death by signal, 127 when it could not start. */
  readonly ended: Promise<number>;
}

/** Starts a program of ours on this process's own terminal or pipes. */
export function startForeground(file: string, args: readonly string[], options: ForegroundOptions): Foreground {
  const ownGroup = options.ownGroup ?? false;
  const child = spawn(file, args, { cwd: options.cwd, env: { ...options.env }, stdio: 'inherit', detached: ownGroup });
  const pid = child.pid ?? 0;
  return {
    pid,
    stop(signal) {
      try {
        if (pid !== 0) process.kill(ownGroup ? -pid : pid, signal);
      } catch {
        // It ended meanwhile.
      }
    },
    ended: new Promise((resolve) => {
      child.on('error', () => resolve(127));
      child.on('exit', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
    }),
  };
}

export const runForeground = (file: string, args: readonly string[], options: ForegroundOptions): Promise<number> =>
  startForeground(file, args, options).ended;
