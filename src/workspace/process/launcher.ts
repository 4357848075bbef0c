/**
 * A small shell that starts wrappers on demand. Forking from it costs a fraction of forking from this process, which
 * grows with every model answer, and no second copy of this process ever shows up in the memory of the tree.
 *
 * 1. It does nothing but start wrappers, each in a session of its own, one at a time; it runs no command itself.
 * 2. The wrapper reads its go line from the launcher's input; a line that no wrapper took starts nothing.
 * 3. When its input ends, because this process closed it or died, it leaves after the wrapper that runs.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { Env } from './command-env.ts';
import { toolEnv } from './command-env.ts';
import type { FindProgram } from './programs.ts';
import { statusLines } from './status-lines.ts';
import { WRAPPER } from './wrapper.ts';
import type { Wrapper, WrapperWords } from './wrapper-handle.ts';

/** A shell reads a pipe byte by byte, so a longer text costs more than a fork. */
const TEXT_BYTES_MAX = 4_096;

/**
 * Positional parameters: SETSID SH WRAPPER. A job is the line `job`, then one line each for attempt, action, working
 * directory, folder, nonce, boot, cap, cat, shell and the number of lines of the command, then these lines.
 */
const LAUNCHER = `
trap : TERM INT HUP QUIT USR1 USR2 ALRM PIPE
export BELAY_ATTEMPT GIT_REFLOG_ACTION
while IFS= read -r word; do
  [ "$word" = job ] || continue
  IFS= read -r BELAY_ATTEMPT && IFS= read -r GIT_REFLOG_ACTION && IFS= read -r place && IFS= read -r d &&
    IFS= read -r n && IFS= read -r b && IFS= read -r c && IFS= read -r k && IFS= read -r s &&
    IFS= read -r lines && IFS= read -r text || exit
  while [ "$lines" -gt 1 ]; do
    IFS= read -r line || exit
    text="$text
$line"
    lines=$((lines - 1))
  done
  cd "$place" && unset OLDPWD && "$1" "$2" -c "$3" belay "$d" "$n" "$b" "$c" "$k" "$s" -c -- "$text"
  printf 'exit %s %s\\n' "$n" "$?" >&3
done
`;

export interface Launchers {
  /** Null where a launcher cannot do it; the caller then starts the wrapper itself. */
  start(words: WrapperWords): Wrapper | null;
  /** Lets idle launchers go. */
  close(): void;
}

interface Launcher {
  readonly child: ChildProcess;
  readonly lines: ReturnType<typeof statusLines>;
}

/** Launchers for commands with this environment. Needs a `setsid` program; without one it never starts anything. */
export function openLaunchers(find: FindProgram, env: Env): Launchers {
  let idle: Launcher | null = null;

  const open = (setsid: string, sh: string, cwd: string): Launcher => {
    const child = spawn(sh, ['-c', LAUNCHER, 'belay', setsid, sh, WRAPPER], {
      argv0: 'sh',
      cwd,
      env: toolEnv(env),
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
    });
    child.on('error', () => undefined);
    (child.stdin as Writable).on('error', () => undefined);
    return { child, lines: statusLines(child) };
  };
  const giveBack = (launcher: Launcher): void => {
    if (launcher.lines.isGone()) return;
    if (idle === null) {
      idle = launcher;
      keepAlive(launcher, false);
    } else launcher.child.stdin?.end();
  };

  return {
    start(words) {
      const setsid = find('setsid');
      const sh = find('sh');
      if (setsid === null || sh === null || !isPlain(words)) return null;
      const launcher = idle !== null && !idle.lines.isGone() ? idle : open(setsid, sh, words.cwd);
      if (launcher === idle) idle = null;
      if (launcher.child.pid === undefined) return null;
      keepAlive(launcher, true);
      const { child, lines } = launcher;
      const job = lines.follow(words.nonce);
      void job.exited.then(() => giveBack(launcher));
      child.stdin?.write(jobText(words));
      return {
        ...job,
        go: () => void child.stdin?.write('go\n'),
        leave: () => {
          child.stdin?.write('no\n');
          return job.exited;
        },
        release: () => {
          lines.forget(words.nonce);
          keepAlive(launcher, false);
        },
      };
    },
    close() {
      idle?.child.stdin?.end();
      idle = null;
    },
  };
}

/** Only while a wrapper is waited for does a launcher keep this process from ending. */
function keepAlive({ child }: Launcher, wanted: boolean): void {
  const pipe = child.stdio[3] as Readable & { ref(): void; unref(): void };
  const input = child.stdin as Writable & { ref?(): void; unref?(): void };
  if (wanted) {
    child.ref();
    pipe.ref();
  } else {
    child.unref();
    pipe.unref();
    input.unref?.();
  }
}

/** Shells differ in what they make of other bytes on the way through `read`. */
const isPlain = (words: WrapperWords): boolean =>
  words.command.length <= TEXT_BYTES_MAX &&
  /^[\t\n\x20-\x7e]*$/.test(words.command) &&
  [words.cwd, words.folder, words.actionId, words.attemptId].every((word) => /^[\x20-\x7e]+$/.test(word));

function jobText(words: WrapperWords): string {
  const { attemptId, actionId, cwd, folder, nonce, bootId, blocks, cat, shell, command } = words;
  const lines = command.split('\n').length;
  return `${['job', attemptId, `belay/${actionId}`, cwd, folder, nonce, bootId, blocks, cat, shell, lines, command].join('\n')}\n`;
}
