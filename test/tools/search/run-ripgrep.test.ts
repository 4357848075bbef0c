import { expect, it } from 'vitest';
import { isWordless, unreadIn } from '../../../src/tools/search/run-ripgrep.ts';

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

const denied = 'rg: ./a: Permission denied (os error 13)';
it.each<[string, number | null, string, boolean, boolean, readonly string[] | null]>([
  ['found something', 0, '', false, true, []],
  ['found nothing', 1, '', false, false, []],
  ['found something beside what cannot be read', 2, denied, false, true, ['a: Permission denied']],
  ['found nothing beside what cannot be read', 2, denied, false, false, ['a: Permission denied']],
  ['found something, and complains of something else', 2, 'rg: x', false, true, ['rg: x']],
  ['a faulty pattern', 2, 'rg: regex parse error:', false, false, null],
  ['did not start', null, 'spawn EAGAIN', false, false, null],
  ['died in the middle', null, 'rg: thread panicked', false, true, null],
  ['gave up in the middle', 101, 'failed to spawn thread', false, true, null],
  ['was ended by us, of a long answer', null, '', true, true, []],
])(
  'whether there is an answer, and what it leaves out: %s',
  (_name, exitCode, stderr, truncated, hasOutput, expected) => {
    expect(unreadIn({ exitCode, stderr, truncated }, hasOutput)).toEqual(expected);
  },
);
