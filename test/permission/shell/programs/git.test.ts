import { describe, expect, test } from 'vitest';
import { gitProfile } from '../../../../src/permission/shell/programs/git.ts';
import { literalWord } from '../../../../src/permission/shell/shell-word.ts';

const profile = (text: string) => gitProfile(`git ${text}`.split(' ').map(literalWord));

describe('subcommands', () => {
  test.each(
    'add annotate blame branch cat-file check-attr check-ignore check-mailmap check-ref-format cherry cherry-pick commit commit-graph commit-tree count-objects describe diff diff-files diff-index diff-tree fetch for-each-ref fsck grep hash-object log ls-files ls-remote ls-tree merge merge-base merge-tree mktag mktree multi-pack-index mv name-rev pack-refs patch-id pull push range-diff reflog reset rev-list rev-parse revert shortlog show show-branch show-ref status stripspace switch tag var verify-pack version whatchanged write-tree'.split(
      ' ',
    ),
  )('%s is known', (name) => {
    const { hazard, loses } = profile(name);
    expect([hazard, loses]).toEqual([undefined, undefined]);
  });
  test.each(
    'am apply archive bundle clone config credential difftool fast-export fast-import format-patch hook instaweb mergetool send-email init maintenance replace submodule help request-pull index-pack pack-objects update-index rerere notes sparse-checkout symbolic-ref bisect merge-file unpack-objects'.split(
      ' ',
    ),
  )('%s does what its words say', (name) => {
    expect(profile(name).hazard).toMatch(/can run commands or write files by its words$/);
  });
  test.each(
    'checkout checkout-index clean filter-branch filter-repo gc prune read-tree repack restore rm stash update-ref worktree'.split(
      ' ',
    ),
  )('%s can lose something', (name) => {
    expect(profile(name).loses).toBeDefined();
  });
  test.each(['lg', 'st', 'constructor'])('%s may be an alias', (name) => {
    expect(profile(name).hazard).toBe(`git ${name} may be an alias for anything`);
  });
  test('remote with anything but a listing does what its words say', () => {
    expect(profile('remote add a b').hazard).toMatch(/^git remote can run commands/);
    expect(profile('rebase').hazard).toBe('git rebase rewrites commits');
  });
});

test.each(['ext::x', 'EXT::x', 'fd::7', 'git+x::y', 'ssh://-oProxyCommand=x'])(
  '%s is a transport that runs commands',
  (url) => {
    expect(profile(`ls-remote ${url}`).hazard).toBe('git ls-remote uses a transport that runs commands');
  },
);

describe('options', () => {
  test.each(
    '--output --output=a --output-directory --ext-diff --textconv --open-files-in-pager --upload-pack --receive-pack --exec --exec-path --config --config-env --template --no-index --show-signature --verify-signatures --paginate --git-dir --work-tree --edit-description --gpg-sign --local-user --signed --signoff-key --contents --file --pathspec-from-file --interactive --edit --patch-with-raw-exec --strategy --server-option --separate-git-dir --trailer --filters --orderfile --update-head-ok --refmap --stdin'.split(
      ' ',
    ),
  )('log %s is a hazard', (option) => {
    expect(profile(`log ${option}`).hazard).toBe(
      `git log ${option} runs another program, reads a file as input or writes one`,
    );
  });
  test.each(
    '--text --filter=blob:none --patch --patch-with-raw --signoff --verify --no-edit --no-textconv --oneline --only --stat --format=a'.split(
      ' ',
    ),
  )('log %s is none', (option) => {
    expect(profile(`log ${option}`).hazard).toBeUndefined();
  });
});

test.each(
  '-c -C --git-dir --work-tree --namespace --super-prefix --config-env --exec-path --attr-source --list-cmds'.split(
    ' ',
  ),
)('%s takes the next word, and the subcommand stands behind', (option) => {
  expect(profile(`${option} status clean -f`).loses).toMatch(/^git clean/);
});
test.each(['--no-pager', '--bare', '--git-dir=a'])('%s takes no other word', (option) => {
  expect(profile(`${option} clean -f`).loses).toMatch(/^git clean/);
});

describe('beside an option that makes a subcommand harmless', () => {
  test.each([
    ['clean --dry-run', '-q --quiet -f --force -i --interactive -d -x -X -e=a --exclude=a'],
    ['clean -n', '-q -d --exclude=a'],
    ['restore --staged', '-q --quiet -s=a --source=a --progress -2 --ours -3 --theirs -m --merge --ignore-unmerged'],
    ['restore -S', '-q'],
    ['rm --cached', '-n --dry-run -q --quiet -r --ignore-unmatch --sparse'],
    ['checkout -b=a', '-q --quiet --progress -t --track --track=direct --guess --no-guess -l'],
    ['checkout --orphan=a', '-q'],
  ])('%s %s', (start, options) => {
    for (const option of options.split(' ')) {
      expect([option, profile(`${start} ${option}`).loses]).toEqual([option, undefined]);
      expect(profile(`${start} ${option} --strange`).loses).toBeDefined();
    }
  });
  test.each(['clean -n --no-dry-run', 'restore --staged -W', 'restore --staged --worktree', 'rm --cached -f', 'rm -n'])(
    '%s can lose something',
    (text) => {
      expect(profile(text).loses).toBeDefined();
    },
  );
});

test.each(
  '-t --tags -p --prune -a --append --all -m --multiple --atomic -k --keep -q --quiet -v --verbose -n --dry-run -4 --ipv4 -6 --ipv6 --progress --unshallow --update-shallow --porcelain --set-upstream --auto-gc --auto-maintenance --write-fetch-head --write-commit-graph --show-forced-updates --depth=1 --deepen=1 --shallow-since=a --shallow-exclude=a --filter=a -j1 --jobs=1 --negotiation-tip=a --recurse-submodules --recurse-submodules=a -r --rebase --rebase=a --ff --ff-only --commit --no-edit -Xtheirs --strategy-option=a --stat --squash --signoff --log --log=1 --autostash --allow-unrelated-histories --cleanup=a --verify -f --force'.split(
    ' ',
  ),
)('fetch %s origin is followed', (option) => {
  expect(profile(`fetch ${option} origin`)).toEqual({ peers: [literalWord('origin')] });
});
test.each(['--strange', '-P', '--prune-tags', '--refmap=a', '-u', '--upload-pack=a', '--stdin'])(
  'fetch %s origin is not allowed by its first words',
  (option) => {
    const { hazard, loses } = profile(`fetch ${option} origin`);
    expect([hazard, loses]).not.toEqual([undefined, undefined]);
  },
);

describe('what checks or makes signatures starts a program', () => {
  test.each([
    'log --format=%G?',
    'log --pretty=format:%h%+GS',
    'show --format=%-GK',
    'rev-list --format=%GG HEAD',
    'for-each-ref --format=%(signature)',
    'tag --format=%(*signature:key)',
    'branch --sort=-signature',
    'for-each-ref --sort=*signature:grade',
    'verify-commit HEAD',
    'verify-tag v1',
    'tag --verify v1',
  ])('%s', (text) => {
    expect(profile(text).hazard).toMatch(/^git \S+ starts the program that checks signatures$/);
  });
  test.each([
    'tag -v v1',
    'tag --local-user=k -m x v1',
    'tag --local k -m x v1',
    'tag -u k v1',
    'tag --sign v1',
    'commit --gpg-sign -m x',
    'commit --gpg -m x',
    'commit -Sk -m x',
    'commit-tree -S HEAD',
    'merge --verify-signatures a',
    'pull --verify-s origin',
    'push --signed origin',
  ])('%s', (text) => {
    expect(profile(text).hazard).toMatch(/ runs another program, reads a file as input or writes one$/);
  });
  test.each([
    'log --format=%g',
    'log --format=%an',
    'for-each-ref --format=%(refname)',
    'branch --sort=signed',
    'commit --verify',
  ])('%s does not', (text) => {
    expect(profile(text).hazard).toBeUndefined();
  });
});

const local = / runs what a repository on this machine says in its hooks and settings$/;
describe('another repository', () => {
  test.each([
    'push src/e HEAD:main',
    'push ./e',
    'push ../e main',
    'push .',
    'push ..',
    'push ~/e',
    'push /e',
    'push src/e:x main',
    'push file:///e',
    'push FILE:e',
    'push --repo=src/e',
    'push --repo src/e',
    'push -u --force-if-inclu./e',
    'push --recurse-submodules no src/e',
    'push bundle://x',
    'fetch src/e',
    'fetch --depth=1 src/e',
    'fetch -m origin src/e',
    'pull --rebase src/e main',
    'ls-remote src/e',
    'ls-remote --heads --sort v:refname src/e',
    'remote show src/e',
    'remote -v show origin ./e',
  ])('%s is on this machine', (text) => {
    const { hazard, loses } = profile(text);
    expect(loses ?? hazard).toMatch(text.includes('inclu') ? / is not followed$/ : local);
  });
  test.each([
    ['push origin feature/x', ['origin']],
    ['push -u origin HEAD:refs/heads/a', ['origin']],
    ['push --repo=up', ['up']],
    ['fetch origin', ['origin']],
    ['fetch origin a/b', ['origin']],
    ['fetch --multiple a b', ['a', 'b']],
    ['pull --rebase origin main', ['origin']],
    ['ls-remote -q origin a/b', ['origin']],
    ['remote show a b', ['a', 'b']],
    ['remote get-url a', ['a']],
  ])('%s names %j', (text, names) => {
    expect(profile(text)).toEqual({ peers: names.map(literalWord) });
  });
  test.each([
    'https://a/b',
    'http://a/b',
    'ssh://a/b',
    'git://a/b',
    'git+ssh://a/b',
    'ssh+git://a/b',
    'ftp://a/b',
    'ftps://a/b',
    'git@a:b/c',
  ])('%s is elsewhere', (url) => {
    expect(profile(`push ${url} main`)).toEqual({});
  });
  test.each(['push', 'fetch', 'pull', 'ls-remote', 'remote -v', 'log src/e'])('%s names none', (text) => {
    expect(profile(text).peers).toBeUndefined();
    expect(profile(text).hazard).toBeUndefined();
  });
  test.each(['push --strange origin', 'ls-remote --strange origin'])('%s is not followed', (text) => {
    expect(profile(text).hazard).toBe(`git ${text.split(' ')[0]} --strange is not followed`);
  });
  test('a word that is known only when it runs may be one on this machine', () => {
    const word = { kind: 'dynamic', text: '$X' } as const;
    expect(gitProfile([...['git', 'push'].map(literalWord), word]).hazard).toMatch(/ is not followed$/);
    expect(gitProfile([...['git', 'remote', 'show'].map(literalWord), word]).hazard).toMatch(local);
  });
});
