import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makePlace } from './belay.ts';

describe('belay permissions test', () => {
  it('explains a decision, follows links and sees what would be overwritten', async () => {
    const place = makePlace();
    symlinkSync(place.home, path.join(place.repository, 'out'));
    const explain = async (command: string, ...rules: readonly string[]) => {
      const args = rules.flatMap((rule) => ['--allow', rule]);
      const ran = await place.belay(['permissions', 'test', command, '--json', ...args]);
      expect(ran.code).toBe(0);
      return JSON.parse(ran.stdout);
    };
    expect(await explain('git status')).toMatchObject({ decision: 'ask' });
    expect(await explain('git status && ls', 'Bash(git status)', 'Bash(ls:*)')).toMatchObject({
      decision: 'allow',
      by: 'rule',
    });
    expect(await explain('ls out/x', 'Bash(ls:*)')).toMatchObject({
      decision: 'ask',
      reason: expect.stringContaining('leads out'),
    });
    expect(await explain('ls > package.json', 'Bash(ls)', 'Edit(**)')).toMatchObject({
      decision: 'ask',
      reason: expect.stringContaining('would be lost'),
    });
    expect(await explain('ls > new.txt', 'Bash(ls)', 'Edit(**)')).toMatchObject({ decision: 'allow' });
    expect(await explain('ls', 'Bash(python3:*)')).toMatchObject({
      warnings: [expect.stringContaining('every script')],
    });
  });

  it('names what is denied, and refuses a rule that never matches', async () => {
    const place = makePlace();
    const denied = await place.belay(['permissions', 'test', 'ls; rm x', '--allow', 'Bash', '--deny', 'Bash(rm:*)']);
    expect(denied).toMatchObject({ code: 0, stdout: expect.stringMatching(/^deny: rm x: rule Bash\(rm:\*\)\n/) });
    expect((await place.belay(['permissions', 'test', 'ls', '--allow', 'Bsah(ls)'])).code).toBe(42);
    expect((await place.belay(['permissions', 'test', 'ls', '--cwd', 'nowhere'])).code).toBe(42);
  });
});
