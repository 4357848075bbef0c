/**
 * A small shell that ends what a dead agent left running. An agent that was killed without a chance leaves its commands
 * to their wrappers, which is right, but nobody would hold their limits any more until somebody resumes the session.
 *
 * 1. It does nothing while the agent lives, and leaves without a trace at an orderly end.
 * 2. When its input ends without a word, it ends each command at that command's own limit, told by uptime, and marks the
 *    attempt's folder with `limit` first, so that whoever settles the attempt knows why it ended.
 * 3. An attempt that somebody follows again (`attached`) is not its business any more.
 * 4. What belongs to a command is told as `process-table.ts` tells it; what was found once is ended whatever it leaves.
 * 5. Wrappers are spared: they still have the receipt to write.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { uptime } from 'node:os';
import type { Writable } from 'node:stream';
import { ATTEMPT_TAG, type Env, toolEnv } from './command-env.ts';
import { ATTACHED, LIMIT } from './exec-folder.ts';
import { hasProcessTable, type Tree } from './process-table.ts';
import type { FindProgram } from './programs.ts';

/** The longest time between two looks at whether something is left to wait for, in seconds. The first one is short. */
const LOOK_SECONDS = 60;

/**
 * Input: a line `UPTIME ATTEMPT LEADER START NONCE FOLDER` for each started attempt, or `bye`. Positional parameters:
 * GREP TR SLEEP.
 */
const KEEPER = `
trap : TERM INT HUP QUIT USR1 USR2 ALRM PIPE
jobs=
while IFS= read -r line; do
  [ "$line" != bye ] || exit 0
  jobs="$jobs$line
"
done
session_of() {
  session= began=
  { IFS= read -r stat <"/proc/$1/stat"; } 2>/dev/null || return
  set -- \${stat##*) }
  case $1 in [ZXx]) return ;; esac
  session=$4 began=\${20}
}
below() {
  todo=$found
  while [ -n "$todo" ]; do
    more=
    for p in $todo; do
      for list in /proc/$p/task/*/children; do
        kids=
        { IFS= read -r kids <"$list"; } 2>/dev/null
        for kid in $kids; do
          case "$found " in *" $kid "*) ;; *) found="$found $kid" more="$more $kid" ;; esac
        done
      done
    done
    todo=$more
  done
}
members() {
  tagged=" $("$1" -lzxs -- "${ATTEMPT_TAG}=$id" /proc/[0-9]*/environ | "$2" '\\n' ' ') "
  session_of "$leader"
  [ -z "$began" ] || [ "$began" = "$start" ] || leader=none
  found=
  for p in /proc/[0-9]*; do
    case $tagged in *" $p/environ "*) ;; *) session_of "\${p#/proc/}"; [ "$session" = "$leader" ] || continue ;; esac
    "$1" -qaFs -- "$nonce" "$p/cmdline" && continue
    case $("$2" '\\0' ' ' 2>/dev/null <"$p/cmdline") in '' | *'cat -u - ') continue ;; esac
    found="$found \${p#/proc/}"
  done
  for one in $kept; do
    session_of "\${one%:*}"
    [ "$began" = "\${one#*:}" ] || continue
    case "$found " in *" \${one%:*} "*) ;; *) found="$found \${one%:*}" ;; esac
  done
  below
  [ -n "$found" ]
}
keep() { for p in $found; do session_of "$p"; [ -z "$began" ] || kept="$kept $p:$began"; done; }
finish() {
  printf '%s\\n' "$at" >"$folder/${LIMIT}"
  keep
  kill -TERM $found 2>/dev/null
  "$3" 1
  round=0
  while [ "$round" -lt 50 ] && members "$1" "$2"; do
    keep
    kill -KILL $found 2>/dev/null
    round=$((round + 1))
    "$3" 0.05
  done
}
look=1
while [ -n "$jobs" ]; do
  read -r now rest </proc/uptime
  now=\${now%.*} later= kept= pause=$look
  [ "$look" -ge ${LOOK_SECONDS} ] || look=$((look * 2))
  while IFS=' ' read -r at id leader start nonce folder; do
    [ -n "$folder" ] && [ -d "$folder" ] && [ ! -e "$folder/${ATTACHED}" ] && members "$1" "$2" || continue
    if [ "$at" -le "$now" ]; then finish "$@"; kept=; continue; fi
    later="$later$at $id $leader $start $nonce $folder
"
    [ "$((at - now))" -ge "$pause" ] || pause=$((at - now))
  done <<JOBS
$jobs
JOBS
  jobs=$later
  [ -z "$jobs" ] || "$3" "$pause"
done
`;

export interface Keeper {
  /** Starts the keeper where there is none, so that `watch` costs no more than a line. */
  open(): void;
  /** Tells of a command that has started; `limitMs` counts from now, 0 means: as soon as the agent is gone. */
  watch(tree: Tree, execFolder: string, limitMs: number): void;
  /** Lets the keeper go: whatever is still running is somebody else's business. */
  close(): void;
}

/** Works where processes can be listed and `grep`, `tr` and `sleep` exist; elsewhere limits hold only while an agent lives. */
export function openKeeper(find: FindProgram, env: Env): Keeper {
  let child: ChildProcess | null = null;
  let isTried = false;
  const open = (): ChildProcess | null => {
    const [sh, ...programs] = ['sh', 'grep', 'tr', 'sleep'].map(find);
    if (!hasProcessTable() || sh === undefined || sh === null || programs.includes(null)) return null;
    const started = spawn(sh, ['-c', KEEPER, 'belay', ...(programs as string[])], {
      argv0: 'sh',
      cwd: '/',
      env: toolEnv(env),
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    started.on('error', () => undefined);
    started.on('exit', () => {
      if (child === started) child = null;
    });
    started.stdin?.on('error', () => undefined);
    started.unref();
    // Where the system has no more descriptors there is no pipe either.
    (started.stdin as (Writable & { unref?: () => void }) | null)?.unref?.();
    return started;
  };
  const ensure = () => {
    if (!isTried) child = open();
    isTried = true;
  };
  return {
    open: ensure,
    watch(tree, execFolder, limitMs) {
      ensure();
      if (execFolder.includes('\n')) return;
      const at = limitMs === 0 ? 0 : Math.ceil(uptime() + limitMs / 1000);
      child?.stdin?.write(
        `${at} ${tree.attemptId} ${tree.leader} ${tree.leaderStart ?? 0} ${tree.nonce} ${execFolder}\n`,
      );
    },
    close() {
      child?.stdin?.end('bye\n');
      child = null;
      isTried = false;
    },
  };
}
