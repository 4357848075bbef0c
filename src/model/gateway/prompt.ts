import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import type { Attachment, Json, Message, MessagePart, ModelRequest } from '#kernel';
import type { LoadedFiles } from './load-files.ts';
import type { Provider } from './provider.ts';
import { unpackMeta } from './provider-meta.ts';

type ToolOutput = Extract<
  Extract<LanguageModelV4Message, { role: 'tool' }>['content'][number],
  { type: 'tool-result' }
>['output'];
type FilePart = Extract<Extract<ToolOutput, { type: 'content' }>['value'][number], { type: 'file' }> &
  Extract<Extract<LanguageModelV4Message, { role: 'user' }>['content'][number], { type: 'file' }>;
type AssistantPart = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'][number];

/** Cache breakpoints of 5 minutes: a longer one must come before a shorter one, so all are alike. */
const breakpoint: SharedV4ProviderOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/**
 * The call for a provider's adapter from a neutral request. Lone surrogates become replacement characters, because the
 * request must be valid UTF-8; blocks without visible text are left out, because providers refuse them.
 */
export function toCallOptions(
  request: ModelRequest,
  provider: Provider,
  signal: AbortSignal,
  files: LoadedFiles = new Map(),
  memory: PromptMemory = createPromptMemory(),
): LanguageModelV4CallOptions {
  const { traits } = provider;
  const maxOutputTokens = request.maxOutputTokens ?? traits.maxOutputTokens;
  return {
    prompt: toPrompt(request, provider, files, memory),
    abortSignal: signal,
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(traits.options === undefined ? {} : { providerOptions: traits.options }),
    ...(request.tools.length === 0 ? {} : { tools: toTools(request, traits.cacheBreakpoints) }),
  };
}

function toTools(request: ModelRequest, cached: boolean): NonNullable<LanguageModelV4CallOptions['tools']> {
  return request.tools.map((tool, i) => ({
    type: 'function',
    name: tool.name,
    description: tool.description,
    inputSchema: tool.inputSchema as object,
    ...(cached && i === request.tools.length - 1 ? { providerOptions: breakpoint } : {}),
  }));
}

/** What the last request of a model was made of. */
export interface PromptMemory {
  messages: readonly Message[];
  /** What became of each of them; undefined where it may become something else. */
  converted: readonly (LanguageModelV4Message | null | undefined)[];
  lastUser: number;
}

/** For one model of one provider. What a request has carried is carried unchanged by every later one, so it is converted once. */
export const createPromptMemory = (): PromptMemory => ({ messages: [], converted: [], lastUser: -1 });

function toPrompt(
  request: ModelRequest,
  provider: Provider,
  files: LoadedFiles,
  memory: PromptMemory,
): LanguageModelV4Prompt {
  const cached = provider.traits.cacheBreakpoints;
  const prompt: LanguageModelV4Prompt = [];
  if (request.system !== '') {
    const content = request.system.toWellFormed();
    prompt.push({ role: 'system', content, ...(cached ? { providerOptions: breakpoint } : {}) });
  }
  const lastUser = request.messages.findLastIndex((message) => message.role === 'user');
  const all = request.messages.map((message, i) => {
    const isCurrent = i > lastUser;
    const before =
      memory.messages[i] === message && isCurrent === i > memory.lastUser ? memory.converted[i] : undefined;
    const last = cached && i === request.messages.length - 1;
    const converted = last || before === undefined ? toMessage(message, provider, isCurrent, last, files) : before;
    if (converted !== null) prompt.push(converted);
    // Files are loaded for each request, and may be shown in one and not in another.
    const hasFiles = message.role === 'tool' && message.results.some((result) => result.attachments !== undefined);
    const shown = hasFiles && !provider.traits.filesInResults ? filesAsUser(message, files) : null;
    if (shown !== null) prompt.push(shown);
    return last || hasFiles ? undefined : converted;
  });
  Object.assign(memory, { messages: request.messages, converted: all, lastUser });
  return prompt;
}

function toMessage(
  message: Message,
  provider: Provider,
  inCurrentTurn: boolean,
  isBreakpoint: boolean,
  files: LoadedFiles,
): LanguageModelV4Message | null {
  const mark = (isLast: boolean) => (isBreakpoint && isLast ? { providerOptions: breakpoint } : {});
  switch (message.role) {
    case 'user':
      return { role: 'user', content: [{ type: 'text', text: visible(message.text), ...mark(true) }] };
    case 'assistant': {
      const content = message.parts
        .map((part) => toAssistantPart(part, provider, inCurrentTurn))
        .filter((part) => part !== null);
      // A list that grew has room for more; what was converted is kept, so it is kept in its own size.
      return content.length === 0 ? null : { role: 'assistant', content: content.slice() };
    }
    case 'tool':
      return {
        role: 'tool',
        content: message.results.map((result, i) => ({
          type: 'tool-result',
          toolCallId: result.callId,
          toolName: wireName(result.name),
          output: toOutput(result, provider, files),
          ...mark(i === message.results.length - 1),
        })),
      };
  }
}

type ToolResult = Extract<Message, { role: 'tool' }>['results'][number];

function toOutput(result: ToolResult, provider: Provider, files: LoadedFiles): ToolOutput {
  if (result.attachments === undefined) {
    return { type: result.isError && provider.traits.errorFlag ? 'error-text' : 'text', value: visible(result.text) };
  }
  const { attachments } = result;
  const words = attachments.map((one) => files.get(one)).filter((file) => typeof file === 'string');
  const value = [visible(result.text), ...words.map((text) => `[Belay] ${text}`)].join('\n');
  const shown = provider.traits.filesInResults ? attachments.flatMap((one) => toFile(one, files)) : [];
  if (shown.length > 0) return { type: 'content', value: [{ type: 'text', text: value }, ...shown] };
  return { type: result.isError && provider.traits.errorFlag ? 'error-text' : 'text', value };
}

function toFile(attachment: Attachment, files: LoadedFiles): FilePart[] {
  const { mediaType, path } = attachment;
  const data = files.get(attachment);
  const filename = path.slice(path.lastIndexOf('/') + 1);
  return data === undefined || typeof data === 'string'
    ? []
    : [{ type: 'file', data: { type: 'data', data }, mediaType, filename }];
}

/** Where the wire format has no files in results, they follow them in a message of the user. */
function filesAsUser(message: Message, files: LoadedFiles): LanguageModelV4Message | null {
  if (message.role !== 'tool') return null;
  const content = message.results.flatMap((result) =>
    (result.attachments ?? []).flatMap((one) => {
      const file = toFile(one, files);
      return file.length === 0 ? [] : [{ type: 'text' as const, text: `[Belay] ${one.path}:` }, ...file];
    }),
  );
  return content.length === 0 ? null : { role: 'user', content };
}

function toAssistantPart(part: MessagePart, provider: Provider, inCurrentTurn: boolean): AssistantPart | null {
  const metadata = unpackMeta(provider.id, part.meta);
  const providerOptions = metadata === undefined ? {} : { providerOptions: metadata };
  switch (part.kind) {
    case 'text':
      if (part.text.trim() === '' && metadata === undefined) return null;
      return { type: 'text', text: part.text.toWellFormed(), ...providerOptions };
    case 'reasoning': {
      const sent = provider.traits.reasoning === 'signed' ? metadata !== undefined : inCurrentTurn && part.text !== '';
      // A signature covers the exact text, so the text goes back untouched.
      return sent ? { type: 'reasoning', text: part.text, ...providerOptions } : null;
    }
    case 'call':
      return {
        type: 'tool-call',
        toolCallId: part.callId,
        toolName: wireName(part.name),
        input: wellFormed(part.args),
        ...providerOptions,
      };
  }
}

/** A model may call what no provider takes as a name; told as it is, every later request would be refused. */
const wireName = (name: string): string => name.replace(/[^\w-]/g, '_').slice(0, 64) || '_';

/** Providers refuse an empty block, and a model understands a word better than nothing. */
function visible(text: string): string {
  return text.trim() === '' ? '(empty)' : text.toWellFormed();
}

/** The same value where it is well-formed, as almost all are: nothing is copied then. */
function wellFormed(value: Json): Json {
  if (isWellFormed(value)) return value;
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(wellFormed);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.toWellFormed(), wellFormed(item)]));
}

function isWellFormed(value: Json): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isWellFormed);
  const fields = value as { readonly [key: string]: Json };
  for (const key in fields) if (!key.isWellFormed() || !isWellFormed(fields[key] as Json)) return false;
  return true;
}
