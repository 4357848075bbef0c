import type { Message, MessagePart } from '#kernel';
import { openaiError } from './openai-chat.ts';
import {
  type Frame,
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
  'input',
  'stream',
  'store',
  'include',
  'tools',
  'tool_choice',
  'max_output_tokens',
  'instructions',
  'temperature',
  'top_p',
  'reasoning',
  'text',
  'parallel_tool_calls',
  'metadata',
  'prompt_cache_key',
];

/** OpenAI Responses without storage on the provider's side. */
export const openaiResponses: Protocol = {
  provider: 'openai',
  model: 'gpt-5-mini',
  environment: (origin, key) => ({ OPENAI_API_KEY: key, OPENAI_BASE_URL: origin }),
  accepts: (url) => url.pathname === '/v1/responses',
  keyOf: (headers) => str(headers.authorization).replace(/^Bearer /, ''),
  refusal(body) {
    const extra = unknownField(body, FIELDS);
    if (extra !== null) return `Unknown parameter: '${extra}'.`;
    if (body['stream'] !== true) return 'this server streams only';
    if (objects(body['tools']).some((tool) => !/^[a-zA-Z0-9_-]{1,64}$/.test(str(tool['name']))))
      return "Invalid 'tools[0].name'";
    return inputRefusal(objects(body['input']), body['store'] === false);
  },
  read: (body) => ({
    system: objects(body['input'])
      .filter((item) => item['role'] === 'system' || item['role'] === 'developer')
      .map((item) => contentText(item['content']))
      .join('\n'),
    tools: objects(body['tools']).map((tool) => ({ name: str(tool['name']), description: '', inputSchema: {} })),
    messages: readItems(objects(body['input'])),
  }),
  frames(turn, { index, model, argumentsOf }) {
    const frames: Frame[] = [];
    let sequence = 0;
    const push = (type: string, data: Obj) => frames.push(named(type, { type, sequence_number: sequence++, ...data }));
    const response = {
      id: `resp_${index}`,
      object: 'response',
      created_at: 1,
      model,
      status: 'in_progress',
      output: [],
    };
    push('response.created', { response });
    push('response.in_progress', { response });
    let at = 0;
    if (turn.reasoning !== undefined) {
      const id = `rs_${index}`;
      const item = { id, type: 'reasoning', summary: [], encrypted_content: 'provisional' };
      push('response.output_item.added', { output_index: at, item });
      push('response.reasoning_summary_part.added', {
        item_id: id,
        output_index: at,
        summary_index: 0,
        part: { type: 'summary_text', text: '' },
      });
      for (const delta of pieces(turn.reasoning)) {
        push('response.reasoning_summary_text.delta', { item_id: id, output_index: at, summary_index: 0, delta });
      }
      push('response.reasoning_summary_part.done', {
        item_id: id,
        output_index: at,
        summary_index: 0,
        part: { type: 'summary_text', text: turn.reasoning },
      });
      const summary = [{ type: 'summary_text', text: turn.reasoning }];
      push('response.output_item.done', {
        output_index: at,
        item: { ...item, summary, encrypted_content: signatureOf(turn.reasoning) },
      });
      at++;
    }
    if (turn.text !== undefined && turn.text !== '') {
      const id = `msg_${index}`;
      push('response.output_item.added', {
        output_index: at,
        item: { id, type: 'message', role: 'assistant', status: 'in_progress', content: [] },
      });
      push('response.content_part.added', {
        item_id: id,
        output_index: at,
        content_index: 0,
        part: { type: 'output_text', text: '', annotations: [] },
      });
      for (const delta of pieces(turn.text))
        push('response.output_text.delta', { item_id: id, output_index: at, content_index: 0, delta });
      const content = [{ type: 'output_text', text: turn.text, annotations: [] }];
      push('response.output_item.done', {
        output_index: at,
        item: { id, type: 'message', role: 'assistant', status: 'completed', content },
      });
      at++;
    }
    turn.calls?.forEach((call, i) => {
      const args = argumentsOf(i);
      const item = { id: `fc_${index}_${i}`, type: 'function_call', call_id: `call_${index}_${i}`, name: call.tool };
      push('response.output_item.added', { output_index: at, item: { ...item, arguments: '', status: 'in_progress' } });
      for (const delta of pieces(args))
        push('response.function_call_arguments.delta', { item_id: item.id, output_index: at, delta });
      push('response.function_call_arguments.done', { item_id: item.id, output_index: at, arguments: args });
      push('response.output_item.done', { output_index: at, item: { ...item, arguments: args, status: 'completed' } });
      at++;
    });
    const input = turn.usage?.inputTokens ?? 100;
    const output = turn.usage?.outputTokens ?? 20;
    const usage = {
      input_tokens: input,
      input_tokens_details: { cached_tokens: turn.usage?.cachedInputTokens ?? 0 },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: turn.usage?.reasoningTokens ?? 0 },
      total_tokens: input + output,
    };
    const reason =
      turn.finish === 'length' ? 'max_output_tokens' : turn.finish === 'content-filter' ? 'content_filter' : null;
    const type = reason === null ? 'response.completed' : 'response.incomplete';
    const status = reason === null ? 'completed' : 'incomplete';
    const done = { ...response, status, usage, incomplete_details: reason === null ? null : { reason } };
    return [...frames, { ...named(type, { type, sequence_number: sequence, response: done }), end: true }];
  },
  errorBody: (status, message) => openaiError(status, message),
  errorFrame: (message) =>
    named('error', { type: 'error', sequence_number: 9, code: 'server_error', message, param: null }).text,
};

function inputRefusal(items: readonly Obj[], stateless: boolean): string | null {
  if (items.length === 0) return "Missing required parameter: 'input'.";
  const calls: string[] = [];
  const outputs: string[] = [];
  for (const [i, item] of items.entries()) {
    const id = str(item['call_id']);
    const next = items[i + 1];
    switch (item['type'] ?? 'message') {
      case 'message':
        if (!['system', 'developer', 'user', 'assistant'].includes(str(item['role'])))
          return `Invalid value: '${str(item['role'])}' for 'input[${i}].role'.`;
        if (contentText(item['content']) === '') return `Invalid 'input[${i}].content': empty.`;
        break;
      case 'function_call':
        if (!/^[a-zA-Z0-9_-]{1,64}$/.test(id)) return `Invalid 'input[${i}].call_id'.`;
        if (typeof item['arguments'] !== 'string') return `Invalid 'input[${i}].arguments'.`;
        calls.push(id);
        break;
      case 'function_call_output':
        if (!calls.includes(id)) return `No tool call found for function call output with call_id ${id}.`;
        if (typeof item['output'] !== 'string' && !objects(item['output']).every(isContent)) {
          return `Invalid 'input[${i}].output'.`;
        }
        outputs.push(id);
        break;
      case 'reasoning':
        if (stateless && str(item['encrypted_content']) !== signatureOf(summaryText(item)))
          return `The encrypted content of item '${str(item['id'])}' could not be verified.`;
        if (
          next === undefined ||
          (next['type'] !== 'function_call' && next['role'] !== 'assistant' && next['type'] !== 'reasoning')
        ) {
          return `Item '${str(item['id'])}' of type 'reasoning' was provided without its required following item.`;
        }
        break;
      default:
        return `Invalid value: '${str(item['type'])}' for 'input[${i}].type'.`;
    }
  }
  const unanswered = calls.find((id) => !outputs.includes(id));
  if (unanswered !== undefined) return `No tool output found for function call ${unanswered}.`;
  const twice = repeated(calls) ?? repeated(outputs);
  return twice === null ? null : `Duplicate call_id '${twice}'.`;
}

const summaryText = (item: Obj) =>
  objects(item['summary'])
    .map((part) => str(part['text']))
    .join('');

/** What a result may carry besides text: images and documents as data addresses. */
function isContent(part: Obj): boolean {
  const isData = (name: string) => str(part[name]).startsWith('data:');
  if (part['type'] === 'input_image') return isData('image_url');
  return part['type'] === 'input_file' ? isData('file_data') : part['type'] === 'input_text';
}

function contentText(content: unknown): string {
  return typeof content === 'string'
    ? content
    : objects(content)
        .map((part) => str(part['text']))
        .join('');
}

/** Items of one answer stand in a row; they are put back together. */
function readItems(items: readonly Obj[]): Message[] {
  const messages: Message[] = [];
  let parts: MessagePart[] = [];
  const flush = () => {
    if (parts.length > 0) messages.push({ role: 'assistant', parts });
    parts = [];
  };
  for (const item of items) {
    const id = str(item['call_id']);
    if (item['type'] === 'function_call')
      parts.push({ kind: 'call', callId: id, name: str(item['name']), args: JSON.parse(str(item['arguments'])) });
    else if (item['role'] === 'assistant') parts.push({ kind: 'text', text: contentText(item['content']) });
    else if (item['type'] === 'function_call_output') {
      flush();
      messages.push({
        role: 'tool',
        results: [{ callId: id, name: '', text: contentText(item['output']), isError: false }],
      });
    } else if (item['role'] === 'user') {
      flush();
      messages.push({ role: 'user', text: contentText(item['content']) });
    }
  }
  flush();
  return messages;
}
