/**
 * Every prefix of the ledger has exactly one safe next action, and going on from any of them ends the turn: there is
 * no path for recovery, so each prefix is a place where somebody resumes.
 */
import { isDeepStrictEqual } from 'node:util';
import { createProjector, projectedTypes } from '#context';
import {
  decide,
  evolve,
  type Fact,
  type FactBody,
  type FactOf,
  type FactType,
  fold,
  initialState,
  isPull,
  type State,
} from '#kernel';
import { createSession, type LedgerPort, type Pull, type Session, type SessionPorts } from '#runtime';
import type { Machine } from '../os/machine.ts';

/** Prefixes of each run that are driven to their end; each is drawn from the seed. */
const DRIVEN = 2;
const PULLS_MAX = 60;
const FACTS_MAX = 3000;

export async function checkPrefixes(machine: Machine, facts: readonly Fact[]): Promise<string[]> {
  const faults: string[] = [];
  let state = initialState;
  let kept = initialState;
  for (const fact of facts) {
    state = evolve(state, fact);
    // At every place a run may have ended and left its state behind; whoever comes next goes on from that.
    kept = JSON.parse(JSON.stringify(evolve(kept, fact)));
    try {
      const next = decide(state);
      const again = decide(state);
      if (JSON.stringify(next) !== JSON.stringify(again)) faults.push(`two decisions at ${fact.seq}`);
      if (isPull(next) && state.turn?.phase === 'executing') faults.push(`a pull while executing at ${fact.seq}`);
    } catch (thrown) {
      faults.push(`no decision after fact ${fact.seq}: ${String(thrown)}`);
    }
  }
  if (JSON.stringify(fold(facts)) !== JSON.stringify(state))
    faults.push('folding at once differs from folding one by one');
  if (!isDeepStrictEqual(kept, state)) faults.push('a state that was kept goes another way');
  if (projectionOf(facts.filter(isProjected)) !== projectionOf(facts))
    faults.push('facts that are not projected make a difference to the model');
  for (let i = 0; i < DRIVEN && faults.length === 0; i++) {
    const prefix = facts.slice(0, 4 + machine.random.below(Math.max(1, facts.length - 3)));
    const fault = await converges(prefix).catch((thrown: unknown) => String(thrown));
    if (fault !== null) faults.push(`from fact ${prefix.length}: ${fault}`);
  }
  return faults;
}

const isProjected = ({ type }: Fact) => (projectedTypes as readonly FactType[]).includes(type);

function projectionOf(facts: readonly Fact[]): string {
  const projector = createProjector();
  projector.fold(facts);
  return JSON.stringify(projector.request());
}

async function converges(prefix: readonly Fact[]): Promise<string | null> {
  if (fold(prefix).turn === null) return null;
  const ledger = listLedger(prefix);
  const session = createSession(calmPorts(ledger));
  if (isOver(session)) return null;
  let pull: Pull = await session.resume();
  for (let pulls = 0; pull.kind !== 'finish'; pulls++) {
    if (pulls > PULLS_MAX) return `no end after ${pulls} pulls, the last one ${pull.kind} ${pull.reason}`;
    await answer(session, pull, pulls);
    if (isOver(session)) break;
    pull = await session.resume();
  }
  const ends = [...ledger.read(prefix.length + 1)].filter((fact) => fact.type === 'session.complete').length;
  return ends === 1 ? null : `${ends} ends of one turn`;
}

const isOver = (session: Session): boolean => session.state.turn?.phase === 'done';

async function answer(session: Session, pull: Pull, pulls: number): Promise<void> {
  if (pull.kind === 'approval') return session.approve(pull.actionId, 'approve', 'calm');
  if (pull.reason.startsWith('unknown:')) {
    for (const { actionId, answer: known } of session.state.unknowns) {
      if (known === null) await session.settle(actionId, 'unknown', 'calm');
    }
  }
  if (pulls > PULLS_MAX / 2) await session.cancel('calm');
}

function listLedger(prefix: readonly Fact[]): LedgerPort {
  const facts: Fact[] = [...prefix];
  return {
    sessionId: 'prefix',
    folder: null,
    get lastSeq() {
      return facts.length;
    },
    *read(from = 1) {
      yield* facts.slice(Math.max(0, from - 1));
    },
    find: <T extends FactType>(types: readonly T[], from = 1) =>
      facts.filter((fact): fact is FactOf<T> => fact.seq >= from && types.some((type) => type === fact.type)),
    async append(bodies) {
      if (facts.length > FACTS_MAX) throw new Error('the session does not end');
      const ts = facts.at(-1)?.ts ?? 0;
      const fresh = bodies.map((body, i) => ({ ...body, seq: facts.length + 1 + i, ts }) as Fact);
      facts.push(...fresh);
      return fresh;
    },
    flush: async () => undefined,
    subscribe: () => () => undefined,
    putBlob: async () => '0'.repeat(64),
  };
}

/** A world in which nothing goes wrong any more, a model that says that it is done, and checks that pass. */
function calmPorts(ledger: LedgerPort): SessionPorts {
  let ids = 0;
  const usage = { inputTokens: 1, outputTokens: 1 };
  const evidence = (state: State): FactBody[] =>
    state.settings.checks.map(({ command }) => ({
      type: 'evidence.recorded',
      check: command,
      actionId: 'calm',
      exitCode: 0,
      before: 'calm',
      after: 'calm',
      revision: 'calm',
      passed: true,
    }));
  return {
    ledger,
    planner: {
      kind: 'model',
      name: 'model',
      modelId: 'calm/model',
      price: null,
      project: () => ({ system: '', tools: [], messages: [] }),
      generate: async () => ({
        ok: true,
        answer: { parts: [{ kind: 'text', text: 'done' }], finish: 'stop', usage },
      }),
    },
    tools: {
      profile: () => ({ effect: 'process', paths: null, free: false, problem: null }),
      inspect: async () => ({ ok: true }),
      prepare: async (tool, _args, context) => ({
        ok: true,
        attempt: {
          run: async () => ({
            status: 'succeeded',
            output: 'ok',
            ...(tool === 'Test' ? { facts: evidence(context.state()) } : {}),
          }),
          discard: async () => undefined,
        },
      }),
      settle: async () => ({ state: 'not-started' }),
    },
    permission: async () => ({ decision: 'allow', by: 'policy', reason: 'calm' }),
    world: { scan: async () => ({ revision: 'calm', tree: 'calm', changed: [] }) },
    inbox: null,
    exec: null,
    clock: { sleep: async () => undefined, backoffMs: () => 1 },
    newId: () => `calm${++ids}`,
    bootId: 'calm',
    pid: 1,
  };
}
