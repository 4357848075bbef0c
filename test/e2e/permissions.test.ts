import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
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

  it('takes rules from the files of the user, and from the repository only those that narrow', async () => {
    const place = makePlace();
    const config = path.join(place.folder, 'config');
    const settings = (folder: string, name: string, permissions: object) => {
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, name), JSON.stringify({ permissions }));
    };
    const options = { env: { XDG_CONFIG_HOME: config } };
    const decided = async (command: string) =>
      (await place.belay(['permissions', 'test', command, '--json'], options)).stdout;
    settings(path.join(config, 'belay'), 'settings.json', { allow: ['Bash(ls *)', 'Bash(cat *)'] });
    settings(path.join(place.repository, '.belay'), 'settings.local.json', { allow: ['Bash'], ask: ['Bash(ls -R *)'] });
    settings(path.join(place.repository, '.claude'), 'settings.json', { deny: ['Read(src/**)'] });
    expect(await decided('ls')).toContain('"decision":"allow"');
    expect(await decided('ls -R')).toContain('"decision":"ask"');
    expect(await decided('cat src/a.js')).toContain('"decision":"deny"');
    expect(await decided('wc package.json')).toContain('"decision":"ask"');
    settings(path.join(config, 'belay'), 'settings.json', { deny: ['Bsah(rm)'] });
    const broken = await place.belay(['permissions', 'test', 'ls'], options);
    expect(broken).toMatchObject({ code: 52, stderr: expect.stringContaining('Bsah') });
  });

  it('a session obeys them, and keeps what the user allows as its own rule', async () => {
    const place = makePlace();
    mkdirSync(path.join(place.repository, '.belay'));
    writeFileSync(path.join(place.repository, '.belay/settings.json'), '{"permissions":{"deny":["Bash(ls *)"]}}');
    const config = path.join(place.folder, 'config/belay');
    mkdirSync(config, { recursive: true });
    writeFileSync(path.join(config, 'settings.json'), '{"permissions":{"allow":["Bash(echo *)","Bash(ls *)"]}}');
    const model = place.script([
      { calls: [{ tool: 'Bash', args: { command: 'echo one' } }] },
      { calls: [{ tool: 'Bash', args: { command: 'echo two; ls' } }] },
      { text: 'Done.' },
    ]);
    const env = { XDG_CONFIG_HOME: path.dirname(config) };
    const ran = await place.belay(['run', 'go', '--session', 's', '--model', model], { env });
    expect(ran.code).toBe(0);
    const verdicts = (await place.facts('s')).flatMap((fact) => (fact.type === 'action.verdict' ? [fact.verdict] : []));
    expect(verdicts).toEqual(['allow', 'deny']);
  });
});
