import type { Message, MessagePart } from '#kernel';
import {
  type Frame,
  isObj,
  named,
  type Obj,
  objects,
  type Protocol,
  pieces,
  repeated,
  signatureOf,
  str,
  unknownField,
} from './protocol.ts';

const FIELDS = [
  'model',
  'max_tokens',
  'messages',
  'system',
  'stream',
  'tools',
  'tool_choice',
  'temperature',
  'top_p',
  'top_k',
  'stop_sequences',
  'thinking',
  'metadata',
];

/** Anthropic Messages. Reasoning that starts with `redacted:` is sent as a redacted block. */
export const anthropic: Protocol = {
  provider: 'anthropic',
  model: 'claude-sonnet-4-5',
  environment: (origin, key) => ({ ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: origin }),
  accepts: (url) => url.pathname === '/v1/messages',
  keyOf: (headers) => str(headers['x-api-key']),
  refusal(body) {
    const extra = unknownField(body, FIELDS);
    if (extra !== null) return `${extra}: Extra inputs are not permitted`;
    if (!Number.isInteger(body['max_tokens'])) return 'max_tokens: Field required';
    if (body['stream'] !== true) return 'this server streams only';
    return (
      systemRefusal(body['system']) ??
      toolsRefusal(body['tools']) ??
      messagesRefusal(objects(body['messages'])) ??
      cacheRefusal(body)
    );
  },
  read: (body) => ({
    system:
      objects(body['system'])
        .map((block) => str(block['text']))
        .join('\n') || str(body['system']),
    tools: objects(body['tools']).map((tool) => ({ name: str(tool['name']), description: '', inputSchema: {} })),
    messages: objects(body['messages']).flatMap(readMessage),
  }),
  frames(turn, { index, model, argumentsOf }) {
    const frames: Frame[] = [];
    const usage = { input_tokens: turn.usage?.inputTokens ?? 100, output_tokens: turn.usage?.outputTokens ?? 20 };
    const cached = turn.usage?.cachedInputTokens ?? 0;
    const message = {
      id: `msg_${index}`,
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
    };
    frames.push(
      named('message_start', {
        type: 'message_start',
        message: {
          ...message,
          usage: {
            ...usage,
            input_tokens: usage.input_tokens - cached,
            cache_read_input_tokens: cached,
            output_tokens: 1,
          },
        },
      }),
      named('ping', { type: 'ping' }),
    );
    let at = 0;
    const block = (start: Obj, deltas: readonly Obj[]) => {
      frames.push(named('content_block_start', { type: 'content_block_start', index: at, content_block: start }));
      for (const delta of deltas)
        frames.push(named('content_block_delta', { type: 'content_block_delta', index: at, delta }));
      frames.push(named('content_block_stop', { type: 'content_block_stop', index: at }));
      at++;
    };
    const { reasoning, text } = turn;
    if (reasoning?.startsWith('redacted:')) block({ type: 'redacted_thinking', data: signatureOf(reasoning) }, []);
    else if (reasoning !== undefined) {
      const thoughts = pieces(reasoning).map((thinking) => ({ type: 'thinking_delta', thinking }));
      const signature = { type: 'signature_delta', signature: signatureOf(reasoning) };
      block({ type: 'thinking', thinking: '', signature: '' }, [...thoughts, signature]);
    }
    if (text !== undefined && text !== '') {
      block(
        { type: 'text', text: '' },
        pieces(text).map((piece) => ({ type: 'text_delta', text: piece })),
      );
    }
    turn.calls?.forEach((call, i) => {
      const args = argumentsOf(i);
      // A call without arguments streams an empty text.
      const parts = args === '{}' ? [''] : pieces(args);
      const start = { type: 'tool_use', id: `toolu_${index}_${i}`, name: call.tool, input: {} };
      block(
        start,
        parts.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
      );
    });
    const reason = {
      stop: 'end_turn',
      'tool-calls': 'tool_use',
      length: 'max_tokens',
      'content-filter': 'refusal',
    } as const;
    const finish = turn.finish ?? (turn.calls?.length ? 'tool-calls' : 'stop');
    return [
      ...frames,
      {
        ...named('message_delta', {
          type: 'message_delta',
          delta: { stop_reason: reason[finish], stop_sequence: null },
          usage: { output_tokens: usage.output_tokens },
        }),
        end: true,
      },
      { ...named('message_stop', { type: 'message_stop' }), end: true },
    ];
  },
  errorBody: (status, message) => ({ type: 'error', error: { type: errorType(status), message }, request_id: 'req_1' }),
  errorFrame: (message) => named('error', { type: 'error', error: { type: 'overloaded_error', message } }).text,
};

function errorType(status: number): string {
  const types: { readonly [status: number]: string } = {
    400: 'invalid_request_error',
    401: 'authentication_error',
    403: 'permission_error',
    404: 'not_found_error',
    413: 'request_too_large',
    429: 'rate_limit_error',
    529: 'overloaded_error',
  };
  return types[status] ?? 'api_error';
}

function systemRefusal(system: unknown): string | null {
  if (system === undefined || typeof system === 'string') return null;
  return objects(system).some((block) => str(block['text']).trim() === '')
    ? 'system: text content blocks must be non-empty'
    : null;
}

function toolsRefusal(tools: unknown): string | null {
  const names = objects(tools).map((tool) => str(tool['name']));
  if (repeated(names) !== null) return 'tools: Tool names must be unique.';
  const bad = names.find((name) => !/^[a-zA-Z0-9_-]{1,128}$/.test(name));
  if (bad !== undefined) return `tools.0.name: ${JSON.stringify(bad)} should match pattern`;
  const shapeless = objects(tools).find(
    (tool) => !isObj(tool['input_schema']) || tool['input_schema']['type'] !== 'object',
  );
  return shapeless === undefined ? null : 'tools.0.input_schema.type: Field required';
}

function cacheRefusal(body: Obj): string | null {
  const count = JSON.stringify(body).split('"cache_control"').length - 1;
  return count > 4 ? `A maximum of 4 blocks with cache_control may be provided. Found ${count}.` : null;
}

function messagesRefusal(messages: readonly Obj[]): string | null {
  if (messages.length === 0) return 'messages: at least one message is required';
  if (messages[0]?.['role'] !== 'user') return 'messages: first message must use the "user" role';
  const used: string[] = [];
  let open: string[] = [];
  for (const [i, message] of messages.entries()) {
    const role = message['role'];
    if (role !== 'user' && role !== 'assistant') return `messages.${i}.role: Input should be 'user' or 'assistant'`;
    const blocks =
      typeof message['content'] === 'string'
        ? [{ type: 'text', text: message['content'] }]
        : objects(message['content']);
    if (blocks.length === 0) return `messages.${i}: all messages must have non-empty content`;
    const refusal = blocks.map((block) => blockRefusal(block, role)).find((found) => found !== null);
    if (refusal !== undefined) return `messages.${i}.content: ${refusal}`;
    const results = blocks.filter((block) => block['type'] === 'tool_result').map((block) => str(block['tool_use_id']));
    const stray = results.find((id) => !open.includes(id));
    if (stray !== undefined)
      return `messages.${i}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${stray}`;
    if (repeated(results) !== null) return 'messages: each tool_use must have a single result';
    const missing = open.filter((id) => !results.includes(id));
    if (missing.length > 0)
      return `messages.${i}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}`;
    open = blocks.filter((block) => block['type'] === 'tool_use').map((block) => str(block['id']));
    used.push(...open);
  }
  if (open.length > 0)
    return `messages: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}`;
  if (messages.at(-1)?.['role'] !== 'user') return 'This model does not support assistant message prefill.';
  const twice = repeated(used);
  return twice === null ? null : `messages: \`tool_use\` ids must be unique: ${twice}`;
}

function blockRefusal(block: Obj, role: 'user' | 'assistant'): string | null {
  switch (block['type']) {
    case 'text':
      return str(block['text']).trim() === '' ? 'text content blocks must contain non-whitespace text' : null;
    case 'tool_result':
      return role === 'user' ? null : 'tool_result blocks are only allowed in user messages';
    case 'tool_use':
      if (role !== 'assistant') return 'tool_use blocks are only allowed in assistant messages';
      if (!/^[a-zA-Z0-9_-]{1,128}$/.test(str(block['id']))) return 'tool_use.id: String should match pattern';
      return isObj(block['input']) ? null : 'tool_use.input: Input should be a valid dictionary';
    case 'thinking':
      return block['signature'] === signatureOf(str(block['thinking']))
        ? null
        : 'Invalid `signature` in `thinking` block';
    case 'redacted_thinking':
      return /^[A-Za-z0-9+/]{43}=$/.test(str(block['data'])) ? null : 'Invalid `data` in `redacted_thinking` block';
    default:
      return `Input tag ${JSON.stringify(block['type'])} does not match any of the expected tags`;
  }
}

function readMessage(message: Obj): Message[] {
  const blocks =
    typeof message['content'] === 'string' ? [{ type: 'text', text: message['content'] }] : objects(message['content']);
  if (message['role'] === 'assistant') return [{ role: 'assistant', parts: blocks.flatMap(readBlock) }];
  return blocks.map(
    (block): Message =>
      block['type'] === 'tool_result'
        ? {
            role: 'tool',
            results: [
              {
                callId: str(block['tool_use_id']),
                name: '',
                text: resultText(block),
                isError: block['is_error'] === true,
              },
            ],
          }
        : { role: 'user', text: str(block['text']) },
  );
}

function resultText(block: Obj): string {
  return typeof block['content'] === 'string'
    ? block['content']
    : objects(block['content'])
        .map((part) => str(part['text']))
        .join('');
}

function readBlock(block: Obj): MessagePart[] {
  if (block['type'] === 'text') return [{ kind: 'text', text: str(block['text']) }];
  if (block['type'] === 'tool_use') {
    return [
      {
        kind: 'call',
        callId: str(block['id']),
        name: str(block['name']),
        args: JSON.parse(JSON.stringify(block['input'])),
      },
    ];
  }
  return [];
}
