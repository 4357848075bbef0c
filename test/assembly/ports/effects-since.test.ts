/** When commands could change files: histories of commands (P), edits (F), tasks, hooks and points (K), one a second. */
import { expect, test } from 'vitest';
import type { Fact, FactBody } from '#kernel';
import type { Ledger } from '#ledger';
import type { Span } from '#workspace';
import { effectsSince } from '../../../src/assembly/ports/effects-since.ts';

const bodies: { readonly [word: string]: FactBody } = {
  P: { type: 'attempt.start', attemptId: 'p.1', actionId: 'p', executorId: 'x', effect: 'process' },
  F: { type: 'attempt.start', attemptId: 'f.1', actionId: 'f', executorId: 'x', effect: 'file' },
  p: { type: 'attempt.outcome', actionId: 'p', attemptId: 'p.1', status: 'succeeded', output: '' },
  e: { type: 'attempt.outcome', actionId: 'p', attemptId: 'p.1', status: 'succeeded', output: '', endedMs: 2500 },
  l: { type: 'attempt.outcome', actionId: 'p', attemptId: 'p.1', status: 'succeeded', output: '', livesOn: true },
  r: { type: 'attempt.revoked', actionId: 'p', attemptId: 'p.1' },
  T: { type: 'task.started', actionId: 'p', attemptId: 'p.1', command: 'x', timeoutMs: 1 },
  t: { type: 'task.ended', actionId: 'p', status: 'exited', output: '', outputBytes: 0 },
  K: { type: 'checkpoint.taken', revision: 'x', ref: 'base' },
};

function factsOf(words: string): readonly Fact[] {
  return words.split(' ').map((word, i) => ({ ...(bodies[word] as FactBody), seq: i + 1, ts: (i + 1) * 1000 }) as Fact);
}

/** Spans in seconds; one that goes on has no end. */
test.each<readonly [name: string, words: string, live: string, later?: string]>([
  ['nothing ran', 'K', ''],
  ['an edit is exact', 'K F', ''],
  ['commands since the point', 'K P p P p', '2-3 4-5'],
  ['one that is at work', 'K P p P', '2-3 4-'],
  ['one of which nobody saw the end', 'K P r', '2-3'],
  ['its own receipt tells the end', 'K P e', '2-2.5'],
  ['what it left behind goes on', 'K P l', '2-'],
  ['until the next point', 'K P l K P', '5-'],
  ['a point closes it', 'K P p K', ''],
  ['the next command after that', 'K P p K P', '5-'],
  ['a command that was at work at the point, while it is', 'K P K', '2-', ''],
  ['a task goes on behind points', 'K P p T K K', '2-', '-56-'],
  ['until it ended', 'K P p T K t K', ''],
  ['its last stretch', 'K P p T K t', '2-6', '-56-6'],
])('%s', (_name, words = '', live = '', later = live) => {
  const facts = factsOf(words);
  let upTo = facts.length;
  const find: Ledger['find'] = function* (types, from = 1) {
    for (const fact of facts.slice(0, upTo)) {
      if ((types as readonly string[]).includes(fact.type) && fact.seq >= from) yield fact as never;
    }
  };
  const shown = (spans: readonly Span[]) =>
    spans.map(({ fromMs, toMs }) => `${fromMs / 1000}-${toMs === null ? '' : toMs / 1000}`).join(' ');
  // Another process knows of tasks that go on, not of when exactly each was started.
  expect(shown(effectsSince({ find })())).toBe(later);
  const since = effectsSince({ find });
  let last: readonly Span[] = [];
  for (upTo = 1; upTo <= facts.length; upTo++) last = since();
  expect(shown(last)).toBe(live);
});
