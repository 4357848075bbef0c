/**
 * What an exit code does not tell: whether a signal ended the command, and how the earlier stages of its last pipe ended.
 *
 * Only what was said counts. A shell that is replaced (`exec`), or that has an exit trap of its own, says nothing.
 */
import { saidPath } from './exec-folder.ts';
import { CARRIED } from './passed-variables.ts';
import { readPiece } from './spool.ts';
import { ERRORS_TAKEN, STAGES_TAKEN } from './wrapper.ts';

export interface HowEnded {
  readonly endedBy?: 'itself' | 'signal';
  /** Exit codes of the stages of the last pipe, in order. */
  readonly stages?: readonly number[];
}

const SAID_BYTES_MAX = 4_096;

/** A single bar, wherever it stands: a bar inside of quotes costs a trap that says nothing of interest. */
const PIPE = /(^|[^|])\|([^|]|$)/;

/** A list, or a builtin that ends the shell: bash is not replaced by it, so a trap costs no further process. */
const STAYS = /[;&|\n(){}]|^\s*(kill|exit|eval|source|\.)\s/;

/**
 * The text with words before it that make bash say, at its end, the exit code and the stages of the last pipe. They
 * stand in its first line, so that line numbers in messages stay; without a pipe the text is as it was. `confined`: the
 * program that confines stands between and hides which signal ended the shell, so other texts ask for it too.
 */
export const withStages = (command: string, confined = false): string =>
  PIPE.test(command) || (confined && STAYS.test(command)) ? STAGES + command : command;

/** The text with words before it that send its standard error elsewhere. */
export const withErrorsApart = (command: string): string => ERRORS + command;

const STAGES = `exec ${STAGES_TAKEN}; trap '{ printf "%s\\n" "stages $? \${PIPESTATUS[*]}" >&251; } 2>/dev/null' EXIT; `;
const ERRORS = `${ERRORS_TAKEN}; `;
/** What bash exits with where it does not understand a text. */
const SYNTAX_ERROR = 2;

/** Bash quotes the line that it does not understand; ours in it would be taken for the command's own. */
export function withoutOurs(output: Uint8Array, exitCode: number | null): Uint8Array {
  if (exitCode !== SYNTAX_ERROR) return output;
  let bytes = Buffer.from(output);
  for (const ours of [STAGES, ERRORS]) {
    for (let at = bytes.indexOf(ours); at >= 0; at = bytes.indexOf(ours)) {
      bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + ours.length)]);
    }
  }
  return bytes.includes('BELAY_PASSED_') ? Buffer.from(bytes.toString('latin1').replace(CARRIED, ''), 'latin1') : bytes;
}

export function howEnded(folder: string, exitCode: number | null): HowEnded {
  const said = readPiece(saidPath(folder), 0, SAID_BYTES_MAX).toString('latin1');
  if (exitCode === null || said === '') return {};
  const found = /^stages (\d{1,3}) (\d{1,3}(?: \d{1,3})*)$/m.exec(said);
  if (found !== null) {
    if (Number(found[1]) !== exitCode) return exitCode > 128 ? { endedBy: 'signal' } : {};
    const stages = (found[2] ?? '').split(' ').map(Number);
    return { endedBy: 'itself', ...(stages.length > 1 ? { stages } : {}) };
  }
  return DEATHS[exitCode - 128]?.test(said) === true ? { endedBy: 'signal' } : {};
}

/** How shells name the signal that ended a command. */
const DEATHS: { readonly [signal: number]: RegExp } = {
  1: /Hangup/,
  3: /Quit/,
  4: /Illegal instruction/,
  5: /trap/i,
  6: /Abort/,
  7: /Bus error/,
  8: /(Floating point|Arithmetic) exception/,
  9: /Killed/,
  10: /User defined signal 1/,
  11: /Segmentation fault/,
  12: /User defined signal 2/,
  14: /Alarm clock/,
  15: /Terminated/,
  24: /CPU time limit/i,
  25: /File size limit/i,
  31: /Bad system call/,
};
