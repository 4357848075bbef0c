/** Policies of real folders: homes, data, repositories of every form. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { makePolicy } from '../../../src/assembly/sandbox/make-policy.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

interface Stage {
  readonly top: string;
  readonly home: string;
  readonly data: string;
  file(name: string, text?: string): string;
  git(cwd: string, ...words: string[]): void;
  made(workspace: string, more?: Partial<Parameters<typeof makePolicy>[0]>): ReturnType<typeof makePolicy>;
  policy(workspace: string, more?: Partial<Parameters<typeof makePolicy>[0]>): ReturnType<typeof makePolicy>['policy'];
}

function open(): Stage {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'belay-policy-')));
  folders.push(top);
  const [home, data] = [join(top, 'home'), join(top, 'data')];
  for (const folder of [home, data]) mkdirSync(folder);
  writeFileSync(join(data, 'ledger'), '');
  const identity = {
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 'n',
    GIT_AUTHOR_EMAIL: 'e',
    GIT_COMMITTER_NAME: 'n',
    GIT_COMMITTER_EMAIL: 'e',
  };
  const made: Stage['made'] = (workspace, more = {}) =>
    makePolicy({
      workspace,
      dataFolder: data,
      env: { HOME: home, PATH: `/usr/bin:${home}/.cargo/bin` },
      network: false,
      scratch: null,
      settings: { readable: [], writable: [] },
      ...more,
    });
  return {
    top,
    home,
    data,
    file(name, text = 'x') {
      const at = join(top, name);
      mkdirSync(join(at, '..'), { recursive: true });
      writeFileSync(at, text);
      return at;
    },
    git: (cwd, ...words) =>
      void execFileSync('git', ['-c', 'protocol.file.allow=always', ...words], {
        cwd,
        env: { ...process.env, ...identity },
        stdio: 'pipe',
      }),
    made,
    policy: (workspace, more) => made(workspace, more).policy,
  };
}

function repository(stage: Stage, name: string): string {
  const at = join(stage.top, name);
  mkdirSync(at, { recursive: true });
  stage.git(at, 'init', '-q');
  stage.file(`${name}/a`);
  stage.git(at, 'add', '.');
  stage.git(at, 'commit', '-qm', 'x');
  return at;
}

describe('the home', () => {
  test('is hidden, also where it is a place of its own; folders of tools and settings of git are shown', () => {
    const stage = open();
    stage.file('home/.cargo/bin/cargo');
    stage.file('home/.cargo/credentials.toml');
    stage.file('home/.gitconfig');
    stage.file('home/.ssh/id');
    const policy = stage.policy(repository(stage, 'home/work'));
    const own = policy.readable.filter((at) => at.startsWith(stage.home));
    expect(own).toEqual([join(stage.home, '.cargo'), join(stage.home, '.gitconfig')]);
    expect(policy.maskedInside).toContain(join(stage.home, '.cargo/credentials.toml'));
  });

  test('that is the workspace itself is shown without its secrets', () => {
    const stage = open();
    stage.file('home/.ssh/id');
    stage.file('home/.netrc');
    const policy = stage.policy(stage.home);
    expect(policy.hiddenInside).toContain(join(stage.home, '.ssh'));
    expect(policy.maskedInside).toContain(join(stage.home, '.netrc'));
    // Tracked, it is no deleted file for git.
    expect(policy.maskedInside).toContain(join(stage.home, '.ssh/id'));
    expect(policy.hidden).not.toContain(stage.home);
  });

  test('folders that the user names are shown and written', () => {
    const stage = open();
    stage.file('home/.m2/x');
    stage.file('home/.cache/go/x');
    const settings = { readable: ['~/.m2', '~/missing'], writable: ['~/.cache/go'] };
    const policy = stage.policy(repository(stage, 'work'), { settings });
    expect(policy.readable).toContain(join(stage.home, '.m2'));
    expect(policy.writable).toEqual([join(stage.home, '.cache/go')]);
  });
});

test('a folder that is hidden as a whole is shown where the user names it, without what is hidden in it', () => {
  const stage = open();
  const work = repository(stage, 'work');
  stage.file('home/x');
  const policy = stage.policy(work, { settings: { readable: ['/var/log', '~/', stage.home], writable: [] } });
  expect(policy.readable).not.toContain(stage.home);
  // Nothing is hidden where nothing is.
  if (stage.policy(work).hidden.includes('/var/log')) expect(policy.readable).toContain('/var/log');
  expect(stage.policy(work).readable).not.toContain('/var/log');
});

test("Belay's data inside the workspace is hidden there", () => {
  const stage = open();
  const work = repository(stage, 'work');
  stage.file('work/.data/ledger');
  expect(stage.policy(work, { dataFolder: join(work, '.data') }).hiddenInside).toEqual([join(work, '.data')]);
});

describe('git', () => {
  test('a repository: its folder stays, its hooks and settings are frozen', () => {
    const stage = open();
    const work = repository(stage, 'work');
    const policy = stage.policy(work);
    expect(policy.fixed).toEqual([join(work, '.git')]);
    expect(policy.frozen).toEqual(
      expect.arrayContaining(['hooks', 'config', 'info'].map((name) => join(work, '.git', name))),
    );
    expect(policy.writable).toEqual([]);
  });

  test('a worktree: the repository behind it is written, under the same protection', () => {
    const stage = open();
    const main = repository(stage, 'main');
    const work = join(stage.top, 'work');
    stage.git(main, 'worktree', 'add', '-q', work);
    stage.git(main, 'worktree', 'lock', work);
    const policy = stage.policy(work);
    expect(policy.writable).toEqual([join(main, '.git')]);
    expect(policy.frozen).toEqual(expect.arrayContaining([join(work, '.git'), join(main, '.git/hooks')]));
    expect(policy.frozen).toEqual(
      expect.arrayContaining(['commondir', 'gitdir', 'locked'].map((name) => join(main, '.git/worktrees/work', name))),
    );
  });

  test('a file that names any other folder as its repository opens nothing', () => {
    const stage = open();
    const other = repository(stage, 'other');
    const work = join(stage.top, 'work');
    stage.file('work/.git', `gitdir: ${other}/.git\n`);
    stage.file('home/.ssh/HEAD');
    expect(stage.policy(work).writable).toEqual([]);
    stage.file('work/.git', `gitdir: ${stage.home}/.ssh\n`);
    expect(stage.policy(work)).toMatchObject({ writable: [], fixed: [] });
  });

  test('submodules: their hooks and settings are frozen like those of the repository', () => {
    const stage = open();
    const part = repository(stage, 'part');
    const work = repository(stage, 'work');
    stage.git(work, 'submodule', '--quiet', 'add', part, 'parts/one');
    const inner = join(work, '.git/modules/parts/one');
    const policy = stage.policy(work);
    const folders = ['.git', '.git/modules', '.git/modules/parts', '.git/modules/parts/one'];
    expect([...policy.fixed].sort()).toEqual(folders.map((name) => join(work, name)));
    expect(policy.frozen).toEqual(expect.arrayContaining([join(inner, 'hooks'), join(inner, 'config')]));
    // Opened by itself, it writes the folder that its file names.
    expect(stage.policy(join(work, 'parts/one')).writable).toContain(inner);
  });

  test('files from which hooks start are frozen, with the folders on the way; what is not there or outside is left out', () => {
    const stage = open();
    stage.file('work/tools/deep/h.sh');
    stage.file('work/h.sh');
    stage.file('there');
    symlinkSync(join(stage.top, 'work/h.sh'), join(stage.top, 'work/link.sh'));
    symlinkSync(join(stage.top, 'there'), join(stage.top, 'work/out.sh'));
    const work = join(stage.top, 'work');
    const policy = stage.policy(work, { guarded: ['tools/deep/h.sh', 'link.sh', 'out.sh', 'none.sh'] });
    expect(policy.frozen).toEqual([join(work, 'tools/deep/h.sh'), join(work, 'h.sh')]);
    expect([...policy.fixed].sort()).toEqual([join(work, 'tools'), join(work, 'tools/deep')]);
  });

  test("the user's own settings of git name a folder of hooks in each work tree", () => {
    const stage = open();
    const work = repository(stage, 'work');
    stage.file('work/tools/hooks/pre-commit');
    stage.file('home/.gitconfig', '[core]\n\thooksPath = tools/hooks\n');
    expect(stage.policy(work).frozen).toContain(join(work, 'tools/hooks'));
  });

  test('hooks that lie in the workspace by a setting are frozen', () => {
    const stage = open();
    const work = repository(stage, 'work');
    stage.file('work/tools/hooks/pre-commit');
    stage.git(work, 'config', 'core.hooksPath', 'tools/hooks');
    expect(stage.policy(work).frozen).toContain(join(work, 'tools/hooks'));
  });

  test('settings that settings of a repository include are frozen, and their hooks, with the folders on the way', () => {
    const stage = open();
    const work = repository(stage, 'work');
    stage.file('work/team/git/config', '[core]\n\thooksPath = team/git/hooks # ours\n[include]\n\tpath = "more"\n');
    stage.file('work/team/git/more', '[includeIf "onbranch:x"] path = ../../there\n[include]\n path = config\n');
    stage.file('work/team/git/hooks/pre-commit');
    stage.file('work/there', '[include]\n\tpath = not-yet\n\tpath = /etc/gitconfig\n');
    stage.git(work, 'config', 'include.path', '../team/git/config');
    const { policy, neverNew } = stage.made(work);
    const named = ['team/git/config', 'team/git/more', 'team/git/hooks', 'there'];
    expect(policy.frozen).toEqual(expect.arrayContaining(named.map((name) => join(work, name))));
    expect(policy.fixed).toEqual(expect.arrayContaining([join(work, 'team'), join(work, 'team/git')]));
    expect(neverNew).toContain(join(work, 'not-yet'));
    expect([...policy.frozen, ...neverNew]).not.toContain('/etc/gitconfig');
  });

  test('a folder of hooks that a setting names and that is not there must not come into being', () => {
    const stage = open();
    const work = repository(stage, 'work');
    stage.git(work, 'config', 'core.hooksPath', 'tools/hooks');
    expect(stage.made(work).neverNew).toContain(join(work, 'tools/hooks'));
  });

  test('a worktree has the hooks that the settings behind it name', () => {
    const stage = open();
    const [main, work] = [repository(stage, 'main'), join(stage.top, 'work')];
    stage.git(main, 'worktree', 'add', '-q', work);
    stage.git(main, 'config', 'core.hooksPath', 'tools/hooks');
    stage.file('work/tools/hooks/pre-commit');
    expect(stage.policy(work).frozen).toContain(join(work, 'tools/hooks'));
  });

  test('a workspace that is the home is protected as any other, with what a login starts', () => {
    const stage = open();
    const home = repository(stage, 'home');
    stage.file('home/.bashrc');
    const policy = stage.policy(home);
    expect(policy.fixed).toContain(join(home, '.git'));
    expect(policy.frozen).toEqual(
      expect.arrayContaining(['.git/config', '.git/hooks', '.bashrc'].map((name) => join(home, name))),
    );
  });

  test('a git folder that is a link counts where it leads to, if that is in the workspace', () => {
    const stage = open();
    const work = repository(stage, 'work');
    renameSync(join(work, '.git'), join(work, 'store'));
    symlinkSync('store', join(work, '.git'));
    expect(stage.policy(work).fixed).toEqual([join(work, 'store')]);
    const other = repository(stage, 'other');
    rmSync(join(work, '.git'));
    symlinkSync(join(other, '.git'), join(work, '.git'));
    expect(stage.policy(work)).toMatchObject({ fixed: [], writable: [] });
  });

  test('a workspace that is a part of a repository sees the rest of it', () => {
    const stage = open();
    const whole = repository(stage, 'whole');
    stage.file('whole/sub/b');
    const policy = stage.policy(join(whole, 'sub'));
    expect(policy.readable).toContain(whole);
    expect(policy.writable).toContain(join(whole, '.git'));
  });

  test('a repository that is the home itself is not shown for the sake of a workspace in it', () => {
    const stage = open();
    repository(stage, 'home');
    stage.file('home/work/b');
    const policy = stage.policy(join(stage.home, 'work'));
    expect(policy.readable).not.toContain(stage.home);
    expect(policy.writable).toEqual([]);
  });
});
