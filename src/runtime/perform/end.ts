/** The gate, the pauses and the end of a turn. */
import { type FactBody, isAtHost, judge, mayHaveRun, type OpenAction, type Perform, type State } from '#kernel';
import { type Batches, type Run, turnOf } from '../run.ts';
import { fire, fireQuietly } from './fire.ts';
import { call } from './intend.ts';
import { recordEndedTasks } from './tasks.ts';

type Of<K extends Perform['kind']> = Extract<Perform, { kind: K }>;

export async function* verify(run: Run): Batches {
  const running = run.state().tasks.length;
  yield* recordEndedTasks(run);
  // The model has not heard of it, so it is asked again first.
  if (run.state().tasks.length < running) return;
  let { tree } = run.state().world;
  if (run.ports.world !== null && run.state().settings.checks.length > 0) {
    const scan = await run.ports.world.scan(run.state(), run.signal);
    if (run.signal.aborted) return;
    if (scan.tree !== tree) yield { facts: [scanFact('gate', scan)] };
    tree = scan.tree;
  }
  yield { facts: [judge(run.state(), tree)] };
}

export function scanFact(
  at: 'gate' | 'round',
  scan: { readonly revision: string; readonly tree: string; readonly changed: readonly string[] },
): FactBody {
  return {
    type: 'workspace.scanned',
    revision: scan.revision,
    tree: scan.tree,
    at,
    changed: scan.changed.slice(0, 50),
  };
}

/** The second claim without evidence: Belay runs the declared checks itself, and their result decides. */
export async function* repair(run: Run): Batches {
  const stepId = `${run.state().seq + 1}.r`;
  const facts: FactBody[] = [await call(run, run.ports.newId(), 'Test', {}, 'runtime', stepId)];
  yield { facts: [...facts, { type: 'phase.enter', to: 'executing', reason: 'repair' }] };
}

export async function* signal(run: Run, { finding }: Of<'signal'>): Batches {
  if (run.ports.world !== null) {
    const scan = await run.ports.world.scan(run.state(), run.signal);
    if (run.signal.aborted) return;
    if (scan.tree !== run.state().world.tree) {
      yield { facts: [scanFact('round', scan)] };
      return;
    }
  }
  yield {
    facts: [
      {
        type: 'progress.signal',
        signal: finding.signal,
        count: finding.count,
        detail: finding.detail,
        ...(finding.forbid === null ? {} : { forbid: finding.forbid }),
      },
    ],
  };
}

export async function* backoff(run: Run, { failures, retryAfterMs }: Of<'backoff'>): Batches {
  const waitMs = run.ports.clock.backoffMs(failures, retryAfterMs);
  await run.ports.clock.sleep(waitMs, run.signal);
  if (!run.signal.aborted) yield { facts: [{ type: 'backoff.ended', waitedMs: waitMs }] };
}

export async function* suspend(run: Run, next: Of<'suspend'>): Batches {
  const turn = turnOf(run.state());
  const key = `${turn.turnId}:${run.state().seq}`;
  if (next.trip !== null) {
    const { limit, used, max } = next.trip;
    if (turn.budget.warned !== limit) yield { facts: [{ type: 'budget.warn', limit, used, max }] };
    const limits = { ...run.state().settings.limits };
    const fired = yield* fire(run, 'on_budget_exceeded', key, { limit, budget: { ...turn.budget }, limits });
    if (!fired.go) return;
    const raised = fired.payload['limits'];
    if (JSON.stringify(raised) !== JSON.stringify(limits)) {
      yield { facts: [{ type: 'settings.changed', by: 'hook', limits: raised as typeof limits }] };
      return;
    }
  }
  yield* pauseTurn(run, next.reason, next.message, next.next, key);
}

export async function* pauseTurn(run: Run, reason: string, message: string, next: string, key: string): Batches {
  const from = turnOf(run.state()).phase;
  yield { facts: [{ type: 'session.pause', reason, from, message, next }], barrier: true };
  yield* fireQuietly(run, 'on_pause', key, { reason });
}

/** After a cancel every open call gets its result, so that the history stays whole. */
export async function* windDown(run: Run): Batches {
  const turn = turnOf(run.state());
  const facts: FactBody[] = [];
  for (const action of turn.open.filter((open) => open.status !== 'closed')) {
    const message = closedWords('The turn was cancelled', action, turn);
    if (turn.phase !== 'awaiting_tool') {
      facts.push({ type: 'action.verdict', actionId: action.actionId, verdict: 'cancel', by: 'person', message });
    } else {
      facts.push({ type: 'attempt.outcome', actionId: action.actionId, status: 'cancelled', output: message });
    }
  }
  for (const stepId of turn.started) {
    if (!turn.ended.includes(stepId)) facts.push({ type: 'step.end', stepId, outcome: 'error' });
  }
  const isUnderWay = turn.phase === 'executing' || turn.phase === 'awaiting_tool';
  if (isUnderWay) facts.push({ type: 'phase.enter', to: 'reflecting', reason: 'cancelled' });
  yield { facts };
}

/** What the model reads of a call that is closed without a result. `why`: a sentence without its end. */
export function closedWords(why: string, action: OpenAction, turn: NonNullable<State['turn']>): string {
  if (isAtHost(action, turn)) return `${why} while the embedding program had this call; it may have taken effect.`;
  if (!mayHaveRun(action, turn)) return `${why}; this call did not run.`;
  return `${why} before this call could be repeated; it may have taken effect the first time.`;
}

export async function* complete(run: Run, { reason }: Of<'complete'>): Batches {
  const turn = turnOf(run.state());
  const text = turn.finalText === null ? {} : { text: turn.finalText };
  yield { facts: [{ type: 'session.complete', reason, ...text }], barrier: true };
  yield* fireQuietly(run, 'on_complete', turn.turnId, { reason });
}
