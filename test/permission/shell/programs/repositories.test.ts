import { describe, expect, it } from 'vitest';
import { lossesOf } from '../../../../src/permission/guard/losses.ts';
import { analyse } from '../../../../src/permission/shell/analyse.ts';
import { isRepository } from '../../../../src/permission/shell/programs/repositories.ts';

const profile = async (text: string) => (await analyse(text)).commands[0]?.profile;

describe('version control other than git', () => {
  it.each([
    ['hg revert --all', 'hg revert'],
    ['hg rev a', 'hg rev'],
    ['hg purge', 'hg purge'],
    ['hg clean', 'hg clean'],
    ['hg strip tip', 'hg strip'],
    ['hg rollback', 'hg rollback'],
    ['hg shelve', 'hg shelve'],
    ['hg unshelve', 'hg unshelve'],
    ['hg histedit', 'hg histedit'],
    ['hg update -C', 'hg -C'],
    ['hg up -r 1 --clean', 'hg --clean'],
    ['hg up --cle', 'hg --cle'],
    ['hg merge --abort', 'hg --abort'],
    ['hg rm -f a', 'hg -f'],
    ['hg rm --force a', 'hg --force'],
    ['hg backout --no-backup', 'hg --no-backup'],
    ['hg --config extensions.purge= purge', 'hg purge'],
    ['hg -R . revert a', 'hg revert'],
    ['hg $X', 'hg $X'],
    ['/usr/bin/hg purge', 'hg purge'],
    ['sl revert a', 'sl revert'],
    ['sl goto --discard-changes main', 'sl --discard-changes'],
    ['svn revert -R .', 'svn revert'],
    ['svn cleanup --remove-unversioned', 'svn --remove-unversioned'],
    ['svn cleanup --remove-ignored', 'svn --remove-ignored'],
    ['svn rm --force a', 'svn --force'],
    ['svn update --accept theirs-full', 'svn --accept'],
    ['svn copy --overwrite a b', 'svn --overwrite'],
    ['svn --non-interactive revert a', 'svn revert'],
    ['jj restore', 'jj restore'],
    ['jj abandon', 'jj abandon'],
    ['jj undo', 'jj undo'],
    ['jj redo', 'jj redo'],
    ['jj op restore x', 'jj op'],
    ['jj operation undo', 'jj operation'],
    ['bzr revert', 'bzr revert'],
    ['brz clean-tree --force', 'brz clean-tree'],
    ['bzr shelve', 'bzr shelve'],
    ['bzr unshelve', 'bzr unshelve'],
    ['bzr uncommit', 'bzr uncommit'],
    ['bzr pull --overwrite', 'bzr --overwrite'],
    ['bzr remove --no-backup a', 'bzr --no-backup'],
    ['bzr switch --force x', 'bzr --force'],
    ['fossil revert', 'fossil revert'],
    ['fossil clean', 'fossil clean'],
    ['fossil undo', 'fossil undo'],
    ['fossil stash', 'fossil stash'],
    ['fossil stash save', 'fossil stash'],
    ['fossil checkout -f x', 'fossil -f'],
    ['fossil checkout --force x', 'fossil --force'],
    ['fossil rm --hard a', 'fossil --hard'],
    ['fossil stash pop --discard', 'fossil stash'],
    ['fossil close --discard', 'fossil --discard'],
    ['darcs revert -a', 'darcs revert'],
    ['darcs obliterate', 'darcs obliterate'],
    ['darcs obl', 'darcs obl'],
    ['darcs unpull', 'darcs unpull'],
    ['darcs unrevert', 'darcs unrevert'],
    ['darcs clean', 'darcs clean'],
    ['darcs rebase --force', 'darcs --force'],
    ['cvs release a', 'cvs release'],
    ['cvs update -C', 'cvs -C'],
    ['p4 revert a', 'p4 revert'],
    ['p4 clean', 'p4 clean'],
    ['p4 sync -f', 'p4 -f'],
    ['pijul reset', 'pijul reset'],
    ['pijul record --reset', 'pijul --reset'],
    ['pijul pull --force', 'pijul --force'],
    ['hg -v revert a', 'hg revert'],
    ['jj --quiet undo', 'jj undo'],
    ['got revert a', 'got revert'],
  ])('%s loses', async (text, said) => {
    expect((await profile(text))?.loses).toBe(`${said}: uncommitted changes, or what was put aside, would be lost`);
  });

  it.each([
    'hg --config ui.editor=./x commit',
    'hg --cwd a status',
    'hg -R a status',
    'hg status --repository a',
    'bzr -Oeditor=x commit',
    'bzr diff --using x',
    'bzr -D a status',
    'bzr status --directory=a',
    'svn diff --diff-cmd ./x',
    'svn merge --diff3-cmd ./x',
    'svn commit --editor-cmd ./x',
    'svn info --config-option a:b:c=d',
    'svn info --config-dir a',
    'jj --config a.b=c log',
    'jj log --config=a',
    'jj log --config-file a',
    'jj log --config-toml a',
    'jj -R a log',
    'jj log --repository a',
    'jj diff --tool x',
    'fossil -R a info',
    'fossil --chdir a info',
    'fossil test --command x',
    'fossil info --repository a',
    'darcs record --posthook ./x',
    'darcs record --prehook ./x',
    'darcs log --repodir a',
    'darcs diff --diff-command x',
    'darcs push --external-merge x',
    'cvs -d a status',
    'cvs -e ./x commit',
    'p4 -d a status',
    'p4 -x a status',
    'pijul log --repository a',
    'got log -D a',
  ])('%s starts other programs or works elsewhere', async (text) => {
    const { loses, hazard } = (await profile(text)) ?? {};
    expect(loses).toBeUndefined();
    expect(hazard).toMatch(/changes where it works or what it starts$/);
  });

  it.each([
    'hg',
    'svn commit revert',
    'hg update revert',
    'jj new undo',
    'hg status',
    'hg update',
    'hg update -r tip',
    'hg log -f',
    'hg add --force',
    'hg annotate -f a',
    'hg commit -m revert',
    'hg re',
    'svn update',
    'svn add --force .',
    'svn lock --force a',
    'svn info',
    'jj log',
    'jj op log',
    'jj operation show',
    'jj new',
    'bzr status',
    'fossil add --force a',
    'fossil stash list',
    'fossil stash show',
    'fossil update',
    'darcs whatsnew',
    'cvs update',
    'p4 sync',
    'pijul record',
    'got log',
  ])('%s does not', async (text) => {
    const { loses, hazard } = (await profile(text)) ?? {};
    expect([loses, hazard]).toEqual([undefined, undefined]);
  });

  it('what is lost besides files is told as what nobody looked at', async () => {
    expect(lossesOf(await analyse('hg revert --all'))).toEqual([
      {
        what: 'hg revert --all',
        why: 'hg revert: uncommitted changes, or what was put aside, would be lost',
        takes: ['changes', 'untracked', 'ignored'],
        paths: null,
        beyond: 'what hg keeps besides the files (commits, shelves, what is added or merged), which nobody looked at',
      },
    ]);
  });

  it('is known by its name', () => {
    expect(['hg', 'svn', 'git', 'constructor'].map(isRepository)).toEqual([true, true, false, false]);
  });
});
