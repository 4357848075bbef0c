/**
 * One session, driven: the loop of the design and the doors around it.
 *
 * 1. `commit` is the only way into the ledger; it appends, folds, and tells subscribers, one batch after another.
 * 2. The first fact of a driver run is preceded, in the same write, by `executor.attached` and, if the folded phase
 *    is active, by `session.pause {interrupted}`.
 * 3. The loop is iterative: ten thousand steps need no more stack than one.
 */
import {
  decide,
  evolve,
  type Fact,
  type FactBody,
  fold,
  initialState,
  isActive,
  isAtHost,
  isPull,
  type OpenAction,
  type State,
  transition,
} from '#kernel';

import type { Delta, Pull, ResumePayload, Session, SessionPorts } from './contract.ts';
import { withForegone } from './foregone.ts';
import { createHooks, type Hooks } from './hooks.ts';
import { resultFact } from './host-result.ts';
import { createMailbox, messageTypes } from './mailbox.ts';
import { forgetEarly } from './perform/early.ts';
import { pauseTurn } from './perform/end.ts';
import { perform } from './perform.ts';
import { toPull } from './pull.ts';
import type { Run } from './run.ts';

export type SessionErrorCode = 'busy' | 'not_resumable' | 'not_pending' | 'payload' | 'illegal_move' | 'closed';

/** The caller asked for something that the session's state does not allow; nothing was changed. */
export class SessionError extends Error {
  override readonly name = 'SessionError';
  readonly code: SessionErrorCode;
  constructor(code: SessionErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** `known`: the state at some fact of this ledger, where it was folded already. */
export function createSession(
  initialPorts: SessionPorts,
  hooks: Hooks = createHooks(),
  known: State = initialState,
): Session {
  const withMask = <P extends Partial<SessionPorts>>(given: P): P =>
    given.tools === undefined || initialPorts.mask === undefined
      ? given
      : { ...given, tools: initialPorts.mask.tools(given.tools) };
  let ports = withMask(initialPorts);
  const executorId = ports.newId();
  const { ledger } = ports;
  let state: State = fold(ledger.read(known.seq + 1), known);
  let attached = false;
  let closed = false;
  let driving = false;
  let stop = new AbortController();
  let interrupted = false;
  const deltaListeners = new Set<(delta: Delta) => void>();
  const factListeners = new Set<(fact: Fact) => void>();
  const mailbox = ports.inbox === null ? null : createMailbox(ports.inbox, ledger.find(messageTypes));

  // One append after another: facts of the loop and facts from outside never interleave within a batch.
  let tail: Promise<unknown> = Promise.resolve();
  const commit = (bodies: readonly FactBody[], follow = false): Promise<void> => {
    const done = tail.then(async () => {
      if (bodies.length === 0) return;
      const own = follow && attached ? withForegone(state, bodies, hooks) : bodies;
      const all = attached ? own : [attachment(), ...own];
      const facts = await ledger.append(all);
      attached = true;
      for (const fact of facts) {
        state = evolve(state, fact);
        // At once, and not when the flush after it is over: until then another effect would be started.
        if (fact.type === 'cancel.requested' && driving) stop.abort();
        for (const listener of factListeners) listener(fact);
      }
    });
    tail = done.catch(() => {});
    return done;
  };
  const attachment = (): FactBody => ({
    type: 'executor.attached',
    executorId,
    bootId: ports.bootId,
    pid: ports.pid,
  });

  const run: Run = {
    get ports() {
      return ports;
    },
    hooks,
    executorId,
    get signal() {
      return stop.signal;
    },
    state: () => state,
    facts: () => ledger.read(),
    emit: (delta) => {
      for (const listener of deltaListeners) listener(delta);
    },
    flush: () => flush(),
    hear: () => hear(),
    finished: new Set(),
    early: new Map(),
    measured: { messages: 0, bytes: 0 },
    // The first wait for a model keeps what only the workspace can give back, before a command may take it away.
    scanWanted: initialPorts.world?.checkpoint !== undefined,
  };

  async function flush(): Promise<void> {
    await tail;
    const swept = [...run.finished];
    await ledger.flush();
    if (swept.length === 0 || ports.exec === null) return;
    for (const attemptId of swept) run.finished.delete(attemptId);
    void ports.exec.sweep(swept);
  }

  async function drain(): Promise<void> {
    if (mailbox === null) return;
    await mailbox.drain((bodies) => commit(bodies), flush);
    if (state.turn?.cancelled === true) stop.abort();
  }

  /** A message can be there before the watcher tells of it: while this process was stopped, nobody told it anything. */
  async function hear(): Promise<void> {
    if (ports.inbox?.isEmpty?.() === false) await drain();
  }

  async function drive(): Promise<Pull> {
    driving = true;
    const unwatch = ports.inbox?.watch(() => void drain().catch(() => {})) ?? (() => {});
    try {
      for (;;) {
        await tail;
        await hear();
        if (interrupted) return await interrupt();
        const next = decide(state);
        if (isPull(next)) {
          await flush();
          return toPull(next, state, () => ledger.find(['approval.requested']));
        }
        for await (const batch of perform(run, next)) {
          refuseIllegal(batch.facts);
          await commit(batch.facts, true);
          if (batch.barrier === true) await flush();
        }
      }
    } finally {
      forgetEarly(run);
      driving = false;
      unwatch();
    }
  }

  /** A signal came: what ran was stopped and has its outcome; the turn pauses and can be resumed. */
  async function interrupt(): Promise<Pull> {
    interrupted = false;
    if (state.turn !== null && isActive(state.turn.phase)) {
      for await (const batch of pauseTurn(
        run,
        'interrupted',
        'the run was interrupted',
        'resume to go on',
        'interrupt',
      )) {
        await commit(batch.facts);
      }
    }
    await flush();
    const reason = state.turn?.pause?.reason ?? 'interrupted';
    return { kind: 'pause', state: state.turn?.phase ?? 'idle', reason, payload: { reason }, message: null };
  }

  /** A batch that moves the phase over an edge that does not exist is a fault of ours: refused before it is written. */
  function refuseIllegal(facts: readonly FactBody[]): void {
    for (const fact of facts) {
      if (fact.type !== 'phase.enter' || state.turn === null) continue;
      const moved = transition(state.turn.phase, fact.to, state.turn.pause?.from ?? null);
      if (!moved.ok) throw new SessionError('illegal_move', moved.error.message);
    }
  }

  function enter(): void {
    if (closed) throw new SessionError('closed', 'the session is closed; open it again to go on');
    if (driving) throw new SessionError('busy', 'the session is already running');
    stop = new AbortController();
    interrupted = false;
    if (ports.signal?.aborted === true) onInterrupt();
  }

  const onInterrupt = () => {
    interrupted = true;
    stop.abort();
  };
  ports.signal?.addEventListener('abort', onInterrupt);

  async function run_(goal: string): Promise<Pull> {
    enter();
    const { turn } = state;
    if (turn !== null && turn.phase !== 'done') {
      throw new SessionError(
        'busy',
        `the last turn is not done (${turn.pause?.reason ?? turn.phase}); resume or cancel it first`,
      );
    }
    const { planner } = ports;
    const version = planner.kind === 'list' && planner.version !== undefined ? { plannerVersion: planner.version } : {};
    await commit([{ type: 'session.start', turnId: ports.newId(), goal, planner: planner.name, ...version }]);
    return drive();
  }

  async function resume(payload?: ResumePayload): Promise<Pull> {
    enter();
    await drain();
    const { turn } = state;
    if (turn === null || turn.phase === 'done') {
      throw new SessionError('not_resumable', 'there is no turn to resume; start one with run');
    }
    const words = textOf(payload);
    const isResult = payload !== undefined && words === null;
    const hostIsAsked = hostCalls(state).length > 0;
    if (isResult && !hostIsAsked) {
      throw new SessionError('not_resumable', `no call waits for a result in ${turn.phase}`);
    }
    const bodies: FactBody[] = [];
    // An active phase with nobody driving it was left behind: by a process that died, or by a ledger that refused.
    if (turn.pause === null && !(hostIsAsked && attached)) {
      bodies.push(
        {
          type: 'session.pause',
          reason: 'interrupted',
          from: turn.phase,
          message: 'the last run ended without a word',
        },
        { type: 'session.resume', to: turn.phase, reason: 'reopened' },
      );
    }
    if (words !== null) bodies.push({ type: 'input.received', text: words });
    if (turn.pause !== null && answered(state)) bodies.push({ type: 'session.resume', to: turn.pause.from });
    await commit(bodies);
    if (isResult || (hostIsAsked && bodies.length === 0)) await acceptResult(payload);
    return drive();
  }

  async function acceptResult(payload: ResumePayload | undefined): Promise<void> {
    const fact = resultFact(payload, hostCalls(state));
    if (!fact.ok) throw new SessionError('payload', fact.error);
    await commit([ports.mask?.result(fact.value) ?? fact.value]);
  }

  return {
    sessionId: ledger.sessionId,
    get state() {
      return state;
    },
    run: run_,
    resume,
    async approve(actionId, verdict, by, note) {
      const action = state.turn?.open.find((open) => open.actionId === actionId);
      if (action?.status !== 'asked') throw new SessionError('not_pending', `no approval is open for ${actionId}`);
      const said = note === undefined ? {} : { note };
      await commit([{ type: 'approval.resolved', actionId, verdict, by, ...said }]);
      await flush();
    },
    async settle(actionId, answer, by, note) {
      const open = state.unknowns.some((unknown) => unknown.actionId === actionId && unknown.answer === null);
      if (!open) throw new SessionError('not_pending', `the outcome of ${actionId} is not an open question`);
      await commit([{ type: 'unknown.settled', actionId, answer, by, ...(note === undefined ? {} : { note }) }]);
      await flush();
    },
    async extend(limits) {
      await commit([{ type: 'settings.changed', by: 'user', limits }]);
    },
    async configure(change, by) {
      await commit([{ type: 'settings.changed', by, ...change }]);
    },
    async say(text) {
      await commit([{ type: 'input.received', text }]);
    },
    async cancel(by) {
      const { turn } = state;
      if (turn === null || turn.phase === 'done') throw new SessionError('not_resumable', 'there is no turn to cancel');
      await commit([{ type: 'cancel.requested', by }]);
      if (driving) {
        stop.abort();
        return;
      }
      enter();
      await drive();
    },
    facts: (fromSeq = 1) => ledger.read(fromSeq),
    find: (types, fromSeq = 1) => ledger.find(types, fromSeq),
    subscribe(fromSeq, listener) {
      const queue = replayed(ledger.read(fromSeq), listener);
      factListeners.add(queue);
      return () => factListeners.delete(queue);
    },
    onDelta(listener) {
      deltaListeners.add(listener);
      return () => deltaListeners.delete(listener);
    },
    listen() {
      const arrived = () => void drain().catch(() => {});
      const unwatch = ports.inbox?.watch(arrived) ?? (() => {});
      arrived();
      return unwatch;
    },
    use(part) {
      ports = { ...ports, ...withMask(part) };
    },
    async close(reason) {
      if (closed) return;
      closed = true;
      ports.signal?.removeEventListener('abort', onInterrupt);
      await tail;
      if (attached) {
        const ended = state.tasks.length === 0 ? [] : ((await ports.tasks?.stop(state.tasks)) ?? []);
        await commit([...ended, { type: 'executor.detached', executorId, reason }]);
      }
      await flush();
    },
  };
}

/** Tells what is there, then passes on what comes; nothing twice. */
function replayed(past: Iterable<Fact>, listener: (fact: Fact) => void): (fact: Fact) => void {
  let last = 0;
  for (const fact of past) {
    listener(fact);
    last = fact.seq;
  }
  return (fact) => {
    if (fact.seq > last) listener(fact);
  };
}

/** Calls that were handed to the embedding program and have no result yet. */
function hostCalls(state: State): readonly OpenAction[] {
  const { turn } = state;
  if (turn === null) return [];
  return turn.open.filter((open) => isAtHost(open, turn));
}

function textOf(payload: ResumePayload | undefined): string | null {
  return payload !== undefined && payload !== null && typeof payload === 'object' && 'text' in payload
    ? payload.text
    : null;
}

/** Whether the pause is over once somebody resumes: open questions stay open, everything else goes on. */
function answered(state: State): boolean {
  const next = decide(state);
  return next.kind !== 'awaitApproval' && !(next.kind === 'pause' && next.reason.startsWith('unknown:'));
}
