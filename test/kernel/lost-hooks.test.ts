import { expect, test } from 'vitest';
import { closeAfterImport, closeAfterRepair, type Fact, type FactBody } from '#kernel';

const facts = (bodies: readonly FactBody[]): Fact[] =>
  bodies.map((body, i) => ({ ...body, seq: i + 1, ts: 1 }) as Fact);
const begin: readonly FactBody[] = [
  { type: 'session.created', sessionId: 's', workspace: '/w', version: '0' },
  { type: 'session.start', turnId: 't', goal: 'go', planner: 'model' },
];
const firing = { invocationId: 'before_tool_call:a', attemptId: 'x' };
const started: FactBody = { type: 'hook.started', ...firing, hook: 'h', command: 'guard' };
const ended: FactBody = { type: 'hook.ended', ...firing, status: 'exited', exitCode: 0, output: '' };
const lost: FactBody = { type: 'record.lost', offset: 1 };
const unknown = { type: 'hook.ended', ...firing, status: 'unknown' };
const hooks = (closing: readonly FactBody[]) => closing.filter(({ type }) => type === 'hook.ended');

test.each<[string, readonly FactBody[], readonly object[]]>([
  ['its end may be what was lost', [...begin, started, lost], [unknown]],
  ['its end is there', [...begin, started, lost, ended], []],
  ['it began after what was lost', [...begin, lost, started], []],
])('a hook in a damaged ledger: %s', (_name, bodies, expected) => {
  const found = hooks(closeAfterRepair(facts(bodies)));
  expect(found).toHaveLength(expected.length);
  expect(found).toMatchObject(expected);
});

test.each<[string, readonly FactBody[], readonly object[]]>([
  ['at work', [...begin, started], [unknown]],
  ['that ended', [...begin, started, ended], []],
])('a hook that was %s where the session comes from', (_name, bodies, expected) => {
  const found = hooks(closeAfterImport(facts(bodies)));
  expect(found).toHaveLength(expected.length);
  expect(found).toMatchObject(expected);
});
