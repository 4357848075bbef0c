import type { Fact, ModelDelta } from '#kernel';
import type { ModelCallContext } from '#model';

/** Facts of a session in which the model answered and failed so often, in this order: 'a' an answer, 'f' a failure. */
export function sessionOf(story: string): Fact[] {
  return [...story].map((letter, i): Fact => {
    const stamp = { seq: i + 1, ts: 0 };
    return letter === 'a'
      ? { ...stamp, type: 'model.response', requestId: `r${i}`, parts: [], finish: 'stop', usage: {} }
      : {
          ...stamp,
          type: 'model.failed',
          failure: {
            kind: 'transient',
            retryable: true,
            blame: 'provider',
            signature: 's',
            message: 'm',
            suggestedAction: '',
          },
        };
  });
}

/** A call context that keeps its deltas. */
export function callContext(facts: readonly Fact[] = [], signal: AbortSignal = new AbortController().signal) {
  const deltas: ModelDelta[] = [];
  const context: ModelCallContext = {
    signal,
    requestId: 'request',
    onDelta: (delta) => void deltas.push(delta),
    facts: () => facts,
  };
  return { context, deltas };
}
