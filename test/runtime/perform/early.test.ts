/** Reads that begin while their answer streams: what begins, what must not, and what becomes of it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { fold, type ModelResult, makeFailure, type StreamedCall } from '#kernel';
import { openModel } from '#model';
import type { ModelPlanner, PermissionPort, ToolsPort } from '#runtime';
import { harness, type LocalTool, localTools } from '../harness.ts';

const settled = () => new Promise((resolve) => setTimeout(resolve, 20));
type Streamed = Omit<StreamedCall, 'index'>;

interface Act {
  /** Told while the answer streams. */
  readonly streamed: readonly Streamed[];
  /** The calls of the answer; absent: as streamed. */
  readonly calls?: readonly Streamed[];
  readonly fails?: boolean;
}

/** One answer as told, then a word that ends the turn. `before` sees the world when the stream is about to end. */
function streaming(act: Act, before: () => void): ModelPlanner {
  let answers = 0;
  return {
    kind: 'model',
    name: 'model',
    modelId: 'test/model',
    price: null,
    project: () => ({ system: '', tools: [], messages: [] }),
    async generate(_request, context): Promise<ModelResult> {
      const usage = { inputTokens: 1, outputTokens: 1 };
      if (answers++ > 0) {
        return { ok: true, answer: { parts: [{ kind: 'text', text: 'done' }], finish: 'stop', usage } };
      }
      for (const [index, call] of act.streamed.entries()) context.onCall?.({ index, ...call });
      await settled();
      before();
      if (act.fails === true) {
        return { ok: false, text: '', failure: makeFailure('incomplete', 'the stream was cut', 'ask again') };
      }
      const parts = (act.calls ?? act.streamed).map(({ name, args }, i) => ({
        kind: 'call' as const,
        name,
        args,
        providerCallId: `p${i}`,
      }));
      return { ok: true, answer: { parts, finish: 'tool-calls', usage } };
    },
  };
}

function world() {
  const ran: string[] = [];
  const stopped: string[] = [];
  const tool = (effect: LocalTool['effect'], paths?: readonly string[]): LocalTool => ({
    effect,
    ...(paths === undefined ? {} : { paths }),
    run: (args, { signal }) => {
      const name = JSON.stringify(args);
      ran.push(name);
      signal.addEventListener('abort', () => stopped.push(name));
      return { status: 'succeeded', output: `read ${ran.length}` };
    },
  });
  const port = localTools({
    Read: tool('read', ['a']),
    Slow: tool('read'),
    Edit: tool('file', ['a']),
    Bash: tool('process'),
  });
  const tools: ToolsPort = {
    ...port,
    profile: async (name, args) => ({ ...(await port.profile(name, args)), early: name === 'Read' }),
  };
  return { ran, stopped, tools };
}

const read = (n: number): Streamed => ({ name: 'Read', args: { n } });
const edit: Streamed = { name: 'Edit', args: { edit: 1 } };

async function play(act: Act, over: Partial<Parameters<typeof harness>[0]> = {}, hooked = false) {
  const { ran, stopped, tools } = world();
  let early: readonly string[] = [];
  const h = await harness({
    planner: streaming(act, () => {
      early = [...ran];
    }),
    tools,
    record: hooked,
    ...over,
  });
  const pull = await h.session.run('go');
  const facts = h.facts();
  return { ran, stopped, early, facts, pull, h };
}

const starts = (facts: Awaited<ReturnType<typeof play>>['facts']) =>
  facts.flatMap((fact) => (fact.type === 'attempt.start' ? [fact.early === true] : []));

describe('a read begins before its answer is complete', () => {
  it.each<[string, Act, number]>([
    ['one', { streamed: [read(1)] }, 1],
    ['several', { streamed: [read(1), read(2), read(3)] }, 3],
    ['those before the first effect', { streamed: [read(1), edit, read(2)] }, 1],
    ['none behind a command', { streamed: [{ name: 'Bash', args: {} }, read(1)] }, 0],
    ['none of a tool that leaves something behind', { streamed: [{ name: 'Slow', args: {} }] }, 0],
    ['none of an unknown tool', { streamed: [{ name: 'Nope', args: {} }, read(1)] }, 1],
    ['no more than run side by side', { streamed: Array.from({ length: 20 }, (_, n) => read(n)) }, 8],
  ])('%s', async (_name, act, count) => {
    const { early, ran, facts, pull } = await play(act);
    expect(pull.kind).toBe('finish');
    expect(early).toHaveLength(count);
    const known = act.streamed.filter(({ name }) => name !== 'Nope');
    expect(ran).toHaveLength(known.length);
    expect(starts(facts).filter(Boolean)).toHaveLength(count);
    expect(facts.filter((fact) => fact.type === 'attempt.outcome')).toHaveLength(known.length);
  });

  it('its facts come in the order of every call, behind the answer', async () => {
    const { facts } = await play({ streamed: [read(1)] });
    const order = ['model.response', 'action.intended', 'action.verdict', 'attempt.start', 'attempt.outcome'];
    expect(
      facts
        .map((fact) => fact.type)
        .filter((type) => order.includes(type))
        .slice(0, 5),
    ).toEqual(order);
    expect(fold(facts).turn?.phase).toBe('done');
  });

  const answering = (decision: 'ask' | 'deny'): PermissionPort => {
    return async () => ({ decision, by: 'policy', reason: 'drawn' });
  };
  it.each<[string, Partial<Parameters<typeof harness>[0]>]>([
    ['asks', { permission: answering('ask') }],
    ['denies', { permission: answering('deny') }],
    ['throws', { permission: () => Promise.reject(new Error('no policy')) }],
  ])('not where the policy %s', async (_name, over) => {
    expect((await play({ streamed: [read(1)] }, over)).early).toEqual([]);
  });

  it('not where hooks might refuse or change it', async () => {
    const { early, ran } = await play({ streamed: [read(1)] }, {}, true);
    expect({ early, ran: ran.length }).toEqual({ early: [], ran: 1 });
  });

  it('not beyond the limit of calls', async () => {
    const { early, pull } = await play({ streamed: [read(1), read(2), read(3)] }, { limits: { maxToolCalls: 2 } });
    expect(early).toHaveLength(2);
    expect(pull).toMatchObject({ kind: 'pause', reason: 'budget_exceeded:tool_calls' });
  });
});

describe('what began early is thrown away', () => {
  it('when the stream is cut: no fact of it, and it is stopped', async () => {
    const { early, stopped, facts } = await play({ streamed: [read(1)], fails: true });
    expect([early, stopped]).toEqual([['{"n":1}'], ['{"n":1}']]);
    expect(facts.some((fact) => fact.type === 'action.intended' || fact.type === 'attempt.start')).toBe(false);
  });

  it.each<[string, Act]>([
    ['other arguments', { streamed: [read(1)], calls: [read(2)] }],
    ['another place', { streamed: [read(1)], calls: [read(3), read(1)] }],
    ['another tool', { streamed: [read(1)], calls: [{ name: 'Slow', args: { n: 1 } }] }],
  ])('when the answer has %s', async (_name, act) => {
    const { early, stopped, ran, facts } = await play(act);
    expect([early, stopped]).toEqual([['{"n":1}'], ['{"n":1}']]);
    expect(ran).toHaveLength(1 + (act.calls ?? []).length);
    expect(starts(facts)).not.toContain(true);
  });

  it('when the answer has no such call', async () => {
    const { stopped, facts } = await play({ streamed: [read(1)], calls: [] });
    expect(stopped).toEqual(['{"n":1}']);
    expect(starts(facts)).toEqual([]);
  });

  it('when the turn pauses before it is due', async () => {
    const asksEdits: PermissionPort = async ({ args }) => ({
      decision: JSON.stringify(args) === '{"n":2}' ? 'ask' : 'allow',
      by: 'policy',
      reason: 'drawn',
    });
    const { h, early, ran, pull } = await play({ streamed: [read(2), read(1)] }, { permission: asksEdits });
    expect(early).toEqual(['{"n":1}']);
    if (pull.kind !== 'approval') throw new Error(pull.kind);
    await h.session.approve(pull.actionId, 'approve', 'me');
    expect((await h.session.resume()).kind).toBe('finish');
    expect(ran.filter((args) => args === '{"n":1}')).toHaveLength(2);
    expect(starts(h.facts())).not.toContain(true);
  });
});

describe('over a real stream', () => {
  const call = { id: 'call_0', type: 'function', function: { name: 'Read', arguments: '{"n":1}' } };
  const chat = (delta: object, finish: string | null = null) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const sse = (type: string, data: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
  const message = { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [] };
  const usage = { input_tokens: 1, output_tokens: 1 };
  const block = (index: number, content: object, delta: object) =>
    sse('content_block_start', { index, content_block: content }) + sse('content_block_delta', { index, delta });

  /** What is sent before the read has run, and what only then. */
  const protocols = [
    {
      name: 'openai-compatible/m',
      env: (port: number) => ({
        OPENAI_COMPATIBLE_API_KEY: 'k',
        OPENAI_COMPATIBLE_BASE_URL: `http://127.0.0.1:${port}/v1`,
      }),
      first: chat({ role: 'assistant', tool_calls: [{ index: 0, ...call }] }),
      rest: `${chat({ content: 'and so on' })}${chat({}, 'tool_calls')}data: [DONE]\n\n`,
    },
    {
      name: 'anthropic/m',
      env: (port: number) => ({ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}/v1` }),
      first:
        sse('message_start', { message: { ...message, stop_reason: null, usage } }) +
        block(
          0,
          { type: 'tool_use', id: 't', name: 'Read', input: {} },
          { type: 'input_json_delta', partial_json: '{"n":1}' },
        ) +
        sse('content_block_stop', { index: 0 }),
      rest:
        block(1, { type: 'text', text: '' }, { type: 'text_delta', text: 'and so on' }) +
        sse('content_block_stop', { index: 1 }) +
        sse('message_delta', { delta: { stop_reason: 'tool_use', stop_sequence: null }, usage }) +
        sse('message_stop', {}),
    },
  ];

  it.each(protocols)('of $name the read has ended before the stream ends', async ({ name, env, first, rest }) => {
    const { ran, tools } = world();
    const seen: number[] = [];
    const server = createServer(async (request, response) => {
      for await (const _ of request);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(first);
      // The stream is held until the read has run; without an early start it would never go on.
      for (let looks = 0; looks < 200 && ran.length === 0; looks++) await settled();
      seen.push(ran.length);
      response.end(rest);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const model = await openModel(name, env((server.address() as AddressInfo).port), {
      baseDir: '/',
      readText: () => Promise.reject(new Error('no file')),
    });
    if (!model.ok) throw new Error(model.error.message);
    const { generate } = model.value;
    const planner: ModelPlanner = {
      kind: 'model',
      name: 'model',
      modelId: name,
      price: null,
      project: () => ({
        system: '',
        tools: [{ name: 'Read', description: 'reads', inputSchema: { type: 'object' } }],
        messages: [{ role: 'user', text: 'go' }],
      }),
      generate,
    };
    try {
      const h = await harness({ planner, tools, record: false, limits: { maxRounds: 1 } });
      await h.session.run('go');
      expect(seen).toEqual([1]);
      expect(starts(h.facts())).toEqual([true]);
      expect(ran).toHaveLength(1);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });
});
