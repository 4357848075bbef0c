/** Asking for the next plan: a list of steps from a planner, or the next answer of a model. */
import {
  type BodyOf,
  type FactBody,
  type Message,
  type ModelResult,
  makeFailure,
  type PlanStep,
  type ResponsePart,
} from '#kernel';
import { messageOf } from '#lib';
import type { ListPlanner, ModelPlanner, StepDraft } from '../contract.ts';
import { stepResults } from '../history.ts';
import { type Batches, type Run, turnOf } from '../run.ts';
import { type EarlyReads, earlyReads } from './early.ts';
import { fire } from './fire.ts';
import { intend } from './intend.ts';
import { recordEndedTasks } from './tasks.ts';

/** A model request that is unanswered for this long leaves time to scan the workspace. */
const SCAN_AFTER_MS = 20;

export async function* callModel(run: Run): Batches {
  const turn = turnOf(run.state());
  const { planner } = run.ports;
  const key = `${turn.turnId}:${run.state().seq}`;
  const payload = { goal: turn.goal, history: planner.kind === 'list' ? [...stepResults(run.facts())] : [] };
  const fired = yield* fire(run, 'before_plan', key, payload);
  if (!fired.go) return;
  if (planner.kind === 'model') {
    yield* askModel(run, planner);
    return;
  }
  const remaining = turn.plan?.steps.slice(turn.cursor) ?? [];
  if (fired.sentinel?.sentinel === 'skip' && remaining.length > 0) {
    yield { facts: [{ type: 'plan.commit', steps: remaining, revision: turn.planRevision }] };
    return;
  }
  yield* askList(run, planner, String(fired.payload['goal'] ?? turn.goal));
}

async function* askList(run: Run, planner: ListPlanner, goal: string): Batches {
  const history = [...stepResults(run.facts())];
  const lastError = history.findLast((step) => step.status === 'failed' || step.status === 'rejected')?.output ?? null;
  let steps: readonly PlanStep[];
  try {
    const drafts = await planner.plan({ goal, history, lastError, signal: run.signal });
    steps = numbered(drafts, new Set(history.map((step) => step.stepId)));
  } catch (thrown) {
    const failure = makeFailure(
      'internal',
      `the planner failed: ${messageOf(thrown)}`,
      'mend or replace the planner, then resume',
    );
    yield { facts: [{ type: 'model.failed', failure }] };
    return;
  }
  const version = planner.version === undefined ? {} : { plannerVersion: planner.version };
  yield { facts: [{ type: 'plan.draft', steps, planner: planner.name, ...version }] };
}

function numbered(drafts: readonly StepDraft[], finished: ReadonlySet<string>): readonly PlanStep[] {
  const taken = new Set(finished);
  let counter = finished.size;
  return drafts.map((draft) => {
    if (draft.id !== undefined && taken.has(draft.id)) {
      throw new Error(`step id ${draft.id} is already used; a step that is to run again needs a new id`);
    }
    let stepId = draft.id;
    while (stepId === undefined || taken.has(stepId)) stepId = `s${++counter}`;
    taken.add(stepId);
    const tool = draft.tool === undefined ? {} : { tool: draft.tool, args: draft.args ?? {} };
    return { stepId, description: draft.description, ...tool };
  });
}

async function* askModel(run: Run, planner: ModelPlanner): Batches {
  yield* recordEndedTasks(run);
  const request = planner.project(run.facts(), run.state());
  const requestId = run.ports.newId();
  const { measured } = run;
  if (request.messages.length < measured.messages) {
    measured.messages = 0;
    measured.bytes = 0;
  }
  if (measured.messages === 0) measured.bytes = request.system.length + JSON.stringify(request.tools).length;
  // The last message known may have grown (results are added to it), so it is not counted before it is settled.
  for (let at = measured.messages; at < request.messages.length; at++) {
    measured.bytes += lengthOf(request.messages[at] as Message);
  }
  measured.messages = request.messages.length;
  yield {
    facts: [
      {
        type: 'model.request',
        requestId,
        model: planner.modelId,
        messages: request.messages.length,
        bytes: measured.bytes,
      },
    ],
    barrier: planner.waitsForDurable !== true,
  };
  // The request is made ready while the disk works; it leaves when that is done.
  const durable = planner.waitsForDurable === true ? run.flush() : null;
  durable?.catch(() => {});
  const early = earlyReads(run);
  const answering = planner.generate(request, {
    signal: run.signal,
    requestId,
    onDelta: (delta) => run.emit({ kind: 'model', requestId, delta }),
    onCall: early.offer,
    facts: () => run.facts(),
    ...(durable === null ? {} : { durable }),
  });
  await durable;
  const scanned = await scanMeanwhile(run, answering);
  if (scanned.length > 0) yield { facts: scanned };
  const result = await answering;
  if (!result.ok) {
    early.discard();
    // After our own abort nothing is recorded: the request stays open and is asked again by whoever resumes.
    if (run.signal.aborted) return;
    const text = result.text === '' ? {} : { text: result.text };
    const media = result.media === undefined ? {} : { media: result.media };
    // Messages that were measured may be sent otherwise from here on.
    if (result.media !== undefined) measured.messages = 0;
    yield { facts: [{ type: 'model.failed', requestId, failure: result.failure, ...text, ...media }] };
    return;
  }
  yield { facts: await answerFacts(run, planner, requestId, result, early) };
  early.discard();
}

/** What a message says. Its JSON text is a little longer; making it for the sake of a number takes as long as sending it. */
function lengthOf(message: Message): number {
  if (message.role === 'user') return message.text.length;
  if (message.role === 'tool') return message.results.reduce((sum, { text }) => sum + text.length, 0);
  return message.parts.reduce(
    (sum, part) => sum + (part.kind === 'call' ? JSON.stringify(part.args).length : part.text.length),
    0,
  );
}

/**
 * Uses the time the model thinks to look at the workspace after a round of commands, and to keep what was found as a
 * point to go back to. An answer that comes first drops what is not finished: the next round's look tells of both.
 */
async function scanMeanwhile(run: Run, answering: Promise<ModelResult>): Promise<readonly FactBody[]> {
  const { world } = run.ports;
  if (world === null || !run.scanWanted) return [];
  const stop = new AbortController();
  const answered = answering.then(() => 'answered' as const);
  const idle = await Promise.race([
    answered,
    run.ports.clock.sleep(SCAN_AFTER_MS, stop.signal).then(() => 'idle' as const),
  ]);
  if (idle === 'answered') {
    stop.abort();
    return [];
  }
  const scan = world.scan(run.state(), stop.signal).catch(() => null);
  const found = await Promise.race([answered, scan]);
  if (found === 'answered' || found === null) {
    stop.abort();
    return [];
  }
  const facts: FactBody[] = [];
  if (found.tree !== run.state().world.tree) {
    facts.push({
      type: 'workspace.scanned',
      revision: found.revision,
      tree: found.tree,
      at: 'round',
      changed: found.changed.slice(0, 50),
    });
  }
  if (world.checkpoint !== undefined) {
    const taken = world.checkpoint(stop.signal).catch(() => null);
    const point = await Promise.race([answered, taken]);
    if (point === 'answered') {
      stop.abort();
      return facts;
    }
    if (point !== null) facts.push(point);
  }
  run.scanWanted = false;
  return facts;
}

async function answerFacts(
  run: Run,
  planner: ModelPlanner,
  requestId: string,
  result: Extract<ModelResult, { ok: true }>,
  early: EarlyReads,
): Promise<readonly FactBody[]> {
  const { answer } = result;
  const intended: FactBody[] = [];
  const parts: ResponsePart[] = [];
  for (const part of answer.parts) {
    const meta = part.meta === undefined ? {} : { meta: part.meta };
    if (part.kind !== 'call') {
      parts.push({ kind: part.kind, text: part.text, ...meta });
      continue;
    }
    const begun = part.malformed === undefined ? early.bind(intended.length, part.name, part.args) : null;
    const known = early.report(intended.length, part.name, part.args);
    const fact = await intend(run, part, begun ?? run.ports.newId(), known);
    intended.push(fact);
    parts.push({ kind: 'call', actionId: fact.actionId, ...meta });
  }
  const cost = costOf(answer.usage, planner.price ?? run.state().settings.price);
  const response: BodyOf<'model.response'> = {
    type: 'model.response',
    requestId,
    parts,
    finish: answer.finish,
    usage: answer.usage,
    ...(cost === null ? {} : { costUsd: cost }),
    ...(answer.modelId === undefined || planner.modelId.endsWith(`/${answer.modelId}`)
      ? {}
      : { modelId: answer.modelId }),
  };
  return [response, ...intended];
}

/** USD; null where tokens or price are not known. */
function costOf(usage: BodyOf<'model.response'>['usage'], price: ModelPlanner['price']): number | null {
  if (price === null || usage.inputTokens === undefined || usage.outputTokens === undefined) return null;
  const cached = usage.cachedInputTokens ?? 0;
  const fresh = Math.max(0, usage.inputTokens - cached);
  return (fresh * price.input + cached * (price.cachedInput ?? price.input) + usage.outputTokens * price.output) / 1e6;
}

export async function* commit(run: Run): Batches {
  const turn = turnOf(run.state());
  const draft = turn.draft;
  if (draft === null) return;
  const key = `${turn.turnId}:${draft.steps[0]?.stepId ?? 'empty'}`;
  const fired = yield* fire(run, 'after_plan', key, { steps: draft.steps.map((step) => ({ ...step })) });
  if (!fired.go) return;
  if (draft.origin === 'model') {
    yield { facts: [{ type: 'phase.enter', to: 'executing' }] };
    return;
  }
  const steps = fired.payload['steps'] as readonly PlanStep[];
  if (steps.length === 0) yield { facts: [{ type: 'session.complete', reason: 'no_plan' }], barrier: true };
  else yield { facts: [{ type: 'plan.commit', steps, revision: turn.planRevision + 1 }] };
}
