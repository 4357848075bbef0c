/**
 * One request on the wire, over `node:http`.
 *
 * 1. A wire carries one request: a second one is refused, so that nobody below can retry behind our back.
 * 2. Silence ends it: no byte for `idleTimeoutMs`, or bytes but no event (keep-alive comments) for `stallTimeoutMs`.
 * 3. `close` and an abort destroy the socket at once; nothing is read afterwards.
 * 4. No byte leaves before what the request rests on is on disk.
 * 5. Redirects are not followed: a POST must not be replayed somewhere else, and a key must not travel with it.
 *
 * It answers the part of `fetch` that the provider SDKs use. The built-in one costs 40 MB and about 1 ms a request,
 * and `Response` alone loads all of it, so a small object of our own stands in. A body may also be the object that it is
 * the JSON text of: in the bundle the SDKs hand it on like that.
 */
import type { ClientRequest, IncomingMessage } from 'node:http';
import { type Environment, transportFor } from './agents.ts';
import { bodyStream } from './body-stream.ts';
import { HeaderList } from './header-list.ts';
import { requestBody } from './request-body.ts';
import { sendInPieces } from './send-in-pieces.ts';

export interface WireOptions {
  readonly signal: AbortSignal;
  /** The request leaves when this has come. */
  readonly durable?: Promise<void> | undefined;
  readonly env: Environment;
  readonly idleTimeoutMs: number;
  readonly stallTimeoutMs: number;
}

export interface WireFault {
  readonly kind: 'idle' | 'network' | 'cut' | 'second-request';
  readonly message: string;
  readonly code?: string;
}

export interface WireResponse {
  readonly status: number;
  readonly headers: HeaderList;
}

export interface Wire {
  readonly fetch: typeof globalThis.fetch;
  /** What went wrong below the protocol; null when nothing did. */
  readonly fault: WireFault | null;
  readonly response: WireResponse | null;
  /** A real event arrived; resets the stall limit. */
  alive(): void;
  /** The answer is complete; the rest of the body may take so long before the socket is given up. */
  expectEnd(withinMs: number): void;
  close(): void;
}

const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
const ERROR_BYTES_MAX = 256 * 1024;

export function openWire(options: WireOptions): Wire {
  let request: ClientRequest | null = null;
  let fault: WireFault | null = null;
  let response: WireResponse | null = null;
  let used = false;
  let closed = false;

  const fail = (next: WireFault): Error => {
    fault ??= next;
    return Object.assign(new Error(fault.message), { code: fault.code });
  };
  const giveUp = (next: WireFault) => {
    if (!closed) request?.destroy(fail(next));
  };
  const silence = (what: string, ms: number): WireFault => ({
    kind: 'idle',
    message: `the provider sent no ${what} for ${seconds(ms)}`,
  });
  const idle = watch(options.idleTimeoutMs, () => giveUp(silence('byte', options.idleTimeoutMs)));
  const stall = watch(options.stallTimeoutMs, () => giveUp(silence('event', options.stallTimeoutMs)));
  const abort = () => request?.destroy(new Error('the request was cancelled'));

  const close = () => {
    closed = true;
    idle.stop();
    stall.stop();
    options.signal.removeEventListener('abort', abort);
  };

  async function exchange(target: string, init: RequestInit): Promise<unknown> {
    if (used) throw fail({ kind: 'second-request', message: 'the provider adapter asked for a second request' });
    used = true;
    const url = new URL(target);
    const { request: send, agent } = transportFor(url, options.env);
    options.signal.throwIfAborted();
    options.signal.addEventListener('abort', abort, { once: true });
    const body = requestBody(init.body as unknown as string | object);
    await options.durable;
    options.signal.throwIfAborted();
    const headers = { ...(init.headers as Record<string, string>), 'content-length': String(body.bytes) };
    const outgoing = send(url, { method: init.method ?? 'POST', headers, agent });
    request = outgoing;
    const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.once('response', resolve);
      outgoing.on('error', (error: NodeJS.ErrnoException) => reject(fail(networkFault(error, url, response !== null))));
      sendInPieces(outgoing, body.pieces());
    });
    idle.touch();
    response = { status: incoming.statusCode ?? 0, headers: headersOf(incoming) };
    const ok = response.status >= 200 && response.status < 300;
    return {
      ok,
      status: response.status,
      statusText: incoming.statusMessage ?? '',
      headers: response.headers,
      url: target,
      redirected: false,
      body: bodyStream(incoming, {
        bytesMax: ok ? ANSWER_BYTES_MAX : ERROR_BYTES_MAX,
        onBytes: idle.touch,
        onCut: (message) => fail({ kind: 'cut', message }),
      }),
    };
  }

  return {
    fetch: ((input: string, init: RequestInit = {}) => exchange(input, init)) as unknown as typeof globalThis.fetch,
    get fault() {
      return fault;
    },
    get response() {
      return response;
    },
    alive: stall.touch,
    expectEnd: (withinMs) => {
      stall.stop();
      idle.shorten(withinMs);
    },
    close: () => {
      close();
      request?.destroy();
    },
  };
}

function networkFault(error: NodeJS.ErrnoException, url: URL, answered: boolean): WireFault {
  const reason = error.code ?? error.message;
  const message = answered ? `the connection broke: ${reason}` : `cannot reach ${url.origin}: ${reason}`;
  return { kind: answered ? 'cut' : 'network', message, ...(error.code === undefined ? {} : { code: error.code }) };
}

function headersOf(incoming: IncomingMessage): HeaderList {
  const headers = new HeaderList();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return headers;
}

/** A limit that starts over at each touch. */
function watch(limitMs: number, onSilence: () => void) {
  let timer = setTimeout(onSilence, limitMs);
  let stopped = false;
  return {
    touch: () => {
      if (!stopped) timer.refresh();
    },
    shorten: (ms: number) => {
      clearTimeout(timer);
      if (!stopped) timer = setTimeout(onSilence, ms);
    },
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

const seconds = (ms: number) => (ms >= 1000 ? `${Math.round(ms / 1000)} s` : `${ms} ms`);
