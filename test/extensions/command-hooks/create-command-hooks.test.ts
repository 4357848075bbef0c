import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type CommandHook, createCommandHooks } from '#extensions';
import type { Fact, FactBody } from '#kernel';
import { createHooks, type HookTopic } from '#runtime';
import { openPlace, type Place } from '../../workspace/bench-place.ts';

const hook = (command: string, more: Partial<CommandHook> = {}): CommandHook => ({
  event: 'PreToolUse',
  matcher: null,
  command,
  timeoutMs: 10_000,
  onFailure: 'warn',
  name: 'settings.json PreToolUse[0][0]',
  ...more,
});

let ids = 0;

/** A session's record, and what an agent does with its hooks. A new agent knows only what was recorded. */
async function openAgent(
  place: Place,
  hooks: readonly CommandHook[],
  record: Fact[] = start(),
  bootId?: string,
  { signal } = new AbortController(),
) {
  const registry = createHooks();
  const { processes } = place.workspace;
  const own = createCommandHooks(hooks, {
    processes,
    root: place.root,
    sessionId: 's',
    folder: (attemptId) => join(place.data, 'exec', attemptId),
    mask: (text) => text.replaceAll('hunter2', '[secret]'),
    newId: () => `h${process.pid}x${++ids}`,
    signal,
    facts: record,
  });
  own.register(registry);
  const add = (body: FactBody) => {
    const fact = { ...body, seq: record.length + 1, ts: 0 } as Fact;
    record.push(fact);
    own.see(fact);
  };
  add({ type: 'executor.attached', executorId: 'e', bootId: bootId ?? (await processes.bootId()), pid: 1 });
  return {
    record,
    add,
    types: () => record.map(({ type }) => type).filter((type) => type.startsWith('hook.')),
    fire: (topic: HookTopic, key: string, payload: Record<string, unknown>, dies = '') =>
      registry.fire(topic, `${topic}:${key}`, payload, async (facts) => {
        for (const body of facts) add(body);
        if (facts.some(({ type }) => type === dies)) await new Promise(() => {});
      }),
  };
}

const start = (): Fact[] => [
  { type: 'session.start', turnId: 't', goal: 'mend it', planner: 'model', seq: 1, ts: 0 } as Fact,
];
const call = (tool = 'Bash', args = { command: 'ls' }) => ({ step: { id: '1', description: 'call', tool, args } });

describe('before a call', () => {
  test('a hook reads the call as JSON and refuses with its standard error', async () => {
    const place = await openPlace();
    const agent = await openAgent(place, [hook('cat >input; echo "$CLAUDE_PROJECT_DIR" >where; echo no >&2; exit 2')]);
    expect(await agent.fire('before_tool_call', 'a1', call())).toMatchObject({ ok: false, abort: true, reason: 'no' });
    expect(JSON.parse(readFileSync(join(place.root, 'input'), 'utf8'))).toEqual({
      session_id: 's',
      cwd: place.root,
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
      tool_use_id: 'a1',
    });
    expect(readFileSync(join(place.root, 'where'), 'utf8')).toBe(`${place.root}\n`);
    expect(agent.record.slice(2)).toMatchObject([
      { type: 'hook.started', invocationId: 'before_tool_call:a1', actionId: 'a1' },
      { type: 'hook.ended', status: 'exited', exitCode: 2, output: '', errors: 'no\n' },
    ]);
  });

  test('a hook changes the input, speaks to the model, or wants a person', async () => {
    const place = await openPlace();
    const say = (specific: object) => hook(`echo '${JSON.stringify({ hookSpecificOutput: specific })}'`);
    const changing = await openAgent(place, [
      say({ updatedInput: { command: 'ls -l' }, additionalContext: 'long is better' }),
    ]);
    expect(await changing.fire('before_tool_call', 'a', call())).toMatchObject({
      ok: true,
      payload: call('Bash', { command: 'ls -l' }),
    });
    expect(changing.record.at(-1)).toMatchObject({ type: 'hook.said', text: 'long is better', actionId: 'a' });
    const asking = await openAgent(place, [say({ permissionDecision: 'ask', permissionDecisionReason: 'look' })]);
    expect(await asking.fire('before_tool_call', 'a', call())).toMatchObject({
      sentinel: { sentinel: 'ask', reason: 'look' },
      payload: call(),
    });
    const both = await openAgent(place, [say({ permissionDecision: 'ask', updatedInput: { command: 'ls -l' } })]);
    expect(await both.fire('before_tool_call', 'a', call())).toMatchObject({
      sentinel: { sentinel: 'ask' },
      payload: call('Bash', { command: 'ls -l' }),
    });
  });

  test('what it prints is masked before it is recorded, and before it counts', async () => {
    const place = await openPlace();
    const agent = await openAgent(place, [hook('echo hunter2; echo the key is hunter2 >&2; exit 2')]);
    expect(await agent.fire('before_tool_call', 'a', call())).toMatchObject({ reason: 'the key is [secret]' });
    expect(JSON.stringify(agent.record.filter(({ type }) => type === 'hook.ended'))).not.toContain('hunter2');
  });

  test('a hook for other tools is not run', async () => {
    const place = await openPlace();
    const agent = await openAgent(place, [hook('exit 2', { matcher: 'Edit|Write' })]);
    expect(await agent.fire('before_tool_call', 'a', call())).toMatchObject({ ok: true });
    expect(agent.types()).toEqual([]);
  });

  test.each([
    ['warn', { ok: true }, ['hook.started', 'hook.ended', 'hook.failed']],
    ['block', { ok: false, abort: true }, ['hook.started', 'hook.ended']],
  ] as const)('a hook that fails: %s', async (onFailure, fired, types) => {
    const place = await openPlace();
    for (const command of ['exit 7', 'no-such-program', 'kill -9 $$', 'sleep 30']) {
      const agent = await openAgent(place, [hook(command, { onFailure, timeoutMs: 300 })]);
      expect(await agent.fire('before_tool_call', 'a', call())).toMatchObject(fired);
      expect(agent.types()).toEqual(types);
    }
  });

  test.each([
    ['holds its output', 'echo said; sleep 30 & exit 0'],
    ['holds its input', 'sleep 30 <&0 & exit 0'],
    ['is in a session of its own', 'setsid sleep 30 & exit 0'],
    ['is in a group of its own', 'set -m; sleep 30 & exit 0'],
    ['goes on printing', '(while sleep 0.05; do echo more; echo more >&2; done) & exit 0'],
    ['waits in a pipe', '(sleep 30; echo late) | cat & exit 0'],
  ])('the end of a hook is not waited for in what it leaves behind: %s', async (_name, command) => {
    const place = await openPlace();
    const agent = await openAgent(place, [hook(command, { timeoutMs: 4_000 })]);
    expect(await agent.fire('before_tool_call', 'a', call())).toMatchObject({ ok: true });
    expect(agent.record.find(({ type }) => type === 'hook.ended')).toMatchObject({ status: 'exited', exitCode: 0 });
  });

  test.each(['warn', 'block'] as const)(
    'a hook that must not start is told and holds up its call: %s',
    async (onFailure) => {
      const place = await openPlace();
      let why: string | null = 'h.sh changed';
      const agent = await openAgent(place, [hook('touch ran', { onFailure, whyNot: async () => why })]);
      const refused = { ok: false, abort: true, reason: expect.stringContaining('h.sh changed') };
      expect(await agent.fire('before_tool_call', 'a', call())).toMatchObject(refused);
      expect(agent.record.at(-1)).toMatchObject({
        type: 'hook.failed',
        message: expect.stringContaining('h.sh changed'),
      });
      expect([agent.types(), existsSync(join(place.root, 'ran'))]).toEqual([['hook.failed'], false]);
      why = null;
      expect(await agent.fire('before_tool_call', 'b', call())).toMatchObject({ ok: true });
      expect(existsSync(join(place.root, 'ran'))).toBe(true);
    },
  );

  test.each<[CommandHook['event'], HookTopic, boolean]>([
    ['SessionStart', 'before_plan', false],
    ['UserPromptSubmit', 'before_plan', false],
    ['Stop', 'on_complete', true],
    ['Notification', 'on_pause', true],
  ])('one that must not start at %s stops what waits for it, and nothing else', async (event, topic, goesOn) => {
    const place = await openPlace();
    const agent = await openAgent(place, [hook('touch ran', { event, whyNot: async () => 'changed' })]);
    expect(await agent.fire(topic, 'a', {})).toMatchObject({ ok: goesOn });
    expect([agent.types(), existsSync(join(place.root, 'ran'))]).toEqual([['hook.failed'], false]);
  });

  test('any text of a command and any input reach it unchanged', async () => {
    const place = await openPlace();
    const args = { command: `it's "$HOME" \`x\` \\n\nEOF\n${'ä'.repeat(70_000)}` };
    const agent = await openAgent(place, [hook("cat >'an input'\nexit 0")]);
    await agent.fire('before_tool_call', 'a', call('Bash', args));
    expect(JSON.parse(readFileSync(join(place.root, 'an input'), 'utf8')).tool_input).toEqual(args);
  });
});

describe('after a call', () => {
  const outcome = (status: 'succeeded' | 'failed'): FactBody => ({
    type: 'attempt.outcome',
    actionId: 'a',
    status,
    output: 'files',
  });
  test.each([
    ['PostToolUse', 'succeeded'],
    ['PostToolUseFailure', 'failed'],
  ] as const)('%s follows a call that %s, and its refusal is words for the model', async (event, status) => {
    const place = await openPlace();
    const hooks = (['PostToolUse', 'PostToolUseFailure'] as const).map((one) =>
      hook(`cat >${one}; echo not formatted >&2; exit 2`, { event: one, name: one }),
    );
    const agent = await openAgent(place, hooks);
    agent.add(outcome(status));
    expect(await agent.fire('after_tool_call', 'a', call())).toMatchObject({ ok: true });
    expect(JSON.parse(readFileSync(join(place.root, event), 'utf8'))).toMatchObject({
      tool_response: { status, output: 'files' },
    });
    expect(agent.types()).toEqual(['hook.started', 'hook.ended', 'hook.said']);
    expect(agent.record.at(-1)).toMatchObject({ hook: event, text: 'not formatted' });
  });

  test('a call that did not run is told as rejected', async () => {
    const place = await openPlace();
    const agent = await openAgent(place, [hook('cat >input', { event: 'PostToolUseFailure' })]);
    expect(await agent.fire('after_tool_call', 'a', call())).toMatchObject({ ok: true });
    expect(JSON.parse(readFileSync(join(place.root, 'input'), 'utf8'))).toMatchObject({
      tool_response: { status: 'rejected', output: '' },
    });
  });
});

describe('around a turn', () => {
  test('a session and a prompt are told once, however many answers the model gives', async () => {
    const place = await openPlace();
    const agent = await openAgent(place, [
      hook('echo begun', { event: 'SessionStart', name: 'one' }),
      hook('cat >>prompts; echo >>prompts', { event: 'UserPromptSubmit', name: 'two' }),
    ]);
    for (const key of ['1', '2', '3']) expect(await agent.fire('before_plan', key, {})).toMatchObject({ ok: true });
    expect(agent.record.filter(({ type }) => type === 'hook.said')).toMatchObject([{ text: 'begun' }]);
    const prompts = readFileSync(join(place.root, 'prompts'), 'utf8').trim().split('\n');
    expect(prompts.map((line) => JSON.parse(line).prompt)).toEqual(['mend it']);
  });

  test.each([
    ['startup', [{ type: 'session.created', sessionId: 's', version: '1', seq: 1, ts: 0 } as Fact]],
    ['resume', start()],
  ] as const)('a session tells its hooks where it comes from: %s', async (source, before) => {
    const place = await openPlace();
    const hooks = ['startup', 'resume'].map((matcher) =>
      hook(`echo ${matcher} >>ran`, { event: 'SessionStart', name: matcher, matcher }),
    );
    const agent = await openAgent(place, [hook('cat >input', { event: 'SessionStart' }), ...hooks], [...before]);
    if (source === 'startup') for (const fact of start()) agent.add(fact);
    expect(await agent.fire('before_plan', '1', {})).toMatchObject({ ok: true });
    expect(JSON.parse(readFileSync(join(place.root, 'input'), 'utf8'))).toMatchObject({ source });
    expect(readFileSync(join(place.root, 'ran'), 'utf8')).toBe(`${source}\n`);
  });

  test('a refused prompt stops the turn, and is asked about again when it goes on', async () => {
    const place = await openPlace();
    const agent = await openAgent(place, [hook('[ -e fine ] || exit 2', { event: 'UserPromptSubmit' })]);
    expect(await agent.fire('before_plan', '1', {})).toMatchObject({ ok: false, abort: true });
    agent.add({ type: 'session.pause', reason: 'hook_abort:before_plan:no', from: 'planning' });
    writeFileSync(join(place.root, 'fine'), '');
    expect(await agent.fire('before_plan', '2', {})).toMatchObject({ ok: true });
  });

  test('the end and a pause are told; what the hook answers changes nothing', async () => {
    const place = await openPlace();
    const agent = await openAgent(place, [
      hook('cat >stop; exit 2', { event: 'Stop' }),
      hook('cat >pause', { event: 'Notification', name: 'n' }),
    ]);
    expect(await agent.fire('on_complete', 't', { reason: 'goal_met' })).toMatchObject({ ok: true });
    expect(await agent.fire('on_pause', 'x', { reason: 'approval' })).toMatchObject({ ok: true });
    expect(JSON.parse(readFileSync(join(place.root, 'stop'), 'utf8'))).toMatchObject({ reason: 'goal_met' });
    expect(JSON.parse(readFileSync(join(place.root, 'pause'), 'utf8'))).toMatchObject({ message: 'approval' });
  });
});

describe('an agent that died in a hook', () => {
  const counting = hook('echo once >>effects; echo no >&2; exit 2');
  const effects = (place: Place) => {
    const path = join(place.root, 'effects');
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  };

  test('after its end was recorded: the end counts, and the command is not run again', async () => {
    const place = await openPlace();
    const first = await openAgent(place, [counting]);
    void first.fire('before_tool_call', 'a', call(), 'hook.ended');
    await expect.poll(() => first.types()).toEqual(['hook.started', 'hook.ended']);
    const next = await openAgent(place, [counting], first.record);
    expect(await next.fire('before_tool_call', 'a', call())).toMatchObject({ ok: false, reason: 'no' });
    expect(effects(place)).toBe('once\n');
  });

  test('before the command began: it is proven not started, and runs', async () => {
    const place = await openPlace();
    const first = await openAgent(place, [counting]);
    void first.fire('before_tool_call', 'a', call(), 'hook.started');
    await expect.poll(() => first.types()).toEqual(['hook.started']);
    const next = await openAgent(place, [counting], first.record);
    expect(await next.fire('before_tool_call', 'a', call())).toMatchObject({ ok: false, reason: 'no' });
    expect(next.types()).toEqual(['hook.started', 'hook.ended', 'hook.started', 'hook.ended']);
    expect(next.record.find(({ type }) => type === 'hook.ended')).toMatchObject({ status: 'not-started' });
    expect(effects(place)).toBe('once\n');
  });

  test('while it ran: the next agent waits for its true end', async () => {
    const place = await openPlace();
    const slow = hook('echo once >>effects; until [ -e go ]; do sleep 0.02; done; echo no >&2; exit 2');
    const first = await openAgent(place, [slow]);
    void first.fire('before_tool_call', 'a', call(), 'hook.ended');
    await expect.poll(() => effects(place)).toBe('once\n');
    const next = await openAgent(place, [slow], [...first.record]);
    const fired = next.fire('before_tool_call', 'a', call());
    setTimeout(() => writeFileSync(join(place.root, 'go'), ''), 100);
    expect(await fired).toMatchObject({ ok: false, reason: 'no' });
    expect(next.record.at(-1)).toMatchObject({ type: 'hook.ended', exitCode: 2, errors: 'no\n' });
    expect(effects(place)).toBe('once\n');
  });

  test('interrupted: it has not answered, and is asked again by whoever resumes', async () => {
    const place = await openPlace();
    const slow = hook('echo once >>effects; until [ -e go ]; do sleep 0.02; done; echo no >&2; exit 2');
    const stop = new AbortController();
    const first = await openAgent(place, [slow], start(), undefined, stop);
    const fired = first.fire('before_tool_call', 'a', call());
    await expect.poll(() => effects(place)).toBe('once\n');
    stop.abort();
    await fired;
    expect(first.record.at(-1)).toMatchObject({ type: 'hook.ended', status: 'cancelled' });
    writeFileSync(join(place.root, 'go'), '');
    const next = await openAgent(place, [slow], first.record);
    expect(await next.fire('before_tool_call', 'a', call())).toMatchObject({ ok: false, reason: 'no' });
  });

  test.each([
    ['before a call', 'PreToolUse', 'before_tool_call', { ok: false, reason: 'no' }, 'once\nonce\n'],
    ['after a call', 'PostToolUseFailure', 'after_tool_call', { ok: true }, 'once\n'],
  ] as const)('killed together with its agent, %s: what waits for an answer is asked again', async (...row) => {
    const [, event, topic, answer, expected] = row;
    const place = await openPlace();
    const slow = hook('echo once >>effects; until [ -e go ]; do sleep 0.02; done; echo no >&2; exit 2', { event });
    const first = await openAgent(place, [slow]);
    void first.fire(topic, 'a', call(), 'hook.ended');
    await expect.poll(() => effects(place)).toBe('once\n');
    const cut = [...first.record];
    const started = cut.at(-1);
    const folder = join(place.data, 'exec', started?.type === 'hook.started' ? started.attemptId : '');
    process.kill(-Number(readFileSync(join(folder, 'claim'), 'utf8').split(' ')[0]), 'SIGKILL');
    writeFileSync(join(place.root, 'go'), '');
    const next = await openAgent(place, [slow], cut);
    expect(await next.fire(topic, 'a', call())).toMatchObject(answer);
    expect(next.record.filter(({ type }) => type === 'hook.ended')[0]).toMatchObject({ status: 'unknown' });
    expect(effects(place)).toBe(expected);
  });

  test('what another command answered under the same name is no answer of this one', async () => {
    const place = await openPlace();
    const first = await openAgent(place, [hook('true')]);
    void first.fire('before_tool_call', 'a', call(), 'hook.ended');
    await expect.poll(() => first.types()).toEqual(['hook.started', 'hook.ended']);
    const next = await openAgent(place, [counting], first.record);
    expect(await next.fire('before_tool_call', 'a', call())).toMatchObject({ ok: false, reason: 'no' });
  });

  test('in another boot: nobody can say how it ended, and it runs again', async () => {
    const place = await openPlace();
    const first = await openAgent(place, [counting], start(), 'another-boot');
    void first.fire('before_tool_call', 'a', call(), 'hook.ended');
    await expect.poll(() => first.types()).toEqual(['hook.started', 'hook.ended']);
    const cut = first.record.slice(0, -1);
    const next = await openAgent(place, [counting], cut);
    expect(await next.fire('before_tool_call', 'a', call())).toMatchObject({ ok: false, reason: 'no' });
    expect(effects(place)).toBe('once\nonce\n');
    rmSync(join(place.root, 'effects'));
  });
});
