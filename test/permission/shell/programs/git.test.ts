import { describe, expect, test } from 'vitest';
import { gitProfile } from '../../../../src/permission/shell/programs/git.ts';
import { literalWord } from '../../../../src/permission/shell/shell-word.ts';

const profile = (text: string) => gitProfile(`git ${text}`.split(' ').map(literalWord));

describe('subcommands', () => {
  test.each(
    'add annotate blame branch cat-file check-attr check-ignore check-mailmap check-ref-format cherry cherry-pick commit commit-graph commit-tree count-objects describe diff diff-files diff-index diff-tree fetch for-each-ref fsck grep hash-object log ls-files ls-remote ls-tree merge merge-base merge-tree mktag mktree multi-pack-index mv name-rev pack-refs patch-id pull push range-diff reflog reset rev-list rev-parse revert shortlog show show-branch show-ref status stripspace switch tag var verify-commit verify-pack verify-tag version whatchanged write-tree'.split(
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
    '--output --output=a --output-directory --ext-diff --textconv --open-files-in-pager --upload-pack --receive-pack --exec --exec-path --config --config-env --template --no-index --show-signature --paginate --git-dir --work-tree --edit-description --gpg-sign --signoff-key --contents --file --pathspec-from-file --interactive --edit --patch-with-raw-exec --strategy --server-option --separate-git-dir --trailer --filters --orderfile --update-head-ok --refmap --stdin'.split(
      ' ',
    ),
  )('log %s is a hazard', (option) => {
    expect(profile(`log ${option}`).hazard).toBe(
      `git log ${option} runs another program, reads a file as input or writes one`,
    );
  });
  test.each(
    '--text --filter=blob:none --patch --patch-with-raw --signoff --no-edit --no-textconv --oneline --only --stat --format=a'.split(
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
  '-t --tags -p --prune -a --append --all -m --multiple --atomic -k --keep -q --quiet -v --verbose -n --dry-run -4 --ipv4 -6 --ipv6 --progress --unshallow --update-shallow --porcelain --set-upstream --auto-gc --auto-maintenance --write-fetch-head --write-commit-graph --show-forced-updates --depth=1 --deepen=1 --shallow-since=a --shallow-exclude=a --filter=a -j1 --jobs=1 --negotiation-tip=a --recurse-submodules --recurse-submodules=a -r --rebase --rebase=a --ff --ff-only --commit --no-edit -Xtheirs --strategy-option=a --stat --squash --signoff --log --log=1 --autostash --allow-unrelated-histories --verify-signatures --cleanup=a --verify -f --force'.split(
    ' ',
  ),
)('fetch %s origin is followed', (option) => {
  expect(profile(`fetch ${option} origin`)).toEqual({});
});
test.each(['--strange', '-P', '--prune-tags', '--refmap=a', '-u', '--upload-pack=a', '--stdin'])(
  'fetch %s origin is not allowed by its first words',
  (option) => {
    const { hazard, loses } = profile(`fetch ${option} origin`);
    expect([hazard, loses]).not.toEqual([undefined, undefined]);
  },
);
