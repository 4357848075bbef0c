import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import type { ModelDelta } from '#kernel';
import { collectAnswer } from '../../../src/model/gateway/answer-collector.ts';
import type { Provider } from '../../../src/model/gateway/provider.ts';

const provider = (emptyArguments: boolean): Provider => ({
  id: 'test/model',
  keyVariable: 'KEY',
  key: null,
  traits: { errorFlag: false, cacheBreakpoints: false, emptyArguments, filesInResults: true, reasoning: 'signed' },
  connect: () => Promise.reject(new Error('not here')),
});

const unknown: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};
type Reason = Extract<LanguageModelV4StreamPart, { type: 'finish' }>['finishReason']['unified'];
const finish = (unified: Reason): LanguageModelV4StreamPart => ({
  type: 'finish',
  finishReason: { unified, raw: undefined },
  usage: unknown,
});
const start = (id: string): LanguageModelV4StreamPart => ({ type: 'tool-input-start', id, toolName: 'Edit' });
const delta = (id: string, text: string): LanguageModelV4StreamPart => ({ type: 'tool-input-delta', id, delta: text });
const end = (id: string, input: string): LanguageModelV4StreamPart => ({
  type: 'tool-call',
  toolCallId: id,
  toolName: 'Edit',
  input,
});

function collect(parts: readonly LanguageModelV4StreamPart[], emptyArguments = true) {
  const deltas: ModelDelta[] = [];
  const collector = collectAnswer(provider(emptyArguments), (each) => void deltas.push(each));
  for (const part of parts) collector.take(part);
  return { result: collector.answer(), collector, deltas };
}

describe('an answer is not complete', () => {
  it.each<readonly [string, readonly LanguageModelV4StreamPart[], string]>([
    ['without any part', [], 'end marker'],
    ['without a finish part', [start('1'), end('1', '{}')], 'end marker'],
    ['when a call only started', [start('1'), delta('1', '{}'), finish('tool-calls')], 'did not end'],
    [
      'when one of two calls did not end',
      [start('1'), end('1', '{}'), start('2'), finish('tool-calls')],
      'did not end',
    ],
    ['when a call did not end, whatever the reason', [start('1'), finish('stop')], 'did not end'],
    [
      'when two calls share an id and one end came',
      [start('1'), start('1'), end('1', '{}'), finish('tool-calls')],
      'did not end',
    ],
    ['when the announced calls are missing', [finish('tool-calls')], 'did not come'],
    ['when it was interrupted', [finish('interrupted')], 'interrupted'],
    ['when it ended in an error', [finish('error')], 'error'],
    ['when the end is unknown', [finish('other')], 'other'],
  ])('%s', (_name, parts, told) => {
    const { result } = collect(parts);
    expect(result).toMatchObject({ complete: false, missing: expect.stringContaining(told) });
  });
});

describe('no argument text', () => {
  const call = (parts: readonly LanguageModelV4StreamPart[], emptyArguments: boolean) => {
    const { result } = collect(parts, emptyArguments);
    return result.complete ? result.answer.parts[0] : null;
  };

  it('means no arguments where the provider says it so', () => {
    expect(call([start('1'), end('1', ''), finish('tool-calls')], true)).toMatchObject({ args: {} });
    expect(call([start('1'), end('1', ''), finish('tool-calls')], true)).not.toHaveProperty('malformed');
  });
  it('is malformed elsewhere', () => {
    expect(call([start('1'), end('1', ''), finish('tool-calls')], false)).toHaveProperty('malformed');
  });
  it.each(['', '{}'])('is malformed where the length limit came first, given as %j', (input) => {
    expect(call([start('1'), end('1', input), finish('length')], true)).toHaveProperty('malformed');
  });
  it('is not the same as a streamed empty object', () => {
    expect(call([start('1'), delta('1', '{}'), end('1', '{}'), finish('length')], true)).not.toHaveProperty(
      'malformed',
    );
  });
});

it('leaves unreported numbers out', () => {
  const { result } = collect([
    { type: 'text-start', id: '0' },
    { type: 'text-delta', id: '0', delta: 'x' },
    finish('stop'),
  ]);
  expect(result.complete && result.answer.usage).toEqual({});
});

it('takes a call that came in one piece', () => {
  const { result, deltas } = collect([end('1', '{"a":1}'), finish('stop')]);
  expect(result).toMatchObject({
    complete: true,
    answer: { finish: 'tool-calls', parts: [{ name: 'Edit', args: { a: 1 } }] },
  });
  expect(deltas).toEqual([{ kind: 'call', name: 'Edit', argsText: '{"a":1}' }]);
});
