/**
 * The supervisor: a tiny shell text that runs one command and keeps its truth, whatever happens to the agent.
 *
 * 1. It waits for the go line on its standard input; any other line or the end means: leave without a trace.
 * 2. The claim comes after the go line and before the command. A taken claim ends it, and nothing has run. Behind the
 *    claim, and before the command, the place of the receipt says that it begins.
 * 3. All output precedes the end marker in one pipe; the marker, the receipt and the status tell the same exit code.
 * 4. No signal but KILL and STOP keeps it from telling the end. The command itself starts with default signals.
 * 5. Output above the cap is drained, never a reason for the command to fail; `cut` is created at the first lost byte.
 * 6. What its own shell says of a command that died by a signal goes to `said`, and so does what the command's shell
 *    says of the stages of its last pipe (descriptor 7, for texts that ask for it only).
 * 7. Standard error has a spool of its own, `err`, with an end marker of its own, for texts that ask for it only.
 * 8. The part that keeps the output says `up` when no signal can reach it any more; the go line waits for that. From
 *    then on the outer shell may die without any loss.
 */
import { BEGUN } from '../claim.ts';

/** What the wrapper tells where the command did not run. */
export const NOT_CLAIMED = 97;
export const NO_GO = 98;

/**
 * By these words a command text takes descriptor 7, which is `said`, out of reach of what it starts. Bash has no word for
 * close-on-exec; but what a group closes it keeps so, from descriptor 10 on, and a copy of that stays so.
 */
export const STAGES_TAKEN = '10>&-; { exec 251>&10; } 7>&-; exec 7>&-';

/** By these words a command text takes descriptor 6, a pipe of its own, for its standard error. */
export const ERRORS_TAKEN = 'exec 2>&6 6>&-';

/** What a text that lies in a file asks for, as a comment: the wrapper looks for it in the text that it is given. */
export function askedOf(text: string): string {
  const asked = [STAGES_TAKEN, ERRORS_TAKEN].filter((words) => text.includes(words));
  return asked.length === 0 ? '' : ` # ${asked.join(' ')}`;
}

/** Bytes reserved for the receipt, so that a full disk cannot keep it from being written. */
export const RECEIPT_BYTES = 160;

/**
 * Positional parameters: DIR NONCE BOOTID CAP CAT, then the command as words. CAP counts 512-byte blocks, which is
 * what `ulimit -f` means to a shell started under the name `sh`.
 *
 * Traps are `:` and not empty where the command starts, because an empty trap would be inherited as deafness; they
 * are set again in the left part, because each part of a pipeline is a subshell with its traps reset. The command's
 * redirections are made in a subshell that it replaces, or the word of its death would land in its output. The receipt is
 * one write over reserved bytes, without truncation.
 */
export const WRAPPER = `
trap : TERM INT HUP QUIT USR1 USR2 ALRM PIPE
d=$1 n=$2 b=$3 c=$4 k=$5 e=
shift 5
keep() {
  trap '' TERM INT HUP QUIT USR1 USR2 ALRM PIPE XFSZ
  [ "$1" = err ] || printf 'up %s 0\\n' "$n" >&3
  exec 3>&- 6>&-
  (ulimit -f "$c"; exec "$k" -u - >>"$d/$1" 2>/dev/null) || { true >"$d/cut"; exec "$k" -u - >/dev/null; }
}
main() {
{ trap : TERM INT HUP QUIT USR1 USR2 ALRM PIPE
  IFS= read -r go; [ "$go" = go ] || { printf 'left %s ${NO_GO}\\n' "$n" >&3; exit; }
  set -C; printf '%s %s\\n' "$$" "$b" >"$d/claim" || { printf 'left %s ${NOT_CLAIMED}\\n' "$n" >&3; exit; }; set +C
  printf '${BEGUN} %s\\n' "$n" 1<>"$d/rc"
  case $t in *'${STAGES_TAKEN}'*) (exec "$@" </dev/null 7>&2 2>&1 3>&-) ;; *) (exec "$@" </dev/null 2>&1 3>&-) ;; esac
  r=$?
  trap '' PIPE
  [ -z "$e" ] || printf '\\n%s %s\\n' "$n" "$r" >&6
  printf '\\n%s %s\\n' "$n" "$r"
  printf 'v1 %s exit %s %s end\\n' "$b" "$r" "$n" 1<>"$d/rc"
  printf 'status %s %s\\n' "$n" "$r" >&3
} 2>>"$d/said" | keep out
}
for t; do :; done
case $t in
*'${ERRORS_TAKEN}'*) e=1; { trap : TERM INT HUP QUIT USR1 USR2 ALRM PIPE; main "$@"; } 6>&1 | keep err ;;
*) main "$@" ;;
esac
`;
