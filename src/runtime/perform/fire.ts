import type { FactBody } from '#kernel';
import type { Firing, HookRecord, HookTopic, Sentinel } from '../hooks.ts';
import { type Batch, type Run, turnOf } from '../run.ts';

/** Fires a topic; what hooks record on the way is appended in order, each before its hook goes on. */
export async function* fireHooks(
  run: Run,
  topic: HookTopic,
  invocationId: string,
  payload: Record<string, unknown>,
  signal?: AbortSignal,
): AsyncGenerator<Batch, Firing, void> {
  const records: Waiting[] = [];
  let wake = () => {};
  const record: HookRecord = (facts) =>
    new Promise((done, lost) => {
      records.push({ facts, done, lost });
      wake();
    });
  let firing: Firing | null = null;
  const fired = run.hooks.fire(topic, invocationId, payload, record, signal).then((ended) => {
    firing = ended;
  });
  try {
    for (;;) {
      const next = records[0];
      if (next !== undefined) {
        yield { facts: next.facts };
        records.shift();
        for (const fact of next.facts) afterRecord(run, fact);
        next.done();
      } else if (firing !== null) return firing;
      else {
        const asked = new Promise<void>((resolve) => {
          wake = resolve;
        });
        await Promise.race([fired, asked]);
      }
    }
  } finally {
    for (const { lost } of records) lost(new Error('the session ended before this was recorded'));
  }
}

interface Waiting {
  readonly facts: readonly FactBody[];
  readonly done: () => void;
  readonly lost: (why: Error) => void;
}

/** A command of a hook may have changed files; its folder goes with the next flush. */
function afterRecord(run: Run, fact: FactBody): void {
  if (fact.type !== 'hook.ended') return;
  run.scanWanted = true;
  if (fact.status !== 'unknown') run.finished.add(fact.attemptId);
}

export type Fired =
  | {
      readonly go: true;
      readonly payload: Record<string, unknown>;
      readonly sentinel: Sentinel | null;
      readonly hook: string | null;
    }
  /** The turn was paused because of the hook; the performing function ends. */
  | { readonly go: false };

/** Fires a topic whose failure pauses the turn. Requests for a review or a new plan are recorded on the way. */
export async function* fire(
  run: Run,
  topic: HookTopic,
  key: string,
  payload: Record<string, unknown>,
): AsyncGenerator<Batch, Fired, void> {
  if (!run.hooks.has(topic)) return { go: true, payload, sentinel: null, hook: null };
  const invocationId = `${topic}:${key}`;
  const firing = yield* fireHooks(run, topic, invocationId, payload, run.signal);
  if (!firing.ok) {
    yield* pauseForHook(run, topic, invocationId, firing);
    return { go: false };
  }
  const asked = sentinelFact(topic, invocationId, firing.sentinel, firing.hook);
  if (asked !== null) yield { facts: [asked] };
  return { go: true, payload: firing.payload, sentinel: firing.sentinel, hook: firing.hook };
}

/** Fires a topic whose exceptions are recorded and change nothing. It tells of an end, so a cancelled turn fires it too. */
export async function* fireQuietly(
  run: Run,
  topic: 'on_error' | 'on_pause' | 'on_complete',
  key: string,
  payload: Record<string, unknown>,
): AsyncGenerator<Batch, void, void> {
  if (!run.hooks.has(topic)) return;
  const invocationId = `${topic}:${key}`;
  const firing = yield* fireHooks(run, topic, invocationId, payload);
  if (!firing.ok) {
    yield { facts: [{ type: 'hook.failed', topic, message: firing.reason, invocationId }] };
    return;
  }
  const asked = sentinelFact(topic, invocationId, firing.sentinel, firing.hook);
  if (asked !== null) yield { facts: [asked] };
}

function sentinelFact(
  topic: HookTopic,
  invocationId: string,
  sentinel: Sentinel | null,
  hook: string | null,
): FactBody | null {
  if (sentinel === null || sentinel.sentinel === 'skip' || sentinel.sentinel === 'ask') return null;
  const decision = sentinel.sentinel === 'pause' ? 'review' : 'replan';
  return {
    type: 'hook.decided',
    topic,
    decision,
    invocationId,
    reason: sentinel.reason,
    ...(hook === null ? {} : { hook }),
  };
}

export async function* pauseForHook(
  run: Run,
  topic: HookTopic,
  invocationId: string,
  firing: { readonly abort: boolean; readonly reason: string },
): AsyncGenerator<Batch, void, void> {
  const turn = turnOf(run.state());
  const step = turn.budget.steps + turn.started.length;
  const recorded: FactBody = firing.abort
    ? { type: 'hook.decided', topic, decision: 'abort', invocationId, reason: firing.reason }
    : { type: 'hook.failed', topic, message: firing.reason, invocationId };
  const reason = firing.abort ? `hook_abort:${topic}:${firing.reason}` : `hook_error:${topic}:turn ${step}`;
  const message = `a hook stopped the turn in ${topic} at turn ${step}: ${firing.reason}`;
  const next = 'mend the hook, then resume: nothing was half done';
  yield { facts: [recorded, { type: 'session.pause', reason, from: turn.phase, message, next }], barrier: true };
  yield* fireQuietly(run, 'on_pause', invocationId, { reason });
}
