import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { byCodeUnits, keepFirst } from '../../../src/tools/search/first-paths.ts';

test.prop([fc.array(fc.string({ maxLength: 3 }), { maxLength: 80 }), fc.integer({ min: 1, max: 10 })])(
  'the first of many are those that sorting all of them would put first',
  (texts, max) => {
    const kept = keepFirst(max);
    for (const text of texts) kept.add(text);
    expect(kept.first()).toEqual(texts.toSorted(byCodeUnits).slice(0, max));
    expect(kept.count()).toBe(texts.length);
  },
);
