import { expect, it } from 'vitest';
import type { Fact, FactOf, FactType } from '#kernel';
import { waitingPaths } from '../../../src/assembly/ports/guarded-paths.ts';

const point = (seq: number, guarded?: string) => ({ type: 'checkpoint.taken', seq, ...(guarded ? { guarded } : {}) });
const attempt = (seq: number, effect: string) => ({ type: 'attempt.start', seq, effect });

const ledgerOf = (facts: readonly object[]) => ({
  find: <T extends FactType>(types: readonly T[], fromSeq = 1) =>
    (facts as Fact[]).filter((fact) => types.includes(fact.type as T) && fact.seq >= fromSeq) as FactOf<T>[],
});
const manifests: { [ref: string]: readonly string[] } = { first: ['.env'], second: ['.env', 'data.db'] };
const checkpoints = { manifest: (ref: string) => new Map(manifests[ref]?.map((path) => [path, null as never])) };

it.each([
  ['nothing was ever kept', [point(1), attempt(2, 'process')], []],
  ['nothing was started since', [attempt(1, 'process'), point(2, 'first')], []],
  ['only what reads or edits files was started since', [point(1, 'first'), attempt(2, 'read'), attempt(3, 'file')], []],
  ['a command was started since', [point(1, 'first'), attempt(2, 'read'), attempt(3, 'process')], ['.env']],
  ['a later point kept none', [point(1, 'first'), attempt(2, 'process'), point(3)], ['.env']],
  ['a later point kept more', [point(1, 'first'), attempt(2, 'process'), point(3, 'second')], []],
  ['the later one waits', [point(1, 'first'), point(2, 'second'), attempt(3, 'process')], ['.env', 'data.db']],
])('which files wait where %s', (_name, facts, expected) => {
  expect(waitingPaths(ledgerOf(facts), checkpoints)).toEqual(expected);
});
