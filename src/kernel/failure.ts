/** Failures as data: composed in one place, so that equal faults get equal signatures. */
import type { Failure, FailureKind } from './facts.ts';

const defaults: { readonly [K in FailureKind]: { readonly retryable: boolean; readonly blame: Failure['blame'] } } = {
  schema: { retryable: true, blame: 'model' },
  not_found: { retryable: false, blame: 'model' },
  rejected: { retryable: false, blame: 'user' },
  timeout: { retryable: false, blame: 'environment' },
  transient: { retryable: true, blame: 'provider' },
  overflow: { retryable: false, blame: 'runtime' },
  auth: { retryable: false, blame: 'user' },
  quota: { retryable: false, blame: 'user' },
  invalid_request: { retryable: false, blame: 'runtime' },
  incomplete: { retryable: true, blame: 'provider' },
  cancelled: { retryable: false, blame: 'user' },
  hook: { retryable: false, blame: 'user' },
  stale: { retryable: true, blame: 'environment' },
  precondition: { retryable: true, blame: 'model' },
  store: { retryable: false, blame: 'environment' },
  tool: { retryable: false, blame: 'tool' },
  internal: { retryable: false, blame: 'runtime' },
};

/** A failure with the usual retry rule and blame of its kind. `suggestedAction` says what to do next. */
export function makeFailure(
  kind: FailureKind,
  message: string,
  suggestedAction: string,
  over: Partial<Pick<Failure, 'retryable' | 'blame' | 'signature' | 'retryAfterMs'>> = {},
): Failure {
  return {
    kind,
    ...defaults[kind],
    message: bounded(message),
    suggestedAction: bounded(suggestedAction),
    ...over,
    signature: over.signature ?? signatureOf(`${kind}: ${message}`),
  };
}

/** Characters of a message: faults of a call quote what was sent, and that can be as long as a call can be. */
const lengthMax = 8_000;

function bounded(text: string): string {
  if (text.length <= lengthMax) return text;
  const [head, tail] = [text.slice(0, lengthMax / 2), text.slice(-lengthMax / 4)];
  const left = text.length - head.length - tail.length;
  return `${head}\n[… ${left} characters left out …]\n${tail}`.toWellFormed();
}

/**
 * The signature of an error text: numbers, hex runs, quoted texts and absolute paths vary between two occurrences of
 * one fault, so they are replaced; the rest is cut to 120 characters and stays readable.
 */
export function signatureOf(text: string): string {
  return text
    .slice(0, 2000)
    .replace(/\/[^\s:'"]+/g, '<path>')
    .replace(/\b0x[0-9a-f]+\b|\b[0-9a-f]{12,}\b/gi, '<hex>')
    .replace(/\d+/g, '<n>')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 120);
}
