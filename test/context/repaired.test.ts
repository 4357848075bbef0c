import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { createProjector } from '#context';
import { closeAfterRepair, decide, type Fact, fold } from '#kernel';
import { factsOf, story } from './story.ts';
import { requestFaults } from './valid-request.ts';

/** Any facts of a session lost, as a repair leaves it: numbers kept, open calls closed, the turn paused. */
const repaired = fc.tuple(story, fc.array(fc.nat(), { minLength: 1, maxLength: 8 })).map(([bodies, lost]): Fact[] => {
  const gone = new Set(lost.map((n) => n % bodies.length));
  const facts = factsOf(bodies.map((body, i) => (gone.has(i) ? { type: 'record.lost', offset: 99 } : body)));
  const more = factsOf([
    { type: 'ledger.repaired', kept: 'ledger.damaged-1', lost: gone.size, later: 0 },
    ...closeAfterRepair(facts),
    { type: 'model.request', requestId: 'last', model: 'm', messages: 0, bytes: 0 },
  ]);
  return [...facts, ...more.map((fact) => ({ ...fact, seq: fact.seq + facts.length }))];
});

test.prop([repaired])('a history with losses is one that every provider takes, at every cut point', (facts) => {
  const projector = createProjector([]);
  for (const fact of facts) {
    projector.fold([fact]);
    expect(requestFaults(projector.request())).toEqual([]);
  }
  expect(JSON.stringify(projector.request())).toContain('was damaged and repaired');
});

test.prop([repaired])('and there is one next action after each of its facts', (facts) => {
  for (let n = 0; n <= facts.length; n++) expect(decide(fold(facts.slice(0, n))).kind).toMatch(/\w/);
});
