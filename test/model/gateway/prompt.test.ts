import { expect, it } from 'vitest';
import type { Message, ModelRequest } from '#kernel';
import { createPromptMemory, toCallOptions } from '../../../src/model/gateway/prompt.ts';
import type { Provider } from '../../../src/model/gateway/provider.ts';
import { findProvider } from '../../../src/model/gateway/providers.ts';

const env = { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k', OPENAI_COMPATIBLE_BASE_URL: 'http://127.0.0.1:1/v1' };
const providerOf = (name: string): Provider => {
  const found = findProvider(name, 'm', env);
  if (found === null || !found.ok) throw new Error(`no ${name}`);
  return found.value;
};

const round = (n: number, text = `result ${n}`): Message[] => [
  {
    role: 'assistant',
    parts: [
      { kind: 'reasoning', text: `thought ${n}` },
      { kind: 'call', callId: `c${n}`, name: 'Read', args: { n } },
    ],
  },
  { role: 'tool', results: [{ callId: `c${n}`, name: 'Read', text, isError: false }] },
];

it('is what it would be for messages never seen before, whatever was asked with them before', () => {
  const shown = { blob: 'b'.repeat(64), path: 'a.png', mediaType: 'image/png', bytes: 3 };
  const said: Message[] = [{ role: 'user', text: 'go' }, ...round(1)];
  const withFile: Message = {
    role: 'tool',
    results: [{ callId: 'c9', name: 'Read', text: '', isError: false, attachments: [shown] }],
  };
  const steps: Message[][] = [[], round(2), [{ role: 'user', text: 'more' }], round(3), [withFile], round(4, '')];
  const providers = ['anthropic', 'openai-compatible', 'openai'].map(providerOf);
  const attachmentsOf = ({ messages }: ModelRequest) =>
    messages
      .flatMap((message) => (message.role === 'tool' ? message.results : []))
      .flatMap((one) => one.attachments ?? []);
  const filesOf = (request: ModelRequest, file: Uint8Array | string) =>
    new Map(attachmentsOf(request).map((one) => [one, file]));
  const { signal } = new AbortController();
  const memories = new Map(providers.map((provider) => [provider, createPromptMemory()]));
  for (const step of steps) {
    said.push(...step);
    const request: ModelRequest = { system: 's', tools: [], messages: said };
    for (const provider of providers) {
      for (const file of ['told', new Uint8Array([1, 2, 3])]) {
        const copy = structuredClone(request);
        const fresh = toCallOptions(copy, provider, signal, filesOf(copy, file)).prompt;
        const memory = memories.get(provider);
        expect(toCallOptions(request, provider, signal, filesOf(request, file), memory).prompt).toEqual(fresh);
      }
    }
  }
});

it.each([
  ['a long one', 'x'.repeat(10_000), 'x'.repeat(64)],
  ['signs that no provider takes', 'a.b/c é', 'a_b_c__'],
  ['none', '', '_'],
  ['an ordinary one', 'Read-it_2', 'Read-it_2'],
])('a name that is no tool is told in a form that providers take: %s', (_what, name, expected) => {
  const messages: Message[] = [
    { role: 'user', text: 'go' },
    { role: 'assistant', parts: [{ kind: 'call', callId: 'c1', name, args: {} }] },
    { role: 'tool', results: [{ callId: 'c1', name, text: 'no such tool', isError: true }] },
  ];
  const { signal } = new AbortController();
  const text = JSON.stringify(toCallOptions({ system: '', tools: [], messages }, providerOf('openai'), signal).prompt);
  expect([...text.matchAll(/"toolName":"([^"]*)"/g)].map(([, shown]) => shown)).toEqual([expected, expected]);
});
