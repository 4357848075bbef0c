import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { Failure, ModelRequest, ModelResult } from '#kernel';
import type { Model, ModelCallContext } from '../contract.ts';
import { type Environment, warmTransport } from '../http/agents.ts';
import { openWire, type Wire } from '../http/wire.ts';
import { priceOf, windowOf } from '../price.ts';
import { tell } from '../tell.ts';
import { type AnswerCollector, collectAnswer } from './answer-collector.ts';
import { type Connections, connections } from './connections.ts';
import { loadFiles } from './load-files.ts';
import { createPromptMemory, type PromptMemory, toCallOptions } from './prompt.ts';
import type { Provider } from './provider.ts';
import { cancelledFailure, failureOf, incompleteFailure, isOfFiles } from './provider-failure.ts';

export interface GatewayOptions {
  readonly env: Environment;
  readonly idleTimeoutMs: number;
  readonly stallTimeoutMs: number;
}

/** What a server may take to close the stream after its end marker; then the socket is given up instead of reused. */
const END_GRACE_MS = 500;

/** A model behind a provider's adapter. See the contract for what `generate` promises. */
export function gatewayModel(provider: Provider, options: GatewayOptions): Model {
  const connected = connections(provider);
  const memory = createPromptMemory();
  return {
    id: provider.id,
    price: priceOf(provider.id),
    contextTokens: windowOf(provider.id),
    waitsForDurable: true,
    generate: (request, context) => generate(provider, connected, memory, options, request, context),
    async warm() {
      await connected.warm();
      warmTransport();
    },
  };
}

async function generate(
  provider: Provider,
  { withModel }: Connections,
  memory: PromptMemory,
  options: GatewayOptions,
  request: ModelRequest,
  context: ModelCallContext,
): Promise<ModelResult> {
  const { signal } = context;
  if (signal.aborted) return failed(cancelledFailure(), '');
  const wire = openWire({ ...options, signal, durable: context.durable });
  const collector = collectAnswer(
    provider,
    (delta) => tell(context, delta),
    (call) => {
      if (!signal.aborted) context.onCall?.(call);
    },
  );
  let media: readonly string[] = [];
  const refused = (thrown: unknown): ModelResult => {
    const scene = { provider, response: wire.response, fault: wire.fault, nowMs: Date.now(), media: media.length > 0 };
    const failure = failureOf(thrown, scene);
    return { ...failed(failure, collector.text()), ...(isOfFiles(failure) ? { media } : {}) };
  };
  try {
    const files = await loadFiles(request, provider.id, context);
    media = [...new Set([...files].flatMap(([{ blob }, file]) => (typeof file === 'string' ? [] : [blob])))];
    await withModel(wire.fetch, async (model) => {
      const { stream } = await model.doStream(toCallOptions(request, provider, signal, files, memory));
      await read(stream, collector, wire);
    });
  } catch (thrown) {
    // An abort surfaces as anything, a network error included, so our own signal is asked first.
    if (signal.aborted) return failed(cancelledFailure(), collector.text());
    if (!collector.finished) return refused(thrown);
  } finally {
    wire.close();
  }
  if (signal.aborted) return failed(cancelledFailure(), collector.text());
  if (collector.error !== null) return refused(collector.error.value);
  const result = collector.answer();
  return result.complete
    ? { ok: true, answer: result.answer }
    : failed(incompleteFailure(result.missing, provider), collector.text());
}

async function read(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  collector: AnswerCollector,
  wire: Wire,
): Promise<void> {
  for await (const part of stream) {
    if (part.type !== 'ping') wire.alive();
    collector.take(part);
    if (collector.error !== null) return;
    if (collector.finished) wire.expectEnd(END_GRACE_MS);
  }
}

const failed = (failure: Failure, text: string): ModelResult => ({ ok: false, failure, text });
