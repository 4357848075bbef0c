import { describe, expect, it } from 'vitest';
import type { PermissionContext } from '../../../src/permission/contract.ts';
import { createPermission } from '../../../src/permission/create-permission.ts';
import { broadAllowed, broadAsked, broadRules } from './broad-policy.ts';
import { fieldAllowed, fieldAsked, fieldRules } from './field-policy.ts';
import { programAllowed, programAsked, programRules } from './program-policy.ts';
import { corpusPorts } from './workspace.ts';

const permission = createPermission(corpusPorts);
const decide = (command: string, allow: readonly string[], over: Partial<PermissionContext> = {}) =>
  permission(
    { tool: 'Bash', args: { command }, effect: 'process', paths: null },
    { mode: 'default', allow, checks: [], workspace: '/repo', signal: new AbortController().signal, ...over },
  );

const groups = [
  { name: 'rules for few commands', rules: fieldRules, allowed: fieldAllowed, asked: fieldAsked },
  { name: 'rules for whole programs', rules: broadRules, allowed: broadAllowed, asked: broadAsked },
  { name: 'rules for every program', rules: programRules, allowed: programAllowed, asked: programAsked },
];

describe.each(groups)('$name', ({ rules, allowed, asked }) => {
  it.each(asked)('asks: %j', async (command) => {
    expect(await decide(command, rules)).toMatchObject({ decision: 'ask' });
  });
  it.each(allowed)('allows: %j', async (command) => {
    expect(await decide(command, rules)).toMatchObject({ decision: 'allow' });
  });
  it('without rules, every one of them asks', async () => {
    for (const command of [...allowed, ...asked]) expect((await decide(command, [])).decision, command).toBe('ask');
  });
  it('where nobody may be asked, what asks is denied', async () => {
    for (const command of asked) {
      expect((await decide(command, rules, { mode: 'dontAsk' })).decision, command).toBe('deny');
    }
  });
});

it('is large', () => {
  const texts = new Set(groups.flatMap(({ allowed, asked }) => [...allowed, ...asked]));
  expect(texts.size).toBeGreaterThan(300);
});
