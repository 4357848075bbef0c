/** A session of many rounds: a short one is really run, and its middle round is repeated under new names. */
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Fact, FactBody } from '#kernel';
import { openStore } from '#ledger';
import type { Stage } from '../row.ts';
import { endedWell, homeOf, startAgent } from './agent.ts';
import { startModelServer } from './model-server.ts';
import { makeRepository } from './repository.ts';

export interface LongSession {
  readonly sessionId: string;
  readonly repository: string;
  /** The facts as objects, in their order. */
  readonly facts: readonly Fact[];
  readonly rounds: number;
}

export interface LongOptions {
  readonly sessionId: string;
  readonly rounds: number;
  /** Bytes of a blob that each round's output has besides; 0: none. */
  readonly blobBytes: number;
}

const REALLY_RUN = 4;

/** The workspace is a repository of 30 files; each round prints 700 bytes. Its turn is done. */
export async function makeLongSession(stage: Stage, options: LongOptions): Promise<LongSession> {
  const repository = path.join(stage.folder, `${options.sessionId}-repository`);
  mkdirSync(repository);
  makeRepository(repository, 30);
  const short = `${options.sessionId}-short`;
  const server = await startModelServer((round) =>
    round < REALLY_RUN ? { calls: [{ tool: 'Bash', args: { command: `seq ${round} 200` } }] } : { text: 'done' },
  );
  try {
    await endedWell(startAgent(stage, { cwd: repository, env: server.env, args: ['--session', short] }));
  } finally {
    await server.close();
  }
  const store = openStore({ home: homeOf(stage) });
  const { facts } = await store.openReader(short);
  const [from = 0, to = 0] = facts.flatMap(({ type }, i) => (type === 'model.response' ? [i] : [])).slice(1, 3);
  const ledger = await store.create(options.sessionId);
  const put = async (bodies: readonly FactBody[]) => void (await ledger.append(bodies));
  await put(facts.slice(0, from).map(body).map(named(short, options.sessionId)));
  let asked = facts.findLast((fact, i) => fact.type === 'model.request' && i < from);
  for (let n = 1; n < options.rounds - REALLY_RUN + 1; n++) {
    const blob = options.blobBytes === 0 ? null : await ledger.putBlob(Buffer.alloc(options.blobBytes, `round ${n} `));
    const round = repeated(facts.slice(from, to), n, ledger.lastSeq + 1, idOf(asked), blob);
    await put(round);
    asked = { ...round.at(-1), seq: 0, ts: 0 } as Fact;
  }
  const rest = JSON.stringify(facts.slice(to).map(body)).replaceAll(idOf(facts[to]), idOf(asked));
  await put(JSON.parse(rest) as FactBody[]);
  await ledger.flush();
  await ledger.close();
  for (const name of ['base', 'last-scan.json']) {
    const made = path.join(homeOf(stage), 'sessions', short, name);
    if (existsSync(made)) cpSync(made, path.join(ledger.folder ?? '', name), { recursive: true });
  }
  const long = (await store.openReader(options.sessionId)).facts;
  return { sessionId: options.sessionId, repository, facts: long, rounds: options.rounds };
}

const body = ({ seq: _seq, ts: _ts, ...rest }: Fact): FactBody => rest as FactBody;
const named = (from: string, to: string) => (one: FactBody) =>
  one.type === 'session.created' && one.sessionId === from ? { ...one, sessionId: to } : one;
const idOf = (fact: object | undefined): string =>
  fact !== undefined && 'requestId' in fact ? String(fact.requestId) : '';

/** The facts of a round from its answer to the next request, with every name of its own. */
function repeated(
  facts: readonly Fact[],
  round: number,
  seq: number,
  requestId: string,
  blob: string | null,
): readonly FactBody[] {
  const names = new Map<string, string>([[`"${facts[0]?.seq}.`, `"${seq}.`]]);
  for (const fact of facts) {
    if (fact.type === 'model.response') names.set(fact.requestId, requestId);
    if (fact.type === 'model.request') names.set(fact.requestId, `r${String(round).padStart(15, '0')}`);
    if (fact.type === 'action.intended') names.set(fact.actionId, `a${String(round).padStart(15, '0')}`);
  }
  let text = JSON.stringify(facts.map(body));
  for (const [from, to] of names) text = text.replaceAll(from, to);
  return (JSON.parse(text) as FactBody[]).map((one) =>
    one.type === 'attempt.outcome' && blob !== null ? { ...one, blob } : one,
  );
}
