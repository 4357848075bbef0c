import fc from 'fast-check';
import { expect, test } from 'vitest';
import { amendScan, changedPaths, scanLater, scanOf, treeOf } from '../../../src/workspace/revision/manifest.ts';

const path: fc.Arbitrary<string> = fc.constantFrom('a', 'b', 'a/b', 'a/c/', 'é', '\u{1f600}', '\u{ffff}', 'Z');
const side: fc.Arbitrary<string> = fc.constantFrom('100644 one', '100644 two', '100755 one', '120000 one');
const manifest = fc.dictionary(path, side).map((found) => new Map(Object.entries(found)));
const seen = fc.dictionary(path, fc.option(side)).map((found) => new Map<string, string | null>(Object.entries(found)));

test('a scan with some paths seen anew is the scan that a whole look would give', () => {
  fc.assert(
    fc.property(manifest, seen, (before, news) => {
      const whole = new Map(before);
      for (const [one, found] of news) found === null ? whole.delete(one) : whole.set(one, found);
      const first = scanOf(before, null);
      const amended = amendScan(first, news);
      const looked = scanOf(whole, null);
      expect(amended.revision).toBe(looked.revision);
      expect(new Map(amended.manifest)).toEqual(whole);
      expect(changedPaths(first, amended)).toEqual(changedPaths(first, looked));
      expect(changedPaths(amended, first)).toEqual(changedPaths(looked, first));
      expect(changedPaths(looked, amended)).toEqual([]);
      expect(amended === first).toBe(looked.revision === first.revision);
    }),
  );
});

test('the revision depends on what is there, not on the order in which it was met, nor on when it is asked for', () => {
  fc.assert(
    fc.property(manifest, fc.array(path), (found, except) => {
      const turned = new Map([...found].reverse());
      expect(scanOf(turned, null).revision).toBe(scanOf(found, null).revision);
      expect(scanLater(turned).revision).toBe(scanOf(found, null).revision);
      const left = new Map([...found].filter(([one]) => !except.includes(one)));
      expect(treeOf(scanLater(turned), except)).toBe(scanOf(left, null).revision);
    }),
  );
});

test('a look that finds nothing new gives the scan before', () => {
  const first = scanOf(new Map([['a', '100644 one']]), null);
  expect(scanOf(new Map([['a', '100644 one']]), first)).toBe(first);
  expect(scanOf(new Map([['a', '100644 two']]), first)).not.toBe(first);
});
