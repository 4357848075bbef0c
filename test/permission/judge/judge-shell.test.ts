import { describe, expect, it } from 'vitest';
import type { PermissionPorts } from '../../../src/permission/contract.ts';
import { judgeShell } from '../../../src/permission/judge/judge-shell.ts';
import { ruleReader, sidesOf } from '../../../src/permission/rules/rule-reader.ts';
import { analyse } from '../../../src/permission/shell/analyse.ts';

interface Lists {
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
}
const files = new Set(['a', 'src/a', 'linked']);
const ports: PermissionPorts = {
  home: '/home/me',
  realPath: async (path) => (path === 'linked' ? 'src/a' : path.startsWith('out') ? null : path),
  kind: async (path) =>
    files.has(path) ? 'file' : path === 'socket' ? 'other' : path === 'src' ? 'directory' : 'missing',
};
const read = ruleReader([]);
async function judge(
  text: string,
  { allow = ['Bash'], ask = [], deny = [] }: Lists,
  over: { editsAccepted?: boolean; ports?: PermissionPorts | null } = {},
) {
  const sides = sidesOf('/repo', ports);
  const rules = {
    allow: await read(allow, sides.allowing),
    ask: await read(ask, sides.narrowing),
    deny: await read(deny, sides.narrowing),
  };
  return judgeShell(await analyse(text), {
    tool: 'Bash',
    rules,
    editsAccepted: false,
    workspace: '/repo',
    ports,
    ...over,
  });
}
const many = (count: number): string => `ls ${Array.from({ length: count }, (_one, i) => `a${i}`).join(' ')}`;

describe('judgeShell', () => {
  it('asks where nothing is said', async () => {
    const nothing = { commands: [], writes: [], reads: [], given: [], folders: ['.'], doubts: [] };
    const rules = { allow: await read(['Bash'], { narrows: false }), ask: [], deny: [] };
    expect(
      await judgeShell(nothing, { tool: 'Bash', rules, editsAccepted: true, workspace: '/repo', ports: null }),
    ).toEqual({ decision: 'ask', reason: 'there is no command', parts: [] });
  });
  it('names the text where the whole of it is meant', async () => {
    expect(await judge('ls "', {})).toMatchObject({
      decision: 'ask',
      reason: 'the command cannot be parsed',
      parts: [{ what: 'the text', decision: 'ask' }, {}],
    });
  });
  it('takes so many paths', async () => {
    expect((await judge(many(400), {})).decision).toBe('allow');
    const over = await judge(many(401), {});
    expect(over).toMatchObject({ decision: 'ask', reason: 'it names too many files' });
    expect(over.parts).toContainEqual({ what: 'the text', decision: 'ask', reason: 'it names too many files' });
    // The same path many times is one question.
    expect((await judge('cat .env .env .env', {})).parts.filter(({ what }) => what === '.env')).toHaveLength(1);
  });

  const table: readonly (readonly [text: string, rules: Lists, decision: string, reason: string])[] = [
    ['cp --recur src new', { allow: ['Bash(cp *)'] }, 'ask', 'cp --recur may overwrite files'],
    ['cp --arch src new', { allow: ['Bash(cp *)'] }, 'ask', 'cp --arch may overwrite files'],
    ['make --jobs=4 all', { allow: ['Bash(make *)'] }, 'allow', 'rule Bash(make *)'],
    ['make --max-load=2 all', { allow: ['Bash(make *)'] }, 'allow', 'rule Bash(make *)'],
    ['make X=1', { allow: ['Bash(make *)'] }, 'ask', 'make X=1 sets what the recipes run'],
    ['npm run x --prefix y', { allow: ['Bash(npm run x *)'] }, 'ask', 'npm --prefix changes what runs'],
    ['npm run x -- --prefix y', { allow: ['Bash(npm run x *)'] }, 'allow', 'rule Bash(npm run x *)'],
    ["sed 's/a/b/; ' src/a", { allow: ['Bash(sed *)'] }, 'allow', 'rule Bash(sed *)'],
    ['sed -n', { allow: ['Bash(sed *)'] }, 'allow', 'rule Bash(sed *)'],
    [`sed s/a/${'b'.repeat(494)}/ src/a`, { allow: ['Bash(sed *)'] }, 'allow', 'rule Bash(sed *)'],
    [`sed s/a/${'b'.repeat(495)}/ src/a`, { allow: ['Bash(sed *)'] }, 'ask', 'the sed script may'],
    [
      'java --agentpath=x A',
      { allow: ['Bash(java *)'] },
      'ask',
      'java --agentpath=x runs code that stands in its words',
    ],
    ['java --agentlib=x A', { allow: ['Bash(java *)'] }, 'ask', 'java --agentlib=x runs code that stands in its words'],
    ['java -javaagent A', { allow: ['Bash(java *)'] }, 'ask', 'java -javaagent runs code that stands in its words'],
    ['java -javaagent:x A', { allow: ['Bash(java *)'] }, 'ask', 'java -javaagent:x runs code'],
    ['cp --recursive a new', { allow: ['Bash(cp *)'] }, 'allow', 'rule Bash(cp *)'],
    ['git grep -ex /etc/x', { allow: ['Bash(git *)'] }, 'ask', '/etc/x is outside'],
    ['git grep -n /etc/x src/a', { allow: ['Bash(git *)'] }, 'allow', 'rule Bash(git *)'],
    ['git reset "$X" src/a', { allow: ['Bash(git *)'] }, 'ask', 'git reset: uncommitted changes would be lost'],
    ['git reset HEAD src/a', { allow: ['Bash(git *)'] }, 'allow', 'rule Bash(git *)'],
    ['grep -t a /etc/x src/a', {}, 'ask', '/etc/x is outside'],
    ['grep -A 2 /etc/x src/a', {}, 'allow', 'rule Bash'],
    ['rg -t ts /etc/x src/a', {}, 'allow', 'rule Bash'],
    ['gmake -B', { allow: ['Bash(gmake *)'] }, 'allow', 'rule Bash(gmake *)'],
    ['ninja -B', { allow: ['Bash(ninja *)'] }, 'ask', 'ninja -B may load other files'],
    ['cat ./src/.env', { deny: ['Read(src/.env)'] }, 'deny', './src/.env: rule Read(src/.env)'],
    ['cat src/x/../.env', { deny: ['Read(src/.env)'] }, 'deny', 'rule Read(src/.env)'],
    ['cd src; cat .env', { deny: ['Read(src/.env)'] }, 'deny', 'rule Read(src/.env)'],
    ['cat .env', { deny: ['Read(src/.env)'] }, 'ask', 'may hold a secret'],
    ['cat ~/x', { deny: ['Read(~/x)'] }, 'deny', 'rule Read(~/x)'],
    ['cat ../x', { deny: ['Read(//x)'] }, 'deny', 'rule Read(//x)'],
    ['cat linked', { deny: ['Read(src/a)'] }, 'deny', 'rule Read(src/a)'],
    ['cat linked', { deny: ['Read(linked)'] }, 'deny', 'rule Read(linked)'],
    ['cat < src/a', { deny: ['Read(src/a)'] }, 'deny', 'rule Read(src/a)'],
    ['cat src/a', { ask: ['Read(src/a)'] }, 'ask', 'src/a: rule Read(src/a)'],
    ['cat src/a', { deny: ['Edit(src/a)'] }, 'ask', 'src/a: rule Edit(src/a)'],
    ['cat src/a', { ask: ['Edit(src/a)'] }, 'ask', 'src/a: rule Edit(src/a)'],
    ['cat src/a', { deny: ['Edit(src/b)'], ask: ['Read(src/b)'] }, 'allow', 'rule Bash'],
    ['cat /dev/null', { deny: ['Read(//dev/**)'] }, 'allow', 'rule Bash'],
    ['tee /dev/null', { deny: ['Edit(//dev/**)'] }, 'allow', 'rule Bash'],
    ['cat src/a', { deny: ['Read'] }, 'deny', 'rule Read'],
    ['cat src/a', { ask: ['Read'] }, 'allow', 'rule Bash'],
    ['cat out', {}, 'ask', 'leads out of the workspace'],
    ['ls > new', { deny: ['Edit(new)'] }, 'deny', 'writing new: rule Edit(new)'],
    ['ls > ./new', { deny: ['Edit(new)'] }, 'deny', 'rule Edit(new)'],
    ['ls > x/../.env', { deny: ['Edit(.env)'] }, 'deny', 'rule Edit(.env)'],
    ['ls > new', { ask: ['Edit(new)'] }, 'ask', 'writing new: rule Edit(new)'],
    ['ls > new', { deny: ['Edit'] }, 'deny', 'rule Edit'],
    ['ls > new', {}, 'allow', 'rule Bash'],
    ['ls > new', { allow: ['Bash(ls *)'] }, 'ask', 'writing new: no rule allows editing this file'],
    ['ls > new', { allow: ['Bash(ls *)', 'Edit(new)'] }, 'allow', 'rule Bash(ls *)'],
    ['ls > a', {}, 'ask', 'writing a: the present content of a would be lost'],
    ['ls > socket', {}, 'ask', 'the present content of socket would be lost'],
    ['ls > linked', {}, 'ask', 'the present content of src/a would be lost'],
    ['ls > src', {}, 'allow', 'rule Bash'],
    ['ls >> a', {}, 'allow', 'rule Bash'],
    ['ls >> a', { allow: ['Bash(ls *)'] }, 'ask', 'appending to a: no rule allows editing this file'],
    ['ls > .git/x', {}, 'ask', 'writing .git/x: .git/x belongs to git'],
    ['tee "$X"', {}, 'ask', 'writing "$X": the file is known only when it runs'],
    ['tee *.txt', {}, 'ask', 'writing *.txt: the file is known only when it runs'],
    ['cp a new', { allow: ['Bash(cp *)'] }, 'allow', 'rule Bash(cp *)'],
    ['cp new a', { allow: ['Bash(cp *)'] }, 'ask', 'the present content of a would be lost'],
    ['ls; rm x', { allow: ['Bash(ls *)'], deny: ['Bash(rm *)'] }, 'deny', 'rm x: rule Bash(rm *)'],
  ];
  it.each(table)('%s with %j: %s, %s', async (text, rules, decision, reason) => {
    const judged = await judge(text, rules);
    expect(judged.decision).toBe(decision);
    expect(judged.reason).toContain(reason);
    expect(judged.parts.every((part) => part.what !== '' && part.reason !== '')).toBe(true);
  });
  const commands: readonly (readonly [text: string, rules: Lists, parts: readonly (readonly string[])[]])[] = [
    [
      'timeout 5 env nice ls',
      { allow: ['Bash(timeout 5 env nice ls)'] },
      [
        ['allow', 'timeout 5 env nice ls', 'rule Bash(timeout 5 env nice ls)'],
        ['allow', 'env nice ls', 'a rule names the command that starts it'],
        ['allow', 'nice ls', 'a rule names the command that starts it'],
        ['allow', 'ls', 'a rule names the command that starts it'],
      ],
    ],
    [
      'timeout 5 git config a b',
      { allow: ['Bash(timeout 5 git config a b)'] },
      [
        ['allow', 'timeout 5 git config a b', 'rule Bash(timeout 5 git config a b)'],
        ['ask', 'git config a b', 'git config can run commands or write files by its words'],
      ],
    ],
    ['git config a b', {}, [['ask', 'git config a b', 'git config can run commands or write files by its words']]],
    [
      'git config a b',
      { allow: ['Bash', 'Bash(git config a b)'] },
      [['allow', 'git config a b', 'rule Bash(git config a b)']],
    ],
    ['git -c a=b config x y', {}, [['ask', 'git -c a=b config x y', 'git -c changes how git runs']]],
    ['git -c a=b log', {}, [['allow', 'git -c a=b log', 'rule Bash']]],
    ['X=1 Y=2 ls', {}, [['ask', 'ls', 'it sets X, Y for the command']]],
    [
      'timeout 5 "$X"',
      {},
      [
        ['ask', 'the text', 'the command word "$X" gets its value only when it runs'],
        ['allow', 'timeout 5 "$X"', 'rule Bash'],
      ],
    ],
    [
      'timeout 5 "$X"',
      { allow: [] },
      [
        ['ask', 'the text', 'the command word "$X" gets its value only when it runs'],
        ['ask', 'timeout 5 "$X"', 'it starts nothing'],
      ],
    ],
    [
      'cd src; bin/timeout 5 rm x',
      { allow: ['Bash(cd *)', 'Bash(bin/timeout *)'] },
      [
        ['allow', 'cd src', 'rule Bash(cd *)'],
        ['ask', 'bin/timeout 5 rm x', 'in another folder this may be another program, script or repository'],
        ['ask', 'rm x', 'rm deletes x'],
      ],
    ],
    [
      'xargs rm x',
      { allow: ['Bash(xargs *)'] },
      [
        ['ask', 'xargs rm x', 'xargs adds words that nobody knows before it runs'],
        ['ask', 'rm x …', 'rm deletes whatever x … stands for'],
      ],
    ],
    [
      "bash <<< 'git reset --hard'",
      {},
      [
        ['allow', 'bash', 'rule Bash'],
        ['ask', 'git reset --hard', 'git reset: uncommitted changes would be lost'],
      ],
    ],
    ['for f in a; do cat "$f"; done', { allow: ['Bash(cat *)'] }, [['allow', 'cat "$f"', 'rule Bash(cat *)']]],
    [
      'for _ in a; do cat "$_"; done',
      { allow: ['Bash(cat *)'] },
      [['ask', 'cat "$_"', '""$_"" gets its value only when it runs']],
    ],
    ['echo push', { deny: ['Bash(git push *)'] }, [['allow', 'echo push', 'rule Bash']]],
    ['/usr/bin/python3 x', { deny: ['Bash(python3 *)'] }, [['deny', '/usr/bin/python3 x', 'rule Bash(python3 *)']]],
    ['python3.12 x', { deny: ['Bash(python *)'] }, [['deny', 'python3.12 x', 'rule Bash(python *)']]],
    ['npm run x', { allow: ['Bash(npm *)'] }, [['ask', 'npm run x', 'no rule names the program that it runs']]],
    ['ls', { allow: [] }, [['ask', 'ls', 'no rule allows this command']]],
    ['exit 1', { allow: [] }, [['allow', 'exit 1', 'it is part of the flow of the text']]],
  ];
  it.each(commands)('%s with %j', async (text, rules, parts) => {
    const judged = await judge(text, rules);
    const named = judged.parts.filter(({ what }) => !/^(bin|\/usr)[^ ]*$/.test(what));
    expect(named.map(({ what, decision, reason }) => [decision, what, reason])).toEqual(parts);
  });
  it('looks for what no commit holds only where nothing else asks', async () => {
    const looked: string[] = [];
    const unheld = async (paths: readonly string[]) => {
      looked.push(...paths);
      return paths;
    };
    const lists = { ask: ['Bash(ls *)'] };
    expect((await judge('rm a; ls', lists, { ports: { ...ports, unheld } })).reason).toBe('ls: rule Bash(ls *)');
    expect(looked).toEqual([]);
    expect((await judge('rm a', lists, { ports: { ...ports, unheld } })).reason).toContain('no commit holds a');
    expect(looked).toEqual(['a']);
  });
  it('a mode that accepts edits allows files to be written, not lost', async () => {
    const rules = { allow: ['Bash(ls *)'] };
    expect((await judge('ls > new', rules, { editsAccepted: true })).decision).toBe('allow');
    expect((await judge('ls > a', rules, { editsAccepted: true })).decision).toBe('ask');
  });
  it('without knowledge of the world every file counts as existing', async () => {
    const reason = expect.stringContaining('its present content, if any, would be lost');
    expect(await judge('ls > new', {}, { ports: null })).toMatchObject({ decision: 'ask', reason });
    expect(await judge('ls > new', {}, { ports: { realPath: ports.realPath } })).toMatchObject({
      decision: 'ask',
      reason,
    });
  });
});
