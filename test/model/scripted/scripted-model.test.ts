import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Message, ModelRequest, ModelResult } from '#kernel';
import { openModel } from '#model';
import { callContext, sessionOf } from '../facts.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'belay-script-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const options = () => ({ baseDir: folder, readText: (path: string) => readFile(path, 'utf8') });
let files = 0;

async function openText(text: string, extension = 'json') {
  const name = `script-${files++}.${extension}`;
  await writeFile(join(folder, name), text);
  return openModel(`scripted/${name}`, {}, options());
}

async function open(script: unknown) {
  const opened = await openText(JSON.stringify(script));
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value;
}

const user = (text: string): Message => ({ role: 'user', text });
const shownResult = (text: string): readonly Message[] => [
  user('go'),
  { role: 'assistant', parts: [{ kind: 'call', callId: 'c1', name: 'Bash', args: { command: 'ls' } }] },
  { role: 'tool', results: [{ callId: 'c1', name: 'Bash', text, isError: false }] },
];
const request = (messages: readonly Message[] = [user('go')]): ModelRequest => ({
  system: 'You are careful.',
  tools: [{ name: 'Bash', description: 'runs', inputSchema: { type: 'object' } }],
  messages,
});

const failureOf = (result: ModelResult) => {
  if (result.ok) throw new Error('expected a failure');
  return result.failure;
};

describe('scripted model', () => {
  it('answers with the turn after the answers that the ledger holds, in any process', async () => {
    const script = {
      turns: [{ text: 'one' }, { calls: [{ tool: 'Read', args: { file_path: 'a' } }] }, { text: 'three' }],
    };
    for (const [story, text] of [
      ['', 'one'],
      ['fa', ''],
      ['aa', 'three'],
    ] as const) {
      const { context } = callContext(sessionOf(story));
      const result = await (await open(script)).generate(request(), context);
      expect(result.ok && result.answer.parts.map((part) => (part.kind === 'text' ? part.text : ''))).toEqual([text]);
    }
  });

  it('gives the same answer, deltas and usage twice', async () => {
    const model = await open({ turns: [{ text: 'two words', reasoning: 'hm', calls: [{ tool: 'Bash', args: {} }] }] });
    const runs = await Promise.all(
      [1, 2].map(async () => {
        const { context, deltas } = callContext();
        return { result: await model.generate(request(), context), deltas };
      }),
    );
    expect(runs[0]).toEqual(runs[1]);
    expect(runs[0]?.result).toMatchObject({
      ok: true,
      answer: {
        finish: 'tool-calls',
        usage: { inputTokens: 1000 },
        parts: [
          { kind: 'reasoning', text: 'hm' },
          { kind: 'text', text: 'two words' },
          { kind: 'call', name: 'Bash', args: {} },
        ],
      },
    });
    expect(runs[0]?.deltas.map((delta) => (delta.kind === 'call' ? delta.name : delta.text))).toEqual([
      'hm',
      'two ',
      'words',
      'Bash',
    ]);
  });

  it.each([
    ['shown text', { shown: '2 failed' }, true],
    ['shown texts', { shown: ['1 passed', '2 failed'] }, true],
    ['an expression', { matches: '^\\d passed' }, true],
    ['absence', { notShown: 'Traceback' }, true],
    ['the history', { history: 'go' }, true],
    ['the system prompt', { system: 'careful' }, true],
    ['an offered tool', { tools: 'Bash' }, true],
    ['text not shown', { shown: '0 failed' }, false],
    ['text shown only earlier', { shown: 'go' }, false],
    ['an expression that does not match', { matches: 'ok$' }, false],
    ['a banned text', { notShown: 'failed' }, false],
    ['a history that is not', { history: 'stop' }, false],
    ['another system prompt', { system: 'careless' }, false],
    ['a tool that is not offered', { tools: ['Bash', 'Edit'] }, false],
  ])('checks its expectation of %s', async (_name, expectation, met) => {
    const model = await open({ turns: [{ text: 'fine', expect: expectation }] });
    const result = await model.generate(request(shownResult('1 passed\n2 failed')), callContext().context);
    expect(result.ok).toBe(met);
    if (!met) {
      const failure = failureOf(result);
      expect(failure).toMatchObject({ kind: 'invalid_request', retryable: false });
      expect(failure.message).toMatch(/turn 0 of the script .*expected .*shown was:\n/s);
    }
  });

  it('ends loudly where the script has no more turns', async () => {
    const model = await open({ turns: [{ text: 'only' }] });
    const failure = failureOf(await model.generate(request(), callContext(sessionOf('a')).context));
    expect(failure).toMatchObject({ kind: 'invalid_request', retryable: false });
    expect(failure.message).toContain('has ended: it has no turn 1');
  });

  it('fails as often as the turn says and then answers', async () => {
    const model = await open({ turns: [{ text: 'at last', fail: { kind: 'transient', times: 2, retryAfterMs: 5 } }] });
    for (const [story, ok] of [
      ['', false],
      ['f', false],
      ['ff', true],
    ] as const) {
      const result = await model.generate(request(), callContext(sessionOf(story)).context);
      expect(result.ok).toBe(ok);
      if (!ok) expect(failureOf(result)).toMatchObject({ kind: 'transient', retryable: true, retryAfterMs: 5 });
    }
  });

  it('plays broken argument text as a malformed call', async () => {
    const model = await open({ turns: [{ calls: [{ tool: 'Edit', argsText: '{"file_path":"a' }] }] });
    const result = await model.generate(request(), callContext().context);
    expect(result.ok && result.answer.parts[0]).toMatchObject({
      args: {},
      malformed: expect.stringMatching(/position 15/),
    });
  });

  it('stops waiting when it is cancelled', async () => {
    const model = await open({ turns: [{ text: 'late', delayMs: 60_000 }] });
    const abort = new AbortController();
    const running = model.generate(request(), callContext([], abort.signal).context);
    abort.abort();
    expect(failureOf(await running)).toMatchObject({ kind: 'cancelled' });
  });

  it('asks a function for the turn', async () => {
    const source = `export default (request, { turn, failures }) =>
      turn > 1 ? null : { text: request.messages.length + ' ' + turn + ' ' + failures, expect: { shown: 'go' } };`;
    const opened = await openText(source, 'mjs');
    if (!opened.ok) throw new Error(opened.error.message);
    const result = await opened.value.generate(request(), callContext(sessionOf('af')).context);
    expect(result.ok && result.answer.parts).toEqual([{ kind: 'text', text: '1 1 1' }]);
    expect(failureOf(await opened.value.generate(request(), callContext(sessionOf('aa')).context)).message).toContain(
      'has ended',
    );
  });

  it.each([
    ['throws', 'export default () => { throw new Error("boom"); }', 'boom'],
    ['returns nonsense', 'export default () => ({ txt: "a" })', '/txt: unknown field'],
  ])('says so when a function %s', async (_name, source, told) => {
    const opened = await openText(source, 'mjs');
    if (!opened.ok) throw new Error(opened.error.message);
    const failure = failureOf(await opened.value.generate(request(), callContext().context));
    expect(failure).toMatchObject({ kind: 'invalid_request', retryable: false });
    expect(failure.message).toContain(told);
  });

  it.each([
    ['no JSON', '{', 'not valid JSON'],
    ['no turns', '{}', '/turns: missing'],
    ['a misspelt field', '{"turns":[{"text":"a"},{"tekst":"b"}]}', '/turns/1/tekst: unknown field'],
    ['a call without a tool', '{"turns":[{"calls":[{"args":{}}]}]}', '/turns/0/calls/0/tool: missing'],
    [
      'two forms of arguments',
      '{"turns":[{"calls":[{"tool":"a","args":{},"argsText":""}]}]}',
      'both args and argsText',
    ],
    ['a bad expression', '{"turns":[{"text":"","expect":{"matches":"("}}]}', '/turns/0/expect/matches/0'],
    ['a silent turn', '{"turns":[{}]}', '/turns/0: says nothing'],
  ])('refuses a script with %s and names the place', async (_name, text, told) => {
    const opened = await openText(text);
    expect(opened).toMatchObject({ ok: false, error: { code: 'configuration' } });
    expect(opened.ok ? '' : opened.error.message).toContain(told);
  });

  it.each(['scripted/missing.json', 'scripted/script.txt', 'scripted/'])('refuses %s', async (id) => {
    expect(await openModel(id, {}, options())).toMatchObject({ ok: false, error: { code: 'configuration' } });
  });
});
