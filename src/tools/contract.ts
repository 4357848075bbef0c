/**
 * What a tool is. A tool is a folder: its code, its prompt text, its effect class and its settle rule.
 *
 * 1. `classify` and `inspect` change nothing. `classify` answers from the arguments, and from what the paths in them are.
 * 2. `prepare` makes ready what the effect needs; nothing in the world that the user sees changes before `run`.
 *    Between the two the runtime writes and flushes `attempt.start`.
 * 3. `run` never throws for a fault of the world: it returns an outcome whose text tells the model the next step.
 * 4. `settle` says how an attempt left behind by another run ended; it first tries to take the claim.
 */
import type {
  EffectClass,
  FactBody,
  Failure,
  Fingerprint,
  Json,
  OutcomeStatus,
  Settling,
  State,
  ToolDefinition,
} from '#kernel';

export interface CallProfile {
  readonly effect: EffectClass;
  /** Paths relative to the workspace that the call touches; null = any. */
  readonly paths: readonly string[] | null;
  /** Not counted against the tool-call budget. */
  readonly free?: boolean;
  /** A read that may begin before the answer that holds it is complete: it leaves nothing behind, no folder either. */
  readonly early?: boolean;
}

export interface ToolContext {
  readonly actionId: string;
  readonly signal: AbortSignal;
  /** The folded state at this moment: what was read, declared checks, todos, mode. */
  state(): State;
  /** Puts marks in the place of secrets. Results are masked anyway; what is cut out of something longer is masked before. */
  mask?(text: string): string;
}

export interface AttemptContext extends ToolContext {
  readonly attemptId: string;
  /** `exec/<attemptId>` of the session; made by the tool that needs it. */
  readonly execFolder: string;
  /** The boot in which the attempt is, or was, started; `settle` believes claims and receipts of the present one only. */
  readonly bootId: string;
  /** Live output for subscribers; never a fact. */
  onOutput(text: string): void;
}

export type Inspection =
  /** `base` is what an approval binds to; `preview` is shown to the person who decides (a diff for edits). */
  | { readonly ok: true; readonly base?: Json; readonly preview?: string }
  | { readonly ok: false; readonly failure: Failure };

export interface ReadyAttempt {
  readonly deadlineMs?: number;
  /** Stored in `attempt.start`; given back to `settle`. */
  readonly base?: Json;
  run(): Promise<ToolOutcome>;
  discard(): Promise<void>;
}
export type Preparation =
  | { readonly ok: true; readonly attempt: ReadyAttempt }
  | { readonly ok: false; readonly failure: Failure };

export interface ToolOutcome {
  readonly status: OutcomeStatus;
  /** What the model is shown. */
  readonly output: string;
  readonly data?: Json;
  readonly failure?: Failure;
  readonly files?: readonly Fingerprint[];
  readonly seen?: readonly { readonly path: string; readonly hash: string }[];
  readonly exitCode?: number;
  /** The folder, relative to the workspace, in which later commands start; absent leaves it as it is. */
  readonly cwd?: string;
  readonly provenance?: 'live' | 'receipt' | 'reconciled';
  /** Of an outcome that `settle` found: how. */
  readonly settling?: Settling;
  /** Facts written in one batch with the outcome: todo lists, mode changes, evidence. */
  readonly facts?: readonly FactBody[];
  /** Full bytes behind a preview; stored as a blob. */
  readonly full?: Uint8Array;
  /** Files for the model to look at; their bytes are stored as blobs. */
  readonly attachments?: readonly { readonly path: string; readonly mediaType: string; readonly content: Uint8Array }[];
}

export type Settlement =
  | { readonly state: 'not-started'; readonly settling?: Settling }
  | { readonly state: 'settled'; readonly outcome: ToolOutcome };

export interface Tool {
  readonly definition: ToolDefinition;
  classify(args: Json): CallProfile | Promise<CallProfile>;
  inspect(args: Json, context: ToolContext): Promise<Inspection>;
  prepare(args: Json, context: AttemptContext): Promise<Preparation>;
  settle(args: Json, base: Json | null, context: AttemptContext): Promise<Settlement>;
}

/** Tools by name, in order of registration. */
export interface ToolRegistry {
  readonly definitions: readonly ToolDefinition[];
  get(name: string): Tool | null;
  /** All faults of the arguments against the tool's schema as one failure for the model, or null. */
  check(name: string, args: Json): Failure | null;
}
