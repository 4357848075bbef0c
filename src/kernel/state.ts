/**
 * The folded state of one session: what `decide` needs and nothing else. It is immutable; `evolve` is its only
 * writer. What is finished leaves it (closed actions, used steps), so one fact costs the same in round 2,000 as in
 * round 2; histories are projections of the facts themselves.
 */
import type {
  BodyOf,
  Check,
  EffectClass,
  Failure,
  Json,
  Limits,
  PermissionMode,
  Phase,
  PlanStep,
  Price,
  TestCounts,
  Todo,
  UndoScope,
} from './facts.ts';

export interface State {
  /** Number of the last folded fact. */
  readonly seq: number;
  /** Time of the last folded fact, Unix milliseconds; used for elapsed time only. */
  readonly ts: number;
  readonly sessionId: string | null;
  readonly workspace: string | null;
  readonly settings: Settings;
  readonly executor: Executor | null;
  readonly crashes: Crashes;
  readonly turn: Turn | null;
  /** Finished turns. */
  readonly turns: number;
  readonly todos: readonly Todo[];
  /** Successful actions since the todo list last changed; the evidence of the items completed next. */
  readonly sinceTodos: readonly string[];
  /** Content hash last shown to the model, by path; what was shown lately stands in the second part. Ask `seenHash`. */
  readonly seen: { readonly [path: string]: string };
  readonly seenLately: { readonly [path: string]: string };
  readonly world: World;
  readonly evidence: readonly Evidence[];
  readonly unknowns: readonly Unknown[];
  /** Commands in the background whose end is not recorded yet, in order of their start. */
  readonly tasks: readonly Task[];
  /** Folder in which the next command starts, relative to the workspace. */
  readonly cwd: string;
  readonly totals: Totals;
  readonly undo: Undo;
}

export interface Settings {
  readonly model: string | null;
  readonly mode: PermissionMode;
  /** Mode to return to when plan mode is left. */
  readonly modeBeforePlan: PermissionMode;
  readonly checks: readonly Check[];
  readonly allow: readonly string[];
  readonly limits: Limits;
  readonly price: Price | null;
}

export interface Executor {
  readonly executorId: string;
  readonly bootId: string;
  readonly pid: number;
}

/** Attachments in a row that ended without an orderly end and without any progress. */
export interface Crashes {
  readonly count: number;
  readonly suspect: number | null;
  readonly progressed: boolean;
}

export interface World {
  readonly revision: string | null;
  readonly tree: string | null;
  /** Sequence number of the last recorded change of the workspace. */
  readonly changedAt: number;
  readonly products: readonly string[];
  /** Changes recorded since the start of the session by actions of Belay; paths may repeat in no order. */
  readonly dirtyAtStart: boolean;
  /** The tree above is that of the workspace after everything recorded. */
  readonly isTreeKnown: boolean;
  /** A command ran since the last point to go back to was kept. */
  readonly isPointDue: boolean;
  /** Actions whose effect began and whose outcome is not recorded. */
  readonly underWay: readonly string[];
}

export interface Evidence {
  readonly seq: number;
  readonly check: string;
  readonly passed: boolean;
  /** Tree that the check saw, kept current while only products change. */
  readonly tree: string;
  readonly stable: boolean;
  /** Most tests that this check executed so far: fewer later on means that tests were taken away or skipped. */
  readonly mostRun: number;
  readonly revision: string;
  readonly counts: TestCounts | null;
  readonly exitCode: number;
  readonly reason: string | null;
}

export interface Unknown {
  readonly actionId: string;
  readonly tool: string;
  readonly answer: 'applied' | 'not-applied' | 'unknown' | null;
  readonly seq: number;
}

/** A command that goes on in the background, known by the call that started it. */
export interface Task {
  readonly actionId: string;
  readonly attemptId: string;
  readonly command: string;
  readonly cwd: string;
  readonly timeoutMs: number;
  /** Unix time in milliseconds, for people. */
  readonly startedAt: number;
  /** Boot in which it was started; null where the ledger does not tell. */
  readonly bootId: string | null;
  /** The model was told once, when it claimed to be done, that this still runs. */
  readonly wasAskedAbout: boolean;
}

/** What was undone. Facts stay; these ranges say which of them count no more. */
export interface Undo {
  /** Planned and not yet done: whoever finds it finishes it. */
  readonly pending: BodyOf<'undo.planned'> | null;
  readonly pendingSeq: number;
  /** Undos in force, oldest first; a redo takes the last one back. */
  readonly done: readonly Undone[];
  /** Undos that were taken back: neither they nor their redo count. */
  readonly reversed: readonly { readonly scope: UndoScope; readonly from: number; readonly to: number }[];
}
export interface Undone {
  readonly undoId: string;
  readonly scope: UndoScope;
  readonly toSeq: number;
  readonly plannedSeq: number;
  readonly doneSeq: number;
}

export interface Totals {
  readonly rounds: number;
  readonly toolCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens: number;
  readonly costUsd: number;
  /** Requests whose usage or cost is not known (no answer, or the provider did not say). */
  readonly unpricedRequests: number;
}

export interface Turn {
  readonly turnId: string;
  readonly goal: string;
  readonly planner: string;
  readonly phase: Phase;
  readonly pause: Pause | null;
  readonly outcome: BodyOf<'session.complete'>['reason'] | null;
  /** The plan being executed. A model response is a plan: its calls, or one step without a tool. */
  readonly plan: Plan | null;
  /** Drafted or answered, not yet committed. */
  readonly draft: Plan | null;
  readonly planRevision: number;
  /** Steps before this index are left. */
  readonly cursor: number;
  /** Actions of the steps from the cursor on, in order of the steps; closed ones stay until their step is left. */
  readonly open: readonly OpenAction[];
  /** Steps started and not ended, by id. */
  readonly started: readonly string[];
  readonly ended: readonly string[];
  readonly request: { readonly requestId: string; readonly seq: number } | null;
  readonly retry: Retry | null;
  /** Failures of each kind in this turn: every domain has its own retry budget. */
  readonly retries: { readonly [kind: string]: number };
  readonly emptyAnswers: number;
  readonly finalText: string | null;
  readonly budget: BudgetUse;
  readonly claim: Claim;
  readonly review: string | null;
  readonly replan: boolean;
  readonly cancelled: boolean;
  /** Words of the user that no model request has carried yet. */
  readonly unheard: number;
  readonly progress: Progress;
}

export interface Pause {
  readonly reason: string;
  readonly from: Phase;
  readonly seq: number;
  readonly message: string | null;
  readonly next: string | null;
}

export interface Plan {
  readonly origin: 'list' | 'model' | 'runtime';
  readonly steps: readonly PlanStep[];
}

export interface OpenAction {
  readonly actionId: string;
  readonly stepId: string;
  readonly tool: string;
  readonly args: Json;
  readonly origin: 'model' | 'plan' | 'runtime';
  readonly effect: EffectClass;
  /** null: the whole workspace. */
  readonly paths: readonly string[] | null;
  readonly intent: string;
  readonly free: boolean;
  readonly problem: Failure | null;
  readonly status: 'intended' | 'asked' | 'approved' | 'denied' | 'allowed' | 'started' | 'closed';
  readonly approval: { readonly binding: string; readonly by: string | null; readonly note: string | null } | null;
  /** An attempt was given up because it can be repeated, not because it is proven not to have happened. */
  readonly mayHaveRun?: boolean;
  /** What the first such attempt began with: how long it can be repeated counts from there. */
  readonly firstBase?: Json;
  /** Physical runs so far; the last one is `attempt`. */
  readonly attempts: number;
  readonly attempt: {
    readonly attemptId: string;
    readonly executorId: string;
    /** Boot in which it was started; null where the ledger does not tell. */
    readonly bootId: string | null;
    readonly base: Json | null;
    readonly seq: number;
  } | null;
  readonly outcome: 'succeeded' | 'failed' | 'cancelled' | 'rejected' | 'unknown' | null;
  readonly failure: Failure | null;
  readonly skipped: boolean;
}

export interface Retry {
  readonly failure: Failure;
  /** Failures in a row. */
  readonly count: number;
  /** True once the pause before the next try is over. */
  readonly waited: boolean;
}

/** Use within the current allowance: a resume after a budget pause starts a new one. */
export interface BudgetUse {
  readonly rounds: number;
  readonly steps: number;
  readonly toolCalls: number;
  readonly elapsedMs: number;
  readonly tokens: number;
  readonly costUsd: number;
  /** Limit that tripped and was warned of, until it is extended or resumed. */
  readonly warned: string | null;
}

export interface Claim {
  /** Claims of being done since the last change of the workspace or passed check. */
  readonly count: number;
  readonly verdict: {
    readonly accepted: boolean;
    readonly reason: string;
    readonly verified: boolean | null;
    readonly seq: number;
  } | null;
  /** The verdict above belongs to the present answer. */
  readonly fresh: boolean;
}

/** Six signals of work that does not move on; see `progress.ts`. */
export interface Progress {
  readonly lastIntent: string | null;
  readonly lastObservation: string | null;
  /** Equal calls with equal observations in a row. */
  readonly repeats: number;
  readonly failureSignature: string | null;
  /** Equal error signatures in a row. */
  readonly failureRepeats: number;
  /** Equal observations in a row, whatever was called. */
  readonly sameObservations: number;
  /** Calls with effects since the workspace last changed. */
  readonly idleEffects: number;
  /** Calls since the todo list last changed. */
  readonly idleTodos: number;
  /** Tokens since the last result (a change of the workspace, a check, a todo). */
  readonly spentTokens: number;
  /** Most tokens that one result of this turn took. */
  readonly dearestTokens: number;
  readonly forbidden: readonly string[];
  /** Answers with signals since the workspace last changed. */
  readonly signals: number;
  /** A signal was told that no answer could heed yet: further ones of the same round count as one with it. */
  readonly isTold: boolean;
}

export const noProgress: Progress = {
  lastIntent: null,
  lastObservation: null,
  repeats: 0,
  failureSignature: null,
  failureRepeats: 0,
  sameObservations: 0,
  idleEffects: 0,
  idleTodos: 0,
  spentTokens: 0,
  dearestTokens: 0,
  forbidden: [],
  signals: 0,
  isTold: false,
};

const noBudget: BudgetUse = { rounds: 0, steps: 0, toolCalls: 0, elapsedMs: 0, tokens: 0, costUsd: 0, warned: null };

export const initialState: State = {
  seq: 0,
  ts: 0,
  sessionId: null,
  workspace: null,
  settings: {
    model: null,
    mode: 'default',
    modeBeforePlan: 'default',
    checks: [],
    allow: [],
    limits: {},
    price: null,
  },
  executor: null,
  crashes: { count: 0, suspect: null, progressed: true },
  turn: null,
  turns: 0,
  todos: [],
  sinceTodos: [],
  seen: {},
  seenLately: {},
  world: {
    revision: null,
    tree: null,
    changedAt: 0,
    products: [],
    dirtyAtStart: false,
    isTreeKnown: false,
    isPointDue: false,
    underWay: [],
  },
  evidence: [],
  unknowns: [],
  tasks: [],
  cwd: '.',
  totals: {
    rounds: 0,
    toolCalls: 0,
    inputTokens: 0,
    outputTokens: 0,
    cachedInputTokens: 0,
    costUsd: 0,
    unpricedRequests: 0,
  },
  undo: { pending: null, pendingSeq: 0, done: [], reversed: [] },
};

/** Nothing of a round is planned, open or asked for. */
export const betweenRounds = {
  draft: null,
  cursor: 0,
  open: [],
  started: [],
  ended: [],
  request: null,
  retry: null,
  emptyAnswers: 0,
  finalText: null,
  review: null,
  replan: false,
} as const satisfies Partial<Turn>;

export const freshTurn = (turnId: string, goal: string, planner: string): Omit<Turn, 'phase'> => ({
  turnId,
  goal,
  planner,
  ...betweenRounds,
  pause: null,
  outcome: null,
  plan: null,
  planRevision: 0,
  retries: {},
  budget: noBudget,
  claim: { count: 0, verdict: null, fresh: false },
  cancelled: false,
  unheard: 1,
  progress: noProgress,
});
