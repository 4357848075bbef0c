import type { Message } from '#kernel';
import {
  type Frame,
  isObj,
  type Obj,
  objects,
  type Protocol,
  pieces,
  plain,
  repeated,
  str,
  unknownField,
} from './protocol.ts';

const FIELDS = [
  'model',
  'messages',
  'stream',
  'stream_options',
  'tools',
  'tool_choice',
  'temperature',
  'top_p',
  'max_tokens',
  'max_completion_tokens',
  'stop',
  'seed',
  'parallel_tool_calls',
  'reasoning_effort',
];
const ROLES = ['system', 'developer', 'user', 'assistant', 'tool'];

/** OpenAI Chat Completions, as local and third-party servers speak it, with `reasoning_content`. */
export const openaiChat: Protocol = {
  provider: 'openai-compatible',
  model: 'local-model',
  environment: (origin, key) => ({ OPENAI_COMPATIBLE_API_KEY: key, OPENAI_COMPATIBLE_BASE_URL: origin }),
  accepts: (url) => url.pathname === '/v1/chat/completions',
  keyOf: (headers) => str(headers.authorization).replace(/^Bearer /, ''),
  refusal(body) {
    const extra = unknownField(body, FIELDS);
    if (extra !== null) return `Unrecognized request argument supplied: ${extra}`;
    if (body['stream'] !== true) return 'this server streams only';
    const functions = objects(body['tools']).map((tool) =>
      isObj(tool['function']) ? str(tool['function']['name']) : '',
    );
    if (functions.some((name) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name))) return "Invalid 'tools[0].function.name'";
    return messagesRefusal(objects(body['messages']));
  },
  read: (body) => ({
    system: objects(body['messages'])
      .filter((message) => message['role'] === 'system' || message['role'] === 'developer')
      .map((message) => contentText(message['content']))
      .join('\n'),
    tools: objects(body['tools']).map((tool) => ({
      name: isObj(tool['function']) ? str(tool['function']['name']) : '',
      description: '',
      inputSchema: {},
    })),
    messages: objects(body['messages']).flatMap(readMessage),
  }),
  frames(turn, { index, model, argumentsOf }) {
    const frame = (delta: Obj, finish: string | null = null): Frame =>
      plain({
        id: `chatcmpl-${index}`,
        object: 'chat.completion.chunk',
        created: 1,
        model,
        choices: [{ index: 0, delta, finish_reason: finish }],
      });
    const frames: Frame[] = [frame({ role: 'assistant', content: '' })];
    for (const piece of pieces(turn.reasoning ?? '')) frames.push(frame({ reasoning_content: piece }));
    for (const piece of pieces(turn.text ?? '')) frames.push(frame({ content: piece }));
    turn.calls?.forEach((call, i) => {
      const start = {
        index: i,
        id: `call_${index}_${i}`,
        type: 'function',
        function: { name: call.tool, arguments: '' },
      };
      frames.push(frame({ tool_calls: [start] }));
      for (const piece of pieces(argumentsOf(i)))
        frames.push(frame({ tool_calls: [{ index: i, function: { arguments: piece } }] }));
    });
    const reason = {
      stop: 'stop',
      'tool-calls': 'tool_calls',
      length: 'length',
      'content-filter': 'content_filter',
    } as const;
    const finish = turn.finish ?? (turn.calls?.length ? 'tool-calls' : 'stop');
    const input = turn.usage?.inputTokens ?? 100;
    const output = turn.usage?.outputTokens ?? 20;
    const usage = {
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output,
      prompt_tokens_details: { cached_tokens: turn.usage?.cachedInputTokens ?? 0 },
      completion_tokens_details: { reasoning_tokens: turn.usage?.reasoningTokens ?? 0 },
    };
    return [
      ...frames,
      { ...frame({}, reason[finish]), end: true },
      {
        ...plain({ id: `chatcmpl-${index}`, object: 'chat.completion.chunk', created: 1, model, choices: [], usage }),
        end: true,
      },
      { text: 'data: [DONE]\n\n', end: true },
    ];
  },
  errorBody: (status, message) => openaiError(status, message),
  errorFrame: (message) => plain({ error: { message, type: 'server_error', code: 'overloaded', param: null } }).text,
};

export function openaiError(status: number, message: string): Obj {
  const overflow = message.includes('too long');
  const codes: { readonly [status: number]: string } = {
    401: 'invalid_api_key',
    402: 'insufficient_quota',
    404: 'model_not_found',
    429: 'rate_limit_exceeded',
  };
  const code = overflow ? 'context_length_exceeded' : (codes[status] ?? null);
  return { error: { message, type: status >= 500 ? 'server_error' : 'invalid_request_error', param: null, code } };
}

function messagesRefusal(messages: readonly Obj[]): string | null {
  if (messages.length === 0) return "Invalid 'messages': empty array.";
  const used: string[] = [];
  let open: string[] = [];
  for (const [i, message] of messages.entries()) {
    const role = str(message['role']);
    if (!ROLES.includes(role)) return `Invalid value: '${role}'. Supported values are: ${ROLES.join(', ')}.`;
    if (role === 'tool') {
      const id = str(message['tool_call_id']);
      if (open.length === 0)
        return "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
      if (!open.includes(id))
        return `Invalid parameter: 'tool_call_id' of '${id}' not found in 'tool_calls' of previous message.`;
      if (typeof message['content'] !== 'string' && !Array.isArray(message['content']))
        return `Missing content of messages[${i}]`;
      open = open.filter((other) => other !== id);
      continue;
    }
    if (open.length > 0) return unanswered(open);
    const calls = objects(message['tool_calls']);
    if (message['tool_calls'] !== undefined && calls.length === 0)
      return `Invalid 'messages[${i}].tool_calls': empty array.`;
    const content = contentText(message['content']);
    if (content === '' && calls.length === 0)
      return `Invalid value for 'content' of messages[${i}]: expected a string, got null or nothing.`;
    open = calls.map((call) => str(call['id']));
    used.push(...open);
    const bad = calls.find((call) => !isObj(call['function']) || typeof call['function']['arguments'] !== 'string');
    if (bad !== undefined) return `Invalid 'messages[${i}].tool_calls[0].function.arguments'`;
  }
  if (open.length > 0) return unanswered(open);
  const twice = repeated(used);
  return twice === null ? null : `Duplicate value for 'tool_call_id': '${twice}'`;
}

const unanswered = (ids: readonly string[]) =>
  `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${ids.join(', ')}`;

function contentText(content: unknown): string {
  return typeof content === 'string'
    ? content
    : objects(content)
        .map((part) => str(part['text']))
        .join('');
}

function readMessage(message: Obj): Message[] {
  const text = contentText(message['content']);
  switch (message['role']) {
    case 'user':
      return [{ role: 'user', text }];
    case 'tool':
      return [{ role: 'tool', results: [{ callId: str(message['tool_call_id']), name: '', text, isError: false }] }];
    case 'assistant':
      return [
        {
          role: 'assistant',
          parts: [
            ...(text === '' ? [] : [{ kind: 'text', text } as const]),
            ...objects(message['tool_calls']).map((call) => {
              const called = isObj(call['function']) ? call['function'] : {};
              return {
                kind: 'call',
                callId: str(call['id']),
                name: str(called['name']),
                args: JSON.parse(str(called['arguments'])),
              } as const;
            }),
          ],
        },
      ];
    default:
      return [];
  }
}
