import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { onlyReads } from '../../../src/tools/read-only/only-reads.ts';
import { broadAllowed, broadAsked } from '../../permission/corpus/broad-policy.ts';
import { fieldAllowed, fieldAsked } from '../../permission/corpus/field-policy.ts';
import { openSession } from '../session.ts';

const reading: readonly string[] = [
  'ls',
  'ls -la src',
  'cat a.txt',
  'cat a.txt src/b.txt',
  'cat missing.txt',
  'head -n 20 a.txt',
  'tail -5 a.txt',
  'tail -n +3 a.txt',
  'wc -l a.txt',
  "sed -n '1,40p' a.txt",
  "sed -n '1p;5,$p' a.txt",
  'rg needle src',
  'rg -n "a|b" src -g "*.ts"',
  'grep -rn needle src',
  'grep -n "/api" a.txt',
  'find . -name "*.ts" -type f',
  'git status',
  'git status --short && git diff',
  'git --no-pager log --oneline -5',
  'git show HEAD:a.txt',
  'git branch --show-current',
  'git blame a.txt',
  'git ls-files | wc -l',
  'cat a.txt | sort | uniq -c | head -3',
  'ls src 2>/dev/null',
  'ls src >/dev/null 2>&1 || echo missing',
  'pwd; ls',
  'test -f a.txt && cat a.txt',
  '[ -d src ] || echo no',
  'jq .name package.json',
  'jq -r ".a | .environment" package.json',
  'md5sum -b a.txt',
  'cksum a.txt',
  'hexdump -C -n4 a.txt',
  'strings -n 3 a.txt',
  'ls -R --color=never',
  'rg --glob="*x" needle src',
  'grep --include="*.ts" -r needle src',
  'du -sh src',
  'find -H . -maxdepth 2',
  'diff a.txt missing.txt',
  'echo "a b"',
  'diff -u a.txt src/b.txt',
  'date +%F',
  '! grep -q needle a.txt',
];

/** By kind: what looks like reading and is not, or is not known to be. */
const others: readonly (readonly [why: string, ...commands: string[]])[] = [
  ['redirects', 'cat a.txt > b.txt', 'ls >> a.txt', 'echo x >| a.txt', 'cat <> a.txt', 'ls 2>err.txt', 'ls &> out'],
  ['reads from where a redirection says', 'cat < a.txt', 'cat <<< text', 'cat <<E\nx\nE'],
  ['programs that write by an option', 'sort -o a.txt a.txt', 'sort -ro a.txt a.txt', 'tree -o x', 'date -s 12:00'],
  ['operands that are written', 'uniq a.txt b.txt', 'xxd a.txt b.txt', 'hostname evil', 'date 010100002030'],
  ['programs that start others', 'find . -exec rm {} +', 'find . -delete', 'find . -fprint x', 'fd -x rm', 'fd -Hx rm'],
  ['rg that starts others', 'rg --pre cat x', 'rg -z x', 'rg --hostname-bin=x y', 'rg -nz x', 'rg --search-zip x'],
  ['sed', 'sed -i s/a/b/ a.txt', "sed -n 'w x' a.txt", "sed -n '1e id' a.txt", 'sed -n p', "sed -n '1,2p' -i a.txt"],
  ['endless', 'tail -f a.txt', 'tail -F a.txt', 'tail -n5 --follow a.txt'],
  ['what is known only when it runs', 'cat $FILE', 'cat *.txt', 'cat `ls`', 'cat $(ls)', 'ls ~', 'cat {a,b}.txt'],
  ['assignments', 'PATH=. ls', 'PATH=.; ls', 'LC_ALL=C ls', 'export PATH=.; ls', ': ${PATH:=.}; ls', 'x=1'],
  ['definitions', 'ls() { rm a.txt; }; ls', 'alias ls=rm; ls a.txt', 'function cat { rm "$@"; }; cat a.txt'],
  [
    'compound texts',
    'for f in a; do cat a.txt; done',
    '(ls)',
    '{ ls; }',
    'if ls; then ls; fi',
    'while ls; do ls; done',
  ],
  ['the background', 'ls &', 'sleep 100 & ls'],
  ['outside', 'cat /etc/passwd', 'ls ..', 'cat ../x', 'cat src/../../x', 'ls -I/x', 'rg --file=/x y', 'cat leads-out'],
  [
    'links that a search comes across',
    'grep -R x .',
    'grep -rnR x .',
    'grep -S x .',
    'grep -O x .',
    'grep --dereference-recursive x .',
    'grep --de x .',
    'rg -L x',
    'rg -nL x',
    'rg --follow x',
    'find -L .',
    'find . -follow',
    'fd -L x',
    'ls -LR',
    'ls -L',
    'ls -laL src',
    'ls --dereference',
    'ls --deref -R',
    'du -L',
    'du -sL src',
    'tree -l',
    'diff -r src folder',
    'diff --recursive src folder',
    'diff src folder',
    'diff src a.txt',
  ],
  [
    'jq that reads more than its files',
    `jq -n 'import "config" as $d {search:"./x"}; $d'`,
    `jq 'include "x"; .' a.txt`,
    'jq input_filename a.txt',
    'jq -n env',
    "jq -n '$ENV.HOME'",
    "jq -n '$__prog_args'",
    `jq '"x" | modulemeta' a.txt`,
    'jq -n get_search_list',
    'jq -L src . a.txt',
    'jq --slurpfile a a.txt . a.txt',
    'jq --rawfile a a.txt . a.txt',
    'jq --from-file a.txt a.txt',
  ],
  [
    'lists of files, and options in files',
    'md5sum -c a.txt',
    'sha256sum --check a.txt',
    'sha1sum --ch a.txt',
    'strings @a.txt',
    'strings @../a.txt',
    'hexdump -f a.txt src/b.txt',
    'hexdump -e x a.txt',
  ],
  [
    'a link behind an option',
    'grep --exclude-from=leads-out x a.txt',
    'cat -n leads-out',
    'od -w8 leads-out',
    'ls -Ileads-out',
    'cmp -i../x a.txt',
  ],
  ['pipes and devices', 'cat pipe', 'cat /dev/sda', 'head -c 1 pipe', 'wc -l folder/pipe'],
  ['programs by path', './ls', '/bin/ls', 'src/cat a.txt', 'bin/git status'],
  [
    'git that writes or starts',
    'git commit -m x',
    'git add a.txt',
    'git checkout a.txt',
    'git stash',
    'git branch new',
  ],
  [
    'git with words before',
    'git -C src status',
    'git -c alias.x=!id status',
    'git --git-dir=x log',
    'git --exec-path=x log',
  ],
  ['git options', 'git diff --output=x', 'git diff --ext-diff', 'git log --textconv', 'git grep -Ovi x', 'git tag v1'],
  ['git subcommands that are none', 'git st', 'git fetch', 'git remote add o x', 'git config a b', 'git branch -d x'],
  [
    'evaluation',
    'test -v "a[$(id)]"',
    "test -v 'a[$(id)]'",
    "[ -v 'a[`id`]' ]",
    'printf -v PATH .',
    "[ -R 'a[$(id)]' ]",
  ],
  [
    'other programs',
    'rm a.txt',
    'node a.js',
    'npm test',
    'make',
    'xargs cat',
    'env ls',
    'sh -c ls',
    'awk 1 a.txt',
    'tee a',
  ],
  ['nothing', '', '   ', '# ls', 'ls "'],
  ['what other shells read otherwise', "echo $'a\\'; touch x #'", 'echo &> /dev/null touch x', 'echo $"a"'],
  ['signs nobody sees', 'ls\u200b', 'ls\u0000', 'l\u0007s'],
  ['one among many', 'ls && rm a.txt', 'cat a.txt | tee b.txt', 'git status; git clean -fd', 'ls\nrm a.txt'],
];

const open = async () => {
  const session = await openSession({ 'a.txt': 'x\n', 'src/b.txt': 'x\n', 'package.json': '{}' });
  mkdirSync(join(session.root, 'folder'));
  execFileSync('mkfifo', [join(session.root, 'pipe'), join(session.root, 'folder/pipe')]);
  symlinkSync('/etc/passwd', join(session.root, 'leads-out'));
  return session;
};

describe('a command that only reads', () => {
  it('is known', async () => {
    const { workspace } = await open();
    for (const command of reading) expect(await onlyReads(workspace, command), command).toBe(true);
  });

  it('leaves nothing behind', async () => {
    const { workspace, root, call } = await open();
    execFileSync('git', ['init', '-q'], { cwd: root });
    writeFileSync(join(root, '.gitignore'), '.belay-data\n');
    const { revision } = await workspace.revision.scan();
    for (const command of reading.filter((text) => !text.startsWith('jq'))) await call('Bash', { command });
    expect((await workspace.revision.scan()).revision).toBe(revision);
  });

  it.each(others)('is not taken for: %s', async (_why, ...commands) => {
    const { workspace } = await open();
    for (const command of commands) expect(await onlyReads(workspace, command), command).toBe(false);
  });

  it('of the commands that must be asked about, only these are readings', async () => {
    const { workspace } = await open();
    const found: string[] = [];
    for (const command of [...broadAsked, ...fieldAsked]) if (await onlyReads(workspace, command)) found.push(command);
    expect(found).toMatchInlineSnapshot(`
      [
        "git show HEAD:.env",
        "cat .env",
        "cat .env~",
        "cat .env-local",
        "cat .env.bak",
        "cat .env_old",
        "cat id_rsa.old",
        "cat .envrc",
        "cat config/prod.env",
        "cat .ssh/known_hosts",
        "cat server.key",
        "cat secrets.yml",
        "cat .git/HEAD",
        "cat sub/.git/config",
        "cat .claude/settings.local.json",
        "find .git -name x",
        "git diff -- .env",
        "ls link",
        "ls link/x",
        "grep KEY .env",
        "grep KEY ./.env",
        "grep KEY .ENV",
        "grep x deploy_key",
        "grep x config/id_rsa",
        "grep x .npmrc",
        "grep x .netrc",
        "grep x .ssh/config",
        "grep x .git/config",
        "grep -e x .env",
        "ls .git/hooks",
      ]
    `);
  });

  it('of the commands that rules may allow, only these are readings', async () => {
    const { workspace } = await open();
    const found: string[] = [];
    for (const command of [...broadAllowed, ...fieldAllowed])
      if (await onlyReads(workspace, command)) found.push(command);
    expect(found).toMatchInlineSnapshot(`
      [
        "cat .env.example",
        "cat .env-sample",
        "git stash list",
        "git branch",
        "git show HEAD:src/a.ts",
        "git remote -v",
        "git worktree list",
        "git grep -n foo src",
        "git blame src/a.ts",
        "cat src/a.ts package.json",
        "head -n 20 src/a.ts",
        "tail -5 src/a.ts",
        "sort -u src/a.ts",
        "sort -k2,2n src/a.ts | uniq -c",
        "sed -n '1,20p' src/a.ts",
        "rg -n foo src",
        "rg -l "/api" src",
        "fd a src",
        "jq .name package.json",
        "diff src/a.ts src/b.ts",
        "printf "%s\\n" a b",
        "test -f src/a.ts",
        "[ -d src ]",
        "date +%s",
        "git status",
        "git status -sb",
        "git status --porcelain=v1",
        "git diff --stat",
        "git diff HEAD~1 -- src/a.ts",
        "git diff main...feature",
        "git diff --cached --stat",
        "git log --oneline -20",
        "git log --format='%h %s' -5",
        "ls",
        "ls -la src",
        "ls ./src",
        "echo hello",
        "echo "a; rm -rf b"",
        "echo 'touch OWNED'",
        "find . -name '*.ts'",
        "find src -type f -name '*.ts' -not -path '*/node_modules/*'",
        "find . -maxdepth 2 -newer package.json",
        "grep -rn TODO src",
        "grep -n "/api/v1" src/a.ts",
        "grep -E 'a|b' src/a.ts",
        "grep -c 'rm -rf' src/a.ts",
        "git status && ls",
        "git status; ls; echo done",
        "git status
      ls",
        "git diff | grep foo",
        "ls | grep -v node_modules",
        "! git status",
        "ls 2>/dev/null",
        "echo a # ; touch OWNED",
        "ls -- src",
        "git diff --stat HEAD~3..HEAD",
      ]
    `);
  });
});
