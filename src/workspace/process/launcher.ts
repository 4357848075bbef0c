/**
 * A small shell that starts wrappers. Forking from it costs a fraction of forking from this process, which grows with
 * every model answer, and no second copy of this process ever shows up in the memory of the tree. It always holds one
 * wrapper ready, so that the next command waits for no program to be loaded.
 *
 * 1. It does nothing but start wrappers, each in a session of its own, one at a time; it runs no command itself.
 * 2. A wrapper reads its job and its go line from the launcher's input; a line that no wrapper took starts nothing.
 * 3. When its input ends, because this process closed it or died, wrappers without a go line leave, and it, too.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { ConfinedStart } from '../contract.ts';
import type { Env } from './command-env.ts';
import { toolEnv } from './command-env.ts';
import { CONFINEMENT, FILTER, HEAD } from './exec-folder.ts';
import type { FindProgram } from './programs.ts';
import { type StatusLines, statusLines, type Told } from './status-lines.ts';
import { NO_GO, WRAPPER } from './wrapper.ts';
import { makeNonce, type Wrapper, type WrapperWords } from './wrapper-handle.ts';

/** A shell reads a pipe byte by byte, so a longer text costs more than a fork. */
const TEXT_BYTES_MAX = 4_096;

/**
 * Positional parameters: SETSID SH WRAPPER. The line `next NONCE` asks for a wrapper, whose arguments carry the nonce,
 * so that it can be told from what it runs.
 */
const LAUNCHER = `
trap : TERM INT HUP QUIT USR1 USR2 ALRM PIPE
while IFS=' ' read -r word n; do
  [ "$word" = next ] || continue
  "$1" "$2" -c "$3" belay "$n"
  printf 'exit %s %s\\n' "$n" "$?" >&3
done
`;

/**
 * What a waiting wrapper does first. A job has one line each for attempt, action, working directory, folder, boot, cap,
 * cat, shell, the program that confines (empty: none) and the number of lines of the command, then these lines. The
 * options of that program lie in the folder already, and it tells the first process inside there.
 */
const JOB_READER = `
trap : TERM INT HUP QUIT USR1 USR2 ALRM PIPE
printf 'ready %s %s\\n' "$1" "$$" >&3
IFS= read -r BELAY_ATTEMPT && IFS= read -r GIT_REFLOG_ACTION && IFS= read -r place && IFS= read -r d &&
  IFS= read -r b && IFS= read -r c && IFS= read -r k && IFS= read -r s && IFS= read -r p && IFS= read -r lines && IFS= read -r text ||
  exit ${NO_GO}
while [ "$lines" -gt 1 ]; do
  IFS= read -r line || exit ${NO_GO}
  text="$text
$line"
  lines=$((lines - 1))
done
export BELAY_ATTEMPT GIT_REFLOG_ACTION
cd "$place" && unset OLDPWD || exit ${NO_GO}
set -- "$d" "$1" "$b" "$c" "$k" "$s" -c -- "$text"
[ -z "$p" ] || {
  exec 8>"$d/${HEAD}" 9<"$d/${CONFINEMENT}"
  f=
  [ ! -e "$d/${FILTER}" ] || { exec 5<"$d/${FILTER}"; f='--seccomp 5'; }
  set -- "$d" "$2" "$b" "$c" "$k" "$p" --args 9 --info-fd 8 $f -- "$s" -c -- "$text"
}
`;

export interface Launchers {
  /** Null where a launcher cannot do it; the caller then starts the wrapper itself. */
  start(words: WrapperWords): Wrapper | null;
  /** Lets idle launchers go. */
  close(): void;
}

interface Launcher {
  readonly child: ChildProcess;
  readonly lines: StatusLines;
  /** The wrapper that waits for a job. */
  waiting: { readonly nonce: string; readonly told: Told };
}

/**
 * Launchers for commands with this environment. Needs a `setsid` program; without one it never starts anything. `carried`:
 * variables of all commands under names that mean nothing here; they are asked for where a launcher starts.
 */
export function openLaunchers(find: FindProgram, env: Env, carried: () => Env = () => ({})): Launchers {
  let idle: Launcher | null = null;
  /** Whether one more command is expected; false between `close` and the next start. */
  let isWanted = true;

  const open = (setsid: string, sh: string): Launcher | null => {
    const child = spawn(sh, ['-c', LAUNCHER, 'belay', setsid, sh, JOB_READER + WRAPPER], {
      argv0: 'sh',
      cwd: '/',
      env: { ...toolEnv(env), ...carried() },
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
    });
    child.on('error', () => undefined);
    // Where the system has no more descriptors there are no pipes.
    if (child.pid === undefined) return null;
    (child.stdin as Writable).on('error', () => undefined);
    const lines = statusLines(child);
    return { child, lines, waiting: next(child, lines) };
  };
  const giveBack = (launcher: Launcher): void => {
    if (launcher.lines.isGone()) return;
    if (idle === null && isWanted) {
      launcher.waiting = next(launcher.child, launcher.lines);
      idle = launcher;
      keepAlive(launcher, false);
    } else launcher.child.stdin?.end();
  };
  const take = (setsid: string, sh: string): Launcher | null => {
    const launcher = idle;
    idle = null;
    if (launcher !== null && launcher.waiting.told.exit() === undefined) return launcher;
    launcher?.child.stdin?.end();
    return open(setsid, sh);
  };

  return {
    start(words) {
      const setsid = find('setsid');
      const sh = find('sh');
      if (setsid === null || sh === null || !isPlain(words)) return null;
      if (words.confined !== null && !isBubblewrap(words.confined)) return null;
      isWanted = true;
      const launcher = take(setsid, sh);
      if (launcher === null) return null;
      keepAlive(launcher, true);
      const { child, lines, waiting } = launcher;
      const { nonce, told } = waiting;
      // Where the outer shell was killed, its inner part still reads the input: nobody else may use it any more.
      void told.exited.then(() => (told.exit()?.code === null ? child.stdin?.end() : giveBack(launcher)));
      child.stdin?.write(jobText(words));
      // Once its end is known, the next wrapper has been asked for and would take the line for its own.
      const say = (line: string): void => {
        if (told.exit() === undefined) child.stdin?.write(line);
      };
      return {
        ...told,
        nonce,
        go: () => say('go\n'),
        leave: () => {
          say('no\n');
          return told.exited;
        },
        release: () => {
          // The launcher is free only when the wrapper has ended, which can be long after the command did.
          void told.exited.then(() => lines.forget(nonce));
          if (launcher.waiting.nonce === nonce) keepAlive(launcher, false);
        },
      };
    },
    close() {
      isWanted = false;
      idle?.child.stdin?.end();
      idle = null;
    },
  };
}

/** Asks for a wrapper. */
function next(child: ChildProcess, lines: StatusLines): Launcher['waiting'] {
  const nonce = makeNonce();
  const told = lines.follow(nonce);
  child.stdin?.write(`next ${nonce}\n`);
  return { nonce, told };
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

/** What the job reader gives to the program that confines. */
const isBubblewrap = ({ optionsFrom, headTo, filter }: ConfinedStart): boolean =>
  optionsFrom === '--args' && headTo === '--info-fd' && (filter === undefined || filter.option === '--seccomp');

/** Shells differ in what they make of other bytes on the way through `read`. */
const isPlain = (words: WrapperWords): boolean =>
  words.command.length <= TEXT_BYTES_MAX &&
  /^[\t\n\x20-\x7e]*$/.test(words.command) &&
  [words.cwd, words.folder, words.actionId, words.attemptId].every((word) => /^[\x20-\x7e]+$/.test(word));

function jobText(words: WrapperWords): string {
  const { attemptId, actionId, cwd, folder, bootId, blocks, cat, shell, confined, command } = words;
  const fields = [attemptId, `belay/${actionId}`, cwd, folder, bootId, blocks, cat, shell, confined?.program ?? ''];
  return `${[...fields, command.split('\n').length, command].join('\n')}\n`;
}
