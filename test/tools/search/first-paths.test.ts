import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { byCodeUnits, firstInOrder } from '../../../src/tools/search/first-paths.ts';

test.prop([fc.array(fc.string({ maxLength: 3 }), { maxLength: 80 }), fc.integer({ min: 1, max: 10 })])(
  'the first of many are those that sorting all of them would put first',
  (texts, max) => {
    expect(firstInOrder(texts, max)).toEqual({
      first: texts.toSorted(byCodeUnits).slice(0, max),
      count: texts.length,
    });
  },
);
