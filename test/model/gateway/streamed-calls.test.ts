import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { expect, it } from 'vitest';
import type { StreamedCall } from '#kernel';
import { collectAnswer } from '../../../src/model/gateway/answer-collector.ts';

const provider = {
  id: 'test/model',
  keyVariable: 'KEY',
  key: null,
  traits: {
    errorFlag: false,
    cacheBreakpoints: false,
    emptyArguments: true,
    filesInResults: true,
    reasoning: 'signed',
  },
  connect: () => Promise.reject(new Error('not here')),
} as const;

const start = (id: string): LanguageModelV4StreamPart => ({ type: 'tool-input-start', id, toolName: 'Read' });
const delta = (id: string, text: string): LanguageModelV4StreamPart => ({ type: 'tool-input-delta', id, delta: text });
const end = (id: string, input: string): LanguageModelV4StreamPart => ({
  type: 'tool-call',
  toolCallId: id,
  toolName: 'Read',
  input,
});
const call = (index: number, args: StreamedCall['args']): StreamedCall => ({ index, name: 'Read', args });

it.each<[string, readonly LanguageModelV4StreamPart[], readonly StreamedCall[]]>([
  ['when it ends', [start('a'), delta('a', '{"n":1'), end('a', '{"n":1}')], [call(0, { n: 1 })]],
  [
    'when its object is whole, before it ends',
    [start('a'), delta('a', '{"n":'), delta('a', '1}')],
    [call(0, { n: 1 })],
  ],
  ['once', [start('a'), delta('a', '{"n":1}'), delta('a', ' \n'), end('a', '{"n":1} ')], [call(0, { n: 1 })]],
  ['not while a brace only looks like the end', [start('a'), delta('a', '{"n":{"m":1}'), delta('a', ',"s":"}')], []],
  ['not where its arguments are no object', [start('a'), delta('a', '[1]'), end('a', '[1]')], []],
  ['not where its arguments cannot be read', [start('a'), end('a', '{"n":')], []],
  ['without arguments, at its end only', [start('a'), delta('a', ''), end('a', '')], [call(0, {})]],
  [
    'each in its place, whichever is whole first',
    [start('a'), start('b'), delta('b', '{"n":2}'), delta('a', '{"n":1}')],
    [call(1, { n: 2 }), call(0, { n: 1 })],
  ],
  ['without pieces', [end('a', '{"n":1}'), end('b', '{"n":2}')], [call(0, { n: 1 }), call(1, { n: 2 })]],
])('a call is told %s', (_name, parts, calls) => {
  const told: StreamedCall[] = [];
  const collector = collectAnswer(
    provider,
    () => {},
    (each) => void told.push(each),
  );
  for (const part of parts) collector.take(part);
  expect(told).toEqual(calls);
});
