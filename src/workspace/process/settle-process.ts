/**
 * Says what became of a process attempt whose agent is gone.
 *
 * 1. Never begun, which the claim decides (`settle-start.ts`): not started.
 * 2. Another boot: nothing can be known, whatever the receipt says; a claim that is missing may have been lost.
 * 3. Something of it lives: wait for it as if we had started it, with deadline, cancellation and live output.
 * 4. A receipt of this boot: the true end. No receipt and nobody alive: unknown, with what the world shows.
 * 5. What is followed, and what is found alive behind an end, is the caller's to stop from then on.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessResult, SettleRequest } from '../contract.ts';
import { markAttached, readReceipt, spoolPath } from './exec-folder.ts';
import { followOutput } from './follow-output.ts';
import { anyAlive, backgroundProcesses, hasProcessTable, type Tree } from './process-table.ts';
import { reflogMarks } from './reflog-marks.ts';
import { describeEnd, didNotRun, isOutputWhole } from './result.ts';
import { NO_NONCE, type Start, settleStart, treeFromClaim } from './settle-start.ts';
import { stopOnDemand } from './stop-on-demand.ts';

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
  const start = await settleStart(request, bootId);
  const { state, tree } = start;
  if (state === 'other-boot') return afterReboot(request, start);
  if (state === 'not-started') return didNotRun(folder, 'not-started');
  const atOnce = isOver(folder, tree);
  if (!atOnce) {
    markAttached(folder);
    onAlive(tree);
  }
  const end = await follow(request, tree, atOnce ? 'receipt' : 'reattached');
  if (end.leftAlive.length > 0) onAlive(tree);
  if (end.state !== 'unknown') return end;
  return withMarks(state === 'begun' ? end : { ...end, evidence: tracesGone }, request);
}

const tracesGone =
  'What the command left to tell its end by was removed, so whether it ran is not known; nothing of it is alive.';

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

function afterReboot(request: SettleRequest, { tree, claim }: Start): ProcessResult {
  const end = describeEnd(request.execFolder, tree, { provenance: 'receipt' });
  const seen =
    end.exitCode !== null
      ? `The command ended with exit code ${end.exitCode} before the machine was restarted; that its effect reached the disk is not confirmed.`
      : claim === 'taken'
        ? 'The machine was restarted while the command ran; how far it came is not known.'
        : 'The machine was restarted before the command told its end; whether it began, and how far it came, is not known.';
  return withMarks({ ...end, state: 'unknown', consistent: false, evidence: seen }, request);
}
