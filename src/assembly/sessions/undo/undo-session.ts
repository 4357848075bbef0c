/**
 * `belay undo` and `belay redo`: an effect of class `file` with a plan that is durable before the first file is
 * touched, settled path by path, and finished forward by whoever opens the session next.
 */
import { type BodyOf, type FactBody, isActive } from '#kernel';
import type { Store, WritableLedger } from '#ledger';
import { ok, type Result } from '#lib';
import type { Problem, UndoReport, UndoRequest } from '#surfaces/cli';
import { newId } from '../../new-id.ts';
import { tidyExec } from '../../ports/exec-port.ts';
import { attempt, problem } from '../../problem.ts';
import { bootChange } from '../boot-change.ts';
import { halfFork, neverBegan } from '../never-began.ts';
import { openWorkspaceAt, type Place } from '../open-workspace-at.ts';
import { rebasedSince } from '../rebase.ts';
import { carryOut } from './carry-out.ts';
import { cancelWaiting, endTurn, settleStarted } from './close-open.ts';
import { secureContents } from './contents.ts';
import { type Desk, openDesk, pointHere } from './desk.ts';
import { isAsKnown, knownState, lastPoint } from './known-state.ts';
import { ofOtherSessions } from './of-other-sessions.ts';
import { planUndo } from './plan-undo.ts';

/** Takes the session's lock for the time of the undo; a session that another process holds is refused. */
export async function undoSession(
  store: Store,
  env: NodeJS.ProcessEnv,
  sessionId: string,
  request: UndoRequest,
): Promise<Result<UndoReport, Problem>> {
  return withDesk(store, env, sessionId, request.signal, async (desk) => {
    const { pending } = desk.state().undo;
    if (pending !== null) {
      const report = await finishPending(desk, pending);
      // Whoever was interrupted asks for the same thing again, not for one step more.
      if (pending.kind === request.kind) return ok({ ...report, finished: true });
      const next = await begin(store, desk, request);
      return next.ok ? ok({ ...next.value, earlier: report }) : next;
    }
    return begin(store, desk, request);
  });
}

/** Finishes an undo that was interrupted; null where there is none. */
export async function finishUndo(
  store: Store,
  env: NodeJS.ProcessEnv,
  sessionId: string,
): Promise<Result<UndoReport | null, Problem>> {
  return withDesk(store, env, sessionId, undefined, async (desk) => {
    const { pending } = desk.state().undo;
    return ok(pending === null ? null : await finishPending(desk, pending));
  });
}

/** The same for a session that is open already. */
export async function finishUndoOf(
  ledger: WritableLedger,
  folder: string,
  place: Place,
  home: string,
  env: NodeJS.ProcessEnv,
): Promise<UndoReport | null> {
  const desk = await openDesk(ledger, folder, place, home, env);
  const { pending } = desk.state().undo;
  return pending === null ? null : detaching(desk, () => finishPending(desk, pending));
}

/** Whatever the work comes to, nobody stays attached. A disk that is full may refuse even that. */
async function detaching<T>(desk: Desk, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (desk.state().executor?.executorId === desk.executorId) {
      const reason = desk.signal.aborted ? 'interrupted' : 'failed';
      await desk
        .append([{ type: 'executor.detached', executorId: desk.executorId, reason }])
        .then(() => desk.ledger.flush())
        .catch(() => {});
    }
    throw thrown;
  }
}

async function finishPending(desk: Desk, pending: BodyOf<'undo.planned'>): Promise<UndoReport> {
  await desk.append([...restarted(desk), attached(desk)]);
  return carryOut(desk, pending);
}

async function withDesk<T>(
  store: Store,
  env: NodeJS.ProcessEnv,
  sessionId: string,
  signal: AbortSignal | undefined,
  work: (desk: Desk) => Promise<Result<T, Problem>>,
): Promise<Result<T, Problem>> {
  const seen = { isOpen: false, isPlanned: false, isDone: false };
  const made = await attempt(async () => {
    const ledger = await store.openWriter(sessionId);
    try {
      const [first] = ledger.find(['session.created']);
      if (ledger.folder === null || first === undefined) return neverBegan(sessionId, ledger.lastSeq);
      const half = halfFork(sessionId, first, ledger.lastSeq);
      if (half !== null) return half;
      const placed = await openWorkspaceAt(first.workspace, ledger.folder, store.home, env);
      if (!placed.ok) return placed;
      await tidyExec(ledger.folder, ledger);
      const desk = await openDesk(ledger, ledger.folder, placed.value, store.home, env, signal);
      seen.isOpen = true;
      const before = desk.state().undo.done.length;
      try {
        return await detaching(desk, () => work(desk));
      } finally {
        const { pending, done } = desk.state().undo;
        seen.isPlanned = pending !== null;
        seen.isDone = done.length > before;
      }
    } finally {
      await ledger.close();
    }
  }, store.home);
  if (made.ok) return made.value;
  const { exitCode, message } = made.error;
  if (seen.isPlanned) {
    return problem(
      exitCode,
      `${message}; whoever opens the session next finishes what is planned: belay log ${sessionId}`,
    );
  }
  if (seen.isDone) return problem(exitCode, `what was planned is done and recorded; then: ${message}`);
  if (signal?.aborted === true) return problem(exitCode, 'stopped before anything was undone');
  return problem(exitCode, seen.isOpen ? `nothing was undone: ${message}` : message);
}

async function begin(store: Store, desk: Desk, request: UndoRequest): Promise<Result<UndoReport, Problem>> {
  const { turn } = desk.state();
  const known = await knownState(desk);
  // Where a look is needed, it is compared with what the last point kept.
  const before = known ?? (await lastPoint(desk));
  if (before !== null) desk.world.know(before);
  // Whoever attaches tells of a restart: the next one finds the present boot recorded already.
  const rebooted = restarted(desk);
  const rebased = known === null ? await changedByOthers(desk, rebooted.length > 0) : null;
  const first: FactBody[] = [...rebooted, attached(desk)];
  if (turn !== null && turn.pause === null && isActive(turn.phase)) {
    const message = 'the last run ended without a word';
    first.push({ type: 'session.pause', reason: 'interrupted', from: turn.phase, message });
  }
  await desk.append([...first, ...(rebased === null ? [] : [rebased])]);
  const refuse = async (message: string, exitCode = 42): Promise<Result<never, Problem>> => {
    await desk.append([{ type: 'executor.detached', executorId: desk.executorId, reason: 'refused' }]);
    await desk.ledger.flush();
    return problem(exitCode, message);
  };
  const settled = await settleStarted(desk);
  if (!settled.ok) return refuse(settled.error.message, settled.error.exitCode);
  if (known === null) await desk.append(await pointHere(desk, desk.signal));
  const base = await desk.place.base.base();
  let plan = planUndo(desk, base, request);
  if (known !== null && !(plan.ok && isAsKnown(desk, known, plan.value.files))) {
    const found = await changedByOthers(desk);
    await desk.append([...(found === null ? [] : [found]), ...(await pointHere(desk, desk.signal))]);
    plan = planUndo(desk, base, request);
  }
  if (!plan.ok) return refuse(plan.error);
  const { scope, toSeq, reverses } = plan.value;
  desk.signal.throwIfAborted();
  const theirs = await ofOtherSessions(store, desk, plan.value.files);
  const left = new Set(theirs.map(({ path }) => path));
  const ours = plan.value.files.filter(({ path }) => !left.has(path));
  const secured = await secureContents(ours, desk.place);
  desk.signal.throwIfAborted();
  const planned: BodyOf<'undo.planned'> = {
    type: 'undo.planned',
    undoId: newId(),
    kind: request.kind,
    scope,
    toSeq,
    files: [...secured.files],
    ...refusals([...plan.value.refused, ...theirs, ...secured.refused]),
    ...(reverses === null ? {} : { reverses }),
  };
  await desk.append([...cancelWaiting(desk), ...(endsTurn(desk, planned) ? endTurn(desk) : []), planned]);
  await desk.ledger.flush();
  const { ranMs } = plan.value;
  return ok({ ...(await carryOut(desk, planned)), ...(ranMs === undefined ? {} : { ranMs }) });
}

const changedByOthers = (desk: Desk, rebooted = false) =>
  rebasedSince(desk.state(), desk.ledger, desk.folder, desk.place, desk.world, rebooted, desk.signal);

function restarted(desk: Desk): readonly FactBody[] {
  const rebooted = bootChange(desk.facts(), desk.bootId);
  return rebooted === null ? [] : [rebooted];
}

/** Whether the conversation goes back to before the running turn began. */
function endsTurn(desk: Desk, { kind, scope, toSeq }: BodyOf<'undo.planned'>): boolean {
  if (kind === 'redo' || scope === 'files') return false;
  const start = desk.facts().findLast((fact) => fact.type === 'session.start');
  return start !== undefined && toSeq < start.seq;
}

const refusals = (refused: NonNullable<BodyOf<'undo.planned'>['refused']>) =>
  refused.length === 0 ? {} : { refused: [...refused] };

const attached = (desk: Desk): FactBody => ({
  type: 'executor.attached',
  executorId: desk.executorId,
  bootId: desk.bootId,
  pid: process.pid,
  for: 'undo',
});
