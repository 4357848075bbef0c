/** The chain of a repository task: plan, read, red test, approved edit, green test, accepted answer; and where it stops. */
import { expect, test } from 'vitest';
import { type Fact, fold } from '#kernel';
import { makePlace, type Place, resultOf } from './belay.ts';
import { edit, fix, read, test as runTest, say } from './turns.ts';

const json = ['--output-format', 'json'];
const check = ['--check', 'node --test'];
const hyphens = edit('src/slugify.js', "words.join('_')", "words.join('-')");
const write = (file_path: string, content: string) => ({ calls: [{ tool: 'Write', args: { file_path, content } }] });

async function run(place: Place, turns: readonly object[], ...more: readonly string[]) {
  const args = ['run', 'Join words with hyphens.', '--session', 's', '--model', place.script(turns), ...more, ...json];
  return resultOf(await place.belay(args));
}
const verdicts = (facts: readonly Fact[]) =>
  facts.flatMap((fact) => (fact.type === 'completion.verdict' ? [fact.reason] : []));

/** What a reader of the record sees of each call and each check, in order. */
function traceOf(facts: readonly Fact[]): string[] {
  const tools = new Map<string, string>();
  return facts.flatMap((fact) => {
    switch (fact.type) {
      case 'action.intended':
        tools.set(fact.actionId, fact.tool);
        return [];
      case 'approval.requested':
        return [`${tools.get(fact.actionId)} asked`];
      case 'approval.resolved':
        return [`${tools.get(fact.actionId)} ${fact.verdict}d`];
      case 'attempt.outcome':
        return [`${tools.get(fact.actionId)} ${fact.status}`];
      case 'evidence.recorded':
        return [`evidence ${fact.exitCode}`];
      case 'session.complete':
        return [fact.reason];
      default:
        return [];
    }
  });
}

test('the trace: plan, approval, read, failing test, approved edit, passing test, accepted answer', async () => {
  const place = makePlace();
  const plan = { calls: [{ tool: 'ExitPlanMode', args: { plan: 'Join with hyphens, then run the test.' } }] };
  const turns = [hyphens, plan, read('src/slugify.js'), runTest, hyphens, runTest, say('Joined with hyphens.')];
  let result = await run(place, turns, '--permission-mode', 'plan', ...check);
  expect(place.file('src/slugify.js')).toContain("'_'");
  for (const expected of ['ExitPlanMode', 'Edit']) {
    expect(result).toMatchObject({ exit_code: 10, pending: [{ tool: expected }] });
    await place.belay(['approve', 's']);
    result = resultOf(await place.belay(['resume', 's', ...json]));
  }
  expect(result).toMatchObject({ exit_code: 0, verified: true });
  const facts = await place.facts('s');
  expect(facts.find((fact) => fact.type === 'action.verdict')).toMatchObject({ verdict: 'deny', by: 'mode' });
  expect(traceOf(facts)).toEqual([
    ...['ExitPlanMode asked', 'ExitPlanMode approved', 'ExitPlanMode succeeded'],
    ...['Read succeeded', 'Test succeeded', 'evidence 1'],
    ...['Edit asked', 'Edit approved', 'Edit succeeded'],
    ...['Test succeeded', 'evidence 0', 'goal_met'],
  ]);
});

test('finish_without_successful_test_is_repaired_into_run_test', async () => {
  const place = makePlace();
  const turns = [read('src/slugify.js'), hyphens, say('Done.'), say('Done, really.')];
  expect(await run(place, turns, '--allow', 'Edit(**)', ...check)).toMatchObject({ exit_code: 0, verified: true });
  const facts = await place.facts('s');
  expect(verdicts(facts)).toEqual(['missing_evidence', 'missing_evidence', 'verified']);
  expect(facts.filter((fact) => fact.type === 'action.intended' && fact.origin === 'runtime')).toMatchObject([
    { tool: 'Test' },
  ]);
  expect(facts.filter((fact) => fact.type === 'evidence.recorded')).toMatchObject([{ passed: true, exitCode: 0 }]);
});

test('run_loop_stops_at_max_steps_when_work_continues', async () => {
  const place = makePlace();
  const todos = (...statuses: readonly string[]) => ({
    calls: [
      {
        tool: 'TodoWrite',
        args: { todos: statuses.map((status, i) => ({ content: `part ${i}`, status, activeForm: `doing ${i}` })) },
      },
    ],
  });
  const turns = [
    todos('in_progress', 'pending', 'pending'),
    read('src/slugify.js'),
    todos('completed', 'in_progress', 'pending'),
    read('test/slugify.test.js'),
    todos('completed', 'completed', 'in_progress'),
    ...fix,
  ];
  expect(await run(place, turns, '--max-steps', '5', ...check)).toMatchObject({
    exit_code: 53,
    reason: 'budget_exceeded:rounds',
  });
  const facts = await place.facts('s');
  const state = fold(facts);
  expect(state.todos.map((todo) => todo.status)).toEqual(['completed', 'completed', 'in_progress']);
  expect(traceOf(facts).filter((line) => line === 'Read succeeded')).toHaveLength(2);
  expect(state.turn?.pause).toMatchObject({ from: 'planning', next: expect.stringContaining('resume') });
});

test('a file written right after a passing test voids it at once', async () => {
  const place = makePlace();
  const turns = [...fix.slice(0, 3), write('notes.txt', 'later\n'), say('Done.'), say('Done.')];
  const rules = ['--allow', 'Edit(**)', ...check];
  expect(await run(place, turns, ...rules)).toMatchObject({ exit_code: 0, verified: true });
  const facts = await place.facts('s');
  expect(verdicts(facts)).toEqual(['missing_evidence', 'missing_evidence', 'verified']);
  expect(facts.find((fact) => fact.type === 'completion.verdict')).toMatchObject({
    feedback: expect.stringContaining('ran before the last change'),
  });
  expect(facts.filter((fact) => fact.type === 'evidence.recorded')).toHaveLength(2);
});
