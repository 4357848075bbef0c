/**
 * Says what became of a process attempt whose agent is gone.
 *
 * 1. The claim is free, or its line is incomplete and nobody lives: revoked, so proven not started, provided that the
 *    mark beside it is there and blank. Traces that somebody removed prove nothing.
 * 2. Another boot: nothing can be known, whatever the receipt says; a claim that is missing may have been lost.
 * 3. Something of it lives: wait for it as if we had started it, with deadline, cancellation and live output.
 * 4. A receipt of this boot: the true end. No receipt and nobody alive: unknown, with what the world shows.
 * 5. What is followed, and what is found alive behind an end, is the caller's to stop from then on.
 */
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isUnmarked, markPath, readClaim, revokeClaim } from '../claim.ts';
import type { ProcessResult, SpawnRequest } from '../contract.ts';
import { markAttached, readReceipt, readTree, spoolPath } from './exec-folder.ts';
import { followOutput } from './follow-output.ts';
import { anyAlive, backgroundProcesses, commandProcesses, hasProcessTable, type Tree } from './process-table.ts';
import { reflogMarks } from './reflog-marks.ts';
import { describeEnd, didNotRun, isOutputWhole } from './result.ts';
import { stopOnDemand } from './stop-on-demand.ts';

export type SettleRequest = Omit<SpawnRequest, 'command'> & {
  readonly bootId: string;
  /** It may be that it was never made ready, so a folder that is not there tells of no loss. */
  readonly isOptional?: boolean;
};

const POLL_MIN_MS = 5;
const POLL_MAX_MS = 100;
/** What is waited for since long is looked at less often, at this part of the time: a look reads the process table. */
const POLL_PART = 1 / 50;
const POLL_LATE_MAX_MS = 2_000;
/** A receipt without marker and without a living reader is read once more after this time. */
const LINE_WAIT_MS = 50;

export async function settleProcess(
  request: SettleRequest,
  bootId: string,
  onAlive: (tree: Tree) => void,
): Promise<ProcessResult> {
  const folder = request.execFolder;
  const isFree = revokeClaim(folder);
  const tree = readTree(folder) ?? treeFromClaim(request);
  if (request.bootId !== bootId) return afterReboot(request, tree);
  if (!isFree) await wholeClaim(request, tree);
  const claim = readClaim(folder);
  if (claim.kind === 'taken' && claim.bootId !== bootId) return afterReboot(request, tree);
  if (claim.kind !== 'taken' && !mayHaveBegun(request, tree)) return didNotRun(folder, 'not-started');
  const atOnce = isOver(folder, tree);
  if (!atOnce) {
    markAttached(folder);
    onAlive(tree);
  }
  const end = await follow(request, tree, atOnce ? 'receipt' : 'reattached');
  if (end.leftAlive.length > 0) onAlive(tree);
  if (end.state !== 'unknown') return end;
  return withMarks(claim.kind === 'taken' ? end : { ...end, evidence: tracesGone }, request);
}

const NO_NONCE = 'unknown';

const tracesGone =
  'What the command left to tell its end by was removed, so whether it ran is not known; nothing of it is alive.';

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
  const stop = stopOnDemand(request, tree);
  while (isOpen() && !stop.hasBegun()) await Promise.race([sleep(POLL_MIN_MS), stop.done]);
  if (stop.hasBegun()) await stop.done;
  stop.finish();
}

/** Ref updates that the command made name its action, so they show how far it came. */
function withMarks(end: ProcessResult, request: SettleRequest): ProcessResult {
  const marks = reflogMarks(request.cwd, request.actionId);
  return { ...end, evidence: [end.evidence ?? '', ...marks.map((mark) => `git: ${mark}`)].join('\n') };
}

async function follow(
  request: SettleRequest,
  tree: Tree,
  provenance: 'receipt' | 'reattached',
): Promise<ProcessResult> {
  const folder = request.execFolder;
  const follower = followOutput(spoolPath(folder), tree.nonce, request.onOutput);
  const stop = stopOnDemand(request, tree);
  const begun = performance.now();
  const pauseMax = () => Math.min(POLL_LATE_MAX_MS, Math.max(POLL_MAX_MS, (performance.now() - begun) * POLL_PART));
  for (let pauseMs = POLL_MIN_MS; !isOver(folder, tree); pauseMs = Math.min(pauseMs * 2, pauseMax())) {
    await Promise.race([sleep(pauseMs), stop.done]);
    if (!stop.hasBegun()) continue;
    await stop.done;
    await sleep(LINE_WAIT_MS);
    break;
  }
  // Asked to stop before it was looked at: what it left behind is ended as well.
  if (stop.hasBegun()) await stop.done;
  const stopLevel = stop.finish();
  const leftAlive = hasProcessTable() ? backgroundProcesses(tree).map(({ pid }) => pid) : [];
  // A wrapper whose folder was removed and is there again tells its end in it, with the nonce that only it knew.
  const told = tree.nonce === NO_NONCE ? treeFromClaim(request) : tree;
  const end = describeEnd(folder, told, { provenance, stopped: stop.reason(), stopLevel, leftAlive });
  follower.finish(end.outputBytes);
  return end;
}

/** Receipt and whole output, or nobody left who could add to either. */
function isOver(folder: string, tree: Tree): boolean {
  if (readReceipt(folder) !== null && isOutputWhole(folder, tree.nonce)) return true;
  // Whoever was seen dead cannot have written later, so the receipt that decides is read after this look.
  return !anyAlive(tree);
}

function afterReboot(request: SettleRequest, tree: Tree): ProcessResult {
  const end = describeEnd(request.execFolder, tree, { provenance: 'receipt' });
  const seen =
    end.exitCode === null
      ? 'The machine was restarted while the command ran; how far it came is not known.'
      : `The command ended with exit code ${end.exitCode} before the machine was restarted; that its effect reached the disk is not confirmed.`;
  return withMarks({ ...end, state: 'unknown', consistent: false, evidence: seen }, request);
}

/** Without our notes the claim and the receipt still name the wrapper and the nonce. */
function treeFromClaim(request: SettleRequest): Tree {
  const claim = readClaim(request.execFolder);
  return {
    attemptId: request.attemptId,
    leader: claim.kind === 'taken' ? claim.pid : -1,
    leaderStart: null,
    nonce: readReceipt(request.execFolder)?.nonce ?? NO_NONCE,
  };
}
