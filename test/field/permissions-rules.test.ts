/** What people write into their settings, and what holds from the first call of the first session on. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makePlace, type Place, resultOf } from '../e2e/belay.ts';
import { bash, read, say } from '../e2e/turns.ts';

const settings = (folder: string, name: string, permissions: object): void => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, name), JSON.stringify({ permissions }));
};
const configOf = (place: Place) => path.join(place.folder, 'config');
const env = (place: Place) => ({ env: { XDG_CONFIG_HOME: configOf(place) } });
const ofUser = (place: Place, permissions: object) =>
  settings(path.join(configOf(place), 'belay'), 'settings.json', permissions);

/** One session of the user that makes the calls; the verdict and the output of each, in their order. */
async function verdicts(place: Place, calls: readonly object[], ...more: readonly string[]) {
  const model = place.script([...calls, say('Done.')]);
  const ran = await place.belay(
    ['run', 'Do it.', '--session', 's', '--model', model, '--output-format', 'json', ...more],
    env(place),
  );
  const facts = await place.facts('s');
  const given = facts.flatMap((fact) => (fact.type === 'action.verdict' ? [fact.verdict] : []));
  const outputs = facts.flatMap((fact) => (fact.type === 'attempt.outcome' ? [fact.output] : []));
  return { ran, given, outputs };
}
const dontAsk = ['--permission-mode', 'dontAsk'] as const;

describe('rules of the user', () => {
  it('D25: a rule that denies holds from the first call, and is no wider than it says', async () => {
    const place = makePlace();
    ofUser(place, { allow: ['Bash(grep:*)', 'Bash(cat:*)'], deny: ['Read(secrets/**)'] });
    mkdirSync(path.join(place.repository, 'secrets'));
    place.write('secrets/a.txt', 'SECRET_CANARY\n');
    const calls = [bash('cat secrets/a.txt'), bash('grep -rn slug src'), bash('grep -rn x .'), read('secrets/a.txt')];
    const { given, outputs, ran } = await verdicts(place, calls, ...dontAsk);
    expect(given).toEqual(['deny', 'allow', 'deny', 'deny']);
    expect(outputs.join()).toContain('slug');
    expect(outputs.join() + ran.stdout).not.toContain('SECRET_CANARY');
  });

  it.each([
    ['a misspelt tool', { deny: ['Bsah(rm:*)'] }, 'Bsah'],
    ['a pattern that never matches', { deny: ['Read(a[b)'] }, 'Read(a[b)'],
    ['a tool that takes no path', { ask: ['Glob(src/**)'] }, 'Glob(src/**)'],
    ['a star in the middle', { deny: ['Bash(git * main)'] }, 'Bash(git * main)'],
    ['a rule that is no text', { deny: [7] }, '7'],
    ['a list that is none', { deny: 'Bash(rm:*)' }, 'deny'],
    [
      'an example that does not hold',
      { deny: [{ rule: 'Bash(rm:*)', denies: ['ls; rm x', 'unlink x'] }] },
      'rule Bash(rm:*): its example "unlink x" should be deny and is ask',
    ],
  ])('D26: with %s in a rule that narrows nothing starts, and the rule is named', async (_name, permissions, word) => {
    const place = makePlace();
    ofUser(place, permissions);
    const ran = await place.belay(
      [
        'run',
        'Do it.',
        '--session',
        's',
        '--model',
        place.script([bash('touch OWNED'), say('Done.')]),
        '--allow',
        'Bash',
      ],
      env(place),
    );
    expect(ran.code).toBe(52);
    expect(ran.stderr).toContain(word);
    expect(existsSync(path.join(place.repository, 'OWNED'))).toBe(false);
  });

  it('D26: the same rules of a repository are named, and the others of it count', async () => {
    const place = makePlace();
    settings(path.join(place.repository, '.claude'), 'settings.json', { deny: ['Bsah(rm:*)', 'Bash(touch:*)'] });
    const { given, ran } = await verdicts(place, [bash('touch OWNED')], '--allow', 'Bash', ...dontAsk);
    expect(ran.stderr).toContain('Bsah');
    expect(given).toEqual(['deny']);
  });

  it('D14: a rule for an interpreter or a runner is named when the session starts', async () => {
    const place = makePlace();
    ofUser(place, { allow: ['Bash(npm run:*)'] });
    const { ran } = await verdicts(place, [], '--allow', 'Bash(python3:*)');
    expect(ran.stderr).toContain('Bash(python3:*) allows every script');
    expect(ran.stderr).toContain('Bash(npm run:*) allows whatever the repository makes it run');
    expect(resultOf(ran)).toMatchObject({ exit_code: 0 });
  });

  it('D36: letters of another case are the same name', async () => {
    const place = makePlace();
    ofUser(place, { allow: ['Bash(cat:*)', 'Bash(echo:*)', 'Edit(**)'], deny: ['Read(.env)'] });
    place.write('.ENV', 'SECRET_CANARY\n');
    const write = (file_path: string) => ({ calls: [{ tool: 'Write', args: { file_path, content: 'x' } }] });
    const calls = [
      read('.ENV'),
      bash('cat .ENV'),
      bash('cat .Env'),
      write('.GIT/config'),
      write('.Git/HOOKS/x'),
      bash('echo x >> .GIT/hooks/pre-commit'),
      write('.CLAUDE/settings.json'),
    ];
    const { given, outputs } = await verdicts(place, calls, ...dontAsk);
    expect(given).toEqual(calls.map(() => 'deny'));
    expect(outputs.join()).not.toContain('SECRET_CANARY');
    expect(existsSync(path.join(place.repository, '.GIT'))).toBe(false);
  });
});

describe('belay permissions test --examples', () => {
  it('counts the examples that hold, and names those that do not', async () => {
    const place = makePlace();
    const test = (...more: readonly string[]) => place.belay(['permissions', 'test', ...more], env(place));
    ofUser(place, {
      allow: [{ rule: 'Bash(npm run:*)', allows: ['npm run build'], asks: ['npm run build > package.json'] }],
      deny: [{ rule: 'Bash(rm:*)', denies: ['npm run x && rm y'] }],
    });
    expect(await test('--examples')).toMatchObject({ code: 0, stdout: '3 examples hold\n' });
    expect((await test('ls', '--examples', '--json')).stdout).toMatch(/^\{"examples":3\}\n\{"decision":"ask"/);
    expect((await test()).code).toBe(42);
    settings(path.join(place.repository, '.claude'), 'settings.json', {
      ask: [{ rule: 'Bash(npm run deploy:*)', asks: ['npm run deploy', 'npm deploy'] }],
      deny: [{ rule: 'Bash(ls:*)', allows: ['ls'] }],
    });
    const ran = await test('--examples');
    expect(ran.code).toBe(52);
    expect(ran.stderr).toContain('rule Bash(ls:*): its example "ls" should be allow and is deny');
  });
});
