/** What the state says of the last look at the workspace is what all facts together say. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Fact, fold } from '#kernel';
import { arbitraryBody } from '../ledger/arbitrary-fact.ts';

/** Whether the tree of the last scan is that of the workspace after everything recorded. */
function isTreeKnown(facts: readonly Fact[]): boolean {
  let known = false;
  let isScanned = false;
  const looks = ['workspace.scanned', 'workspace.rebased', 'evidence.recorded', 'checkpoint.taken'];
  const effects = new Set<string>();
  const running = new Set<string>();
  for (const fact of facts) {
    if (fact.type === 'task.started') running.add(fact.actionId);
    if (fact.type === 'task.ended') running.delete(fact.actionId);
    if (['task.ended', 'hook.started', 'hook.ended'].includes(fact.type)) known = false;
    if (fact.type === 'attempt.start' && fact.effect !== 'read') {
      effects.add(fact.actionId);
      known = false;
    }
    // A call has one outcome: a second one behind a look tells nothing new.
    const isOver = fact.type === 'attempt.outcome' || fact.type === 'attempt.revoked';
    if (isOver && effects.delete(fact.actionId)) known = false;
    if (['workspace.scanned', 'workspace.rebased', 'evidence.recorded'].includes(fact.type)) isScanned = true;
    // A look while something is at work tells nothing of what that still does.
    const isLook = isScanned && looks.includes(fact.type);
    if (isLook) known = running.size === 0 && effects.size === 0;
  }
  return known;
}

/** Whether a command ran since the last point to go back to was kept. */
function isPointDue(facts: readonly Fact[]): boolean {
  let due = false;
  for (const fact of facts) {
    if (fact.type === 'checkpoint.taken') due = false;
    if (fact.type === 'attempt.start' && fact.effect !== 'read' && fact.effect !== 'file') due = true;
  }
  return due;
}

test('whether the tree is known and a point is due, whatever the facts', () => {
  const body = arbitraryBody(
    'attempt.start',
    'attempt.outcome',
    'task.started',
    'task.ended',
    'hook.started',
    'hook.ended',
    'workspace.scanned',
    'workspace.rebased',
    'evidence.recorded',
    'checkpoint.taken',
    'attempt.revoked',
    'session.start',
  );
  const named = fc
    .tuple(body, fc.constantFrom('a', 'b', 'c'))
    .map(([one, actionId]) => ('actionId' in one ? { ...one, actionId } : one));
  fc.assert(
    fc.property(fc.array(named, { maxLength: 40 }), (bodies) => {
      const facts = bodies.map((one, i) => ({ ...one, seq: i + 1, ts: i }) as Fact);
      for (let n = 0; n <= facts.length; n++) {
        const { world } = fold(facts.slice(0, n));
        expect(world.isTreeKnown).toBe(isTreeKnown(facts.slice(0, n)));
        expect(world.isPointDue).toBe(isPointDue(facts.slice(0, n)));
      }
    }),
    { numRuns: 400 },
  );
});
