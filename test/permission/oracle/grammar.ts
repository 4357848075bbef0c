/**
 * Shell texts from a seed: commands, wrappers, substitutions, quotes, compound commands and the tricks of people who
 * want something to run unseen. Some are damaged at random places. `zap` is the program that should not run unseen.
 */
import { type Prng, seededPrng } from '#lib';
import { tameText } from './tame.ts';

/** Real programs of the machine that run here. All but those in `standIns` do only what they always do. */
export const programs: readonly string[] =
  'ls cat echo grep find env timeout nohup nice xargs sort head wc sed awk sh bash git stdbuf setsid tr cut tee printf test uniq tail basename dirname diff expr seq id uname date true false tar'.split(
    ' ',
  );
/** Names that do nothing here, whatever they do elsewhere. */
export const standIns: readonly string[] = 'zap npm make node python3 rm touch sudo curl pytest cargo'.split(' ');

type Make = (depth: number) => string;

export function shellTexts(seed: number, count: number): readonly string[] {
  return Array.from({ length: count }, (_one, i) => {
    const prng = seededPrng(seed * 100_003 + i);
    return i % 2 === 0 ? shellText(prng) : tameText(prng);
  });
}

function shellText(prng: Prng): string {
  const pick = <T>(list: readonly T[]): T => list[prng.below(list.length)] as T;
  const chance = (percent: number): boolean => prng.below(100) < percent;
  const join = (min: number, max: number, make: () => string, by: string): string =>
    Array.from({ length: min + prng.below(max - min + 1) }, make).join(by);

  /** The spellings by which a program is called. */
  const program = (name: string): string => {
    if (chance(75)) return name;
    const [first = '', rest = ''] = [name[0], name.slice(1)];
    return pick([
      `\\${name}`,
      `${first}""${rest}`,
      `'${first}'${rest}`,
      `"${name}"`,
      `${first}\\\n${rest}`,
      `$'\\x${first.charCodeAt(0).toString(16)}'${rest}`,
      `$'${name}'`,
      `$"${name}"`,
      `\${x}${name}`,
      `\${x:-${name}}`,
      `$(echo ${name})`,
      `{${name},}`,
      `./${name}`,
      `/tmp/oracle/bin/${name}`,
      `../oracle/bin/${name}`,
      `${first}?${rest.slice(1)}`,
      `${name}\u00a0`,
    ]);
  };
  const zap = (): string => program('zap');

  const plainWord: Make = () =>
    pick([
      'a.txt',
      'b.txt',
      'sub',
      '.',
      'x',
      '-n',
      '-l',
      '--',
      '-x',
      '1',
      'zap',
      '#zap',
      'a#zap',
      '=',
      'a=b',
      '!',
      '%',
    ]);
  const quoted: Make = () =>
    pick(
      [
        "'; zap'",
        '"; zap"',
        "'a'\\''; zap #'",
        '"a\\"; zap; echo \\"b"',
        '"a\\\\"',
        "'\\'",
        "$'a\\'; zap'",
        "$'\\''",
        '"\\`zap\\`"',
        '"\\$(zap)"',
        "'$(zap)'",
        '\\;',
        '\\&\\&',
        'a\\\nb',
        "'a\nzap'",
        '"a\nzap"',
        '"!zap"',
        '"$x"',
        '"`"',
      ].filter((one) => one !== '"`"' || chance(10)),
    );
  const substitution: Make = (depth) => {
    const inner = list(depth + 1);
    return pick([
      `$(${inner})`,
      `"$(${inner})"`,
      `\`${inner.replace(/[`\\$]/g, '')}\``,
      `"\`${inner.replace(/[`\\$"]/g, '')}\`"`,
      `\${x:-$(${inner})}`,
      `"\${x:-$(${inner})}"`,
      `\${x:+$(${inner})}`,
      `\${HOME#$(${inner})}`,
      `\${HOME/$(${inner})/x}`,
      `\${HOME:$(${inner})}`,
      `\${x=$(${inner})}`,
      `\${x[$(${inner})]}`,
      `\${x?$(${inner})}`,
      `\${HOME^^$(${inner})}`,
      `$((1 + $(${inner})))`,
      `$(( x[$(${inner})] ))`,
      `$[ $(${inner}) ]`,
      `<(${inner})`,
      `>(${inner})`,
      `a<(${inner})`,
      `$(<a.txt)`,
      `$( (${inner}) )`,
      `$(case a in a) ${inner};; esac)`,
      `$(: #)\n${inner})`,
      `"\${x:-"$(${inner})"}"`,
      `"\${x:-'$(${inner})'}"`,
      `'\${x:-$(${inner})}'`,
    ]);
  };
  const globbed: Make = () => pick(['*.txt', '?.txt', '[ab].txt', '~', '{a,b}.txt', '{1..3}', '*', '@(a|b)', '!(a)']);
  const word: Make = (depth) => {
    const roll = prng.below(100);
    if (depth < 3 && roll < 14) return substitution(depth);
    if (roll < 40) return quoted(depth);
    return roll < 48 ? globbed(depth) : plainWord(depth);
  };

  const redirection: Make = (depth) => {
    const inner = list(depth + 1);
    return pick([
      '> out',
      '>> out',
      '2>&1',
      '2> out',
      '&> out',
      '>& out',
      '< a.txt',
      '<> a.txt',
      '>| out',
      '> /dev/null',
      '>&-',
      '{fd}> out',
      '<<< x',
      `<<< "$(${inner})"`,
      `> "$(${inner})"`,
      `<<E\n$(${inner})\nE\n`,
      `<<'E'\n$(${inner})\nE\n`,
      `<<"E"\n\`${inner.replace(/`/g, '')}\`\nE\n`,
      `<<\\E\n$(${inner})\nE\n`,
      `<<-E\n\t$(${inner})\n\tE\n`,
      `<<E\na\nE \n${zap()}\nE\n`,
      `<<E\na\n E\nE\n${zap()}\n`,
      `<<E\na\\\nE\nE\n${zap()}\n`,
      `<<"E F"\na\nE F\n${zap()}\n`,
      `<<A <<B\n$(${inner})\nA\n$(${zap()})\nB\n`,
      `< <(${inner})`,
      `> >(${inner})`,
    ]);
  };
  const assignment: Make = (depth) =>
    pick([
      'x=1',
      'CI=1',
      'PATH=/tmp/oracle/bin:$PATH',
      'x=',
      `x=$(${list(depth + 1)})`,
      `x[$(${list(depth + 1)})]=1`,
      `x=($(${list(depth + 1)}))`,
      'x+=1',
      'NODE_ENV=test',
      'BASH_ENV=a.txt',
      "PROMPT_COMMAND='zap'",
      'LC_ALL=C',
      'IFS=a',
    ]);

  const plainCommand: Make = (depth) => {
    const name = chance(30)
      ? zap()
      : program(pick([...programs, ...standIns].filter((one) => one !== 'bash' && one !== 'sh')));
    const parts = [
      ...(chance(12) ? [assignment(depth)] : []),
      ...(chance(5) && depth < 3 ? [redirection(depth).replace(/\n[\s\S]*$/, '')] : []),
      name,
      ...Array.from({ length: prng.below(4) }, () => word(depth)),
      ...(chance(14) && depth < 3 ? [redirection(depth)] : []),
    ];
    return parts.join(' ');
  };
  const wrapped: Make = (depth) => {
    const inner = command(depth + 1);
    const text = list(depth + 1).replaceAll("'", '');
    return pick([
      `env ${inner}`,
      `env x=1 ${inner}`,
      `env CI=1 ${inner}`,
      `env -i ${inner}`,
      `env -u x ${inner}`,
      `env -S '${text}'`,
      `env -- ${inner}`,
      `timeout 1 ${inner}`,
      `timeout -k 1 1 ${inner}`,
      `timeout --signal=KILL 1 ${inner}`,
      `timeout -s KILL 1s ${inner}`,
      `nohup ${inner}`,
      `nice ${inner}`,
      `nice -n 5 ${inner}`,
      `nice -5 ${inner}`,
      `stdbuf -oL ${inner}`,
      `setsid ${inner}`,
      `setsid -w ${inner}`,
      `command ${inner}`,
      `command -p ${inner}`,
      `command -v ${inner}`,
      `builtin ${inner}`,
      `exec ${inner}`,
      `exec -a ls ${inner}`,
      `time ${inner}`,
      `time -p ${inner}`,
      `! ${inner}`,
      `eval ${inner}`,
      `eval '${text}'`,
      `bash -c '${text}'`,
      `sh -c '${text}'`,
      `bash -ec '${text}' x`,
      `bash -c -- '${text}'`,
      `bash +x -c '${text}'`,
      `sh -x -c '${text}'`,
      `bash -O extglob -c '${text}'`,
      `bash <<< '${text}'`,
      `echo '${text}' | sh`,
      `xargs ${zap()} < a.txt`,
      `echo a | xargs ${inner}`,
      `echo zap | xargs`,
      `echo zap | xargs env`,
      `echo a | xargs -I{} ${inner}`,
      `echo a | xargs -n1 ${inner}`,
      `echo zap | xargs -I{} {} x`,
      `find . -maxdepth 0 -exec ${zap()} {} \\;`,
      `find . -maxdepth 0 -exec ${zap()} {} +`,
      `find . -maxdepth 0 -execdir ${zap()} ';'`,
      `find . -maxdepth 0 -ok ${zap()} \\;`,
      `find . -name a.txt ${chance(50) ? '-exec' : '-execdir'} sh -c '${text}' \\;`,
      `find . -maxdepth 0 -e"x"ec ${zap()} \\;`,
      `find . -maxdepth 0 -fprintf out x`,
      `sed -n '1e zap' a.txt`,
      `sed 's/.*/zap/e' a.txt`,
      `sed -n '1s/.*/zap/;e' a.txt`,
      `sed --expression='1e zap' a.txt`,
      `sed -f a.txt a.txt`,
      `awk 'BEGIN { system("zap") }'`,
      `awk 'BEGIN { "zap" | getline }'`,
      `awk 'BEGIN { print 1 | "zap" }'`,
      `awk -f a.txt`,
      `awk -v x=1 'BEGIN { f = "zap"; print | f }'`,
      `git -c alias.x='!zap' x`,
      `git -c core.pager=zap -p version`,
      `git --exec-path=/tmp/oracle/bin zap`,
      `git zap`,
      `git -p --version`,
      `sort --compress-program=zap a.txt`,
      `sort -S1 --compress-program zap a.txt`,
      `tar -cf out a.txt --checkpoint=1 --checkpoint-action=exec=zap`,
      `tar cf out --to-command=zap a.txt`,
      `tar -I zap -cf out a.txt`,
      `tar --use-compress-program=zap -tf a.txt`,
      `trap '${text}' EXIT`,
      `trap ${zap()} EXIT`,
      `printf -v 'x[$(zap)]' a`,
      `test -v 'x[$(zap)]'`,
      `[ -v 'x[$(zap)]' ]`,
      `[[ -v x[$(${text})] ]]`,
      `[[ 'x[$(zap)]' -eq 1 ]]`,
      `[[ -n $(${text}) && 1 = 1 ]]`,
      `read 'x[$(zap)]' < a.txt`,
      `unset 'x[$(zap)]'`,
      `declare 'x[$(zap)]=1'`,
      `let 'x[$(zap)]'`,
      `(( x[$(${text})] ))`,
      `((${zap()}))`,
      `. ./zap`,
      `source /dev/stdin <<< zap`,
      `alias ls=zap\nls`,
      `shopt -s expand_aliases; alias ls=zap\nls`,
      `hash -p /tmp/oracle/bin/zap ls; ls`,
      `enable -f zap x`,
      `complete -C zap x; compgen -C zap`,
      `mapfile -C zap -c 1 x < a.txt`,
      `set -- zap; "$@"`,
      `x=zap; $x`,
      `x=zap\n$x a`,
      `"$x"zap`,
      `for x in zap; do $x; done`,
      `PATH=/tmp/oracle/bin ls`,
      `cd ../oracle/bin && ./zap`,
      `cd /tmp/oracle/bin; zap`,
      `ls() { zap; }; ls`,
      `function ls { zap; }; ls`,
      `echo() (zap); echo`,
      `coproc zap`,
      `coproc ls { zap; }`,
      `select x in a; do zap; done < a.txt`,
      `until zap; do break; done`,
      `BASH_FUNC_ls%%='() { zap; }' bash -c ls`,
      `env 'BASH_FUNC_ls%%=() { zap; }' bash -c ls`,
      `BASH_ENV=a.txt bash -c :`,
      `busybox zap`,
      `timeout 1 -- ${inner}`,
      `nohup -- ${inner}`,
      `git diff --no-index --ext-diff a.txt b.txt`,
      `git grep --no-index -Ozap a`,
      `git grep --no-index --open-files-in-pager=zap a`,
      `git ls-remote 'ext::zap'`,
      `git -c diff.external=zap diff --no-index a.txt b.txt`,
      `GIT_EXTERNAL_DIFF=zap git diff --no-index a.txt b.txt`,
      `GIT_PAGER=zap git -p version`,
    ]);
  };
  const command: Make = (depth) => (depth < 3 && chance(34) ? wrapped(depth) : plainCommand(depth));
  const compound: Make = (depth) => {
    const one = (): string => list(depth + 1);
    return pick([
      `(${one()})`,
      `( ${one()}; ${zap()} )`,
      `{ ${one()}; }`,
      `if ${one()}; then ${one()}; else ${zap()}; fi`,
      `if false; then a; elif ${one()}; then ${zap()}; fi`,
      `while ${one()}; do ${one()}; break; done`,
      `for x in a "$(${one()})"; do ${one()}; done`,
      `for x in a; do ${zap()}; done`,
      `for ((i = 0; i < 1; i++)); do ${zap()}; done`,
      `case a in a) ${one()};; *) ${zap()};; esac`,
      `case $(${one()}) in b) :;; *) ${zap()};; esac`,
      `case a in $(${one()})) :;; esac`,
      `case a in (a) ${zap()} ;& b) ls ;; esac`,
      `f() { ${one()}; }; f`,
      `${one()} && { ${zap()}; } > out`,
      `[[ a = a ]] && ${zap()}`,
      `[[ a < b ]] ; ${zap()}`,
      `[ a = a -a -n "$(${one()})" ]`,
      `(( 1 )) && ${zap()}`,
      `:; ${zap()} &`,
      `${one()} |& ${one()}`,
      `# ${one()}\n${zap()}`,
      `echo a # \\\n${zap()}`,
      `echo a\\# ; ${zap()}`,
      `echo a;# b\n${zap()}`,
      `ls \\\n&& ${zap()}`,
      `ls\r\n${zap()}`,
      `ls\t;\t${zap()}`,
      `ls\u00a0;${zap()}`,
      `ls\f${zap()}`,
      `ls \\ ; ${zap()}`,
      `ls "\\" ; ${zap()} ; echo "\\"`,
      `ls &>out ${zap()}`,
      `ls >&2 ${zap()}`,
      `time -p -- ${zap()}`,
      `time\n${zap()}`,
      `! ! ${zap()}`,
      `;; ${zap()}`,
      `& ${zap()}`,
      `ls;; ${zap()}`,
      `ls | | ${zap()}`,
      `ls &&\n\n${zap()}`,
      `exit 0\n${zap()}`,
      `return; ${zap()}`,
      `false || exit\n${zap()}`,
    ]);
  };
  const element: Make = (depth) => (depth < 3 && chance(22) ? compound(depth) : command(depth));
  function list(depth: number): string {
    if (depth > 3) return zap();
    const separators = [' && ', ' || ', '; ', ' | ', ' & ', '\n', '|', ';', '&&'];
    return join(1, depth === 0 ? 3 : 2, () => element(depth), pick(separators));
  }

  const text = list(0);
  return chance(25) ? damaged(text, prng) : text;
}

const pieces: readonly string[] = [
  ...'\'"`\\;&|<>(){}$#!~*?[]= \n\t'.split(''),
  '$(',
  '${',
  '((',
  '<<',
  '&&',
  "$'",
  '\\\n',
  ' zap ',
  ';zap;',
  '\nzap\n',
  'E\n',
];

/** A few random characters less or more. */
function damaged(text: string, prng: Prng): string {
  let out = text;
  for (let count = 1 + prng.below(3); count > 0; count--) {
    const at = prng.below(out.length + 1);
    const cut = prng.below(3);
    const piece = prng.below(3) === 0 ? '' : (pieces[prng.below(pieces.length)] as string);
    out = out.slice(0, at) + piece + out.slice(at + cut);
  }
  return out;
}
