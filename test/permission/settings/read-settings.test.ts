import { describe, expect, it } from 'vitest';
import { readSettings } from '../../../src/permission/settings/read-settings.ts';

const read = (permissions: unknown, from: 'user' | 'repository' = 'user') =>
  readSettings({ name: 'settings.json', text: JSON.stringify({ permissions, model: 'x' }), from });

describe('readSettings', () => {
  it('takes the three lists of a file of the user', async () => {
    expect(await read({ allow: ['Bash(ls)'], ask: ['Bash(git push:*)'], deny: ['Read(./.env)'] })).toEqual({
      allow: ['Bash(ls)'],
      ask: ['Bash(git push:*)'],
      deny: ['Read(./.env)'],
      examples: [],
      warnings: [],
      faults: [],
    });
  });
  it('takes no rule that allows from a repository, and says so', async () => {
    const rules = await read({ allow: ['Bash'], deny: ['Bash(rm *)'] }, 'repository');
    expect(rules).toMatchObject({ allow: [], deny: ['Bash(rm *)'], faults: [] });
    expect(rules.warnings).toEqual([expect.stringContaining('--allow')]);
  });
  it('says nothing of an empty list in a repository', async () => {
    expect((await read({ allow: [] }, 'repository')).warnings).toEqual([]);
  });
  it('names a rule that can never match: a fault where it narrows for the user, else a warning', async () => {
    for (const rule of ['Bsah(rm)', 'Glob(src/**)', 'Bash(rm*x)', 'Bash(', 7]) {
      const word = typeof rule === 'string' ? rule : '7';
      expect((await read({ deny: [rule] })).faults).toEqual([expect.stringContaining(word)]);
      expect((await read({ ask: [rule] })).faults).toEqual([expect.stringContaining(word)]);
      expect(await read({ allow: [rule] })).toMatchObject({ faults: [], warnings: [expect.stringContaining(word)] });
      expect(await read({ deny: [rule] }, 'repository')).toMatchObject({
        faults: [],
        warnings: [expect.stringContaining(word)],
      });
    }
  });
  it('warns of a rule that allows more than it seems to', async () => {
    expect((await read({ allow: ['Bash(python3:*)'] })).warnings).toEqual([expect.stringContaining('every script')]);
  });
  it.each(['', '{', '[]', '1', '{"permissions":[]}', '{"permissions":{"deny":"Bash"}}', '{"permissions":null}'])(
    '%j is a fault of the user and a warning of a repository',
    async (text) => {
      expect((await readSettings({ name: 'f', text, from: 'user' })).faults).toHaveLength(1);
      expect((await readSettings({ name: 'f', text, from: 'repository' })).warnings).toHaveLength(1);
    },
  );
  it.each([
    ['{"permissions":{"deny":["Bash(rm *)"],"deny":[]}}', 'deny'],
    ['{"permissions":{"ask":[],"ask":[]}}', 'ask'],
    ['{"projects":{},"projects":{}}', 'projects'],
    ['{"sandbox":{},"sandbox":{}}', 'sandbox'],
    ['{"permissions":{"ask":["Bash(rm *)"]},"x":[{"a":1}],"permissions" : {}}', 'permissions'],
    ['{"projects":{"/a":{"permissions":{"allow":[],"\\u0061llow":[]}}}}', 'allow'],
  ])('a list that stands twice is told: %s', async (text, key) => {
    const told = [`f: "${key}" stands twice in one place, and only the last one counts`];
    expect(await readSettings({ name: 'f', text, from: 'user' })).toMatchObject({ faults: told, warnings: [] });
    expect(await readSettings({ name: 'f', text, from: 'repository' })).toMatchObject({ faults: [], warnings: told });
  });
  it.each([
    '{"permissions":{"deny":[],"ask":[]},"other":{"deny":1,"x":{"deny":2}},"a":[{"deny":1},{"deny":1}]}',
    '{"env":{"A":"deny:","A":"deny"},"x":"{\\"deny\\":1","y":"deny"}',
    '{"x":["deny","deny"],"deny":"ask"}',
    '{"a":"deny","b":"deny","c":{"d":"ask","e":"ask"}}',
  ])('what stands in other places is no second one: %s', async (text) => {
    expect(await readSettings({ name: 'f', text, from: 'user' })).toMatchObject({ faults: [], warnings: [] });
  });
  it('takes rules with examples of their own', async () => {
    const rule = { rule: 'Bash(npm run *)', allows: ['npm run build'], asks: ['npm run $X'] };
    expect(await read({ allow: [rule], deny: [{ rule: 'Bash(rm *)', denies: ['ls; rm x'] }] })).toMatchObject({
      allow: ['Bash(npm run *)'],
      deny: ['Bash(rm *)'],
      faults: [],
      examples: [
        { rule: 'Bash(npm run *)', text: 'npm run build', decision: 'allow', file: 'settings.json', from: 'user' },
        { rule: 'Bash(npm run *)', text: 'npm run $X', decision: 'ask' },
        { rule: 'Bash(rm *)', text: 'ls; rm x', decision: 'deny' },
      ],
    });
  });
  it.each([
    [{ rule: 7 }, 'is no rule'],
    [{ allows: [] }, 'is no rule'],
    [[], 'is no rule'],
    [null, 'is no rule'],
    [{ rule: 'Bash(ls)', alows: [] }, 'has "alows"'],
    [{ rule: 'Bash(ls)', asks: 'ls' }, 'has "asks"'],
    [{ rule: 'Bash(ls)', denies: [1] }, 'has "denies"'],
    [{ rule: 'Bsah(ls)', denies: [] }, 'rule "Bsah(ls)": there is no tool called Bsah'],
  ])('%j is a fault: %s', async (rule, why) => {
    expect((await read({ deny: [rule] })).faults).toEqual([expect.stringContaining(why)]);
    expect((await read({ allow: [rule] })).warnings).toEqual([expect.stringContaining(why)]);
  });
  it('names a rule whose tool is not here, and keeps it', async () => {
    for (const kind of ['allow', 'ask', 'deny'] as const) {
      const rules = await read({ [kind]: ['WebFetch(domain:example.com)'] });
      expect(rules[kind]).toEqual(['WebFetch(domain:example.com)']);
      expect(rules.warnings).toEqual([expect.stringContaining('nothing to match')]);
      expect(rules.faults).toEqual([]);
    }
  });
  it('warns of what a rule allows, not of what it denies', async () => {
    const rules = ['Bash(python3:*)', 'Bash', 'Bash(sudo *)'];
    expect((await read({ allow: rules })).warnings).toHaveLength(3);
    expect(await read({ ask: rules, deny: rules })).toMatchObject({ warnings: [], faults: [] });
  });
  it.each([
    ['{', 'it is not JSON, so none of its rules count; JSON has no comments, and no comma behind a last item'],
    ['[]', 'it is no JSON object, so none of its rules count'],
    ['null', 'it is no JSON object, so none of its rules count'],
    ['{"permissions":1}', 'permissions must be an object with allow, ask and deny'],
    ['{"permissions":{"allow":"Bash"}}', 'permissions.allow must be a list of rules'],
    ['{"permissions":{"deny":{}}}', 'permissions.deny must be a list of rules'],
  ])('%s: %s', async (text, why) => {
    expect((await readSettings({ name: 'f', text, from: 'user' })).faults).toEqual([`f: ${why}`]);
    expect((await readSettings({ name: 'f', text, from: 'repository' })).warnings).toEqual([`f: ${why}`]);
  });
  it('a file without rules is silent', async () => {
    expect((await readSettings({ name: 'f', text: '\uFEFF{"model":"x"}', from: 'user' })).faults).toEqual([]);
  });
});
