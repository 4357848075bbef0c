/**
 * Collects a stream into an answer.
 *
 * 1. An answer is complete only if a finish part with a known reason came and every call that started has ended.
 * 2. Argument text is parsed by us, strictly, once it is whole.
 * 3. A number that the provider did not report stays unknown.
 */
import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider';
import type { AnswerPart, ModelAnswer, ModelDelta, StreamedCall, Usage } from '#kernel';
import { parseCallArguments } from '../call-arguments.ts';
import type { Provider } from './provider.ts';
import { mergeMeta, packMeta } from './provider-meta.ts';

export interface AnswerCollector {
  /** Takes the next part of the stream. */
  take(part: LanguageModelV4StreamPart): void;
  readonly finished: boolean;
  /** The first error event, as the adapter gave it. */
  readonly error: { readonly value: unknown } | null;
  /** Text said so far. */
  text(): string;
  /** The answer, or a sentence that says what is missing. */
  answer():
    | { readonly complete: true; readonly answer: ModelAnswer }
    | { readonly complete: false; readonly missing: string };
}

interface OpenPart {
  readonly kind: 'text' | 'reasoning' | 'call';
  readonly id: string;
  readonly name: string;
  /** Text, or the argument text as it streamed. */
  text: string;
  /** The whole argument text; null until the call has ended. */
  input: string | null;
  meta: SharedV4ProviderMetadata | undefined;
}

/** Arguments longer than this are looked at when their call ends, not at each piece. */
const EARLY_LENGTH_MAX = 4096;

export function collectAnswer(
  provider: Provider,
  tell: (delta: ModelDelta) => void,
  tellCall: (call: StreamedCall) => void = () => {},
): AnswerCollector {
  const parts: OpenPart[] = [];
  const open = new Map<string, OpenPart>();
  const told = new Set<OpenPart>();
  let finish: { readonly reason: LanguageModelV4FinishReason; readonly usage: LanguageModelV4Usage } | null = null;
  let error: { readonly value: unknown } | null = null;
  let modelId: string | undefined;

  const start = (kind: OpenPart['kind'], id: string, name: string, meta: SharedV4ProviderMetadata | undefined) => {
    const part: OpenPart = { kind, id, name, text: '', input: null, meta };
    parts.push(part);
    open.set(`${kind} ${id}`, part);
    return part;
  };
  const resume = (kind: OpenPart['kind'], id: string, meta: SharedV4ProviderMetadata | undefined) => {
    const part = open.get(`${kind} ${id}`);
    if (part !== undefined) part.meta = mergeMeta(part.meta, meta);
    return part;
  };
  const prose = (kind: 'text' | 'reasoning', id: string, delta: string, meta: SharedV4ProviderMetadata | undefined) => {
    const part = resume(kind, id, meta) ?? start(kind, id, '', meta);
    part.text += delta;
    if (delta !== '') tell({ kind, text: delta });
  };

  const tellWhole = (call: OpenPart, text: string): void => {
    const read = told.has(call) ? null : parseCallArguments(text);
    if (read === null || read.malformed !== undefined) return;
    told.add(call);
    tellCall({ index: parts.filter((one) => one.kind === 'call').indexOf(call), name: call.name, args: read.args });
  };

  function take(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case 'text-start':
        start('text', part.id, '', part.providerMetadata);
        return;
      case 'text-delta':
        prose('text', part.id, part.delta, part.providerMetadata);
        return;
      case 'text-end':
        resume('text', part.id, part.providerMetadata);
        return;
      case 'reasoning-start':
        start('reasoning', part.id, '', part.providerMetadata);
        return;
      case 'reasoning-delta':
        prose('reasoning', part.id, part.delta, part.providerMetadata);
        return;
      case 'reasoning-end':
        resume('reasoning', part.id, part.providerMetadata);
        return;
      case 'tool-input-start':
        start('call', part.id, part.toolName, part.providerMetadata);
        tell({ kind: 'call', name: part.toolName, argsText: '' });
        return;
      case 'tool-input-delta': {
        const call = resume('call', part.id, part.providerMetadata);
        if (call === undefined) return;
        call.text += part.delta;
        tell({ kind: 'call', name: call.name, argsText: part.delta });
        // Nothing can follow a JSON object that is whole, so it is known here already, where the protocol has no end of a call.
        if (call.text.length <= EARLY_LENGTH_MAX && part.delta.trimEnd().endsWith('}')) tellWhole(call, call.text);
        return;
      }
      case 'tool-call': {
        const known = resume('call', part.toolCallId, part.providerMetadata);
        const call = known ?? start('call', part.toolCallId, part.toolName, part.providerMetadata);
        call.input = part.input;
        if (known === undefined) tell({ kind: 'call', name: part.toolName, argsText: part.input });
        tellWhole(call, argumentText(call, provider, false));
        return;
      }
      case 'response-metadata':
        modelId = part.modelId ?? modelId;
        return;
      case 'finish':
        finish = { reason: part.finishReason, usage: part.usage };
        return;
      case 'error':
        if (!isNewEvent(part.error, provider.traits.events)) error ??= { value: part.error };
        return;
      default:
        // Sources, files and the provider's own tools: Belay asks for none of them.
        return;
    }
  }

  function answer(): ReturnType<AnswerCollector['answer']> {
    if (finish === null) return { complete: false, missing: 'the stream ended without an end marker' };
    const reason = finish.reason.unified;
    if (reason !== 'stop' && reason !== 'tool-calls' && reason !== 'length' && reason !== 'content-filter') {
      const raw = finish.reason.raw === undefined ? '' : ` (${finish.reason.raw})`;
      return { complete: false, missing: `the stream ended as "${reason}"${raw}` };
    }
    const calls = parts.filter((part) => part.kind === 'call');
    const unended = calls.find((call) => call.input === null);
    if (unended !== undefined) return { complete: false, missing: `the call of ${unended.name} did not end` };
    if (reason === 'tool-calls' && calls.length === 0)
      return { complete: false, missing: 'the announced calls did not come' };
    const cut = reason === 'length';
    return {
      complete: true,
      answer: {
        parts: parts.flatMap((part) => toAnswerPart(part, provider, cut)),
        finish: reason === 'stop' && calls.length > 0 ? 'tool-calls' : reason,
        usage: toUsage(finish.usage),
        ...(modelId === undefined ? {} : { modelId }),
      },
    };
  }

  return {
    take,
    answer,
    text: () => parts.map((part) => (part.kind === 'text' ? part.text : '')).join(''),
    get finished() {
      return finish !== null;
    },
    get error() {
      return error;
    },
  };
}

function toAnswerPart(part: OpenPart, provider: Provider, cut: boolean): AnswerPart[] {
  const meta = packMeta(provider.id, part.meta);
  if (part.kind !== 'call') {
    return part.text === '' && meta.meta === undefined ? [] : [{ kind: part.kind, text: part.text, ...meta }];
  }
  return [
    {
      kind: 'call',
      name: part.name,
      providerCallId: part.id,
      ...parseCallArguments(argumentText(part, provider, cut)),
      ...meta,
    },
  ];
}

/**
 * No text at all means "no arguments" only where the provider says it so. When the answer hit its length limit, it
 * means that the limit came first, even if the adapter has put `{}` in its place.
 */
function argumentText(part: OpenPart, provider: Provider, cut: boolean): string {
  const input = part.input ?? '';
  const nothingCame = part.text === '' && (input === '' || input === '{}');
  if (nothingCame && cut) return '';
  return input === '' && provider.traits.emptyArguments ? '{}' : input;
}

/** An event type that did not exist when the adapter was written is not an error; an unreadable known one is. */
function isNewEvent(error: unknown, events: ReadonlySet<string> | undefined): boolean {
  if (events === undefined || !(error instanceof Error) || !('value' in error)) return false;
  const value = error.value;
  if (typeof value !== 'object' || value === null || !('type' in value)) return false;
  return typeof value.type === 'string' && !events.has(value.type);
}

function toUsage(usage: LanguageModelV4Usage): Usage {
  const known = (name: keyof Usage, value: number | undefined) =>
    value !== undefined && Number.isSafeInteger(value) ? { [name]: value } : {};
  // Adapters make a zero of a detail that the server did not report.
  const detail = (name: keyof Usage, value: number | undefined) => (value === 0 ? {} : known(name, value));
  return {
    ...known('inputTokens', usage.inputTokens.total),
    ...known('outputTokens', usage.outputTokens.total),
    ...detail('cachedInputTokens', usage.inputTokens.cacheRead),
    ...detail('reasoningTokens', usage.outputTokens.reasoning),
  };
}
