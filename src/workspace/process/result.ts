/** Composes what is told about the end of a command. Pure but for reading the attempt's folder. */
import type { ProcessResult } from '../contract.ts';
import { errorsPath, isCut, keeperStop, readReceipt, receiptMs, spoolPath } from './exec-folder.ts';
import { howEnded, withoutOurs } from './how-ended.ts';
import type { Tree } from './process-table.ts';
import { hasMarker, isWholeOrAbsent, outputSize, readSpool } from './spool.ts';
import type { StopLevel } from './stop-tree.ts';

export interface Ending {
  readonly provenance: ProcessResult['provenance'];
  /** What the status pipe said; undefined when there was none to listen to. */
  readonly status?: number | null;
  /** Why we stopped it, if we did. */
  readonly stopped?: 'timed-out' | 'cancelled' | undefined;
  readonly stopLevel?: StopLevel | undefined;
  readonly leftAlive?: readonly number[];
}

/** The end as the folder, and the status pipe if any, tell it. */
export function describeEnd(folder: string, tree: Tree, ending: Ending): ProcessResult {
  const path = spoolPath(folder);
  const { markerCode, ...spool } = readSpool(path, tree.nonce);
  const receipt = readReceipt(folder);
  const told = receipt?.nonce === tree.nonce ? receipt.exitCode : null;
  const codes = [told, markerCode, ...(ending.status === undefined ? [] : [ending.status])];
  const known = codes.filter((code) => code !== null);
  const consistent = known.length === codes.length && new Set(known).size === 1;
  // Marker and status can each be missing for want of space or listeners; two different codes are a contradiction.
  const exitCode = new Set(known).size === 1 ? (known[0] as number) : null;
  const stopped = ending.stopped ?? keeperStop(folder);
  const state = stopped ?? (exitCode === null ? 'unknown' : 'exited');
  return {
    state,
    exitCode,
    ...howEnded(folder, exitCode),
    ...spool,
    output: withoutOurs(spool.output, exitCode),
    ...errorsOf(folder, tree.nonce, exitCode),
    cut: isCut(folder) || markerCode === null,
    consistent,
    provenance: ending.provenance,
    ...(ending.provenance === 'receipt' && told !== null ? { endedMs: receiptMs(folder) } : {}),
    spoolPath: path,
    leftAlive: ending.leftAlive ?? [],
    ...(ending.stopLevel === undefined ? {} : { stopLevel: ending.stopLevel }),
    ...(state === 'unknown' ? { evidence: contradiction(codes, known) } : {}),
  };
}

/** Whether everything that was printed is in the folder, or is known to be lost. */
export const isOutputWhole = (folder: string, nonce: string): boolean =>
  isCut(folder) || (hasMarker(spoolPath(folder), nonce) && isWholeOrAbsent(errorsPath(folder), nonce));

/** Standard error of its own; absent where both streams are one. */
function errorsOf(folder: string, nonce: string, exitCode: number | null): Pick<ProcessResult, 'errors'> {
  if (outputSize(errorsPath(folder), '') === null) return {};
  const { output, outputBytes } = readSpool(errorsPath(folder), nonce);
  return { errors: { output: withoutOurs(output, exitCode), outputBytes } };
}

/** Nothing has run: the claim was taken by somebody else, or the go line was never given. */
export function didNotRun(folder: string, state: 'not-started' | 'cancelled'): ProcessResult {
  return {
    state,
    exitCode: null,
    output: new Uint8Array(),
    outputBytes: 0,
    omitted: null,
    cut: false,
    consistent: false,
    provenance: 'live',
    spoolPath: spoolPath(folder),
    leftAlive: [],
  };
}

function contradiction(codes: readonly (number | null)[], known: readonly number[]): string {
  if (known.length === 0) {
    return 'The shell that ran the command was killed before it could tell the exit code; nothing of the command is alive.';
  }
  const names = ['receipt', 'end marker', 'status'];
  return `The ends told differ: ${codes.map((code, i) => `${names[i]} ${code ?? 'missing'}`).join(', ')}.`;
}
