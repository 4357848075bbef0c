import { expect, it } from 'vitest';
import { processList } from '../../../src/tools/text/process-list.ts';

it.each<[number, string]>([
  [1, '1'],
  [3, '1, 2, 3'],
  [10, '1, 2, 3, 4, 5, 6, 7, 8, 9, 10'],
  [11, '1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 1 more'],
  [9_000, '1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 8990 more'],
])('%d processes are named within one line', (count, text) => {
  expect(processList(Array.from({ length: count }, (_, i) => i + 1))).toBe(text);
});
