import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test, vi } from 'vitest';
import {
  createLoop,
  createSession,
  type Fact,
  fold,
  type Ledger,
  localTools,
  memoryLedger,
  type Planner,
  type SessionPorts,
} from '../../src/assembly/library.ts';

const root = path.resolve(import.meta.dirname, '../..');

const twoSteps: Planner = {
  kind: 'list',
  name: 'two',
  plan: () => [
    { description: 'host', tool: 'ask', args: { q: 1 } },
    { description: 'local', tool: 'double', args: 21 },
  ],
};
const tools = { double: { effect: 'read' as const, run: (n: unknown) => Number(n) * 2 } };

test('host tools are pulls, local tools run by themselves, and every fact reaches a subscriber', async () => {
  const loop = await createLoop({ planner: twoSteps, tools });
  const pull = await loop.run('go');
  expect(pull).toMatchObject({ kind: 'tool', calls: [{ tool: 'ask', args: { q: 1 } }] });
  const actionId = pull.kind === 'tool' ? (pull.calls[0]?.actionId ?? '') : '';
  expect(await loop.resume({ actionId, result: 'yes' })).toMatchObject({ kind: 'finish', reason: 'goal_met' });
  const seen: number[] = [];
  loop.subscribe(1, (fact) => seen.push(fact.seq));
  expect(seen).toEqual([...loop.facts()].map((fact) => fact.seq));
  const outputs = [...loop.facts()].flatMap((fact) => (fact.type === 'attempt.outcome' ? [fact.output] : []));
  expect(outputs).toContain('42');
});

test('secrets are masked in what tools return and in what the host hands in', async () => {
  const secret = 'f00dfeed-canary-0123456789';
  const key = ['-----BEGIN PRIVATE KEY-----', 'MIIEvQIBADANBg', '-----END PRIVATE KEY-----', ''].join('\n');
  vi.stubEnv('CANARY_TOKEN', secret);
  try {
    const planner: Planner = {
      kind: 'list',
      name: 'five',
      plan: () => ['ask', 'ask', 'ask', 'local', 'other'].map((tool) => ({ description: tool, tool, args: {} })),
    };
    const local = { effect: 'read' as const, run: () => ({ token: secret }) };
    const loop = await createLoop({ planner, tools: { local } });
    await loop.run('go');
    await loop.resume({ result: { deep: [`is ${secret}`], key } });
    await loop.resume({ result: `plain ${secret}` });
    loop.use({ tools: localTools({ local, other: { effect: 'read', run: () => Promise.reject(new Error(secret)) } }) });
    await loop.resume({ error: `no access with ${secret}` });
    const outcomes = [...loop.facts()].filter((fact) => fact.type === 'attempt.outcome');
    expect(outcomes).toHaveLength(5);
    const told = JSON.stringify(outcomes);
    expect(told).not.toContain(secret);
    expect(told).not.toContain('MIIEvQ');
    expect(outcomes[0]).toMatchObject({ data: { deep: ['is [secret:CANARY_TOKEN]'] } });
    expect(outcomes.map(({ output }) => output.includes('[secret:CANARY_TOKEN]'))).toEqual(Array(5).fill(true));
  } finally {
    vi.unstubAllEnvs();
  }
});

test('a limit is a pause; extended, the loop goes on at the next step', async () => {
  const loop = await createLoop({ planner: twoSteps, tools, limits: { maxToolCalls: 1 } });
  const first = await loop.run('go');
  if (first.kind !== 'tool') throw new Error(first.kind);
  const pull = await loop.resume({ result: 'yes' });
  expect(pull).toMatchObject({ kind: 'pause', reason: 'budget_exceeded:tool_calls' });
  await loop.extend({ maxToolCalls: 5 });
  expect(await loop.resume()).toMatchObject({ kind: 'finish' });
});

test('a ledger of an earlier loop is gone on with', async () => {
  const ledger = memoryLedger('kept');
  const first = await createLoop({ planner: twoSteps, tools, ledger });
  await first.run('go');
  await first.close('handed over');
  const second = await createLoop({ planner: twoSteps, tools, ledger });
  expect(second.state.turn?.phase).toBe('awaiting_tool');
  expect(await second.resume({ result: 'late' })).toMatchObject({ kind: 'finish', reason: 'goal_met' });
});

test('every prefix of a session is rebuilt with a model, tools and a workspace that throw when touched', async () => {
  const loop = await createLoop({ planner: twoSteps, tools });
  await loop.run('go');
  await loop.resume({ result: 'yes' });
  const facts = [...loop.facts()];
  for (let n = 0; n <= facts.length; n++) {
    const session = createSession(poisoned(facts.slice(0, n)));
    expect(session.state).toEqual(fold(facts.slice(0, n)));
  }
});

function poisoned(facts: readonly Fact[]): SessionPorts {
  const touched = (name: string) => (): never => {
    throw new Error(`${name} was touched`);
  };
  const ledger: Ledger = {
    sessionId: 's',
    folder: null,
    lastSeq: facts.length,
    read: () => facts,
    find: (types) => facts.filter((fact): fact is never => (types as readonly string[]).includes(fact.type)),
    append: touched('append'),
    flush: touched('flush'),
    subscribe: () => () => {},
    putBlob: touched('putBlob'),
    getBlob: touched('getBlob'),
    close: touched('close'),
  };
  return {
    ledger,
    planner: { kind: 'list', name: 'poisoned', plan: touched('planner') },
    tools: {
      profile: touched('profile'),
      inspect: touched('inspect'),
      prepare: touched('prepare'),
      settle: touched('settle'),
    },
    permission: touched('permission'),
    world: { scan: touched('scan') },
    inbox: null,
    exec: null,
    clock: { sleep: touched('sleep'), backoffMs: touched('backoffMs') },
    newId: () => 'id',
    bootId: 'b',
    pid: 1,
  };
}

test('the example of the guide runs as it stands', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'belay-embed-'));
  try {
    const library = pathToFileURL(path.join(root, 'src/assembly/library.ts')).href;
    const text = readFileSync(path.join(root, 'examples/embed.mjs'), 'utf8');
    writeFileSync(path.join(folder, 'embed.mjs'), text.replace("'belay'", JSON.stringify(library)));
    const ran = spawnSync(process.execPath, [path.join(folder, 'embed.mjs')], { encoding: 'utf8' });
    expect(ran.stderr).toBe('');
    expect(ran.stdout).toContain('the host runs weather for Lisbon');
    expect(ran.stdout).toContain('hook_abort:nothing is deleted here');
    expect(ran.stdout.trimEnd().split('\n').at(-1)).toBe('finish: goal_met');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
