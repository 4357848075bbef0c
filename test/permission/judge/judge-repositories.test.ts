import { describe, expect, it } from 'vitest';
import type { PermissionCall, PermissionPorts } from '../../../src/permission/contract.ts';
import { createPermission } from '../../../src/permission/create-permission.ts';
import { judgeRepositories } from '../../../src/permission/judge/judge-repositories.ts';
import { analyse } from '../../../src/permission/shell/analyse.ts';

/** What is there; a name with `>` in front is a link that leads out of the workspace. */
const portsOf = (there: readonly string[]): PermissionPorts => ({
  realPath: async (path) => (there.includes(`>${path}`) ? null : path),
  kind: async (path) => (there.includes(path) ? 'other' : 'missing'),
});
const decide = async (call: Partial<PermissionCall>, there: readonly string[], allow: readonly string[]) => {
  const { decision, by, reason, personOnly, always } = await createPermission(portsOf(there))(
    { tool: 'Bash', args: {}, effect: 'process', paths: null, ...call },
    { mode: 'acceptEdits', allow, checks: [], workspace: '/repo', signal: new AbortController().signal },
  );
  return { decision, by, reason, personOnly: personOnly === true, always };
};
const bare = ['HEAD', 'config', 'objects', 'refs'];
const inside = (folder: string, names: readonly string[]) => names.map((name) => `${folder}/${name}`);

describe('an edit', () => {
  it.each<[what: string, paths: readonly string[], there: readonly string[], folder: string | null]>([
    ['completes it with HEAD', ['HEAD'], ['objects', 'refs'], '.'],
    ['completes it with objects', ['objects/x'], ['HEAD', 'refs'], '.'],
    ['completes it with refs', ['refs/heads/.k'], ['HEAD', 'objects'], '.'],
    ['completes it with another place for the rest', ['commondir'], ['HEAD'], '.'],
    ['completes it beside such a file', ['HEAD'], ['commondir'], '.'],
    ['makes it whole', ['HEAD', 'objects/x', 'refs/x'], [], '.'],
    ['makes it whole below', ['src/e/refs/x', 'src/e/HEAD', 'src/e/objects/x'], [], 'src/e'],
    ['completes it below', ['src/e/HEAD'], inside('src/e', ['objects', 'refs']), 'src/e'],
    ['completes it in letters that some file systems fold', ['head'], ['objects', 'refs'], '.'],
    ['completes it with what links hold', ['HEAD'], ['>objects', '>refs'], '.'],
    ['changes the settings of one', ['config'], bare, '.'],
    ['changes a hook of one', ['hooks/pre-commit'], bare, '.'],
    ['changes one below', ['a/e/info/attributes'], inside('a/e', bare), 'a/e'],
    ['changes what lies below one', ['a/e/b/c'], inside('a', bare), 'a'],
    ['writes a lone HEAD', ['HEAD'], [], null],
    ['writes HEAD and objects', ['HEAD', 'objects/x'], ['config'], null],
    ['writes HEAD and refs', ['HEAD', 'refs/x'], ['config'], null],
    ['writes objects and refs', ['objects/x', 'refs/x'], ['config'], null],
    ['writes such a file alone', ['commondir'], ['objects', 'refs'], null],
    ['writes a lone config', ['config'], ['objects', 'refs'], null],
    ['writes parts in different folders', ['a/HEAD', 'b/objects/x', 'c/refs/x'], [], null],
    ['completes nothing where a repository is', ['HEAD'], ['objects', 'refs', '.git'], null],
    ['completes one below such a repository', ['e/HEAD'], ['.git', 'e/objects', 'e/refs'], 'e'],
    ['makes something else', ['src/a.txt'], ['HEAD', 'objects'], null],
  ])('%s: %j with %j', async (_what, paths, there, folder) => {
    const tool = paths.length > 1 ? 'ApplyPatch' : 'Write';
    expect(await decide({ tool, effect: 'file', paths }, there, [])).toEqual(
      folder === null
        ? { decision: 'allow', by: 'mode', reason: 'mode acceptEdits', personOnly: false, always: undefined }
        : {
            decision: 'ask',
            by: 'policy',
            reason: `with it ${folder} is a repository for git, which runs what its settings and hooks say`,
            personOnly: true,
            always: undefined,
          },
    );
  });
  it('is looked at where it really leads too', async () => {
    const ports = {
      ...portsOf(['d/objects', 'd/refs']),
      realPath: async (path: string) => path.replace(/^l$/, 'd/HEAD'),
    };
    const decided = await createPermission(ports)(
      { tool: 'Write', args: {}, effect: 'file', paths: ['l'] },
      { mode: 'acceptEdits', allow: [], checks: [], workspace: '/repo', signal: new AbortController().signal },
    );
    expect(decided.decision).toBe('ask');
  });
  it('is as before where nobody looks', async () => {
    const decided = await createPermission(null)(
      { tool: 'Write', args: {}, effect: 'file', paths: ['HEAD', 'objects/x', 'refs/x'] },
      { mode: 'acceptEdits', allow: [], checks: [], workspace: '/repo', signal: new AbortController().signal },
    );
    expect(decided.decision).toBe('allow');
  });
  it('of other tools is none', async () => {
    expect(await decide({ tool: 'Read', effect: 'read', paths: ['config'] }, bare, [])).toMatchObject({
      decision: 'allow',
    });
    const tool = 'mcp__s__t';
    expect(await decide({ tool, effect: 'file', paths: ['config'] }, bare, [tool])).toMatchObject({
      decision: 'allow',
    });
  });
});

const programs = 'git mkdir cp mv touch echo cat ls tee ln diff timeout'.split(' ').map((name) => `Bash(${name} *)`);
const command = (text: string) => ({ args: { command: text } });

describe.each([
  ['rules for programs', programs],
  ['a rule for every command', ['Bash']],
])('%s: a command', (_name, allow) => {
  const asks = / would be a repository for git, which runs what its settings name$/;
  it.each<[text: string, there: readonly string[]]>([
    ['echo x > HEAD', ['objects', 'refs']],
    ['echo x >> HEAD', ['objects', 'refs']],
    ['echo x | tee HEAD', ['objects', 'refs']],
    ['touch HEAD', ['objects', 'refs']],
    ['mkdir objects', ['HEAD', 'refs']],
    ['mkdir -p objects refs', ['HEAD']],
    ['touch commondir', ['HEAD']],
    ['mkdir objects refs; touch HEAD', []],
    ['mkdir -p src/e/objects/x src/e/refs; echo x > src/e/HEAD', []],
    ['mkdir objects && mkdir refs && cp a HEAD', []],
    ['cp e/HEAD .', ['.', 'objects', 'refs']],
    ['ln -s e/refs refs', ['HEAD', 'objects']],
    ['git mv a HEAD', ['objects', 'refs']],
    ['timeout 5 touch HEAD', ['objects', 'refs']],
    ['cd e; touch HEAD', ['e/objects', 'e/refs']],
  ])('makes a repository: %s with %j', async (text, there) => {
    const { decision, reason } = await decide(command(text), there, [...allow, 'Edit(**)']);
    expect(decision).toBe('ask');
    if (!/^(cd|cp|git)/.test(text)) expect(reason).toMatch(asks);
  });
  it('what is copied into a folder counts under its own name there', async () => {
    const ports = portsOf(['sub', 'sub/objects', 'sub/refs']);
    for (const text of ['cp e/HEAD sub', 'cp -t sub e/HEAD', 'ln -s e/HEAD sub', 'git mv e/HEAD sub']) {
      const parts = await judgeRepositories(await analyse(text), { workspace: '/repo', folders: ['.'], ports });
      const reason = 'sub would be a repository for git, which runs what its settings name';
      expect([text, parts]).toEqual([text, [{ what: 'the text', decision: 'ask', reason }]]);
    }
  });
  it('what is fetched counts under the name of its address', async () => {
    const ports = portsOf(['objects', 'refs']);
    const where = { workspace: '/repo', folders: ['.'], ports };
    expect(await judgeRepositories(await analyse('curl -O https://x.y/HEAD'), where)).toHaveLength(1);
    expect(await judgeRepositories(await analyse('curl https://x.y/HEAD'), where)).toHaveLength(0);
  });
  it.each<[text: string, there: readonly string[]]>([
    ['echo x > HEAD', ['objects']],
    ['mkdir objects refs', []],
    ['mkdir objects refs', ['.git', 'HEAD']],
    ['touch a', ['HEAD', 'objects']],
    ['cat HEAD objects/x refs/x', []],
    ['ls objects refs', ['HEAD']],
    ['git diff HEAD', ['objects', 'refs']],
    ['git diff HEAD -- refs objects', []],
    ['echo HEAD objects refs', []],
    ['diff HEAD objects', ['refs']],
  ])('makes none: %s with %j', async (text, there) => {
    expect(await decide(command(text), there, [...allow, 'Edit(**)'])).toMatchObject({ decision: 'allow' });
  });

  const uses = (at: string) => `git: it would take ${at} for a repository, and run what is in its settings and hooks`;
  it.each<[text: string, there: readonly string[], at: string | null]>([
    ['git status', bare, '.'],
    ['git status', ['HEAD', 'commondir'], '.'],
    ['timeout 5 git status', bare, '.'],
    ['git --no-pager log', bare, '.'],
    ['git status', [...bare, '.git'], null],
    ['git status', ['HEAD', 'objects'], null],
    ['git status', inside('e', bare), null],
    ['ls', bare, null],
  ])('uses one: %s with %j', async (text, there, at) => {
    expect(await decide(command(text), there, allow)).toMatchObject(
      at === null ? { decision: 'allow' } : { decision: 'ask', reason: uses(at) },
    );
  });
  it.each<[cwd: string, there: readonly string[], at: string | null]>([
    ['e', inside('e', bare), 'e'],
    ['e/f', inside('e', bare), 'e'],
    ['e/f', bare, '.'],
    // A folder that is gone by then is given up for the workspace.
    ['e/f', [...bare, 'e/.git'], '.'],
    ['e/f', [...inside('e', bare), 'e/f/.git'], null],
    ['f', inside('e', bare), null],
  ])('uses one around %s with %j', async (cwd, there, at) => {
    const { decision, reason } = await createPermission(portsOf([...there, cwd]))(
      { tool: 'Bash', args: { command: 'git status' }, effect: 'process', paths: null },
      {
        mode: 'default',
        allow: ['Bash'],
        checks: [],
        workspace: '/repo',
        cwd,
        signal: new AbortController().signal,
      },
    );
    expect([decision, reason]).toEqual(at === null ? ['allow', 'rule Bash'] : ['ask', uses(at)]);
  });

  it.each<[text: string, there: readonly string[], isAsked: boolean]>([
    ['git push e main', ['e'], true],
    ['git push e main', ['e.git'], true],
    ['git push e main', ['f', 'main'], false],
    ['git fetch e', ['e'], true],
    ['git fetch --multiple a e', ['e'], true],
    ['git pull e', ['e'], true],
    ['git ls-remote e', ['e'], true],
    ['git remote show e', ['e'], true],
    ['git push', ['e'], false],
    ['git push e', [], false],
  ])('talks to one: %s with %j', async (text, there, isAsked) => {
    const { decision, reason } = await decide(command(text), there, allow);
    expect(decision).toBe(isAsked ? 'ask' : 'allow');
    if (isAsked)
      expect(reason).toBe('git: e may be the folder e, and git would run what is in the settings and hooks there');
  });
});

it('an address of a folder asks under a rule for the program, as does one that is known only when it runs', async () => {
  for (const text of ['git push src/e HEAD:main', 'git push "$X"', 'git fetch ./e']) {
    expect((await decide(command(text), [], ['Bash(git *)'])).decision, text).toBe('ask');
  }
});

describe('calls of one answer are judged before the first of them runs', () => {
  const policy = () => {
    const permission = createPermission(portsOf([]));
    return async (call: Partial<PermissionCall>) =>
      (
        await permission(
          { tool: 'Write', args: {}, effect: 'file', paths: null, ...call },
          {
            mode: 'acceptEdits',
            allow: ['Bash'],
            checks: [],
            workspace: '/repo',
            signal: new AbortController().signal,
          },
        )
      ).decision;
  };
  const run = (text: string): Partial<PermissionCall> => ({ tool: 'Bash', args: { command: text }, effect: 'process' });
  it.each<[what: string, calls: readonly Partial<PermissionCall>[]]>([
    ['edits', [{ paths: ['config'] }, { paths: ['HEAD'] }, { paths: ['objects/x'] }, { paths: ['refs/x'] }]],
    ['edits below', [{ paths: ['e/refs/x'] }, { paths: ['e/objects/x'] }, { paths: ['e/HEAD'] }]],
    ['edits and commands', [run('mkdir objects'), { paths: ['head'] }, run('mkdir refs')]],
    ['a command and edits', [run('mkdir objects refs'), { paths: ['HEAD'] }]],
  ])('the last of these %s asks', async (_what, calls) => {
    const decide = policy();
    const decided: string[] = [];
    for (const call of calls) decided.push(await decide(call));
    expect(decided).toEqual([...calls.slice(1).map(() => 'allow'), 'ask']);
    // It is not there, so git would not find it.
    expect(await decide(run('git status'))).toBe('allow');
    expect(await policy()(calls.at(-1) ?? {})).toBe('allow');
  });
  it('of very many only the last are remembered', async () => {
    const decide = policy();
    await decide({ paths: ['objects/x'] });
    await decide({ paths: ['refs/x'] });
    const many = (count: number) => Array.from({ length: count }, (_one, i) => `d${i}/HEAD`);
    expect(await decide({ paths: many(998) })).toBe('allow');
    expect(await decide({ paths: ['HEAD'] })).toBe('ask');
    expect(await decide({ paths: ['HEAD'] })).toBe('allow');
  });
});
