/**
 * The runtime: one session, driven.
 *
 * 1. Control comes back as a value. A pull says what is needed; `resume` goes on from exactly there.
 * 2. Nothing is believed before it is in the ledger: the driver appends, folds, and only then decides again.
 * 3. There is no recovery path: `resume` in a new process folds the ledger and asks `decide`.
 * 4. Hooks are imperative and get working copies; subscribers observe facts, which are frozen.
 * 5. Every end of `run` and `resume` leaves a ledger from which `resume` is possible (or a finished turn).
 *
 * Everything outside is a port: the types below are all that this room knows of ledger, model, tools and workspace.
 */
import type {
  BodyOf,
  Check,
  EffectClass,
  Fact,
  FactBody,
  FactOf,
  FactType,
  Failure,
  Fingerprint,
  Json,
  ModelDelta,
  ModelRequest,
  ModelResult,
  OutcomeStatus,
  PermissionMode,
  Phase,
  Price,
  Settling,
  State,
  StreamedCall,
} from '#kernel';

export interface LedgerPort {
  readonly sessionId: string;
  readonly folder: string | null;
  readonly lastSeq: number;
  read(fromSeq?: number): Iterable<Fact>;
  find<T extends FactType>(types: readonly T[], fromSeq?: number): Iterable<FactOf<T>>;
  append(bodies: readonly FactBody[]): Promise<readonly Fact[]>;
  flush(): Promise<void>;
  subscribe(listener: (facts: readonly Fact[]) => void): () => void;
  putBlob(bytes: Uint8Array): Promise<string>;
}

/** Plans in words of its own: a whole list of steps at once. */
export interface ListPlanner {
  readonly kind: 'list';
  readonly name: string;
  readonly version?: string;
  /** Steps from now on; an empty list ends the turn with `no_plan`. May throw: the turn pauses, resumable. */
  plan(input: {
    readonly goal: string;
    readonly history: readonly StepResult[];
    readonly lastError: string | null;
    readonly signal: AbortSignal;
  }): Promise<readonly StepDraft[]> | readonly StepDraft[];
}
export interface StepDraft {
  /** Ids of finished steps are immutable: a step that is to run again needs a new id. Absent: made by the runtime. */
  readonly id?: string;
  readonly description: string;
  readonly tool?: string;
  readonly args?: Json;
}
export interface StepResult {
  readonly stepId: string;
  readonly description: string;
  readonly status: OutcomeStatus | 'ok' | 'skipped';
  readonly output: string;
}

/** Asks a model for the next answer; the answer is the plan. */
export interface ModelPlanner {
  readonly kind: 'model';
  readonly name: string;
  readonly modelId: string;
  readonly price: Price | null;
  /** `generate` may be called before the facts are on disk, because it sends nothing before `durable` has come. */
  readonly waitsForDurable?: boolean;
  /** Pure projection of the facts; append-only between compactions. */
  project(facts: Iterable<Fact>, state: State): ModelRequest;
  generate(
    request: ModelRequest,
    context: {
      readonly signal: AbortSignal;
      readonly requestId: string;
      onDelta(delta: ModelDelta): void;
      /** Told of each call of the answer whose arguments are whole and readable, while the rest still streams. */
      onCall?(call: StreamedCall): void;
      facts(): Iterable<Fact>;
      /** Comes when all that the request rests on is on disk; only where the planner waits for it. */
      readonly durable?: Promise<void>;
    },
  ): Promise<ModelResult>;
}
export type Planner = ListPlanner | ModelPlanner;

export interface ToolsPort {
  /** What a call is, and whether it can run at all. `host` in the profile: the embedding program runs it. */
  profile(tool: string, args: Json): CallReport | Promise<CallReport>;
  inspect(
    tool: string,
    args: Json,
    context: ToolCall,
  ): Promise<
    | { readonly ok: true; readonly base?: Json; readonly preview?: string }
    | { readonly ok: false; readonly failure: Failure }
  >;
  prepare(
    tool: string,
    args: Json,
    context: ToolAttempt,
  ): Promise<
    { readonly ok: true; readonly attempt: PreparedAttempt } | { readonly ok: false; readonly failure: Failure }
  >;
  settle(
    tool: string,
    args: Json,
    base: Json | null,
    context: ToolAttempt,
  ): Promise<
    | { readonly state: 'not-started'; readonly settling?: Settling }
    | { readonly state: 'settled'; readonly outcome: ToolResult }
  >;
}
export interface CallReport {
  readonly effect: EffectClass;
  readonly paths: readonly string[] | null;
  readonly free: boolean;
  readonly problem: Failure | null;
  /** A read that leaves nothing behind and says nothing but its result: it may begin before its answer is complete. */
  readonly early?: boolean;
}
export interface ToolCall {
  readonly actionId: string;
  readonly signal: AbortSignal;
  state(): State;
  /** Puts marks in the place of secrets; what is cut out of something longer is masked first. Absent: nothing is. */
  mask?(text: string): string;
}
export interface ToolAttempt extends ToolCall {
  readonly attemptId: string;
  readonly execFolder: string;
  /** The boot in which the attempt is, or was, started. */
  readonly bootId: string;
  onOutput(text: string): void;
}
export interface PreparedAttempt {
  readonly deadlineMs?: number;
  readonly base?: Json;
  run(): Promise<ToolResult>;
  discard(): Promise<void>;
}
export interface ToolResult {
  readonly status: OutcomeStatus;
  readonly output: string;
  readonly data?: Json;
  readonly failure?: Failure;
  readonly files?: readonly Fingerprint[];
  readonly seen?: readonly { readonly path: string; readonly hash: string }[];
  readonly exitCode?: number;
  readonly cwd?: string;
  readonly provenance?: 'live' | 'receipt' | 'reconciled';
  readonly settling?: Settling;
  /** When it was over (Unix ms), where that is told later. */
  readonly endedMs?: number;
  /** Processes of it went on. */
  readonly livesOn?: true;
  readonly facts?: readonly FactBody[];
  readonly full?: Uint8Array;
  /** Files for the model to look at; their bytes are stored as blobs. */
  readonly attachments?: readonly { readonly path: string; readonly mediaType: string; readonly content: Uint8Array }[];
}

export type PermissionPort = (
  call: {
    readonly tool: string;
    readonly args: Json;
    readonly effect: EffectClass;
    readonly paths: readonly string[] | null;
  },
  context: {
    readonly mode: PermissionMode;
    readonly allow: readonly string[];
    readonly checks: readonly Check[];
    readonly workspace: string;
    readonly cwd?: string;
    readonly signal: AbortSignal;
  },
) => Promise<{
  readonly decision: 'allow' | 'ask' | 'deny';
  readonly by: 'rule' | 'mode' | 'check' | 'policy';
  readonly reason: string;
  readonly message?: string;
  /** What the call could take away. With any, `GuardPort` is asked first. */
  readonly losses?: readonly Loss[];
  /** Of `ask`: rules that would allow exactly this call from now on. */
  readonly always?: readonly string[];
  /** Of `ask`: no classifier may answer it. */
  readonly personOnly?: boolean;
}>;
/** One command or redirection that could take work away. */
export interface Loss {
  readonly what: string;
  readonly why: string;
  readonly takes: readonly ('changes' | 'untracked' | 'ignored')[];
  readonly paths: readonly string[] | null;
  readonly beyond: string | null;
  /** Kept, and nobody is asked for it. */
  readonly unsure?: true;
  /** Nobody is told of it, and only what is quickly kept is kept. */
  readonly unnamed?: true;
}
/** Stands before calls that could take work away. Both reject on abort. */
export interface GuardPort {
  /** What is there to lose now, for the person who decides. Changes nothing. */
  tell(losses: readonly Loss[], state: State, signal: AbortSignal): Promise<string>;
  /** Keeps it, so that an undo brings it back; the facts say what was kept. Rejects where it cannot be kept. */
  keep(losses: readonly Loss[], state: State, signal: AbortSignal): Promise<readonly FactBody[]>;
}

/** Scans for the gate, for rounds and for resuming; null where there is no workspace (contract sessions). */
export interface WorldPort {
  scan(
    state: State,
    signal: AbortSignal,
  ): Promise<{ readonly revision: string; readonly tree: string; readonly changed: readonly string[] }>;
  /** Keeps what the last scan found as a point to go back to; null where there was no scan. Rejects on abort. */
  checkpoint?(signal: AbortSignal): Promise<BodyOf<'checkpoint.taken'> | null>;
}

/** Folders of attempts. Null where no attempt leaves anything on disk (contract sessions in memory). */
export interface ExecPort {
  folder(attemptId: string): string;
  /** Removes folders whose outcome is on disk; never fails. */
  sweep(attemptIds: readonly string[]): Promise<void>;
}

/** Commands in the background. Absent where no tool starts any. */
export interface TasksPort {
  /** The ends of these tasks that are known by now; takes up those that another process started. Never fails. */
  ended(tasks: State['tasks']): Promise<readonly BodyOf<'task.ended'>[]>;
  /** Stops them all, whoever started them, and tells their ends. */
  stop(tasks: State['tasks']): Promise<readonly BodyOf<'task.ended'>[]>;
}

export interface MaskPort {
  /** The same tools, also those that replace others later. */
  tools(tools: ToolsPort): ToolsPort;
  /** What the embedding program hands in as the result of a call. */
  result(fact: BodyOf<'attempt.outcome'>): BodyOf<'attempt.outcome'>;
  /** What is said of a call: why it is asked or refused, what it would take away, the rules that would allow it. */
  text(text: string): string;
}

/** Messages from outside this process. */
export interface InboxPort {
  list(): Promise<{ readonly messages: readonly OutsideMessage[] }>;
  /** Whether nothing waits. Absent: what arrived is heard when the watcher tells of it. */
  isEmpty?(): boolean;
  remove(id: string): Promise<void>;
  watch(onArrival: () => void): () => void;
}
export type OutsideMessage = { readonly id: string } & (
  | {
      readonly kind: 'approval';
      readonly actionId: string;
      readonly verdict: 'approve' | 'deny';
      readonly note?: string;
      readonly by: string;
    }
  | {
      readonly kind: 'settle';
      readonly actionId: string;
      readonly answer: 'applied' | 'not-applied' | 'unknown';
      readonly note?: string;
      readonly by: string;
    }
  | { readonly kind: 'input'; readonly text: string }
  | { readonly kind: 'cancel'; readonly by: string }
);

export interface Clock {
  /** Resolves after the duration, or at once when the signal aborts. */
  sleep(durationMs: number, signal: AbortSignal): Promise<void>;
  /** Milliseconds to wait after that many failures in a row; honours what the provider asked for. */
  backoffMs(failures: number, retryAfterMs: number | null): number;
}

export interface SessionPorts {
  readonly ledger: LedgerPort;
  readonly planner: Planner;
  readonly tools: ToolsPort;
  readonly permission: PermissionPort;
  readonly world: WorldPort | null;
  /** Absent where there is no workspace to lose. */
  readonly guard?: GuardPort;
  readonly inbox: InboxPort | null;
  readonly exec: ExecPort | null;
  readonly tasks?: TasksPort;
  /** Takes secrets out of everything that tools say. Absent: all is recorded as it comes. */
  readonly mask?: MaskPort;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly bootId: string;
  readonly pid: number;
  /** Stop everything that runs; the session stays resumable. */
  readonly signal?: AbortSignal;
}

/** What the caller must do next. */
export type Pull =
  | {
      readonly kind: 'tool';
      readonly state: 'awaiting_tool';
      readonly reason: 'tool_call';
      readonly calls: readonly HostCall[];
    }
  | {
      readonly kind: 'approval';
      readonly state: 'idle';
      readonly reason: string;
      readonly actionId: string;
      readonly preview: string | null;
      /** Rules that "always" would store; empty where none is narrow enough. */
      readonly always: readonly string[];
      /** No classifier may answer it. */
      readonly personOnly: boolean;
    }
  | {
      readonly kind: 'pause';
      readonly state: Phase;
      readonly reason: string;
      readonly payload: { readonly reason: string };
      readonly message: string | null;
    }
  | {
      readonly kind: 'handoff';
      readonly state: 'idle';
      readonly reason: string;
      readonly message: string;
      readonly next: string;
    }
  | {
      readonly kind: 'finish';
      readonly state: 'done';
      readonly reason: BodyOf<'session.complete'>['reason'];
      readonly text: string;
      readonly verified: boolean | null;
    };
export interface HostCall {
  readonly actionId: string;
  readonly stepId: string;
  readonly tool: string;
  readonly args: Json;
}

export type ResumePayload =
  | { readonly actionId?: string; readonly result: Json }
  | { readonly actionId?: string; readonly error: string }
  | { readonly text: string };

export type Delta =
  | { readonly kind: 'model'; readonly requestId: string; readonly delta: ModelDelta }
  | { readonly kind: 'output'; readonly actionId: string; readonly text: string };

export interface Session {
  readonly sessionId: string;
  readonly state: State;
  /** Starts a turn. Refused (`SessionError`) while a turn is not done. */
  run(goal: string): Promise<Pull>;
  /** Goes on after a pull, or after a crash. Without anything to resume: refused. */
  resume(payload?: ResumePayload): Promise<Pull>;
  approve(actionId: string, verdict: 'approve' | 'deny', by: string, note?: string): Promise<void>;
  settle(actionId: string, answer: 'applied' | 'not-applied' | 'unknown', by: string, note?: string): Promise<void>;
  extend(limits: State['settings']['limits']): Promise<void>;
  configure(change: Omit<BodyOf<'settings.changed'>, 'type' | 'by'>, by: string): Promise<void>;
  /** Steering words; heard at the next model request. */
  say(text: string): Promise<void>;
  /** Ends the turn; converges from every state. */
  cancel(by: string): Promise<void>;
  facts(fromSeq?: number): Iterable<Fact>;
  /** Those of these types only; costs what is found, however long the session is. */
  find<T extends FactType>(types: readonly T[], fromSeq?: number): Iterable<FactOf<T>>;
  /** Facts from `fromSeq` on, then live ones; each once, in order. */
  subscribe(fromSeq: number, listener: (fact: Fact) => void): () => void;
  onDelta(listener: (delta: Delta) => void): () => void;
  /** Hears what others leave in the inbox also while nothing is driven; until the returned function is called. */
  listen(): () => void;
  /** Swaps a part; takes effect at its next use. */
  use(part: { planner: Planner } | { tools: ToolsPort } | { permission: PermissionPort }): void;
  /** Writes `executor.detached` and flushes. */
  close(reason: string): Promise<void>;
}
