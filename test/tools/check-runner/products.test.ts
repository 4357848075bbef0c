import { describe, expect, it } from 'vitest';
import { recurringProducts, tracesOf } from '../../../src/tools/check-runner/products.ts';

const scan = (entries: Record<string, string>) => ({ revision: '', manifest: new Map(Object.entries(entries)) });
const traces = (before: Record<string, string>, after: Record<string, string>, known: readonly string[] = []) => {
  const [from, to] = [scan(before), scan(after)];
  const paths = [...new Set([...from.manifest.keys(), ...to.manifest.keys()])].sort();
  const changed = paths.filter((path) => from.manifest.get(path) !== to.manifest.get(path));
  return tracesOf(from, to, changed, new Set(known));
};

describe('tracesOf', () => {
  it('a created path is a product', () => {
    expect(traces({ a: '1' }, { a: '1', 'c/b': '2' })).toEqual({ products: ['c/b'], others: [] });
  });
  it('a path that was there is not', () => {
    expect(traces({ a: '1', b: '1' }, { a: '2' })).toEqual({ products: [], others: ['a', 'b'] });
  });
  it('a known product may change and go', () => {
    expect(traces({ a: '1', b: '1' }, { a: '2' }, ['a', 'b'])).toEqual({ products: [], others: [] });
  });
  it('an empty folder that is filled does not count as a change', () => {
    expect(traces({ cache: 'd' }, { 'cache/x': '1' }).others).toEqual([]);
  });
});

describe('recurringProducts', () => {
  it('takes what both runs changed and git does not track', () => {
    expect(recurringProducts(['a', 'b', 'c'], ['b', 'c', 'd'], new Set(['c']))).toEqual(['b']);
  });
  it('without a repository nothing is known to be untracked', () => {
    expect(recurringProducts(['a'], ['a'], null)).toEqual([]);
  });
});
