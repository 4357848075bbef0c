/**
 * A provider on loopback: real HTTP, real server-sent events in random chunk sizes (cuts inside UTF-8 sequences
 * included), the refusals of the real one, and faults on demand. It keeps no state: which turn comes next is the
 * number of answers in the request, so a client that lost an answer in a crash gets the same one again.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Prng, seededPrng } from '#lib';
import { unmetExpectation } from '../../src/model/scripted/expectation.ts';
import { checkScript, type Script, type ScriptTurn } from '../../src/model/scripted/script.ts';
import type { Fault } from './fault.ts';
import { type Frame, hasLoneSurrogate, isObj, type Obj, type Protocol } from './protocol.ts';

export interface LoopbackOptions {
  /** A script as for the scripted model. */
  readonly script: unknown;
  readonly key?: string;
  readonly seed?: number;
  /** Largest chunk in bytes; 0 sends each answer in one piece. */
  readonly chunkBytesMax?: number;
  /** Faults by number of the request, from 0. */
  readonly faults?: readonly (Fault | null)[];
  /** Refuses with 400 each request whose text holds this, as real providers do with a picture that they cannot read. */
  readonly refusedText?: string;
}

export interface RecordedRequest {
  readonly path: string;
  readonly body: Obj;
  /** The body as it came. */
  readonly text: string;
  readonly status: number;
}

export interface LoopbackServer {
  readonly protocol: Protocol;
  readonly origin: string;
  readonly requests: readonly RecordedRequest[];
  /** Sockets that the client closed before the answer had ended. */
  readonly abandoned: number;
  readonly connections: number;
  close(): Promise<void>;
}

export async function startLoopback(protocol: Protocol, options: LoopbackOptions): Promise<LoopbackServer> {
  const script = checkScript(options.script);
  if (!script.ok) throw new Error(`wrong script:${script.error}`);
  const requests: RecordedRequest[] = [];
  const random = seededPrng(options.seed ?? 1);
  const counters = { received: 0, abandoned: 0, connections: 0 };
  const failures = new Map<number, number>();

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (url.pathname === '/__requests') return answerJson(response, 200, requests as unknown as Obj);
    const text = await readText(request);
    const number = counters.received++;
    const reply = decide(url, request, text, options.faults?.[number] ?? null);
    requests.push({ path: url.pathname, body: parsed(text) ?? {}, text, status: reply.status });
    response.on('close', () => {
      if (!response.writableFinished) counters.abandoned++;
    });
    if ('frames' in reply) await stream(response, reply.frames, reply.fault, random, options.chunkBytesMax ?? 40);
    else answerText(response, reply.status, reply.body, reply.headers);
  });
  server.on('connection', () => {
    counters.connections++;
  });

  function decide(url: URL, request: IncomingMessage, text: string, fault: Fault | null): Reply {
    const refuse = (status: number, message: string, headers: { readonly [name: string]: string } = {}): Reply => ({
      status,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(protocol.errorBody(status, message)),
    });
    if (fault?.kind === 'status') return refuse(fault.status, fault.message ?? `status ${fault.status}`, fault.headers);
    if (fault?.kind === 'raw') return { status: fault.status, headers: {}, body: fault.body };
    if (request.method !== 'POST' || !protocol.accepts(url))
      return refuse(404, `no route ${request.method} ${url.pathname}`);
    if (protocol.keyOf(request.headers) !== (options.key ?? 'test-key')) return refuse(401, 'wrong key');
    const body = parsed(text);
    if (body === null) return refuse(400, 'the body is not JSON');
    if (hasLoneSurrogate(body)) return refuse(400, 'the body holds a lone surrogate');
    const refusal = protocol.refusal(body);
    if (refusal !== null) return refuse(400, refusal);
    if (options.refusedText !== undefined && text.includes(options.refusedText)) {
      return refuse(400, 'Could not process image');
    }
    return answer(body, fault, refuse);
  }

  function answer(
    body: Obj,
    fault: Fault | null,
    refuse: (status: number, message: string, headers?: { readonly [name: string]: string }) => Reply,
  ): Reply {
    const asked = protocol.read(body);
    const index = asked.messages.filter((message) => message.role === 'assistant').length;
    const turn = (script as { readonly value: Script }).value.turns[index];
    if (turn === undefined) return refuse(400, `the script has no turn ${index}`);
    const unmet = turn.expect === undefined ? null : unmetExpectation(turn.expect, asked);
    if (unmet !== null) return refuse(400, `turn ${index} ${unmet}`);
    const failed = failures.get(index) ?? 0;
    if (turn.fail !== undefined && failed < (turn.fail.times ?? Number.POSITIVE_INFINITY)) {
      failures.set(index, failed + 1);
      const wait = turn.fail.retryAfterMs === undefined ? {} : { 'retry-after-ms': String(turn.fail.retryAfterMs) };
      return refuse(STATUS[turn.fail.kind], turn.fail.message ?? FAIL_TEXT[turn.fail.kind], wait);
    }
    const frames = protocol.frames(turn, {
      index,
      model: protocol.model,
      argumentsOf: (call) => argumentText(turn, call, fault),
    });
    return { status: 200, frames: withEvents(frames, fault, protocol), fault };
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    protocol,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    get abandoned() {
      return counters.abandoned;
    },
    get connections() {
      return counters.connections;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Reply =
  | { readonly status: number; readonly frames: readonly Frame[]; readonly fault: Fault | null }
  | { readonly status: number; readonly body: string; readonly headers: { readonly [name: string]: string } };

const STATUS = { transient: 529, incomplete: 502, overflow: 400, auth: 401, quota: 402, invalid_request: 400 } as const;
const FAIL_TEXT = {
  transient: 'Overloaded',
  incomplete: 'Bad gateway',
  overflow: 'prompt is too long: 300000 tokens > 200000 maximum',
  auth: 'wrong key',
  quota: 'insufficient_quota',
  invalid_request: 'invalid request',
} as const;

function argumentText(turn: ScriptTurn, call: number, fault: Fault | null): string {
  const calls = turn.calls ?? [];
  const asked = calls[call];
  const text = asked?.argsText ?? JSON.stringify(asked?.args ?? {});
  return fault?.kind === 'arguments-cut' && call === calls.length - 1 ? text.slice(0, fault.keep) : text;
}

/** Faults that are events of the stream. */
function withEvents(frames: readonly Frame[], fault: Fault | null, protocol: Protocol): Frame[] {
  const body = frames.filter((frame) => frame.end !== true);
  switch (fault?.kind) {
    case 'error-event':
      return [...frames.slice(0, fault.afterFrames), { text: protocol.errorFrame(fault.message ?? 'Overloaded') }];
    case 'eof':
      return body.slice(0, Math.round(body.length * fault.share));
    case 'bad-event':
      return [
        ...frames.slice(0, fault.afterFrames),
        { text: 'data: {"type": "te\n\n' },
        ...frames.slice(fault.afterFrames),
      ];
    case 'new-event': {
      const event = { text: 'event: brand_new\ndata: {"type":"brand_new","choices":[]}\n\n' };
      return [...frames.slice(0, fault.afterFrames), event, ...frames.slice(fault.afterFrames)];
    }
    case 'silent':
      return frames.slice(0, fault.afterFrames);
    default:
      return [...frames];
  }
}

async function stream(
  response: ServerResponse,
  frames: readonly Frame[],
  fault: Fault | null,
  random: Prng,
  chunkBytesMax: number,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.flushHeaders();
  const bytes = Buffer.from(frames.map((frame) => frame.text).join(''));
  const end = fault?.kind === 'cut' ? Math.floor(bytes.length * fault.share) : bytes.length;
  let at = 0;
  while (at < end && !response.destroyed) {
    const size = chunkBytesMax === 0 ? end : 1 + random.below(chunkBytesMax);
    response.write(bytes.subarray(at, Math.min(at + size, end)));
    at += size;
    if (fault?.kind === 'slow') await sleep(fault.chunkDelayMs);
    else if (random.below(4) === 0) await new Promise(setImmediate);
  }
  if (fault?.kind === 'cut') {
    await sleep(5);
    response.destroy();
  } else if (fault?.kind === 'silent') {
    while (fault.comments === true && !response.destroyed) {
      response.write(': keep-alive\n\n');
      await sleep(10);
    }
  } else if (fault?.kind !== 'hold-open') response.end();
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(text: string): Obj | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObj(value) ? value : null;
  } catch {
    return null;
  }
}

function answerText(
  response: ServerResponse,
  status: number,
  body: string,
  headers: { readonly [name: string]: string },
): void {
  response.writeHead(status, headers);
  response.end(body);
}

const answerJson = (response: ServerResponse, status: number, body: Obj) =>
  answerText(response, status, JSON.stringify(body), { 'content-type': 'application/json' });

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
