/**
 * While a person is asked, a safety classifier looks at the same call; who is first answers.
 *
 * 1. A classifier can only allow. What it does not call safe, or when it fails, stays with the person.
 * 2. What only a person may answer (a rule asks, work would be lost) no classifier is asked about.
 * 3. In the first moments a touch may be an accident: it does not cancel the classifier, but holds its answer back until
 *    the moments are over, so that nothing vanishes under a key. A touch after that makes the question the person's.
 * 4. The answer of the person wins whenever it is complete.
 */
import type { EffectClass, Json } from '#kernel';
import type { Clock, Pull, Session } from './contract.ts';

/** A call that waits for an approval, as a classifier sees it. */
export interface AskedCall {
  readonly tool: string;
  readonly args: Json;
  readonly effect: EffectClass;
  /** Relative to the workspace; null: any. */
  readonly paths: readonly string[] | null;
  readonly workspace: string;
  /** Rules that would allow exactly this call; empty where none is narrow enough. */
  readonly always: readonly string[];
}
export type SafetyClassifier = (
  call: AskedCall,
  context: { readonly signal: AbortSignal },
) => Promise<{ readonly safe: boolean; readonly reason: string }>;

/** What the person's side of the race is handed. */
export interface RaceTurn {
  /** Aborts when the classifier has answered: the question is to be taken away. */
  readonly signal: AbortSignal;
  /** To be called at each key, click or the like. */
  touched(): void;
}
export type RaceResult<T> =
  | { readonly by: 'person'; readonly answer: T }
  | { readonly by: 'classifier'; readonly reason: string };

export interface ApprovalRace<T> {
  readonly session: Pick<Session, 'state'>;
  readonly pull: Extract<Pull, { kind: 'approval' }>;
  /** Null: only the person is asked. */
  readonly classify: SafetyClassifier | null;
  readonly ask: (turn: RaceTurn) => Promise<T>;
  readonly clock: Pick<Clock, 'sleep'>;
  /** 200 ms unless given. */
  readonly graceMs?: number;
}

/** Records nothing: the caller hands the answer to `approve`, naming who gave it. */
export async function raceApproval<T>(race: ApprovalRace<T>): Promise<RaceResult<T>> {
  const { ask, clock, graceMs = 200 } = race;
  const stop = new AbortController();
  const state = { isGrace: true, wasTouched: false, isPersons: false };
  const grace = clock.sleep(graceMs, stop.signal).then(() => {
    state.isGrace = false;
  });
  const touched = (): void => {
    state.wasTouched = true;
    if (!state.isGrace) state.isPersons = true;
  };
  const person = ask({ signal: stop.signal, touched }).then((answer): RaceResult<T> => ({ by: 'person', answer }));
  const classifier = verdictOf(race, stop.signal).then(async (reason): Promise<RaceResult<T>> => {
    if (reason !== null && state.wasTouched && state.isGrace) await grace;
    return reason === null || state.isPersons || stop.signal.aborted ? never() : { by: 'classifier', reason };
  });
  try {
    return await Promise.race([person, classifier]);
  } finally {
    stop.abort();
  }
}

const never = <T>(): Promise<T> => new Promise(() => {});

/** Why it is safe; null where it is not known to be. */
async function verdictOf<T>({ session, pull, classify }: ApprovalRace<T>, signal: AbortSignal): Promise<string | null> {
  const { turn, workspace } = session.state;
  const action = turn?.open.find((open) => open.actionId === pull.actionId);
  if (classify === null || pull.personOnly || action === undefined) return null;
  const { tool, args, effect, paths } = action;
  try {
    const call = { tool, args, effect, paths, workspace: workspace ?? '', always: pull.always };
    const { safe, reason } = await classify(call, { signal });
    return safe === true ? reason : null;
  } catch {
    return null;
  }
}
