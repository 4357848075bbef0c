/** Shapes that several facts share. */
import { bool, int, json, list, num, obj, oneOf, opt, str } from '#lib';

/** How an unfinished attempt is settled; a function of the input of a call. `host`: the embedding program runs it. */
export const effectClass = oneOf('read', 'file', 'process', 'query', 'keyed', 'opaque', 'host');
export const permissionMode = oneOf('default', 'plan', 'acceptEdits', 'dontAsk', 'bypassPermissions');
/** Whether commands run in a sandbox: where it works, without exception, or not. */
export const sandboxMode = oneOf('auto', 'required', 'off');
export const phaseName = oneOf('idle', 'planning', 'executing', 'awaiting_tool', 'reflecting', 'done');
export const outcomeStatus = oneOf('succeeded', 'failed', 'cancelled', 'rejected', 'unknown');

/** A failure as data: what the code branches on, whose fault it is, and what to do next. */
export const failure = obj({
  kind: oneOf(
    'schema',
    'not_found',
    'rejected',
    'timeout',
    'transient',
    'overflow',
    'auth',
    'quota',
    'invalid_request',
    'incomplete',
    'cancelled',
    'hook',
    'stale',
    'precondition',
    'store',
    'tool',
    'internal',
  ),
  retryable: bool,
  blame: oneOf('model', 'tool', 'provider', 'environment', 'user', 'runtime'),
  /** Equal signatures mean the same fault again: digits, paths and times are taken out before hashing. */
  signature: str,
  message: str,
  suggestedAction: str,
  /** Milliseconds the provider asked us to wait. */
  retryAfterMs: opt(int),
});

/** A declared check: acceptance by running exactly this command. `counts: false` accepts on the exit code alone. */
export const check = obj({ command: str, counts: bool });

/** Limits of one turn; an absent limit does not exist. Times in milliseconds, cost in USD. */
export const limits = obj({
  maxRounds: opt(int),
  maxSteps: opt(int),
  maxToolCalls: opt(int),
  maxCostUsd: opt(num),
  maxTokens: opt(int),
  maxElapsedMs: opt(int),
});

/** USD per million tokens. */
export const price = obj({ input: num, output: num, cachedInput: opt(num) });

/** Tokens as the provider reported them. An absent number is unknown, not zero. */
export const usage = obj({
  inputTokens: opt(int),
  outputTokens: opt(int),
  cachedInputTokens: opt(int),
  reasoningTokens: opt(int),
});

export const todo = obj({
  content: str,
  status: oneOf('pending', 'in_progress', 'completed'),
  activeForm: str,
  /** Actions whose success stands behind a completed item. */
  evidence: opt(list(str)),
});

/** One file as an action found or left it. `hash` is the git blob hash; null means the path did not exist. */
export const fingerprint = obj({ path: str, base: opt(json), result: opt(json) });

export const undoScope = oneOf('files', 'chat', 'both');
/** One path of an undo: from the content that Belay left (`base`) to the one restored (`result`); null means no file. */
export const restoration = obj({ path: str, base: opt(json), result: opt(json), baseMode: opt(str), mode: opt(str) });
export const leftAlone = obj({ path: str, why: str, passing: opt(bool) });

/** A file that the model is shown as it is (an image, a document). Its bytes lie in the blob; `bytes` is their number. */
export const attachment = obj({ path: str, mediaType: str, bytes: int, blob: str });

/** How an attempt left behind was settled: what was asked, what the world showed, and what follows. */
export const settling = obj({
  probe: oneOf('claim', 'content', 'process', 'receipt', 'query', 'key', 'record'),
  observed: str,
  verdict: oneOf('not-started', 'not-applied', 'repeatable', 'applied', 'ended', 'diverged', 'unknown'),
});

export const planStep = obj({ stepId: str, description: str, tool: opt(str), args: opt(json) });

/** One part of a model response, in order. `call` names the action that tells the call itself. `meta` is the provider's own. */
export const responsePart = obj({
  kind: oneOf('text', 'reasoning', 'call'),
  text: opt(str),
  actionId: opt(str),
  meta: opt(json),
});

export const testCounts = obj({ passed: int, failed: int, skipped: int, total: int });
