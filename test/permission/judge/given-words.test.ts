/** Words of a text that become words of its commands: what they name counts as named by the command itself. */
import { describe, expect, it } from 'vitest';
import { createPermission } from '../../../src/permission/create-permission.ts';
import { corpusPorts } from '../corpus/workspace.ts';

const permission = createPermission(corpusPorts);
const decide = async (command: string) =>
  (
    await permission(
      { tool: 'Bash', args: { command }, effect: 'process', paths: null },
      { mode: 'default', allow: ['Bash'], checks: [], workspace: '/repo', signal: new AbortController().signal },
    )
  ).decision;

describe('with a rule for every command', () => {
  it.each([
    'for f in /etc/passwd; do cat $f; done',
    'for _ in src/a.ts; do echo /etc/passwd; cat "$_"; done',
    'echo /etc/passwd; cat "$_"',
    'echo /etc/passwd || echo src/a.ts; cat "$_"',
    'echo .env | true; cat $_',
    'for f in .env; do cat "$f"; done',
    'for f in src/a.ts .env; do cat $f; done',
    'for f in .en; do cat ${f}v; done',
    'for f in *.pem; do cat $f; done',
    'for d in /etc; do for f in $d/passwd; do cat $f; done; done',
    'for f in /etc/passwd; do echo $f; done | xargs cat',
    'while true; do cat $f; for f in /etc/passwd; do true; done; done',
    'while true; do cat "$f"; for f in /etc/passwd; do true; done; done',
    'for f in /etc/passwd; do true; done; git commit -m $X',
    'for f in /etc/passwd; do true; done; git commit -m "a"$X',
    'for f in /etc/passwd; do true; done; git commit -m "$@"',
    'pushd src && cat ../../x',
    'cat ${X:-/etc/passwd}',
    'cat ${X:-.env}',
    'cat ${X-.env}',
    'cat ${X:+.env}',
    'cat "${X:-.env}"',
    'cat ${X:-.}env',
    'cat ${X/a/.env}',
    'cat ${X:-${Y:-.env}}',
    'cat $X/etc/passwd',
    'cat $X.env',
    'cat $PWD/../outside.txt',
    'cat "$PWD"/../outside.txt',
    'cat ${PWD}/.env',
    'cat $(pwd)/.env',
    'cat $HOME/x',
    'cat ~/x',
    'cat "$(echo /etc/passwd)"',
    'cat $(echo .env)',
    'cat $(printf %s /etc/passwd)',
    'cat `echo .env`',
    'cat $(true; echo .env)',
    'cat $(echo src/a.ts; echo .env)',
    'echo /etc/passwd | xargs cat',
    'echo src/a.ts .env | xargs cat',
    "printf '%s' .env | xargs cat",
    'echo -n .env | xargs -n1 cat',
    'echo .env | tee src/new.ts | xargs cat',
    '(echo .env) | xargs cat',
    'echo .env | while read f; do cat $f; done',
    'while read f; do cat $f; done <<< .env',
    'while read f; do cat $f; done <<E\n.env\nE',
    'xargs cat <<< /etc/passwd',
    'xargs cat <<E\nsrc/a.ts\n/etc/passwd\nE',
    'cat <<E | xargs cat\n.env\nE',
    "cat <<'E' | xargs cat\n.env\nE",
    'CI=.env; cat $CI',
    "echo 'cat /etc/passwd' | sh",
    'find . -name .env | xargs cat',
    "find . -name '*.pem' | xargs cat",
    'find . -name .env -exec cat {} +',
  ])('asks: %s', async (command) => {
    expect(await decide(command)).toBe('ask');
  });
  it.each([
    'for f in src/a.ts src/b.ts; do cat $f; done',
    'for d in src dir; do cat $d/package.json; done',
    'for f in /etc/passwd; do echo $f; done',
    'echo "see /etc/hosts and .env"',
    'echo "see /etc/hosts" | grep see',
    'echo "see /etc/hosts"; cat $X',
    'echo src/a.ts | xargs cat',
    'cat ${X:-src/a.ts}',
    'cat $PWD/src/a.ts',
    'cat $(pwd)/src/a.ts',
    'cat "$(echo src/a.ts)"',
    'git commit -m "$(cat <<E\nas /etc/hosts and .env say\nE\n)"',
    'cat <<E\n/etc/hosts\nE',
    'cat $X <<E\n/etc/hosts\nE',
    'git ls-files | xargs wc -l',
    'grep -l .env src/a.ts | xargs wc -l',
    'find . -name .env; cat $X',
    "find . -name '*.ts' | xargs wc -l",
    'CI=1; echo $CI',
    'CI=.env cat $CI',
    'cat $X <<< /etc/passwd',
    'cat $X | echo /etc/passwd',
    'echo /etc/passwd > src/new; cat $X',
    'for f in /etc/passwd; do true; done; git commit -m "$X"',
  ])('allows: %s', async (command) => {
    expect(await decide(command)).toBe('allow');
  });
});

describe('a text that shells read', () => {
  const losing = ['rm -r src', 'git reset --hard', 'true; nice rm -r src', 'sh -c "rm -r src"'];
  it.each(
    losing.flatMap((text) => [
      `echo '${text}' | sh`,
      `printf '${text}' | timeout 5 bash`,
      `bash <<< '${text}'`,
      `sh <<E\n${text}\nE`,
      `eval "$(echo '${text}')"`,
      `. <(echo '${text}')`,
      `source <(printf '${text}')`,
      `source /dev/stdin <<< '${text}'`,
      `. /dev/fd/0 <<E\n${text}\nE`,
      `echo '${text}' | . /proc/self/fd/0`,
    ]),
  )('is asked about where it would lose work: %s', async (command) => expect(await decide(command)).toBe('ask'));
  it.each([
    "echo 'rm -r src' | cat",
    "echo 'ls src' | sh",
    'eval "$(ssh-agent)"',
    '. <(echo ls)',
    'ls . <<< "rm -r src"',
    '. src/a.ts <<< "rm -r src"',
    'sh <<E\nls\nE',
  ])('is as before elsewhere: %s', async (command) => expect(await decide(command)).toBe('allow'));
});
