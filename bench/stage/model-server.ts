/**
 * A model on loopback with no latency of its own: Chat Completions as server-sent events, each answer in one piece
 * unless tokens are asked for. Which answer comes next is the number of answers in the request.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Turn {
  /** Arguments by tool name; absent: the answer ends the turn. */
  readonly calls?: readonly { readonly tool: string; readonly args: object }[];
  readonly text?: string;
  /** Sends the text in so many deltas, each a write of its own. */
  readonly deltas?: number;
}

export interface Exchange {
  readonly round: number;
  /** When the request arrived, in milliseconds of `performance.now()`. */
  readonly askedAt: number;
  /** When the whole answer was handed to the system. */
  readonly endedAt: number;
  readonly requestBytes: number;
  readonly body: string;
}

export interface ModelServer {
  readonly env: { readonly [name: string]: string };
  readonly exchanges: readonly Exchange[];
  /** Resolves with the time at which the first request arrived. */
  readonly firstRequest: Promise<number>;
  close(): Promise<void>;
}

/** `between` runs while the client waits for its answer: the place for the baseline of the same moment. */
export async function startModelServer(
  turnOf: (round: number) => Turn,
  between: (round: number) => Promise<void> = async () => {},
): Promise<ModelServer> {
  const exchanges: Exchange[] = [];
  const first = Promise.withResolvers<number>();
  const server = createServer(async (request, response) => {
    const askedAt = performance.now();
    first.resolve(askedAt);
    const body = await readText(request);
    const { messages } = JSON.parse(body) as { readonly messages: readonly { readonly role: string }[] };
    const round = messages.filter((message) => message.role === 'assistant').length;
    await between(round);
    const frames = framesOf(turnOf(round), round);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const frame of frames.slice(0, -1)) await written(response, frame);
    const endedAt = performance.now();
    response.end(frames.at(-1));
    exchanges.push({ round, askedAt, endedAt, requestBytes: body.length, body });
  });
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    env: {
      BELAY_MODEL: 'openai-compatible/bench',
      OPENAI_COMPATIBLE_API_KEY: 'bench',
      OPENAI_COMPATIBLE_BASE_URL: `http://127.0.0.1:${port}/v1`,
    },
    exchanges,
    firstRequest: first.promise,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Milliseconds from the end of each answer to the next request; index n is the gap behind round n. */
export const gapsOf = (exchanges: readonly Exchange[]): readonly number[] =>
  exchanges.slice(1).map((next, i) => next.askedAt - (exchanges[i] as Exchange).endedAt);

function framesOf(turn: Turn, round: number): string[] {
  const calls = turn.calls ?? [];
  const text = turn.text ?? '';
  const pieces = Math.max(1, turn.deltas ?? 1);
  const size = Math.max(1, Math.ceil(text.length / pieces));
  const deltas: string[] = [];
  for (let at = 0; at < text.length; at += size) deltas.push(frame(round, { content: text.slice(at, at + size) }));
  const called = calls.map(({ tool, args }, index) => ({
    index,
    id: `call_${round}_${index}`,
    type: 'function',
    function: { name: tool, arguments: JSON.stringify(args) },
  }));
  const end = [
    frame(round, { role: 'assistant', ...(called.length === 0 ? {} : { tool_calls: called }) }),
    frame(round, {}, called.length === 0 ? 'stop' : 'tool_calls'),
    event({ ...head(round), choices: [], usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 } }),
    'data: [DONE]\n\n',
  ].join('');
  return pieces > 1 ? [...deltas, end] : [deltas.join('') + end];
}

const event = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
const head = (round: number) => ({ id: `c${round}`, object: 'chat.completion.chunk', created: 1, model: 'bench' });
const frame = (round: number, delta: object, finish: string | null = null): string =>
  event({ ...head(round), choices: [{ index: 0, delta, finish_reason: finish }] });

const written = (response: ServerResponse, text: string): Promise<void> =>
  new Promise((resolve) => {
    response.write(text, () => resolve());
  });

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
