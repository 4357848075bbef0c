/** Since when commands could change files: histories of commands (P), edits (F), tasks, hooks and points (K), one a second. */
import { expect, test } from 'vitest';
import type { Fact, FactBody } from '#kernel';
import type { Ledger } from '#ledger';
import { effectsSince } from '../../../src/assembly/ports/effects-since.ts';

const bodies: { readonly [word: string]: FactBody } = {
  P: { type: 'attempt.start', attemptId: 'p.1', actionId: 'p', executorId: 'x', effect: 'process' },
  F: { type: 'attempt.start', attemptId: 'f.1', actionId: 'f', executorId: 'x', effect: 'file' },
  p: { type: 'attempt.outcome', actionId: 'p', attemptId: 'p.1', status: 'succeeded', output: '' },
  T: { type: 'task.started', actionId: 'p', attemptId: 'p.1', command: 'x', timeoutMs: 1 },
  t: { type: 'task.ended', actionId: 'p', status: 'exited', output: '', outputBytes: 0 },
  K: { type: 'checkpoint.taken', revision: 'x', ref: 'base' },
};

function factsOf(words: string): readonly Fact[] {
  return words.split(' ').map((word, i) => ({ ...(bodies[word] as FactBody), seq: i + 1, ts: (i + 1) * 1000 }) as Fact);
}

test.each<readonly [name: string, words: string, live: number | null, later: number | null]>([
  ['nothing ran', 'K', null, null],
  ['an edit is exact', 'K F', null, null],
  ['the first command since the point', 'K P p P p', 2000, 2000],
  ['a point closes it', 'K P p K', null, null],
  ['the next command after that', 'K P p K P', 5000, 5000],
  ['a command that was at work at the point, while it is', 'K P K', 2000, null],
  ['a task goes on behind points', 'K P p T K K', 2000, 4000 - 60_000],
  ['until it ended', 'K P p T K t K', null, null],
  ['its last stretch', 'K P p T K t', 2000, 4000 - 60_000],
])('%s', (_name, words, live, later) => {
  const facts = factsOf(words);
  let upTo = facts.length;
  const find: Ledger['find'] = function* (types, from = 1) {
    for (const fact of facts.slice(0, upTo)) {
      if ((types as readonly string[]).includes(fact.type) && fact.seq >= from) yield fact as never;
    }
  };
  // Another process knows of tasks that go on, not of when exactly each was started.
  expect(effectsSince({ find })()).toBe(later);
  const since = effectsSince({ find });
  let last: number | null = null;
  for (upTo = 1; upTo <= facts.length; upTo++) last = since();
  expect(last).toBe(live);
});
