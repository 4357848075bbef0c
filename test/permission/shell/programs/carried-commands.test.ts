import { describe, expect, it } from 'vitest';
import { carriedBy } from '../../../../src/permission/shell/programs/carried-commands.ts';
import { profileOf } from '../../../../src/permission/shell/programs/profile-of.ts';
import { literalWord, type ShellWord } from '../../../../src/permission/shell/shell-word.ts';
import { narrowed } from '../../corpus/narrowed.ts';

const read = (text: string): readonly ShellWord[] =>
  [...text.matchAll(/'([^']*)'|\$\S+|\S+/g)].map(([word, quoted]) =>
    word.startsWith('$') ? { kind: 'dynamic', text: word } : literalWord(quoted ?? word),
  );
function carried(text: string) {
  const words = read(text);
  const { commands, texts } = carriedBy(words, profileOf(words));
  return [...commands.map((one) => one.map((word) => word.text).join(' ')), ...texts.map((one) => `'${one}'`)];
}

describe('what a command may start', () => {
  it.each<[string, readonly string[]]>([
    // It is understood, and told by the profile.
    ['nice -n 5 rm x', []],
    ['c8 rm x', []],
    ['command -v rm', []],
    // Options may take the word behind them, and operands may come first.
    ['sudo -u me rm x', ['me rm x', 'rm x']],
    ['sudo -u rm ls x', ['rm ls x', 'ls x']],
    ['sudo -- rm x', ['rm x']],
    ['sudo git rm x', ['git rm x']],
    ['sudo env rm x', ['env rm x']],
    ['sudo xargs rm', ['xargs rm']],
    ['sudo c8 rm', ['c8 rm']],
    ['sudo toybox rm', ['toybox rm']],
    ['sudo export rm', ['export rm']],
    ['sudo true rm', ['true rm']],
    ['sudo cat rm', ['cat rm']],
    ['sudo jq rm', ['jq rm']],
    ['flock f rm x', ['f rm x', 'rm x']],
    ['nice --best rm x', ['rm x', 'x']],
    ['c8 -x rm x', ['rm x', 'x']],
    ['xargs rm x', ['rm x']],
    ['busybox rm x', ['rm x']],
    ['timeout 5 --odd rm x', []],
    ['timeout --odd 5 10.5s rm x', ['rm x']],
    ['env -u A B=c rm x', ['A B=c rm x', 'rm x']],
    ['sudo $x rm', ['rm']],
    ['sudo 5 5m 7z x', ['7z x']],
    ['sudo ~/bin/a ./b +c a=b', ['~/bin/a ./b +c a=b', './b +c a=b', '+c a=b']],
    ['sudo *a {} "b', []],
    [
      'sudo a b c d e f g h i',
      ['a b c d e f g h i', 'b c d e f g h i', 'c d e f g h i', 'd e f g h i', 'e f g h i', 'f g h i', 'g h i', 'h i'],
    ],
    ['sudo', []],
    [
      `sudo ${'abcdefghi'.replace(/./g, '-o $&x ')}`.trim(),
      [...'abcdefgh'].map((first) =>
        'abcdefghi'.slice('abcdefghi'.indexOf(first)).replace(/./g, '-o $&x ').slice(3).trim(),
      ),
    ],
    // Texts.
    ["ssh host 'rm x'", ['host rm x', "'rm x'"]],
    ["ssh 'a b' ' c' 'd ' $x", ["'a b'"]],
    ["env -u A 'rm x'", ['A rm x', "'rm x'"]],
    // Packages that are run by name, and what they start.
    ['npx rm x', ['rm x']],
    ['npx -y a rm x', ['a rm x', 'rm x']],
    ['bunx a b', ['a b', 'b']],
    ["npx -c 'rm x'", ["'rm x'"]],
    // Verbs behind which a command stands.
    ['npm exec rm x', ['rm x']],
    ['npm x -- rm x', ['rm x']],
    ['pnpm dlx rm x', ['rm x']],
    ['yarn run a b', ['a b', 'b']],
    ['npm run-script a', ['a']],
    ['npm install rm', []],
    ['npm executor rm', []],
    ['npm axe rm', []],
    ['hg run rm', ['rm']],
    ['git run rm', []],
    ['git log -x rm', []],
    ['git bisect run rm x', ['rm x']],
    ['git -C a submodule foreach rm x', ['rm x']],
    ['git rebase -x rm x', ['rm x']],
    ["git rebase main --exec 'rm x'", ["'rm x'"]],
    ['git rebase run-all rm', []],
    ['git unbisect run rm', []],
    ['git -c alias.x=!rm x', ["'rm'"]],
    ["git -c 'alias.x=push --force' x", ["'git push --force'"]],
    ['git -c user.alias.x=y x', []],
    ['git -c alias.x= x', []],
    ['. x a', ['./x a']],
    ['source ./x a', ['./x a']],
    ['sources x a', ['x a']],
    ['apt run rm', []],
    ['tar x rm', []],
    // A program that nobody knows.
    ['wrap rm x', ['rm x']],
    ['wrap a rm x', ['a rm x']],
    ['wrap -q a rm x', ['a rm x', 'rm x']],
    ['wrap a -- rm x', ['a -- rm x', 'rm x']],
    ['wrap a --', ['a --']],
    ['wrap --x y', ['y']],
    // One that starts nothing.
    ['echo rm x', []],
    ['cd rm', []],
    ['cat rm', []],
    ['jq rm', []],
    ['grep rm x', []],
    ...'awk cd cp curl dd find install ln mv rm sed shred sponge srm tee trash truncate'
      .split(' ')
      .map((program): [string, readonly string[]] => [`${program} rm`, []]),
    // The script of a shell, and a module of Python.
    ['sh x a', ['./x a']],
    ['bash -x +e ./x a', ['./x a']],
    ['bash -c x a', []],
    ['bash -xc x a', []],
    ['bash -x', []],
    ['bash $x', []],
    ['python -m pip x', ['pip x']],
    ['python -I -m pip x', ['pip x']],
    ['python -Impip x', ['pip x']],
    ['python x.py rm', []],
    ['python -m', ['']],
    // Others.
    ['fd -x rm', ['rm']],
    ['fd -X rm', ['rm']],
    ['fd a --exec rm x', ['rm x']],
    ['fd a --exec-batch rm x', ['rm x']],
    ['fd a --execute rm', []],
    ['fd a -xy rm', []],
    ['alias a=rm b', ["'rm'"]],
  ])('%s: %j', (text, expected) => expect(carried(text)).toEqual(expected));

  it('an alias is what stands in its quotes', () => {
    const texts = ["a='rm x'", 'b="rm y"', 'c=\'d"', '=e', 'f=\ng'].map(literalWord);
    expect(carriedBy([literalWord('alias'), ...texts], {}).texts).toEqual(['rm x', 'rm y', '\'d"', '\ng']);
  });
});

describe('a rule against rm', () => {
  it.each([
    'sudo -u me rm x',
    'sudo -u me git -C x status; sudo rm x',
    'doas -u me rm x',
    'env -u A rm x',
    'env -C d rm x',
    "env --split-string='rm x'",
    "env -S'rm x'",
    'env -vS rm x',
    'flock f rm x',
    "flock f -c 'rm x'",
    'exec -a y rm x',
    'exec -cl rm x',
    'npx rm x',
    'npx -y rm x',
    'npx cross-env A=b rm x',
    'npm exec -- rm x',
    'npm run env -- rm x',
    'pnpm dlx rm x',
    'bunx rm x',
    'bun x rm y',
    'bundle exec rm x',
    'poetry run rm x',
    'uv run rm x',
    "bash <<< 'rm x'",
    'bash <<E\nrm x\nE',
    "bash <<'E'\nrm x\nE",
    'sudo bash <<< "rm x"',
    '/bin/sh <<< "rm x"',
    'echo rm x | bash',
    "printf 'rm x' | sh",
    "printf '%s' 'rm x' | sudo sh",
    'x="rm y"; sh <<< "$x"',
    'busybox rm x',
    "busybox sh -c 'rm x'",
    'ls | xargs rm',
    'xargs --strange rm',
    '/usr/bin/xargs rm < x',
    'command -p rm x',
    'nice -n 5 rm x',
    'nice --adjustment 5 rm x',
    'stdbuf --output L rm x',
    'setsid rm x',
    'timeout -s KILL 5 rm x',
    'time -f %e rm x',
    'chroot / rm x',
    'unshare -r rm x',
    'ssh host rm x',
    "ssh -p 22 me@host 'cd a && rm x'",
    "su -c 'rm x' me",
    "sudo sh -c 'rm x'",
    "sudo -u me sh -c 'rm x'",
    "sudo -u me env -S 'rm x'",
    'docker run --rm -it image rm x',
    'docker exec -u me box rm x',
    'docker compose run box rm x',
    'kubectl -n a exec -it pod -- rm x',
    'wrap rm x',
    './wrap -q rm x',
    'wrap a --b c -- rm x',
    "parallel 'rm {}' ::: x",
    'parallel "sh -c \'rm x\'" ::: x',
    'find . -ok sudo -u a rm {} \\;',
    'fd -x rm',
    'git bisect run rm x',
    "git submodule foreach 'rm x'",
    "git rebase -x 'rm x' main",
    "git -c alias.x='!rm y' x",
    'watch --color rm x',
    'f() { "$@"; }; f rm x',
    "alias x='rm y'; x",
    'x=rm; $x f',
    "x='rm -r'; $x f",
    "x='sudo -u me rm'; $x f",
    'for x in rm; do $x f; done',
    '/bin/rm x',
    'RM x',
    'src/nice -q rm x',
  ])('means: %s', async (text) => {
    expect((await narrowed(text, { deny: ['Bash(rm *)'] })).decision).toBe('deny');
    expect((await narrowed(text, { ask: ['Bash(rm *)'] })).decision).toBe('ask');
  });
  it.each([
    'git rm x',
    'nice git rm x',
    'sudo -u me git rm x',
    'ssh host git rm x',
    "ssh host 'git rm x'",
    'npm rm x',
    'npm install rm',
    'echo rm x',
    'echo rm x | cat',
    'cat <<< "rm x"',
    'echo rm x | bash x.sh',
    "bash -c 'ls' <<< x",
    'x=rm; echo $x',
    'which rm',
    'command -v rm',
    'cd rm',
    'bash rm.sh',
    'node rm.js',
    'python -m pytest rm',
  ])('does not mean: %s', async (text) => {
    expect((await narrowed(text, { deny: ['Bash(rm *)'] })).decision).toBe('allow');
  });
  it('what the text prints becomes words of what xargs starts', async () => {
    const rules = { deny: ['Bash(git push x)'] };
    expect((await narrowed('echo push x | xargs git', rules)).decision).toBe('deny');
    expect((await narrowed('echo push y | xargs git', rules)).decision).toBe('allow');
  });
});
