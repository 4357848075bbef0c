/** Whether a long history makes the next step slower, and what reading it back costs. In this process, on a real ledger. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { decide, evolve, type Fact, type FactBody, fold, type State } from '#kernel';
import { openStore, type Store } from '#ledger';
import { createSession, type SessionPorts, type ToolsPort } from '#runtime';
import { least, median } from '../measure/statistics.ts';
import type { Reading, Row } from '../row.ts';

const STEPS = 10_000;
const WINDOW = 1_500;
const FACTS = 100_000;
/** Rounds timed together: one alone is shorter than the clock is exact. */
const REPEATED = 200;

export const history: Row = {
  id: 'history',
  async run(stage) {
    const store = openStore({ home: path.join(stage.folder, 'history') });
    const { readings, facts } = await manySteps(store);
    return [...readings, thinking(facts), await loading(store, stage.folder)];
  },
};

async function manySteps(
  store: Store,
): Promise<{ readonly readings: readonly Reading[]; readonly facts: readonly Fact[] }> {
  const ledger = await store.create('steps');
  const ended: number[] = [];
  const ports: SessionPorts = {
    ledger,
    planner: { kind: 'list', name: 'steps', plan: ({ history: past }) => (past.length > 0 ? [] : steps()) },
    tools: instantTools(() => ended.push(performance.now())),
    permission: async () => ({ decision: 'allow', by: 'policy', reason: 'bench' }),
    world: null,
    inbox: null,
    exec: null,
    clock: { sleep: async () => {}, backoffMs: () => 0 },
    newId: counter(),
    bootId: 'bench',
    pid: process.pid,
  };
  const session = createSession(ports);
  const pull = await session.run('take every step');
  const facts = [...session.facts()];
  await session.close('measured');
  await ledger.close();
  if (pull.kind !== 'finish' || ended.length !== STEPS)
    throw new Error(`ended with ${pull.kind} after ${ended.length} steps`);
  const took = ended.slice(1).map((at, i) => at - (ended[i] as number));
  const begin = took.slice(WINDOW, 2 * WINDOW);
  const end = took.slice(-WINDOW);
  const reading: Reading = {
    name: `one of ${STEPS} steps at the end, to one near the beginning`,
    unit: 'ms',
    belay: median(end),
    baseline: median(begin),
    bound: 1.2,
  };
  return { readings: [reading], facts };
}

const steps = () => Array.from({ length: STEPS }, (_, n) => ({ description: 'step', tool: 'Instant', args: { n } }));

function instantTools(onRun: () => void): ToolsPort {
  return {
    profile: () => ({ effect: 'read', paths: null, free: false, problem: null }),
    inspect: async () => ({ ok: true }),
    prepare: async () => ({
      ok: true,
      attempt: {
        run: async () => {
          onRun();
          return { status: 'succeeded', output: 'done' };
        },
        discard: async () => {},
      },
    }),
    settle: async () => ({ state: 'not-started' }),
  };
}

function counter(): () => string {
  let n = 0;
  return () => `id${String(++n).padStart(12, '0')}`;
}

/** The same rounds of a model-driven turn, folded and decided behind a short history and behind a long one. */
function thinking(facts: readonly Fact[]): Reading {
  const opening = facts.slice(0, facts.findIndex((fact) => fact.type === 'session.start') + 1);
  const short = after(fold(opening), 0, 50);
  const long = after(short, 50, 2_000);
  const took: { readonly short: number[]; readonly long: number[] } = { short: [], long: [] };
  for (let n = 0; n < 31; n++) {
    for (const [name, state] of Object.entries({ short, long })) {
      const began = performance.now();
      after(state, 10_000, 10_000 + REPEATED);
      took[name === 'short' ? 'short' : 'long'].push((performance.now() - began) / REPEATED);
    }
  }
  return {
    name: 'fold and decide of a round after 2,000 rounds, to one after 50',
    unit: 'ms',
    belay: median(took.long),
    baseline: median(took.short),
    bound: 1.2,
  };
}

function after(start: State, from: number, to: number): State {
  let state = start;
  for (let round = from; round < to; round++) {
    for (const body of roundFacts(round)) {
      state = evolve(state, { ...body, seq: state.seq + 1, ts: 1 } as Fact);
      decide(state);
    }
  }
  return state;
}

function roundFacts(round: number): readonly FactBody[] {
  const ids = { actionId: `a${round}`, attemptId: `a${round}.1`, requestId: `r${round}` };
  const { actionId, attemptId, requestId } = ids;
  return [
    { type: 'model.request', requestId, model: 'bench', messages: 1, bytes: 1 },
    { type: 'model.response', requestId, parts: [{ kind: 'call', actionId }], finish: 'tool-calls', usage: {} },
    {
      type: 'action.intended',
      actionId,
      tool: 'Bash',
      args: { round },
      origin: 'model',
      effect: 'process',
      intent: actionId,
    },
    { type: 'phase.enter', to: 'executing' },
    { type: 'action.verdict', actionId, verdict: 'allow', by: 'mode', reason: '' },
    { type: 'step.end', stepId: actionId, outcome: 'awaiting_tool' },
    { type: 'attempt.start', attemptId, actionId, executorId: 'bench', effect: 'process' },
    { type: 'attempt.outcome', attemptId, actionId, status: 'succeeded', output: String(round), exitCode: 0 },
    { type: 'phase.enter', to: 'reflecting' },
    { type: 'phase.enter', to: 'planning' },
  ];
}

/** Opening a ledger of many facts, to parsing the same facts as lines of JSON. */
async function loading(store: Store, folder: string): Promise<Reading> {
  const ledger = await store.create('long');
  for (let round = 0; ledger.lastSeq < FACTS; round++) await ledger.append(roundFacts(round));
  await ledger.close();
  const file = path.join(folder, 'facts.jsonl');
  const { facts } = await store.openReader('long');
  writeFileSync(file, facts.map((fact) => JSON.stringify(fact)).join('\n'));
  const ours: number[] = [];
  const plain: number[] = [];
  for (let n = 0; n < 7; n++) {
    let began = performance.now();
    const parsed = readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => JSON.parse(line) as Fact);
    plain.push(performance.now() - began);
    began = performance.now();
    const report = await store.openReader('long');
    fold(report.facts);
    ours.push(performance.now() - began);
    if (parsed.length !== report.facts.length) throw new Error('the two do not hold the same facts');
  }
  return {
    name: `loading ${facts.length} facts, checked and folded, to parsing them as JSON lines`,
    unit: 'ms',
    belay: median(ours),
    baseline: median(plain),
    bound: 2.2,
    note: `least ${least(ours).toFixed(0)} and ${least(plain).toFixed(0)}`,
  };
}
