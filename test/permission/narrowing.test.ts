import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import type { NarrowingRules } from '../../src/permission/contract.ts';
import { createPermission } from '../../src/permission/create-permission.ts';
import { type Decision, narrow } from '../../src/permission/lattice.ts';
import { broadAllowed, broadAsked, broadRules } from './corpus/broad-policy.ts';
import { fieldAllowed, fieldAsked, fieldRules } from './corpus/field-policy.ts';

const rules = [...fieldRules, ...broadRules];
const texts = [...fieldAllowed, ...fieldAsked, ...broadAllowed, ...broadAsked].filter((text) => text.length < 300);
const narrowings = [
  'Bash(ls *)',
  'Bash(git *)',
  'Bash(echo *)',
  'Bash(touch *)',
  'Read(src/**)',
  'Edit(src/**)',
  'Bash',
];

const policy = (narrowing: NarrowingRules) => {
  const permission = createPermission({ realPath: async (path) => path, kind: async () => 'missing' }, [], narrowing);
  return async (command: string, allow: readonly string[]): Promise<Decision> =>
    (
      await permission(
        { tool: 'Bash', args: { command }, effect: 'process', paths: null },
        { mode: 'default', allow, checks: [], workspace: '/repo', signal: new AbortController().signal },
      )
    ).decision;
};
const plain = policy({ deny: [], ask: [] });

describe('permission only shrinks', () => {
  test.prop([fc.constantFrom(...texts), fc.subarray(narrowings), fc.subarray(narrowings)], { numRuns: 1000 })(
    'by rules that deny or ask',
    async (text, deny, ask) => {
      const before = await plain(text, rules);
      const after = await policy({ deny, ask })(text, rules);
      expect(narrow(before, after)).toBe(after);
    },
  );
  test.prop([fc.constantFrom(...texts), fc.subarray(rules)], { numRuns: 1000 })(
    'by fewer rules that allow',
    async (text, some) => {
      const before = await plain(text, rules);
      const after = await plain(text, some);
      expect(narrow(before, after)).toBe(after);
    },
  );
  test.prop(
    [
      fc.constantFrom(...fieldAllowed, ...broadAllowed),
      fc.constantFrom(...texts),
      fc.constantFrom(' && ', '; ', ' || ', ' | ', '\n', ' & '),
    ],
    { numRuns: 2000 },
  )('by a further command', async (first, second, operator) => {
    // A text without a command asks alone, and is nothing beside others.
    if (/<<|#/.test(first) || /^(\s*|#.*|CI=1)$/.test(second)) return;
    const together = await plain(first + operator + second, rules);
    expect(narrow(await plain(second, rules), together)).toBe(together);
  });
});
