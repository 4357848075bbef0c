import type { Message, MessagePart } from '#kernel';
import {
  type Frame,
  isObj,
  type Obj,
  objects,
  type Protocol,
  pieces,
  plain,
  repeated,
  signatureOf,
  str,
  unknownField,
} from './protocol.ts';

const FIELDS = [
  'contents',
  'systemInstruction',
  'tools',
  'toolConfig',
  'generationConfig',
  'safetySettings',
  'cachedContent',
];

/** Gemini streamGenerateContent. A signature travels with thoughts and with the first call of an answer. */
export const google: Protocol = {
  provider: 'google',
  model: 'gemini-2.5-flash',
  environment: (origin, key) => ({ GEMINI_API_KEY: key, GOOGLE_GENERATIVE_AI_BASE_URL: origin }),
  accepts: (url) =>
    /^\/v1beta\/models\/[\w.-]+:streamGenerateContent$/.test(url.pathname) && url.searchParams.get('alt') === 'sse',
  keyOf: (headers) => str(headers['x-goog-api-key']),
  refusal(body) {
    const extra = unknownField(body, FIELDS);
    if (extra !== null) return `Invalid JSON payload received. Unknown name "${extra}": Cannot find field.`;
    const declared = objects(body['tools']).flatMap((tool) => objects(tool['functionDeclarations']));
    if (repeated(declared.map((tool) => str(tool['name']))) !== null) return 'Duplicate function declaration found.';
    // `parameters` is a subset of OpenAPI; whole JSON Schema goes into `parametersJsonSchema`.
    const subset = JSON.stringify(declared.map((tool) => tool['parameters'] ?? {}));
    if (subset.includes('"additionalProperties"')) return 'Unknown name "additionalProperties": Cannot find field.';
    return contentsRefusal(objects(body['contents']));
  },
  read: (body) => ({
    system: isObj(body['systemInstruction'])
      ? objects(body['systemInstruction']['parts'])
          .map((part) => str(part['text']))
          .join('\n')
      : '',
    tools: objects(body['tools'])
      .flatMap((tool) => objects(tool['functionDeclarations']))
      .map((tool) => ({ name: str(tool['name']), description: '', inputSchema: {} })),
    messages: objects(body['contents']).flatMap(readContent),
  }),
  frames(turn, { index, model, argumentsOf }) {
    const base = { modelVersion: model, responseId: `resp_${index}` };
    const frame = (part: Obj): Frame =>
      plain({ candidates: [{ content: { role: 'model', parts: [part] }, index: 0 }], ...base });
    const frames: Frame[] = [];
    const thoughts = pieces(turn.reasoning ?? '');
    thoughts.forEach((text, i) => {
      const signature = i === thoughts.length - 1 ? { thoughtSignature: signatureOf(turn.reasoning ?? '') } : {};
      frames.push(frame({ text, thought: true, ...signature }));
    });
    for (const text of pieces(turn.text ?? '')) frames.push(frame({ text }));
    turn.calls?.forEach((call, i) => {
      // Arguments are an object on this wire: broken text can only come as a broken event.
      const text = `{"name":${JSON.stringify(call.tool)},"args":${argumentsOf(i)}}`;
      const signature =
        i === 0 ? `,"thoughtSignature":${JSON.stringify(callSignature(call.tool, argumentsOf(i)))}` : '';
      const content = `{"role":"model","parts":[{"functionCall":${text}${signature}}]}`;
      frames.push({ text: `data: {"candidates":[{"content":${content},"index":0}],"responseId":"resp_${index}"}\n\n` });
    });
    const reason = { stop: 'STOP', 'tool-calls': 'STOP', length: 'MAX_TOKENS', 'content-filter': 'SAFETY' } as const;
    const thoughtsTokenCount = turn.usage?.reasoningTokens ?? 0;
    const usageMetadata = {
      promptTokenCount: turn.usage?.inputTokens ?? 100,
      candidatesTokenCount: (turn.usage?.outputTokens ?? 20) - thoughtsTokenCount,
      cachedContentTokenCount: turn.usage?.cachedInputTokens ?? 0,
      thoughtsTokenCount,
    };
    const candidate = {
      content: { role: 'model', parts: [{ text: '' }] },
      finishReason: reason[turn.finish ?? 'stop'],
      index: 0,
    };
    return [...frames, { ...plain({ candidates: [candidate], usageMetadata, ...base }), end: true }];
  },
  errorBody: (status, message) => ({ error: { code: status, message, status: statusName(status) } }),
  errorFrame: (message) => plain({ error: { code: 503, message, status: 'UNAVAILABLE' } }).text,
};

const callSignature = (name: string, args: string) => signatureOf(`${name} ${JSON.stringify(parsedOr(args))}`);

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function statusName(status: number): string {
  const names: { readonly [status: number]: string } = {
    400: 'INVALID_ARGUMENT',
    401: 'UNAUTHENTICATED',
    403: 'PERMISSION_DENIED',
    404: 'NOT_FOUND',
    429: 'RESOURCE_EXHAUSTED',
    500: 'INTERNAL',
    503: 'UNAVAILABLE',
  };
  return names[status] ?? 'UNKNOWN';
}

function contentsRefusal(contents: readonly Obj[]): string | null {
  if (contents.length === 0) return '* GenerateContentRequest.contents: contents is not specified';
  if (contents[0]?.['role'] !== 'user') return 'Please ensure that the first content has the role user.';
  let called: string[] = [];
  let previous = '';
  for (const [i, content] of contents.entries()) {
    const role = str(content['role']);
    if (role !== 'user' && role !== 'model') return 'Please use a valid role: user, model.';
    const parts = objects(content['parts']);
    if (parts.length === 0) return `* GenerateContentRequest.contents[${i}].parts: contents.parts must not be empty.`;
    const bad = parts.map((part) => partRefusal(part, role)).find((found) => found !== null);
    if (bad !== undefined) return `contents[${i}]: ${bad}`;
    const answered = parts.flatMap((part) =>
      isObj(part['functionResponse']) ? [str(part['functionResponse']['name'])] : [],
    );
    if (answered.join() !== called.join()) {
      return 'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.';
    }
    called = parts.flatMap((part) => (isObj(part['functionCall']) ? [str(part['functionCall']['name'])] : []));
    if (called.length > 0 && previous !== 'user') {
      return 'Please ensure that function call turn comes immediately after a user turn or after a function response turn.';
    }
    previous = role;
  }
  return called.length > 0 ? 'Please ensure that function call turn is followed by a function response turn.' : null;
}

function partRefusal(part: Obj, role: string): string | null {
  const signature = part['thoughtSignature'];
  const call = part['functionCall'];
  if (isObj(call)) {
    if (role !== 'model') return 'function calls belong to the model';
    if (!isObj(call['args'])) return 'function_call.args: expected an object';
    const wanted = callSignature(str(call['name']), JSON.stringify(call['args']));
    return signature === undefined || signature === wanted ? null : 'Corrupted thought signature.';
  }
  if (isObj(part['functionResponse'])) return role === 'user' ? null : 'function responses belong to the user';
  const inline = part['inlineData'];
  if (isObj(inline)) {
    if (role !== 'user') return 'inline data belongs to the user';
    return str(inline['mimeType']) !== '' && str(inline['data']) !== ''
      ? null
      : 'inlineData: mimeType and data are required';
  }
  if (typeof part['text'] !== 'string') return 'data: required oneof field must have one initialized field';
  if (part['text'] === '' && signature === undefined)
    return 'Unable to submit request because it must have a text parameter.';
  if (part['thought'] === true && signature !== signatureOf(part['text'])) return 'Corrupted thought signature.';
  return null;
}

function readContent(content: Obj): Message[] {
  const parts = objects(content['parts']);
  if (content['role'] === 'model') return [{ role: 'assistant', parts: parts.flatMap(readPart) }];
  return parts.map((part): Message => {
    const answer = part['functionResponse'];
    if (!isObj(answer)) return { role: 'user', text: str(part['text']) };
    const response = isObj(answer['response']) ? answer['response'] : {};
    return {
      role: 'tool',
      results: [
        { callId: str(answer['id']), name: str(answer['name']), text: str(response['content']), isError: false },
      ],
    };
  });
}

function readPart(part: Obj): MessagePart[] {
  const call = part['functionCall'];
  if (isObj(call))
    return [
      {
        kind: 'call',
        callId: str(call['id']),
        name: str(call['name']),
        args: JSON.parse(JSON.stringify(call['args'])),
      },
    ];
  return part['thought'] === true ? [] : [{ kind: 'text', text: str(part['text']) }];
}
