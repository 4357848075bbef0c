import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { type Decision, narrow } from '../../src/permission/lattice.ts';

const decision = fc.constantFrom<Decision>('allow', 'ask', 'deny');
const strictness = { allow: 0, ask: 1, deny: 2 };

test.prop([decision, decision])('combining never grants more than either side', (a, b) => {
  expect(strictness[narrow(a, b)]).toBe(Math.max(strictness[a], strictness[b]));
});

test.prop([decision, decision, decision])('order and grouping of combining do not matter', (a, b, c) => {
  expect(narrow(a, b)).toBe(narrow(b, a));
  expect(narrow(narrow(a, b), c)).toBe(narrow(a, narrow(b, c)));
  expect(narrow(a, a)).toBe(a);
  expect(narrow('allow', a)).toBe(a);
});
