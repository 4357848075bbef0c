import { describe, expect, test } from 'vitest';
import { startingSettings } from '../../../src/assembly/sandbox/git-config.ts';

const starting = (text: string) => startingSettings(text, (folder) => folder === '..');

describe('settings that start nothing', () => {
  test.each([
    '',
    '# a comment\n; another\n\n',
    '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n',
    '[CORE]\nFileMode = true\n',
    '[core] bare\n',
    '[user]\n\tname = "A \\"B\\" C" # said\n\temail = a@b\n',
    '[branch "x.y"]\n\tremote = origin\n\tmerge = refs/heads/x\n',
    '[branch.x]\n\tremote = origin\n',
    '[remote "origin"]\n\turl = git@host:a/b.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n',
    '[remote "origin"]\n\turl = https://host/a\n\tpushurl = ../a\n',
    '[submodule "s"]\n\tactive = true\n\turl = ../s\n\tupdate = rebase\n',
    '[core]\n\tworktree = ..\n',
    '[commit]\n\tgpgsign = false\n[tag]\n\tgpgSign = off\n',
    '[advice]\n\tanything = x\n[color "status"]\n\tadded = green\n',
    '[extensions]\n\tworktreeConfig = true\n',
    '[user]\r\n\tname = a\r\n',
  ])('%j', (text) => {
    expect(starting(text)).toEqual([]);
  });
});

describe('settings that may start something', () => {
  test.each<[text: string, lines: readonly string[]]>([
    ['[core]\n\tfsmonitor = x\n', ['core: fsmonitor = x']],
    ['[core] fsmonitor = x\n', ['core: fsmonitor = x']],
    ['[core]fsmonitor=x', ['core: fsmonitor=x']],
    ['[ core ]\nFSMONITOR = x', ['core: FSMONITOR = x']],
    ['[core]\n\tbare = false\n\tsshCommand = x\n\tpager = y\n', ['core: sshCommand = x', 'core: pager = y']],
    ['[core]\n\thooksPath = .husky\n', ['core: hooksPath = .husky']],
    ['[core]\n\tworktree = /\n', ['core: worktree = /']],
    ['[alias]\n\tst = !id\n', ['alias: st = !id']],
    ['[filter "x"]\n\tclean = id\n', ['filter: clean = id']],
    ['[filter.x]\n\tclean = id\n', ['filter: clean = id']],
    ['[diff]\n\texternal = id\n', ['diff: external = id']],
    ['[include]\n\tpath = x\n', ['include: path = x']],
    ['[includeIf "gitdir:/"]\n\tpath = x\n', ['includeif: path = x']],
    ['[remote "o"]\n\turl = ext::id\n', ['remote: url = ext::id']],
    ['[remote "o"]\n\turl = "-x"\n', ['remote: url = "-x"']],
    ['[remote "o"]\n\tpushurl = a::b\n', ['remote: pushurl = a::b']],
    ['[remote "o"]\n\tuploadpack = id\n', ['remote: uploadpack = id']],
    ['[submodule "s"]\n\tupdate = !id\n', ['submodule: update = !id']],
    ['[submodule "s"]\n\turl = ext::id\n', ['submodule: url = ext::id']],
    ['[commit]\n\tgpgsign\n', ['commit: gpgsign']],
    ['[tag]\n\tgpgsign = true\n', ['tag: gpgsign = true']],
    ['[gpg]\n\tprogram = x\n', ['gpg: program = x']],
    ['[core]\n\teol = a\\\nfsmonitor = x\n', ['core: eol = a\\', 'core: fsmonitor = x']],
    ['[core]\n\teol = a\\\\\nfsmonitor = x\n', ['core: eol = a\\\\', 'core: fsmonitor = x']],
    ['[core]\n# a \\\n\tfsmonitor = x\n', ['core: # a \\', 'core: fsmonitor = x']],
    ['[remote "o"]\n\turl = e"xt:":id\n', ['remote: url = e"xt:":id']],
    ['[core]\n\tworktree = .. # /..\n', ['core: worktree = .. # /..']],
    ['[core "x\\"]"]\n\tpager = x\n', ['core: pager = x']],
    ['[core]\n\t!strange\n', ['core: !strange']],
    ['[core\n\tbare = false\n', [': [core', ': bare = false']],
    ['[constructor]\n\tx = y\n', ['constructor: x = y']],
    ['\0', [': \0']],
  ])('%j', (text, lines) => {
    expect(starting(text)).toEqual(lines);
  });
});
