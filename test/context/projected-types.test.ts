import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createProjector, projectedTypes } from '#context';
import type { Fact, FactType, ToolDefinition } from '#kernel';
import { arbitraryBody } from '../ledger/arbitrary-fact.ts';
import { factsOf, story } from './story.ts';

const tools: readonly ToolDefinition[] = ['Read', 'TaskOutput', 'TaskStop', 'ExitPlanMode'].map((name) => ({
  name,
  description: name,
  inputSchema: { type: 'object' },
  ...(name === 'Read' ? {} : { deferred: true as const }),
}));
const isProjected = ({ type }: Fact) => (projectedTypes as readonly FactType[]).includes(type);

test('of the facts that are projected alone the same requests are made, and tools may be offered later', () => {
  const arbitrary = fc.array(arbitraryBody(), { maxLength: 30 });
  fc.assert(
    fc.property(fc.oneof(story, arbitrary), (bodies) => {
      const facts = factsOf(bodies);
      const all = createProjector(tools);
      const some = createProjector();
      const late = createProjector();
      for (const fact of facts) {
        all.fold([fact]);
        if (isProjected(fact)) some.fold([fact]);
      }
      late.fold(facts);
      for (const one of [some, late]) {
        one.offer(tools);
        expect(one.request()).toEqual(all.request());
      }
    }),
    { numRuns: 300 },
  );
});
