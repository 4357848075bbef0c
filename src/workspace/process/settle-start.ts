/**
 * Says whether a process attempt whose agent is gone has begun, without waiting for its end.
 *
 * 1. The claim is revoked first, so whoever has not claimed by now never will.
 * 2. Who is in the middle of its claim may still begin. It is waited for while it lives, and ended if it does not come on.
 * 3. A claim without a whole line and nobody alive: not started, provided that the mark beside it is there and blank.
 * 4. Another boot: nothing that is missing proves anything.
 */
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Claim, isUnmarked, markPath, readClaim, revokeClaim } from '../claim.ts';
import type { SettleRequest, StartState } from '../contract.ts';
import { readReceipt, readTree } from './exec-folder.ts';
import { anyAlive, commandProcesses, hasProcessTable, type Tree } from './process-table.ts';
import { stopOnDemand } from './stop-on-demand.ts';

const POLL_MS = 5;
/** The line of a claim is one write. Who has not come to it by then has run nothing, so ending it costs nothing. */
const CLAIM_WAIT_MS = 10_000;

export const NO_NONCE = 'unknown';

export interface Start {
  /** `traces-gone` and `other-boot`: not known. */
  readonly state: StartState;
  readonly claim: Claim['kind'];
  readonly tree: Tree;
}

export async function settleStart(request: SettleRequest, bootId: string): Promise<Start> {
  const folder = request.execFolder;
  const isFree = revokeClaim(folder);
  const tree = readTree(folder) ?? treeFromClaim(request);
  const found = (state: StartState, claim = readClaim(folder)): Start => ({ state, claim: claim.kind, tree });
  if (request.bootId !== bootId) return found('other-boot');
  if (!isFree) await wholeClaim(request, tree);
  const claim = readClaim(folder);
  if (claim.kind === 'taken') return found(claim.bootId === bootId ? 'begun' : 'other-boot', claim);
  return found(mayHaveBegun(request, tree) ? 'traces-gone' : 'not-started', claim);
}

/** For whoever wants no end: what lives, has claimed or has begun to write has begun, whatever else is lost. */
export async function hasBegun(request: SettleRequest, bootId: string): Promise<StartState> {
  const { state, claim, tree } = await settleStart(request, bootId);
  if (state === 'other-boot') return claim === 'taken' || isMarked(request.execFolder) ? 'begun' : state;
  return state === 'traces-gone' && anyAlive(tree) ? 'begun' : state;
}

const isMarked = (folder: string): boolean => existsSync(markPath(folder)) && !isUnmarked(folder);

/** Without a claim: whether the command may have run all the same, because somebody removed what it left. */
function mayHaveBegun({ execFolder, isOptional }: SettleRequest, tree: Tree): boolean {
  if (isUnmarked(execFolder)) return false;
  const isNoLoss = isOptional === true && !existsSync(markPath(execFolder));
  return !isNoLoss || (hasProcessTable() && commandProcesses([tree]).length > 0);
}

/** Whoever is about to write its claim may be stopped there for ever, so deadline and cancellation hold here as well. */
async function wholeClaim(request: SettleRequest, tree: Tree): Promise<void> {
  const isOpen = () => readClaim(request.execFolder).kind === 'partial' && anyAlive(tree);
  if (!isOpen()) return;
  const stop = stopOnDemand({ ...request, timeoutMs: Math.min(request.timeoutMs, CLAIM_WAIT_MS) }, tree);
  while (isOpen() && !stop.hasBegun()) await Promise.race([sleep(POLL_MS), stop.done]);
  if (stop.hasBegun()) await stop.done;
  stop.finish();
}

/** Without our notes the claim and the receipt still name the wrapper and the nonce. */
export function treeFromClaim({ execFolder, attemptId }: Pick<SettleRequest, 'execFolder' | 'attemptId'>): Tree {
  const claim = readClaim(execFolder);
  return {
    attemptId,
    leader: claim.kind === 'taken' ? claim.pid : -1,
    leaderStart: null,
    nonce: readReceipt(execFolder)?.nonce ?? NO_NONCE,
  };
}
