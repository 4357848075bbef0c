/** A session over the memory ledger with tools that the test itself executes, as an embedding program would. */
import {
  type ContractEvent,
  contractView,
  type EffectClass,
  type Fact,
  type Json,
  type Limits,
  type ModelRequest,
  type ModelResult,
  makeFailure,
} from '#kernel';
import { memoryLedger } from '#ledger';
import { makeId, seededPrng } from '#lib';
import {
  createHooks,
  createSession,
  type Hooks,
  hookTopics,
  type ListPlanner,
  type ModelPlanner,
  type PermissionPort,
  type Planner,
  type Pull,
  type Session,
  type SessionPorts,
  type StepDraft,
  type ToolResult,
  type ToolsPort,
  type WorldPort,
} from '#runtime';

export interface Harness {
  readonly session: Session;
  readonly hooks: Hooks;
  readonly ports: SessionPorts;
  readonly fired: { topic: string; step: string | null; outcome: string | null }[];
  events(): ContractEvent[];
  types(): string[];
  facts(): Fact[];
  /** A second session over the same ledger, as a new process would open it. */
  reopen(over?: Partial<SessionPorts>): Session;
}

export const toolSteps = (count: number, tool = 'search'): StepDraft[] =>
  Array.from({ length: count }, (_, i) => ({ description: `step ${i + 1}`, tool, args: { n: i + 1 } }));

export const listPlanner = (steps: readonly StepDraft[], name = 'list'): ListPlanner => ({
  kind: 'list',
  name,
  plan: () => steps,
});

/** The three-step plan of the contract: the second and third step need a tool. */
export const placeholder = listPlanner(
  [
    { description: 'think' },
    { description: 'look', tool: 'search', args: { q: 'x' } },
    { description: 'write', tool: 'write', args: { q: 'y' } },
  ],
  'placeholder',
);

const hostTools: ToolsPort = {
  profile: () => ({ effect: 'host', paths: null, free: false, problem: null }),
  inspect: () => Promise.reject(new Error('a host tool was inspected')),
  prepare: () => Promise.reject(new Error('a host tool was prepared')),
  settle: () => Promise.reject(new Error('a host tool was settled')),
};

export interface LocalTool {
  readonly effect: EffectClass;
  readonly paths?: readonly string[];
  run(args: Json, context: { readonly signal: AbortSignal }): Promise<ToolResult> | ToolResult;
  readonly inspect?: ToolsPort['inspect'];
  readonly settle?: ToolsPort['settle'];
}

export function localTools(tools: { readonly [name: string]: LocalTool }): ToolsPort {
  const get = (name: string): LocalTool => {
    const tool = tools[name];
    if (tool === undefined) throw new Error(`no tool ${name}`);
    return tool;
  };
  return {
    profile: (name) => {
      const tool = tools[name];
      const problem = tool === undefined ? makeFailure('not_found', `no tool ${name}`, 'use another') : null;
      return { effect: tool?.effect ?? 'read', paths: tool?.paths ?? null, free: false, problem };
    },
    inspect: (name, args, context) => get(name).inspect?.(name, args, context) ?? Promise.resolve({ ok: true }),
    prepare: (name, args, context) =>
      Promise.resolve({
        ok: true,
        attempt: { run: async () => get(name).run(args, context), discard: () => Promise.resolve() },
      }),
    settle: (name, args, base, context) =>
      get(name).settle?.(name, args, base, context) ?? Promise.resolve({ state: 'not-started' }),
  };
}

const allowAll: PermissionPort = async () => ({ decision: 'allow', by: 'policy', reason: 'test' });

export interface Answer {
  readonly text?: string;
  readonly calls?: readonly { readonly tool: string; readonly args?: Json }[];
  readonly fail?: ModelResult & { ok: false };
}

/** A model that gives the scripted answers in order; it counts by the facts, as the real scripted model does. */
export function modelPlanner(answers: readonly Answer[], seen: ModelRequest[] = []): ModelPlanner {
  let failures = 0;
  return {
    kind: 'model',
    name: 'model',
    modelId: 'test/model',
    price: null,
    project: () => ({ system: '', tools: [], messages: [] }),
    generate: async (request, context) => {
      seen.push(request);
      const given = [...context.facts()].filter((fact) => fact.type === 'model.response').length;
      const answer = answers[given + failures];
      if (answer === undefined) {
        return { ok: false, text: '', failure: makeFailure('invalid_request', 'script exhausted', 'extend it') };
      }
      if (answer.fail !== undefined) {
        failures++;
        return answer.fail;
      }
      const calls = (answer.calls ?? []).map((call, i) => ({
        kind: 'call' as const,
        name: call.tool,
        providerCallId: `p${i}`,
        args: call.args ?? {},
      }));
      const text = answer.text === undefined ? [] : [{ kind: 'text' as const, text: answer.text }];
      return {
        ok: true,
        answer: {
          parts: [...text, ...calls],
          finish: calls.length > 0 ? 'tool-calls' : 'stop',
          usage: { inputTokens: 10, outputTokens: 5 },
        },
      };
    },
  };
}

export async function harness(
  options: {
    readonly planner?: Planner;
    readonly tools?: ToolsPort;
    readonly limits?: Limits;
    readonly permission?: PermissionPort;
    readonly world?: WorldPort | null;
    readonly checks?: readonly { command: string; counts: boolean }[];
    readonly ledger?: SessionPorts['ledger'];
    readonly record?: boolean;
    readonly seed?: number;
  } = {},
): Promise<Harness> {
  const prng = seededPrng(options.seed ?? 7);
  const ledger = options.ledger ?? memoryLedger('test-session');
  const hooks = createHooks();
  const fired: Harness['fired'] = [];
  const ports: SessionPorts = {
    ledger,
    planner: options.planner ?? placeholder,
    tools: options.tools ?? hostTools,
    permission: options.permission ?? allowAll,
    world: options.world ?? null,
    inbox: null,
    exec: null,
    clock: { sleep: () => Promise.resolve(), backoffMs: () => 1 },
    newId: () => makeId(prng.fill),
    bootId: 'boot-1',
    pid: 1,
  };
  if (ledger.lastSeq === 0) {
    await ledger.append([
      { type: 'session.created', sessionId: ledger.sessionId, workspace: '/w', version: '0' },
      {
        type: 'settings.changed',
        by: 'user',
        limits: options.limits ?? {},
        ...(options.checks === undefined ? {} : { checks: options.checks }),
      },
    ]);
  }
  const session = createSession(ports, hooks);
  if (options.record !== false) {
    for (const topic of hookTopics) {
      hooks.on(topic, (payload) => {
        const step = payload['step'] as { id?: string } | undefined;
        const outcome = payload['outcome'] as string | undefined;
        fired.push({ topic, step: step?.id ?? null, outcome: outcome ?? null });
      });
    }
  }
  const facts = () => [...ledger.read()] as Fact[];
  const events = () => {
    const view = contractView();
    return facts().flatMap((fact) => view(fact) ?? []);
  };
  return {
    session,
    hooks,
    ports,
    fired,
    facts,
    events,
    types: () => events().map((event) => event.type),
    reopen: (over = {}) => createSession({ ...ports, ...over }),
  };
}

/** Answers every tool pull with a result until something else comes back. */
export async function drain(
  session: Session,
  pull: Pull,
  answer: (tool: string, args: Json) => Json = () => 'ok',
): Promise<Pull> {
  let current = pull;
  while (current.kind === 'tool') {
    const call = current.calls[0];
    if (call === undefined) throw new Error('an empty tool pull');
    current = await session.resume({ actionId: call.actionId, result: answer(call.tool, call.args) });
  }
  return current;
}
