import { describe, expect, it } from 'vitest';
import { checkExamples } from '../../../src/permission/settings/check-examples.ts';

const rules = { allow: ['Bash(npm run *)'], ask: ['Bash(npm run deploy *)'], deny: ['Bash(rm *)'], workspace: '/repo' };
const example = (text: string, decision: 'allow' | 'ask' | 'deny') => ({
  rule: 'Bash(npm run *)',
  text,
  decision,
  file: 'settings.json',
  from: 'user' as const,
});

describe('checkExamples', () => {
  it.each([
    ['npm run build', 'allow'],
    ['npm run deploy', 'ask'],
    ['npm run $X', 'ask'],
    ['npm run build && rm x', 'deny'],
  ] as const)('%s: %s', async (text, decision) => {
    expect(await checkExamples([example(text, decision)], rules)).toEqual([]);
    for (const other of ['allow', 'ask', 'deny'] as const) {
      if (other === decision) continue;
      const [failed, ...more] = await checkExamples([example('npm run build', 'allow'), example(text, other)], rules);
      expect(more).toEqual([]);
      expect(failed?.example).toMatchObject({ text, decision: other });
      for (const part of [
        'settings.json',
        'rule Bash(npm run *)',
        JSON.stringify(text),
        `should be ${other}`,
        `is ${decision} (`,
      ]) {
        expect(failed?.fault).toContain(part);
      }
    }
  });
});
