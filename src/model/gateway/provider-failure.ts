/**
 * What a refusal means. Providers disagree on status codes, so a text that clearly speaks of the context window, the
 * account or the key decides before the status does; every failure names the provider's own words.
 */
import { type Failure, type FailureKind, makeFailure } from '#kernel';
import { HeaderList } from '../http/header-list.ts';
import type { WireFault, WireResponse } from '../http/wire.ts';
import type { Provider } from './provider.ts';
import { retryAfterMs } from './retry-after.ts';

export interface Scene {
  readonly provider: Provider;
  readonly response: WireResponse | null;
  readonly fault: WireFault | null;
  readonly nowMs: number;
  /** The request held files. */
  readonly media?: boolean;
}

interface Refusal {
  /** HTTP status, or the one an error event stands for; 0 where neither is known. */
  readonly status: number;
  /** Type and code words, as `overloaded_error`. */
  readonly words: string;
  readonly message: string;
  readonly body: string;
}

const OVERFLOW =
  /context_length_exceeded|model_context_window_exceeded|request_too_large|prompt is too long|input is too long|exceeds? (?:the |your )?(?:model'?s? )?(?:available |maximum )?(?:context|prompt) (?:window|size|length)|maximum context length|exceed(?:s|ed)? context limit|context (?:window|length) (?:is |was )?exceeded|exceeds the maximum number of tokens allowed|input token count .{0,40}exceeds/i;
const QUOTA = /insufficient_quota|billing_hard_limit|credit balance is too low|payment required|billing_not_active/i;
const KEY =
  /invalid_api_key|api key not valid|API_KEY_INVALID|authentication_error|invalid x-api-key|incorrect api key/i;
const BUSY =
  /overloaded|rate_limit|too_many_requests|api_error|server_error|internal|unavailable|timeout|resource_exhausted/i;
const CERTIFICATE = /^(CERT_|ERR_TLS|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_(VERIFY|GET_ISSUER))/;

const MESSAGE_CHARACTERS_MAX = 1000;

/** The failure behind anything that an adapter threw or sent as an error event. */
export function failureOf(thrown: unknown, scene: Scene): Failure {
  const { provider, response, fault } = scene;
  if (fault !== null && (response === null || response.status < 400)) return faultFailure(fault, scene);
  const refusal = refusalOf(thrown, response);
  const kind = kindOf(refusal);
  const status = refusal.status === 0 ? '' : ` (${refusal.status})`;
  const said = shorten(refusal.message === '' ? refusal.words : refusal.message);
  const wait =
    kind === 'transient' ? retryAfterMs(response?.headers ?? new HeaderList(), refusal.body, scene.nowMs) : undefined;
  const text =
    kind === 'auth'
      ? authMessage(provider, status, said)
      : `${provider.id} ${verbs[kind] ?? 'failed'}${status}: ${said}`;
  if (scene.media === true && isOfContent(kind, refusal.status)) {
    const told = `${text}. It held files (images, documents); it is sent again without them.`;
    return makeFailure(kind, redact(told, provider.key), withoutFiles, { retryable: true });
  }
  return makeFailure(kind, redact(text, provider.key), actions[kind]?.(provider) ?? 'Try again.', {
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
    ...(kind === 'invalid_request' && refusal.status === 404 ? { blame: 'user' } : {}),
  });
}

/** What was sent is refused, and not for the name of the model or the like. */
const isOfContent = (kind: FailureKind, status: number): boolean =>
  kind === 'overflow' || (kind === 'invalid_request' && [0, 400, 413, 415, 422].includes(status));

const withoutFiles =
  'Resume: the request is sent without the files. Or `belay undo SESSION --chat` takes back the round that read them.';

/** Whether the files of the request may be why it was refused. These kinds are not tried again for anything else. */
export const isOfFiles = ({ kind, retryable }: Failure): boolean =>
  retryable && (kind === 'invalid_request' || kind === 'overflow');

/** The stream ended, but the answer is not whole. */
export function incompleteFailure(missing: string, provider: Provider): Failure {
  return makeFailure(
    'incomplete',
    redact(`${provider.id}: ${missing}`, provider.key),
    'Send the request again; nothing of the answer was used.',
  );
}

export function cancelledFailure(): Failure {
  return makeFailure('cancelled', 'the request was cancelled', 'Resume the session to go on.');
}

function faultFailure(fault: WireFault, scene: Scene): Failure {
  const { provider } = scene;
  if (fault.kind === 'cut' || fault.kind === 'second-request') return incompleteFailure(fault.message, provider);
  if (fault.code !== undefined && CERTIFICATE.test(fault.code)) {
    const action = 'Check the base URL, the proxy and the certificates (NODE_EXTRA_CA_CERTS).';
    return makeFailure('invalid_request', `${provider.id}: ${fault.message}`, action, { blame: 'user' });
  }
  return makeFailure(
    'transient',
    redact(`${provider.id}: ${fault.message}`, provider.key),
    'Check the network and the base URL; the request is tried again.',
  );
}

function kindOf(refusal: Refusal): FailureKind {
  const { status } = refusal;
  const text = `${refusal.words} ${refusal.message} ${refusal.body.slice(0, 4000)}`;
  if (status === 401 || status === 403) return 'auth';
  if (OVERFLOW.test(text) || status === 413) return 'overflow';
  if (QUOTA.test(text) || status === 402) return 'quota';
  if (KEY.test(text)) return 'auth';
  if (status === 408 || status === 409 || status === 425 || status === 429 || status >= 500) return 'transient';
  if (status >= 300) return 'invalid_request';
  if (BUSY.test(refusal.words)) return 'transient';
  if (/invalid|not_found|bad_request/i.test(refusal.words)) return 'invalid_request';
  return 'incomplete';
}

const verbs: { readonly [K in FailureKind]?: string } = {
  overflow: 'says the request is longer than its context window',
  quota: 'refused the request for lack of credit',
  transient: 'is not available',
  invalid_request: 'refused the request',
  incomplete: 'broke off the answer',
};

const actions: { readonly [K in FailureKind]?: (provider: Provider) => string } = {
  auth: (provider) => `Set ${provider.keyVariable} to a valid key for this model and endpoint, then resume.`,
  overflow: () => 'Compact the conversation and send it again.',
  quota: () => 'Add credit or choose another model, then resume.',
  transient: () => 'Wait and send the request again.',
  invalid_request: () => 'Check the model name and the base URL; sending the same request again will not help.',
  incomplete: () => 'Send the request again; nothing of the answer was used.',
};

function authMessage(provider: Provider, status: string, said: string): string {
  return provider.key === null
    ? `${provider.id} wants a key${status}, and ${provider.keyVariable} is not set: ${said}`
    : `${provider.id} refused the key in ${provider.keyVariable}${status}: ${said}`;
}

/** Reads the shapes that adapters throw: an API error with a status and a body, or the bare data of an error event. */
function refusalOf(thrown: unknown, response: WireResponse | null): Refusal {
  const outer = asObject(thrown);
  const body = textOf(outer['responseBody']);
  const inner = innerError(outer, body);
  const httpStatus = response !== null && response.status >= 300 ? response.status : 0;
  const words = [outer['type'], outer['code'], inner['type'], inner['code'], inner['status']].filter(isWord).join(' ');
  return {
    status: httpStatus || numberOf(outer['statusCode']),
    words,
    message:
      textOf(inner['message']) || plainBody(body) || redirect(response) || textOf(outer['message']) || textOf(thrown),
    body,
  };
}

/** The provider's error object, wherever the adapter put it. */
function innerError(outer: { readonly [key: string]: unknown }, body: string): { readonly [key: string]: unknown } {
  for (const candidate of [parsed(body), outer['data'], outer]) {
    const object = asObject(Array.isArray(candidate) ? candidate[0] : candidate);
    for (const found of [asObject(object['error']), asObject(asObject(object['response'])['error'])]) {
      if (Object.keys(found).length > 0) return found;
    }
    if (typeof object['error'] === 'string') return { message: object['error'] };
  }
  return asObject(outer['data']);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function plainBody(body: string): string {
  return parsed(body) === null
    ? body
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim()
    : '';
}

function redirect(response: WireResponse | null): string {
  if (response === null || response.status < 300 || response.status >= 400) return '';
  return `the address redirects to ${response.headers.get('location') ?? 'another one'}; set the base URL to the final one`;
}

/** A provider may quote the key; it must not reach a ledger or a screen. */
function redact(text: string, key: string | null): string {
  return key === null || key === '' ? text : text.replaceAll(key, '[key]');
}

const shorten = (text: string) =>
  text.length > MESSAGE_CHARACTERS_MAX ? `${text.slice(0, MESSAGE_CHARACTERS_MAX)} …` : text;
const isWord = (value: unknown): value is string => typeof value === 'string';
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);
const asObject = (value: unknown): { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null ? (value as { readonly [key: string]: unknown }) : {};
