/** Patterns that find options, and variables that become them. */
import { describe, expect, it } from 'vitest';
import { createPermission } from '../../../src/permission/create-permission.ts';
import { analyse } from '../../../src/permission/shell/analyse.ts';
import { corpusPorts } from '../corpus/workspace.ts';

const permission = createPermission(corpusPorts);
const decide = async (command: string, allow: readonly string[]) =>
  (
    await permission(
      { tool: 'Bash', args: { command }, effect: 'process', paths: null },
      { mode: 'default', allow, checks: [], workspace: '/repo', signal: new AbortController().signal },
    )
  ).decision;

const programs = 'rg find sort git tar gcc awk make grep ls cat head wc sed node eslint mkdir cp echo xxd'
  .split(' ')
  .map((name) => `Bash(${name} *)`);

describe('with rules for programs', () => {
  it.each([
    'rg --pr[e]=sh CODE ./run.txt',
    'rg --pr?=sh CODE ./run.txt',
    'rg "--pr"*=sh CODE ./run.txt',
    'rg -*',
    "rg '-'* CODE",
    'rg \\-* CODE',
    "rg foo ''*",
    'rg foo ""*',
    'rg foo [-a]*',
    'rg foo ?-pre=sh',
    'rg -n[z] foo',
    'find . -d?lete',
    'find . -[d]elete',
    "find . ''*",
    'find . "-"delet[e]',
    'find -- *',
    'sort ""*',
    'sort \\-*',
    'sort *.txt',
    'wc *',
    'xxd *',
    'git diff --outpu[t]=x',
    "git diff ''*",
    'git diff *.ts',
    "tar tf x.tar ''*",
    "gcc ''*",
    'gcc -- *',
    'rg foo -- $X*',
    'rg foo -- -[x]',
    'gcc "@"*',
    "awk 1 ''*",
    'make *',
    "sed -n p ''*",
    "node ''*",
    'eslint *',
    'timeout 5 rg --pr[e]=sh CODE x',
    'echo x | rg --pr[e]=sh CODE',
    'rg "--pre"=s[h] CODE',
    'ls -[l]',
    'cat -[n] a',
  ])('asks: %s', async (command) => {
    expect(await decide(command, programs)).toBe('ask');
  });
  it.each([
    'rg foo ./*.ts',
    'rg foo src/*.ts',
    'rg foo -- *.ts',
    'rg --glob=*.ts foo',
    'grep -rn --include=*.ts foo src',
    'sort -- *.txt',
    'sort ./*.txt',
    'git diff -- *.ts',
    'git diff HEAD -- src/*.ts',
    'wc -l a*.ts',
    'cat *.ts',
    'ls *',
    'head -5 *.ts',
    'mkdir *x',
    "find . -name '*.ts'",
    'node src/[a]*.js',
    'gcc -c src/*.c',
    'awk 1 a*.txt',
    'echo *',
    'echo -[n] *',
  ])('allows: %s', async (command) => {
    expect(await decide(command, programs)).toBe('allow');
  });
});

describe('with a rule for every command, what could lose work asks', () => {
  it.each([
    'find . -d?lete',
    'find *',
    "find . ''*",
    'git push origin *',
    'git branch *',
    'for x in -delete; do find . $x; done',
    'find . ${X:--delete}',
    'find . "$(echo -delete)"',
    'find . $(echo -n -delete)',
    'git reset ${X:---hard}',
    'git ${X:-reset} --hard',
    'for x in a reset; do git $x --hard; done',
    'git $(echo reset) --hard',
    'timeout 9 find . -d?lete',
    'shopt -s dotglob; cat *',
    'builtin shopt -s globstar; cat **',
    "bash -O dotglob -c 'cat *'",
    'bash +xO dotglob src/a.sh',
    `ls ${'* '.repeat(13)}`,
    `for x in ${'a '.repeat(41)}; do ls $x; done`,
    `for x in ${'a '.repeat(41)}; do ls $x a*; done`,
  ])('asks: %s', async (command) => {
    expect(await decide(command, ['Bash'])).toBe('ask');
  });
  it.each([
    'git add *',
    'bash -x src/a.sh',
    'echo shopt',
    'rg foo *.ts',
    'wc -l *',
    'for x in a b; do git log $x; done',
    'find . ${X:-a}',
    `ls ${'* '.repeat(12)}`,
    `for x in ${'a '.repeat(40)}; do ls $x; done`,
  ])('allows: %s', async (command) => {
    expect(await decide(command, ['Bash'])).toBe('allow');
  });
});

it('behind the last option a pattern is spelled as a path', async () => {
  const { commands } = await analyse('cp -- a *');
  expect(commands[0]?.profile.writes?.map(({ word }) => word)).toEqual([
    { kind: 'pattern', text: './*' },
    { kind: 'pattern', text: './*/a' },
  ]);
});

it('says what a name could become', async () => {
  const of = async (text: string) => {
    const { commands, doubts } = await analyse(text);
    return [commands[0]?.profile.loses ?? commands[0]?.profile.hazard, ...doubts];
  };
  expect(await of('sort *')).toEqual(['a file name that * finds may be read as an option']);
  expect(await of('find *')).toEqual([
    'a file name that * finds may be read as an option: find -delete removes every file it finds',
  ]);
  expect(await of('rg "--pre"=s[h] a')).toEqual(['rg --pre=sa starts a program or reads a list from a file']);
  expect(await of('find . ${X:--delete}')).toEqual(['find -delete removes every file it finds']);
  expect(await of('git reset --hard -[x]')).toEqual(['git reset: uncommitted changes would be lost']);
  expect(await of('make X=1 *')).toEqual(['make X=1 sets what the recipes run']);
  expect(await of(`ls ${'* '.repeat(13)}`)).toEqual([
    undefined,
    'its patterns and variables may become more words than can be tried',
  ]);
  expect(await of('rg -[x] a')).toEqual([undefined, 'a file name that -[x] finds may be another option']);
});
