import type { Message, ModelAnswer, ModelRequest, ModelResult } from '#kernel';

export const user = (text: string): Message => ({ role: 'user', text });

const tool = (name: string) => ({
  name,
  description: `${name} does something`,
  inputSchema: {
    type: 'object',
    properties: { file_path: { type: 'string' } },
    required: [],
    additionalProperties: false,
  },
});

export const requestOf = (messages: readonly Message[] = [user('go')]): ModelRequest => ({
  system: 'You are careful.',
  tools: [tool('Read'), tool('Edit')],
  messages,
});

/** The conversation after an answer, its calls answered with `results` in order; ids are our own. */
export function extend(messages: readonly Message[], answer: ModelAnswer, results: readonly string[]): Message[] {
  let calls = 0;
  const id = (n: number) => `our-${messages.length}-${n}`;
  const parts = answer.parts.map((part) =>
    part.kind === 'call'
      ? {
          kind: 'call' as const,
          callId: id(calls++),
          name: part.name,
          args: part.args,
          ...(part.meta === undefined ? {} : { meta: part.meta }),
        }
      : part,
  );
  const assistant: Message = { role: 'assistant', parts };
  if (calls === 0) return [...messages, assistant];
  const names = answer.parts.flatMap((part) => (part.kind === 'call' ? [part.name] : []));
  return [
    ...messages,
    assistant,
    {
      role: 'tool',
      results: names.map((name, n) => ({ callId: id(n), name, text: results[n] ?? 'fine', isError: false })),
    },
  ];
}

export function answerOf(result: ModelResult): ModelAnswer {
  if (!result.ok) throw new Error(`expected an answer, got ${result.failure.kind}: ${result.failure.message}`);
  return result.answer;
}

export function failureOf(result: ModelResult) {
  if (result.ok) throw new Error(`expected a failure, got ${JSON.stringify(result.answer.parts)}`);
  return { ...result.failure, text: result.text };
}

export const textOf = (answer: ModelAnswer): string =>
  answer.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
