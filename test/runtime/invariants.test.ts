/**
 * The six invariants over arbitrary runs: a model that calls anything, a policy that answers anything, a process that
 * dies between any two facts, and a person who answers late. The adversary is the seed of fast-check.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Fact, fold, type OutcomeStatus } from '#kernel';
import { memoryLedger } from '#ledger';
import type { PermissionPort, ToolResult, WorldPort } from '#runtime';
import { type Answer, harness, type LocalTool, localTools, modelPlanner } from './harness.ts';

const toolName = fc.constantFrom('Read', 'Edit', 'Bash', 'Test', 'Nope');
const answer: fc.Arbitrary<Answer> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .array(
        toolName.map((tool) => ({ tool })),
        { minLength: 1, maxLength: 3 },
      )
      .map((calls) => ({ calls })),
  },
  { weight: 1, arbitrary: fc.constant<Answer>({ text: 'done' }) },
);
const decision = fc.constantFrom('allow', 'ask', 'deny');
const policyOf = (Edit: Decision, Bash: Decision): PermissionPort => {
  const table: { readonly [tool: string]: Decision } = { Edit, Bash };
  return async ({ tool }) => ({ decision: table[tool] ?? 'allow', by: 'policy', reason: 'drawn' });
};
type Decision = 'allow' | 'ask' | 'deny';
const settled = fc.constantFrom<'not-started' | OutcomeStatus>('not-started', 'succeeded', 'failed', 'unknown');

interface Story {
  readonly answers: readonly Answer[];
  readonly edits: Decision;
  readonly commands: Decision;
  readonly settles: 'not-started' | OutcomeStatus;
  readonly cut: number;
  readonly approves: boolean;
  readonly cancels: boolean;
}
const story: fc.Arbitrary<Story> = fc.record({
  answers: fc.array(answer, { minLength: 1, maxLength: 5 }),
  edits: decision as fc.Arbitrary<Decision>,
  commands: decision as fc.Arbitrary<Decision>,
  settles: settled,
  cut: fc.nat(60),
  approves: fc.boolean(),
  cancels: fc.boolean(),
});

/** Effects as the world would count them, and a tree that every edit and command changes. */
function world() {
  let tree = 0;
  const effects: string[] = [];
  const port: WorldPort = { scan: async () => ({ revision: `r${tree}`, tree: `t${tree}`, changed: [] }) };
  const effect =
    (name: string, result: () => ToolResult): LocalTool['run'] =>
    () => {
      effects.push(name);
      return result();
    };
  const changing = (): ToolResult => {
    tree++;
    return { status: 'succeeded', output: 'changed', files: [{ path: 'a', base: `${tree - 1}`, result: `${tree}` }] };
  };
  const check = (): ToolResult => ({
    status: 'succeeded',
    output: 'ok',
    exitCode: 0,
    facts: [
      {
        type: 'evidence.recorded',
        check: 'c',
        actionId: 'x',
        exitCode: 0,
        before: `t${tree}`,
        after: `t${tree}`,
        revision: `r${tree}`,
        passed: true,
      },
    ],
  });
  return { port, effects, changing, check, effect };
}

async function play(told: Story, from: readonly Fact[] = []) {
  const w = world();
  const settle: LocalTool['settle'] = async () =>
    told.settles === 'not-started'
      ? { state: 'not-started' }
      : { state: 'settled', outcome: { status: told.settles, output: 'settled' } };
  const ledger = memoryLedger('test-session');
  if (from.length > 0) await ledger.append(from.map(({ seq: _seq, ts: _ts, ...body }) => body));
  const h = await harness({
    planner: modelPlanner([...told.answers, { text: 'done' }, { text: 'done' }, { text: 'done' }]),
    tools: localTools({
      Read: { effect: 'read', paths: ['a'], run: () => ({ status: 'succeeded', output: 'text' }) },
      Edit: { effect: 'file', paths: ['a'], run: w.effect('Edit', w.changing), settle },
      Bash: { effect: 'process', run: w.effect('Bash', w.changing), settle },
      Test: { effect: 'process', run: w.effect('Test', w.check), settle },
    }),
    permission: policyOf(told.edits, told.commands),
    world: w.port,
    checks: [{ command: 'c', counts: true }],
    ledger,
    record: false,
    seed: from.length + 1,
  });
  const isDone = () => h.session.state.turn?.phase === 'done';
  if (isDone()) return h;
  let pull = h.session.state.turn === null ? await h.session.run('go') : await h.session.resume();
  for (let answers = 0; answers < 12 && pull.kind !== 'finish'; answers++) {
    if (told.cancels && answers === 2) await h.session.cancel('me');
    if (isDone()) break;
    if (pull.kind === 'approval') {
      await h.session.approve(pull.actionId, told.approves ? 'approve' : 'deny', 'me');
    } else if (pull.kind === 'pause' && pull.reason.startsWith('unknown:')) {
      await h.session.settle(pull.reason.slice('unknown:'.length), 'not-applied', 'me');
    } else break;
    pull = await h.session.resume();
  }
  return h;
}

function breaches(facts: readonly Fact[], told: Story): string[] {
  const found: string[] = [];
  const state = fold(facts);
  const intended = facts.filter((fact) => fact.type === 'action.intended');
  const of = (actionId: string) => facts.filter((fact) => 'actionId' in fact && fact.actionId === actionId);
  for (const { actionId, tool, effect } of intended) {
    const about = of(actionId);
    const outcomes = about.filter((fact) => fact.type === 'attempt.outcome');
    const verdicts = about.filter((fact) => fact.type === 'action.verdict');
    const starts = about.filter((fact) => fact.type === 'attempt.start');
    const revoked = about.filter((fact) => fact.type === 'attempt.revoked');
    const isProven = effect === 'read' || told.settles === 'not-started';
    if (outcomes.length > 1) found.push(`1: ${actionId} has ${outcomes.length} outcomes`);
    if (new Set(starts.map((fact) => fact.attemptId)).size !== starts.length) found.push(`1: an attempt id twice`);
    if (starts.length > revoked.length + 1) found.push(`1: ${actionId} started again without proof of not started`);
    if (revoked.length > 0 && !isProven) found.push(`1: ${actionId} may run again although the world says otherwise`);
    const closed = outcomes.length + verdicts.filter((fact) => fact.verdict !== 'allow').length;
    const isOpen = state.turn?.open.some((open) => open.actionId === actionId && open.status !== 'closed') ?? false;
    if (closed !== (isOpen ? 0 : 1)) found.push(`2: ${actionId} is closed ${closed} times`);
    const granted = about.some((fact) => fact.type === 'approval.resolved' && fact.verdict === 'approve');
    const policy = tool === 'Edit' ? told.edits : tool === 'Bash' ? told.commands : 'allow';
    const mayRun = policy === 'allow' || (policy === 'ask' && granted);
    if (starts.length > 0 && (!mayRun || verdicts[0]?.verdict !== 'allow')) found.push(`4: ${actionId} had no grant`);
  }
  for (const fact of facts.filter((one) => one.type === 'session.complete')) {
    const verdict = facts.findLast((one) => one.type === 'completion.verdict' && one.seq < fact.seq);
    const accepted = verdict?.type === 'completion.verdict' && verdict.accepted && (verdict.evidence ?? []).length > 0;
    if (fact.reason === 'goal_met' && !accepted) found.push(`5: ${fact.seq} is done without evidence`);
  }
  return found;
}

test('the six invariants hold in every run and after every death, whatever model, policy and person do', async () => {
  await fc.assert(
    fc.asyncProperty(story, async (told) => {
      const whole = await play(told);
      const facts = whole.facts();
      expect(breaches(facts, told)).toEqual([]);
      // Invariant 3: a second fold of the same facts is the same state, and no port is touched by it.
      expect(fold(facts)).toEqual(whole.session.state);
      const start = facts.findIndex((fact) => fact.type === 'session.start') + 1;
      const cut = start + (told.cut % Math.max(1, facts.length - start));
      const kept = whole.ports.ledger.lastSeq === facts.length ? wholeBatches(facts, cut) : facts.slice(0, cut);
      const resumed = await play(told, kept);
      expect(breaches(resumed.facts(), told)).toEqual([]);
      expect(resumed.facts().slice(0, kept.length).map(bodyOf)).toEqual(kept.map(bodyOf));
      // Invariant 6: a cancelled turn ended, with nothing left open.
      for (const h of [whole, resumed]) {
        const { turn } = h.session.state;
        if (turn?.cancelled === true) expect(turn).toMatchObject({ phase: 'done', open: [] });
      }
    }),
    { numRuns: 150 },
  );
}, 60_000);

const bodyOf = ({ ts: _ts, ...fact }: Fact) => fact;

/** A batch is atomic: calls are intended together with the answer that they belong to, outcomes with their facts. */
function wholeBatches(facts: readonly Fact[], cut: number): readonly Fact[] {
  const inside: ReadonlySet<Fact['type']> = new Set([
    'action.intended',
    'evidence.recorded',
    'step.end',
    'session.pause',
  ]);
  let end = cut;
  while (end < facts.length && inside.has(facts[end]?.type ?? 'session.created')) end++;
  return facts.slice(0, end);
}
