import { expect, it } from 'vitest';
import { isWordless } from '../../../src/tools/search/run-ripgrep.ts';

it.each([
  ['found something', 0, '', false, false],
  ['found nothing', 1, '', false, false],
  ['a reason', 2, 'rg: a: Permission denied', false, false],
  ['an end without a reason', 2, '', false, true],
  ['an end with blanks for a reason', 2, ' \n', false, true],
  ['a death', null, '', false, true],
  ['a death that was ours, of a long answer', null, '', true, false],
])('%s', (_name, exitCode, stderr, truncated, expected) => {
  expect(isWordless({ exitCode, stderr, truncated })).toBe(expected);
});
