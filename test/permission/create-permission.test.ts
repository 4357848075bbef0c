import { describe, expect, it } from 'vitest';
import type { EffectClass, Json, PermissionMode } from '#kernel';
import type { PermissionContext } from '../../src/permission/contract.ts';
import { createPermission } from '../../src/permission/create-permission.ts';

const permission = createPermission();
const modes: readonly PermissionMode[] = ['default', 'plan', 'acceptEdits', 'dontAsk', 'bypassPermissions'];

interface Call {
  readonly tool: string;
  readonly args?: Json;
  readonly effect?: EffectClass;
  readonly paths?: readonly string[] | null;
}
const bash = (command: string): Call => ({ tool: 'Bash', args: { command }, effect: 'process' });
const edit = (path: string): Call => ({ tool: 'Edit', effect: 'file', paths: [path] });
const write = (path: string): Call => ({ tool: 'Write', effect: 'file', paths: [path] });
const patch = (...paths: readonly string[]): Call => ({ tool: 'ApplyPatch', effect: 'file', paths });
const testCall = (check?: string | number): Call => ({
  tool: 'Test',
  args: check === undefined ? {} : { check },
  effect: 'process',
});

const decide = async (call: Call, over: Partial<PermissionContext>) =>
  permission(
    { tool: call.tool, args: call.args ?? {}, effect: call.effect ?? 'read', paths: call.paths ?? null },
    {
      mode: 'default',
      allow: [],
      checks: [],
      workspace: '/repo',
      signal: new AbortController().signal,
      ...over,
    },
  );

const checks = [
  { command: 'node --test', counts: true },
  { command: 'make lint && make test', counts: false },
];

describe('modes', () => {
  const table: readonly (readonly [name: string, call: Call, decisions: readonly string[]])[] = [
    //                                       default  plan    acceptEdits dontAsk  bypass
    ['Read', { tool: 'Read' }, ['allow', 'allow', 'allow', 'allow', 'allow']],
    ['Grep', { tool: 'Grep' }, ['allow', 'allow', 'allow', 'allow', 'allow']],
    ['Glob', { tool: 'Glob' }, ['allow', 'allow', 'allow', 'allow', 'allow']],
    ['TodoWrite', { tool: 'TodoWrite' }, ['allow', 'allow', 'allow', 'allow', 'allow']],
    ['ToolSearch', { tool: 'ToolSearch' }, ['allow', 'allow', 'allow', 'allow', 'allow']],
    ['EnterPlanMode', { tool: 'EnterPlanMode' }, ['allow', 'allow', 'allow', 'allow', 'allow']],
    ['ExitPlanMode', { tool: 'ExitPlanMode' }, ['deny', 'ask', 'deny', 'deny', 'deny']],
    ['Edit', edit('src/a.ts'), ['ask', 'deny', 'allow', 'deny', 'allow']],
    ['Write', write('src/a.ts'), ['ask', 'deny', 'allow', 'deny', 'allow']],
    ['ApplyPatch', patch('a', 'src/b'), ['ask', 'deny', 'allow', 'deny', 'allow']],
    ['ApplyPatch in .git', patch('a', '.git/config'), ['deny', 'deny', 'deny', 'deny', 'deny']],
    ['ApplyPatch outside among others', patch('a', '../b'), ['ask', 'deny', 'ask', 'deny', 'allow']],
    ['ApplyPatch of nothing known', { tool: 'ApplyPatch', effect: 'file' }, ['ask', 'deny', 'ask', 'deny', 'allow']],
    ['Edit outside', edit('/etc/passwd'), ['ask', 'deny', 'ask', 'deny', 'allow']],
    ['Edit in .git', edit('.git/config'), ['deny', 'deny', 'deny', 'deny', 'deny']],
    ['Edit in a .git with an invisible sign', edit('.g\u200dit/config'), ['deny', 'deny', 'deny', 'deny', 'deny']],
    ['Write in a nested .git', write('sub/.GIT/hooks/pre-commit'), ['deny', 'deny', 'deny', 'deny', 'deny']],
    ['Bash', bash('rm -rf x'), ['ask', 'deny', 'ask', 'deny', 'allow']],
    ['Bash of a check', bash('node  --test'), ['allow', 'deny', 'allow', 'allow', 'allow']],
    ['Bash of a composed check', bash('make lint && make test'), ['allow', 'deny', 'allow', 'allow', 'allow']],
    ['Bash of a check and more', bash('node --test; rm x'), ['ask', 'deny', 'ask', 'deny', 'allow']],
    ['Test of all', testCall(), ['allow', 'deny', 'allow', 'allow', 'allow']],
    ['Test by number', testCall(2), ['allow', 'deny', 'allow', 'allow', 'allow']],
    ['Test by text', testCall('node --test'), ['allow', 'deny', 'allow', 'allow', 'allow']],
    ['Test by a number in words', testCall('2'), ['allow', 'deny', 'allow', 'allow', 'allow']],
    ['Test by an odd number', testCall('1e0'), ['ask', 'deny', 'ask', 'deny', 'allow']],
    ['Test undeclared', testCall('pytest'), ['ask', 'deny', 'ask', 'deny', 'allow']],
    ['Test of a number that is not declared', testCall(3), ['ask', 'deny', 'ask', 'deny', 'allow']],
    ['a tool nobody knows', { tool: 'Deploy', effect: 'opaque' }, ['ask', 'deny', 'ask', 'deny', 'allow']],
  ];
  it.each(
    table.flatMap(([name, call, decisions]) => modes.map((mode, i) => [name, mode, decisions[i], call] as const)),
  )('%s in %s: %s', async (_name, mode, decision, call) => {
    expect((await decide(call, { mode, checks })).decision).toBe(decision);
  });

  it('denies with a message that says what to do instead', async () => {
    expect((await decide(edit('a'), { mode: 'plan' })).message).toContain('ExitPlanMode');
    expect((await decide(bash('ls'), { mode: 'dontAsk', allow: ['Bash(node --test)'] })).message).toContain(
      'Bash(node --test)',
    );
    expect((await decide({ tool: 'ExitPlanMode' }, {})).message).toContain('not in plan mode');
  });
});

describe('rules', () => {
  const table: readonly (readonly [rule: string, name: string, call: Call, decision: string])[] = [
    ['Bash(node --test)', 'the same', bash('node --test'), 'allow'],
    ['Bash(node --test)', 'other quoting', bash("node '--test'"), 'allow'],
    ['Bash(node --test)', 'more words', bash('node --test --watch'), 'ask'],
    ['Bash(npm run *)', 'a script', bash('npm run build'), 'allow'],
    ['Bash(npm run *)', 'a longer word', bash('npm running'), 'ask'],
    ['Bash(npm run *)', 'two commands', bash('npm run build; rm x'), 'ask'],
    ['Bash(npm run *)', 'a substitution', bash('npm run $(rm x)'), 'ask'],
    ['Bash(npm run *)', 'a redirection', bash('npm run build > .git/config'), 'ask'],
    ['Bash(npm run *)', 'an assignment', bash('PATH=. npm run build'), 'ask'],
    ['Bash(git diff:*)', 'the bare prefix', bash('git diff'), 'allow'],
    ['Bash(git diff:*)', 'a word boundary', bash('git difftool'), 'ask'],
    ['Bash(git diff:*)', 'an option in between', bash('git -c core.pager=x diff'), 'ask'],
    ['Bash(*)', 'any command', bash('wc -l src/a.ts'), 'allow'],
    ['Bash(*)', 'two commands', bash('ls && ls'), 'allow'],
    ['Bash(*)', 'a command that deletes', bash('rm -rf x'), 'ask'],
    ['Bash(*)', 'code in words', bash('node -e 1'), 'ask'],
    ['Bash', 'any text', bash('ls && node -e 1 >> x'), 'allow'],
    ['Bash', 'a file outside', bash('cat /etc/passwd'), 'ask'],
    ['Bash', 'lost work', bash('git reset --hard'), 'ask'],
    ['Bash', 'a dollar sign alone', bash('ls $'), 'allow'],
    ['Bash', 'a text that cannot be parsed', bash('ls "'), 'ask'],
    ['Bash(cat *)', 'in-place edit by another command', bash('sed -i s/a/b/ f'), 'ask'],
    ['Edit(src/**)', 'inside', edit('src/a/b.ts'), 'allow'],
    ['Edit(src/**)', 'a write', write('src/a.ts'), 'allow'],
    ['Edit(src/**)', 'outside the pattern', edit('test/a.ts'), 'ask'],
    ['Edit(**)', 'an absolute path', edit('/etc/passwd'), 'ask'],
    ['Edit(**)', 'a climbing path', edit('../x'), 'ask'],
    ['Edit(**)', 'the git directory', edit('.git/hooks/pre-commit'), 'deny'],
    ['Edit', 'any file', edit('a'), 'allow'],
    ['Edit', 'one of two in the git directory', { tool: 'Edit', effect: 'file', paths: ['a', '.git/x'] }, 'deny'],
    ['mcp__a__run', 'a text that is no shell text', { tool: 'mcp__a__run', args: { command: 'rm -r x' } }, 'allow'],
    ['Edit(SRC/**)', 'another case', edit('src/a.ts'), 'ask'],
    ['Bash(curl*)', 'a program that begins so', bash('curlie x'), 'ask'],
    ['Edit', 'any write', write('a'), 'allow'],
    ['Write(docs/*)', 'a write', write('docs/a.md'), 'allow'],
    ['Write(docs/*)', 'an edit', edit('docs/a.md'), 'ask'],
    ['Test', 'an undeclared check', testCall('pytest'), 'allow'],
    ['Test(pytest *)', 'an undeclared check', testCall('pytest -q'), 'allow'],
    ['Test(pytest *)', 'another one', testCall('rm x'), 'ask'],
    ['Test(pytest *)', 'the shell', bash('pytest -q'), 'ask'],
    ['Nonsense((', 'a broken rule allows nothing', bash('ls'), 'ask'],
  ];
  it.each(table)('%s, %s', async (rule, _name, call, decision) => {
    expect((await decide(call, { allow: [rule] })).decision).toBe(decision);
  });

  it('an in-place edit and a delete by "read" commands are asked by default', async () => {
    for (const command of ['sed -i s/a/b/ f', 'find . -delete', 'sort -o f f', 'git diff --output=f']) {
      expect((await decide(bash(command), {})).decision).toBe('ask');
    }
  });
  it('plan mode is stronger than every rule and check', async () => {
    expect((await decide(bash('ls'), { mode: 'plan', allow: ['Bash'] })).decision).toBe('deny');
  });
  it('names the rule that allowed', async () => {
    expect(await decide(bash('ls'), { allow: ['Bash(ls)'] })).toMatchObject({ by: 'rule', reason: 'rule Bash(ls)' });
  });
});

describe('links', () => {
  const targets = new Map([
    ['src/link', 'secrets/key'],
    ['src/hooks', '.git/hooks'],
  ]);
  const linked = createPermission({
    realPath: async (path) => (path === 'src/out' ? null : (targets.get(path) ?? path)),
  });
  const edited = (path: string) =>
    linked(
      { tool: 'Edit', args: {}, effect: 'file', paths: [path] },
      {
        mode: 'acceptEdits',
        allow: ['Edit(src/**)'],
        checks: [],
        workspace: '/repo',
        signal: new AbortController().signal,
      },
    );
  it('a link inside a protected folder does not lead out of the protection', async () => {
    const out = createPermission({ realPath: async () => 'src/a' });
    const call = { tool: 'Edit', args: {}, effect: 'file', paths: ['.git/link'] } as const;
    const context = { mode: 'default', allow: ['Edit'], checks: [], workspace: '/repo' } as const;
    expect(await out(call, { ...context, signal: new AbortController().signal })).toEqual({
      decision: 'deny',
      by: 'policy',
      reason: 'the git directory is protected in every mode',
      message: 'Files below .git are never edited. Use git commands through Bash if the repository itself must change.',
    });
  });
  it('a patch is matched against where its links lead', async () => {
    const patched = (paths: readonly string[] | null) =>
      linked(
        { tool: 'ApplyPatch', args: {}, effect: 'file', paths },
        {
          mode: 'default',
          allow: ['Edit(src/**)'],
          checks: [],
          workspace: '/repo',
          signal: new AbortController().signal,
        },
      );
    expect((await patched(['src/a'])).decision).toBe('allow');
    expect((await patched(['src/a', 'src/link'])).decision).toBe('ask');
    expect((await patched(['src/a', 'src/hooks'])).decision).toBe('deny');
    expect((await patched(null)).decision).toBe('ask');
  });
  it('a rule is matched against where a link leads', async () => {
    expect(await edited('src/a')).toMatchObject({ decision: 'allow', by: 'rule' });
    expect(await edited('src/link')).toMatchObject({ decision: 'allow', by: 'mode' });
    expect((await edited('src/hooks')).decision).toBe('deny');
    expect((await edited('src/out')).decision).toBe('ask');
  });
});

describe('rules that narrow', () => {
  const narrowed = createPermission(null, [], {
    deny: ['Bash(git push *)', 'Bash(rm *)', 'Read(.env)', 'Edit(gen/**)', 'Grep'],
    ask: ['Bash(npm publish *)', 'Edit(docs/**)'],
  });
  const table: readonly (readonly [name: string, call: Call, decision: string])[] = [
    ['a denied command', bash('git push origin'), 'deny'],
    ['behind another', bash('ls && git push'), 'deny'],
    ['with options before it', bash('git -c a=b push'), 'deny'],
    ['by its path', bash('/bin/rm x'), 'deny'],
    ['behind a wrapper', bash('timeout 5 rm x'), 'deny'],
    ['behind xargs', bash('ls | xargs rm'), 'deny'],
    ['behind sudo', bash('sudo rm x'), 'deny'],
    ['in a shell text', bash("bash -c 'rm x'"), 'deny'],
    ['in find', bash('find . -exec rm {} +'), 'deny'],
    ['a denied file in a command', bash('cat .env'), 'deny'],
    ['by another spelling', bash('cat ./sub/../.env'), 'deny'],
    ['in a redirection', bash('cat < .env'), 'deny'],
    ['a denied folder written', bash('echo x > gen/a'), 'deny'],
    ['a denied folder copied to', bash('cp a gen/a'), 'deny'],
    ['every file below, the denied among them', bash('grep -r x .'), 'ask'],
    ['every file below, without naming it', bash('rg x'), 'ask'],
    ['every file below a folder', bash('grep -rn x src'), 'ask'],
    ['not recursive', bash('grep -n x src/a.ts'), 'allow'],
    ['a denied tool', { tool: 'Grep' }, 'deny'],
    ['a denied read', { tool: 'Read', paths: ['.env'] }, 'deny'],
    ['a read beside it', { tool: 'Read', paths: ['src/a.ts'] }, 'allow'],
    ['a denied edit', edit('gen/a.ts'), 'deny'],
    ['a denied edit among others', { tool: 'Edit', effect: 'file', paths: ['src/a.ts', 'gen/a.ts'] }, 'deny'],
    ['an asked edit among others', { tool: 'Edit', effect: 'file', paths: ['src/a.ts', 'docs/a.md'] }, 'ask'],
    ['an asked command', bash('npm publish x'), 'ask'],
    ['an asked edit', edit('docs/a.md'), 'ask'],
    ['anything else', edit('src/a.ts'), 'allow'],
  ];
  it.each(
    table.flatMap(([name, call, decision]) =>
      (['default', 'bypassPermissions'] as const).map((mode) => [name, mode, call, decision] as const),
    ),
  )('%s in %s', async (name, mode, call, decision) => {
    if (mode === 'bypassPermissions' && name.startsWith('every file')) return;
    const context = {
      mode,
      allow: ['Bash', 'Edit'],
      checks: [],
      workspace: '/repo',
      signal: new AbortController().signal,
    };
    const decided = await narrowed(
      { tool: call.tool, args: call.args ?? {}, effect: call.effect ?? 'read', paths: call.paths ?? null },
      context,
    );
    expect(decided.decision).toBe(decision);
  });
});

describe('settings of agents', () => {
  it.each(['.belay/settings.json', '.claude/settings.json', '.mcp.json', 'sub/.gitattributes', '.Husky/pre-commit'])(
    '%s is edited only after a question',
    async (path) => {
      expect((await decide(edit(path), { allow: ['Edit(**)', 'Edit'] })).decision).toBe('ask');
      expect((await decide(write(path), { mode: 'acceptEdits' })).decision).toBe('ask');
    },
  );

  it.each<[path: string, decision: string]>([
    ['tools/h.sh', 'ask'],
    ['.claude/settings.json', 'ask'],
    ['config/settings.json', 'allow'],
    ['hooks', 'allow'],
    ['link/pre-commit', 'ask'],
  ])('as the settings of the workspace and its links say: %s is worth %s', async (path, decision) => {
    const asked = createPermission({
      realPath: async (named) => named.replace(/^\.claude/, 'config').replace(/^link/, 'hooks'),
      startsLater: (named) => named === 'tools/h.sh' || named === 'hooks/pre-commit',
    });
    const context = { allow: [], checks: [], workspace: '/repo', signal: new AbortController().signal };
    for (const [mode, expected] of [
      ['acceptEdits', decision],
      ['bypassPermissions', 'allow'],
    ] as const) {
      const decided = await asked({ tool: 'Edit', args: {}, effect: 'file', paths: [path] }, { ...context, mode });
      expect([decided.decision, decided.always]).toEqual([expected, undefined]);
      if (expected === 'ask') expect(decided).toMatchObject({ by: 'policy', personOnly: true });
    }
  });
});

describe('reading everything below a folder', () => {
  const guarded = createPermission(null, [], { deny: ['Read(secrets/**)'], ask: [] });
  it.each([
    ['grep -r x src', 'allow'],
    ['rg x src', 'allow'],
    ['grep -r x .', 'ask'],
    ['grep -r x', 'ask'],
    ['grep -r x secrets', 'ask'],
    ['grep -r x s*', 'ask'],
    ['cat secrets/a', 'deny'],
    ['cd secrets && cat a', 'deny'],
    ['cp -r . /tmp/x', 'ask'],
  ])('%s: %s', async (command, decision) => {
    const context = { mode: 'default', allow: ['Bash'], checks: [], workspace: '/repo' } as const;
    const decided = await guarded(
      { tool: 'Bash', args: { command }, effect: 'process', paths: null },
      { ...context, signal: new AbortController().signal },
    );
    expect(decided.decision).toBe(decision);
  });
});

describe('rules that narrow, in the forms that people have', () => {
  const guarded = createPermission({ realPath: async (path) => path, home: '/home/me' }, [], {
    deny: ['Read(~/.ssh/**)', 'Read(//etc/**)', 'Bash(curl*)', 'mcp__bad', 'Read(.env)'],
    ask: ['mcp__good__write', 'Bash(npm run deploy*)'],
  });
  const table: readonly (readonly [name: string, call: Call, decision: string])[] = [
    ['a file of the home folder', bash('cat ~/.ssh/id'), 'deny'],
    ['by its full path', bash('cat /home/me/.ssh/id'), 'deny'],
    ['by climbing', bash('cat ../home/me/.ssh/id'), 'deny'],
    ['written', bash('ls > ~/.ssh/id'), 'ask'],
    ['a file of the machine', bash('cat /etc/passwd'), 'deny'],
    ['through a doubled slash', bash('cat //etc/./passwd'), 'deny'],
    ['another file of the machine', bash('cat /usr/x'), 'ask'],
    ['a program that begins so', bash('curlie x'), 'deny'],
    ['in another case', bash('cat .ENV'), 'deny'],
    ['a tool of a server', { tool: 'mcp__bad__get' }, 'deny'],
    ['an asked tool of a server', { tool: 'mcp__good__write' }, 'ask'],
    ['another tool of it', { tool: 'mcp__good__read' }, 'allow'],
    ['a script that begins so', bash('npm run deploy:all'), 'ask'],
    ['another script', bash('npm run build'), 'allow'],
  ];
  it.each(table)('%s', async (_name, call, decision) => {
    const decided = await guarded(
      { tool: call.tool, args: call.args ?? {}, effect: call.effect ?? 'read', paths: call.paths ?? null },
      {
        mode: 'default',
        allow: ['Bash(cat *)', 'Bash(ls *)', 'Bash(npm run build)', 'Bash(npm run *)', 'Bash(curlie *)', 'mcp__good'],
        checks: [],
        workspace: '/repo',
        signal: new AbortController().signal,
      },
    );
    expect(decided.decision).toBe(decision);
  });
});

it('a mode that accepts edits lets commands write new files', async () => {
  const placed = createPermission({ realPath: async (path) => path, kind: async () => 'missing' });
  for (const [mode, decision] of [
    ['acceptEdits', 'allow'],
    ['default', 'ask'],
  ] as const) {
    const met = await placed(
      { tool: 'Bash', args: { command: 'wc a > new' }, effect: 'process', paths: null },
      { mode, allow: ['Bash(wc *)'], checks: [], workspace: '/repo', signal: new AbortController().signal },
    );
    expect(met.decision).toBe(decision);
  }
});

describe('who decides, and why', () => {
  const guarded = createPermission(null, [], {
    deny: ['Bash(rm *)', 'Edit(gen/**)'],
    ask: ['Bash(ls *)', 'Edit(docs/**)'],
  });
  type Row = readonly [call: Call, over: Partial<PermissionContext>, decision: string, by: string, reason: string];
  const table: readonly Row[] = [
    [{ tool: 'Grep' }, {}, 'allow', 'mode', 'it changes nothing'],
    [bash('wc a'), { mode: 'bypassPermissions' }, 'allow', 'mode', 'mode bypassPermissions'],
    [edit('a'), { mode: 'acceptEdits' }, 'allow', 'mode', 'mode acceptEdits'],
    [edit('../a'), { mode: 'acceptEdits' }, 'ask', 'mode', 'no rule allows this Edit call'],
    [bash('node --test'), { checks }, 'allow', 'check', 'the command is a check that the user declared'],
    [testCall(1), { checks }, 'allow', 'check', 'the user declared this check'],
    [edit('.git/x'), {}, 'deny', 'policy', 'the git directory is protected in every mode'],
    [edit('.claude/x'), { allow: ['Edit'] }, 'ask', 'policy', 'the file decides what may run later'],
    [bash('wc a; rm x'), { allow: ['Bash'] }, 'deny', 'rule', 'rm x: rule Bash(rm *)'],
    [edit('gen/a'), { allow: ['Edit'] }, 'deny', 'rule', 'rule Edit(gen/**)'],
    [bash('wc a; ls x'), { mode: 'bypassPermissions' }, 'ask', 'rule', 'ls x: rule Bash(ls *)'],
    [edit('docs/a'), { allow: ['Edit'] }, 'ask', 'rule', 'rule Edit(docs/**)'],
    [bash('wc a'), { allow: ['Bash(wc *)'] }, 'allow', 'rule', 'rule Bash(wc *)'],
    [edit('a'), { allow: ['Edit(a)'] }, 'allow', 'rule', 'rule Edit(a)'],
    [bash('wc a'), {}, 'ask', 'policy', 'no rule allows this command'],
    [edit('a'), {}, 'ask', 'mode', 'no rule allows this Edit call'],
    [
      bash('wc a'),
      { mode: 'plan' },
      'deny',
      'mode',
      'plan mode: the repository is read-only until the plan is approved',
    ],
    [{ tool: 'ExitPlanMode' }, { mode: 'plan' }, 'ask', 'mode', 'a plan is approved by a person'],
    [{ tool: 'ExitPlanMode' }, {}, 'deny', 'mode', 'not in plan mode'],
    [
      edit('a'),
      { mode: 'dontAsk' },
      'deny',
      'mode',
      'mode dontAsk: what would be asked is denied (no rule allows this Edit call)',
    ],
  ];
  it.each(table)('%j with %j: %s by %s, %s', async (call, over, decision, by, reason) => {
    const decided = await guarded(
      { tool: call.tool, args: call.args ?? {}, effect: call.effect ?? 'read', paths: call.paths ?? null },
      { mode: 'default', allow: [], checks: [], workspace: '/repo', signal: new AbortController().signal, ...over },
    );
    expect(decided).toMatchObject({ decision, by });
    expect(decided.reason).toContain(reason);
  });
});
