/**
 * The facts: everything Belay can remember, one schema per type. A fact is immutable, has a sequence number, and is
 * told once. Streaming deltas are not facts. The table is ordered as a round runs; `docs/ledger-format.md` is
 * generated from it. Names read `noun.verb`. The `session.*`, `plan.*`, `step.*` and `budget.warn` names are those
 * of the public loop contract; the other contract events are a view (see `contract-events.ts`).
 */
import {
  bool,
  type Fields,
  type InferFields,
  int,
  type Json,
  json,
  list,
  num,
  obj,
  oneOf,
  opt,
  type Shape,
  str,
} from '#lib';
import {
  attachment,
  check,
  effectClass,
  failure,
  fingerprint,
  leftAlone,
  limits,
  outcomeStatus,
  permissionMode,
  phaseName,
  planStep,
  price,
  responsePart,
  restoration,
  sandboxMode,
  settling,
  testCounts,
  todo,
  undoScope,
  usage,
} from './fact-shapes.ts';

const factFields = {
  /** First fact of every ledger. A fork names the session and the last fact that it has in common with it. */
  'session.created': {
    sessionId: str,
    workspace: str,
    version: str,
    fileSystem: opt(str),
    parent: opt(obj({ sessionId: str, seq: int })),
  },
  /** A run of the driver began; written together with its first other fact. */
  'executor.attached': { executorId: str, bootId: str, pid: int, for: opt(oneOf('undo')) },
  'executor.detached': { executorId: str, reason: str },
  /** Settings as a whole or in part; an option given to a later command replaces the earlier one. */
  'settings.changed': {
    by: str,
    model: opt(str),
    mode: opt(permissionMode),
    checks: opt(list(check)),
    allow: opt(list(str)),
    limits: opt(limits),
    price: opt(price),
    instructions: opt(str),
    sandbox: opt(sandboxMode),
    sandboxNetwork: opt(bool),
  },
  /** What commands run in from here on. `level` `none`: they run as the user; `detail` says why, or what it is. */
  'sandbox.probed': {
    mode: sandboxMode,
    level: oneOf('bubblewrap', 'sandbox-exec', 'none'),
    network: bool,
    detail: str,
  },
  /** A user's words inside a running turn, or the words that go with a resume. `messageId` is the inbox message. */
  'input.received': { text: str, messageId: opt(str) },
  'cancel.requested': { by: str, messageId: opt(str) },

  'session.start': { turnId: str, goal: str, planner: str, plannerVersion: opt(str) },
  'plan.draft': { steps: list(planStep), planner: str, plannerVersion: opt(str) },
  'plan.commit': { steps: list(planStep), revision: int },
  /** Every change of phase that no other fact implies. */
  'phase.enter': { to: phaseName, reason: opt(str) },

  /** `bytes` is about the length of what is sent: the texts and arguments, without the frame of the provider's format. */
  'model.request': { requestId: str, model: str, messages: int, bytes: int },
  'model.response': {
    requestId: str,
    parts: list(responsePart),
    finish: str,
    usage: usage,
    costUsd: opt(num),
    modelId: opt(str),
  },
  /** Nothing of the answer was acted on; `text` had been said. `media`: blobs in a refused request, perhaps why it was. */
  'model.failed': { requestId: opt(str), failure: failure, text: opt(str), media: opt(list(str)) },
  'backoff.ended': { waitedMs: int },

  /** One logical call. `problem` means it can never run: the message is its result. `paths` empty or absent = the whole workspace. */
  'action.intended': {
    actionId: str,
    tool: str,
    args: json,
    origin: oneOf('model', 'plan', 'runtime'),
    effect: effectClass,
    intent: str,
    /** Absent for a model's calls: they are the steps of the response, in order. */
    stepId: opt(str),
    callId: opt(str),
    paths: opt(list(str)),
    problem: opt(failure),
    /** Calls that the contract does not count as a tool call of the budget (todo lists and the like). */
    free: opt(bool),
  },
  'step.start': { stepId: str, description: opt(str), actionId: opt(str) },
  /** A hook changed the input, skipped, aborted or asked for review. The model's own call stays as it was. */
  'hook.decided': {
    topic: str,
    decision: oneOf('rewrite', 'skip', 'abort', 'review', 'replan'),
    invocationId: str,
    hook: opt(str),
    actionId: opt(str),
    args: opt(json),
    effect: opt(effectClass),
    paths: opt(list(str)),
    reason: opt(str),
  },
  /** An exception of a hook: recorded, never swallowed. */
  'hook.failed': { topic: str, message: str, invocationId: str, actionId: opt(str) },
  /** A command of a hook is about to start: an attempt of its own, which a later run settles like any other. */
  'hook.started': { invocationId: str, hook: str, attemptId: str, command: str, actionId: opt(str) },
  /** How it ended. `output` is what it printed, bounded; a hook whose end is recorded is not run again. */
  'hook.ended': {
    attemptId: str,
    invocationId: str,
    status: oneOf('exited', 'timed-out', 'cancelled', 'not-started', 'unknown'),
    exitCode: opt(int),
    output: str,
    errors: opt(str),
    provenance: opt(oneOf('live', 'receipt', 'reattached')),
  },
  /** Words of a hook for the model. */
  'hook.said': { invocationId: str, hook: str, text: str, actionId: opt(str) },
  /** A person must decide. `binding` is the hash of what is approved: tool, effective arguments, base hashes. */
  'approval.requested': {
    actionId: str,
    reason: str,
    binding: str,
    preview: opt(str),
    /** Rules that would allow exactly this call from now on; absent where there are none that are narrow enough. */
    always: opt(list(str)),
    /** A rule of the user asks, or work would be lost: no classifier answers. */
    personOnly: opt(bool),
  },
  'approval.resolved': {
    actionId: str,
    verdict: oneOf('approve', 'deny'),
    by: str,
    note: opt(str),
    messageId: opt(str),
  },
  /** The one verdict on an action. Only `allow` lets it start; the others close it with `message` as its result. */
  'action.verdict': {
    actionId: str,
    verdict: oneOf('allow', 'deny', 'abort', 'skip', 'cancel'),
    by: oneOf('rule', 'mode', 'check', 'person', 'hook', 'runtime', 'policy', 'classifier'),
    reason: opt(str),
    message: opt(str),
  },
  'step.end': { stepId: str, outcome: oneOf('ok', 'awaiting_tool', 'error', 'skipped') },
  /** Durable before its effect. `base` is what settling needs to know about the world before. */
  'attempt.start': {
    attemptId: str,
    actionId: str,
    executorId: str,
    effect: effectClass,
    deadlineMs: opt(int),
    base: opt(json),
    early: opt(bool),
  },
  /** Proven not started: the claim was won by reconciling. The action may run again. */
  'attempt.revoked': { attemptId: str, actionId: str, settling: opt(settling) },
  /** The receipt. `output` is what the model is shown; `data` is for code; a large output lies in `blob`. */
  'attempt.outcome': {
    actionId: str,
    attemptId: opt(str),
    status: outcomeStatus,
    output: str,
    data: opt(json),
    blob: opt(str),
    attachments: opt(list(attachment)),
    failure: opt(failure),
    files: opt(list(fingerprint)),
    /** Files whose content this action showed to the model, with the hash shown. */
    seen: opt(list(obj({ path: str, hash: str }))),
    exitCode: opt(int),
    /** The folder, relative to the workspace, in which later commands start. */
    cwd: opt(str),
    provenance: opt(oneOf('live', 'receipt', 'reconciled', 'host')),
    settling: opt(settling),
    durationMs: opt(int),
    /** When it was over (Unix ms), where its own receipt tells that and the outcome was written later. */
    endedMs: opt(int),
    /** Processes that it left behind went on. */
    livesOn: opt(bool),
  },
  /** The command of a call goes on in the background: the call is over, its end is told by `task.ended`. */
  'task.started': { actionId: str, attemptId: str, command: str, cwd: opt(str), timeoutMs: int },
  /** The end of a background command, told once. `told`: a result written with it tells the model; else a message does. */
  'task.ended': {
    actionId: str,
    status: oneOf('exited', 'timed-out', 'stopped', 'not-started', 'unknown'),
    /** Both ends of what it printed; the whole is read by range while it is kept. */
    output: str,
    outputBytes: int,
    blob: opt(str),
    exitCode: opt(int),
    reason: opt(str),
    told: opt(bool),
  },
  /** Deferred tools that the model looked for; its requests carry them from now on. */
  'tools.found': { names: list(str) },
  /** An answer to an unknown outcome, by a person or a policy. */
  'unknown.settled': {
    actionId: str,
    answer: oneOf('applied', 'not-applied', 'unknown'),
    by: str,
    note: opt(str),
    messageId: opt(str),
  },

  /** The workspace as found by a scan; at `resume` others may have made the change. `tree` leaves out the known check products. */
  'workspace.scanned': {
    revision: str,
    tree: str,
    at: oneOf('start', 'round', 'resume', 'gate'),
    changed: opt(list(str)),
    dirty: opt(bool),
  },
  /**
   * Somebody changed the workspace while no run was attached. In a fork: the files differ from those of fact `at`, and
   * `unsure` ones, where not all are known, may differ from what the conversation tells.
   */
  'workspace.rebased': {
    from: str,
    to: str,
    tree: str,
    changed: list(str),
    fork: opt(obj({ at: int, worktree: bool, unsure: opt(list(str)) })),
  },
  /** The machine was restarted: what the actions named did in the last minute before may not have reached the disk. */
  'boot.changed': { from: str, to: str, unconfirmed: list(str) },
  /** A fact with this number was damaged beyond reading; `offset` is where, in the file that was kept. */
  'record.lost': { offset: int },
  /** The ledger was repaired on request: `lost` numbers stand for damaged facts. `kept` names the file as it was. */
  'ledger.repaired': { kept: str, lost: int, later: int },
  /** The session was brought in from an export; what was under way where it came from is not under way here. */
  'ledger.imported': { facts: int },
  /**
   * A point to which files can be brought back. `ref` names the kept manifest; `uncovered` paths were only hashed.
   * `guarded` names a manifest of ignored files: those that a command could take away, before and after it, and those that
   * edits changed. `foreign` names a list of changed paths that were left so before the commands started (`others`), or
   * that are older than they are (`older`).
   */
  'checkpoint.taken': { revision: str, ref: str, uncovered: opt(list(str)), guarded: opt(str), foreign: opt(str) },
  /** Durable before the first file is touched. `toSeq` is the last fact that still counts; `reverses` names the undo that a redo takes back. */
  'undo.planned': {
    undoId: str,
    kind: oneOf('undo', 'redo'),
    scope: undoScope,
    toSeq: int,
    files: list(restoration),
    refused: opt(list(leftAlone)),
    reverses: opt(str),
  },
  /** What lies behind `toSeq` is not shown to the model any more (after a redo: is shown again). The rest is as it was there. */
  'chat.rewound': {
    undoId: str,
    toSeq: int,
    mode: opt(permissionMode),
    todos: opt(list(todo)),
    seen: opt(list(obj({ path: str, hash: str }))),
  },
  /** Every file of the plan is settled: restored, or left alone for the reason told. `notes`: what restored files lack. */
  'undo.done': {
    undoId: str,
    scope: undoScope,
    restored: list(str),
    refused: list(leftAlone),
    notes: opt(list(leftAlone)),
  },
  /** A declared check ran. `before` and `after` are trees; they differ only if the check changed more than products. */
  'evidence.recorded': {
    check: str,
    actionId: str,
    exitCode: int,
    counts: opt(testCounts),
    before: str,
    after: str,
    revision: str,
    passed: bool,
    reason: opt(str),
    products: opt(list(str)),
  },
  'todo.updated': { todos: list(todo), cleared: opt(bool) },
  'mode.changed': { mode: permissionMode, by: str, plan: opt(str) },
  /** The gate's answer to a claim of being done. `verified` null: no check is declared. */
  'completion.verdict': {
    accepted: bool,
    verified: json,
    reason: str,
    feedback: opt(str),
    tree: opt(str),
    evidence: opt(list(int)),
    notes: opt(list(str)),
  },
  /** A signal that the work goes round in circles; `forbid` is the intent that may not run again. */
  'progress.signal': { signal: str, count: int, detail: str, forbid: opt(str) },
  'budget.warn': { limit: str, used: num, max: num },
  'session.pause': { reason: str, from: phaseName, message: opt(str), next: opt(str) },
  'session.resume': { to: phaseName, reason: opt(str) },
  'session.complete': { reason: oneOf('goal_met', 'no_plan', 'cancelled', 'failed'), text: opt(str) },
} as const satisfies { readonly [type: string]: Fields };

export type FactType = keyof typeof factFields;
export type FactBody = {
  readonly [T in FactType]: { readonly type: T } & InferFields<(typeof factFields)[T]>;
}[FactType];
/** `seq` starts at 1 and has no gaps; `ts` is Unix time in milliseconds, for people and elapsed time only. */
export type Fact = FactBody & { readonly seq: number; readonly ts: number };
export type FactOf<T extends FactType> = Extract<Fact, { readonly type: T }>;
export type BodyOf<T extends FactType> = Extract<FactBody, { readonly type: T }>;

/** Schema and version of every fact type. A change of a schema raises its version and adds an upcast to the codec. */
export const factTypes: { readonly [T in FactType]: { readonly version: number; readonly fields: Fields } } =
  Object.fromEntries(Object.entries(factFields).map(([type, fields]) => [type, { version: 1, fields }])) as never;

export const isFactType = (type: string): type is FactType => Object.hasOwn(factTypes, type);

type Of<S> = S extends Shape<infer T> ? T : never;
export type EffectClass = Of<typeof effectClass>;
export type PermissionMode = Of<typeof permissionMode>;
export type SandboxMode = Of<typeof sandboxMode>;
export type Phase = Of<typeof phaseName>;
export type OutcomeStatus = Of<typeof outcomeStatus>;
export type Failure = Of<typeof failure>;
export type FailureKind = Failure['kind'];
export type Check = Of<typeof check>;
export type Limits = Of<typeof limits>;
export type Price = Of<typeof price>;
export type Usage = Of<typeof usage>;
export type Todo = Of<typeof todo>;
export type Fingerprint = Of<typeof fingerprint>;
export type UndoScope = Of<typeof undoScope>;
export type Restoration = Of<typeof restoration>;
export type LeftAlone = Of<typeof leftAlone>;
export type Attachment = Of<typeof attachment>;
export type Settling = Of<typeof settling>;
export type PlanStep = Of<typeof planStep>;
export type ResponsePart = Of<typeof responsePart>;
export type TestCounts = Of<typeof testCounts>;
export type { Json };
