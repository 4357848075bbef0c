import { expect, test } from 'vitest';
import { promptBytesMax, systemPrompt } from '#context';

const bare = { workspace: '/w', checks: [], mode: 'default', instructions: null } as const;

test('the prompt without the part of the user stays small', () => {
  expect(Buffer.byteLength(systemPrompt(bare))).toBeLessThanOrEqual(promptBytesMax);
});

test('equal settings give the same text, and only given instructions are mentioned', () => {
  expect(systemPrompt({ ...bare })).toBe(systemPrompt(bare));
  expect(systemPrompt(bare)).not.toContain('Project instructions:');
  expect(systemPrompt({ ...bare, instructions: ' \n' })).toBe(systemPrompt(bare));
});

test('declared checks are numbered as the tool counts them', () => {
  const checks = [
    { command: 'node --test', counts: true },
    { command: 'npm run lint', counts: false },
  ];
  expect(systemPrompt({ ...bare, checks })).toContain('1. node --test\n2. npm run lint');
});
