/**
 * Shell texts of which most are understood, so that they are allowed where each of their commands is: whatever the
 * analyser would pass over in them runs without having been named.
 */
import type { Prng } from '#lib';

const commands: readonly string[] = [
  'zap',
  'zap a',
  'ls -l',
  'cat a.txt',
  'wc -l a.txt',
  'head -n 1 a.txt',
  'tail -n 1 b.txt',
  'sort a.txt',
  'uniq a.txt',
  'grep -c zap a.txt',
  'sed -n 1p a.txt',
  'npm test',
  'pytest -q',
  'cargo test',
  'make all',
  'git status',
  'tr a b',
  'cut -c 1',
  'seq 2',
  'uname',
  'basename a.txt',
  'find . -maxdepth 1 -name a.txt',
];

export function tameText(prng: Prng): string {
  const pick = <T>(list: readonly T[]): T => list[prng.below(list.length)] as T;
  const plain = (): string => pick(commands);
  const echo = (depth: number): string => {
    const inner = list(depth + 1);
    return pick([
      `echo $(${inner})`,
      `echo "$(${inner})"`,
      `echo "a $(${inner}) b" c`,
      `echo $(${inner}) "$(${plain()})"`,
      `echo "\${x:-$(${inner})}"`,
      `echo \${x:-$(${inner})}`,
      `echo "\${x:+$(${inner})}"`,
      `echo \${HOME#$(${inner})}`,
      `echo \${HOME/$(${inner})/x}`,
      `echo <(${inner})`,
      `echo "\`${plain()}\`"`,
      `echo \`${plain()}\` \`${plain()}\``,
      `printf '%s' "$(${inner})"`,
    ]);
  };
  const wrapped = (): string => {
    const wrapper = () =>
      pick([
        'timeout 5',
        'timeout -k 1 5s',
        'env',
        'env CI=1',
        'nice',
        'nice -n 5',
        'nohup',
        'stdbuf -oL',
        'setsid -w',
        'command',
        'time',
        'CI=1',
        '!',
      ]);
    const words = `${wrapper()} ${prng.below(3) === 0 ? `${pick(['env', 'nice', 'timeout 5'])} ` : ''}${plain()}`;
    return words.startsWith('! ') ? `{ ${words}; }` : words;
  };
  const redirected = (depth: number): string => {
    const inner = list(depth + 1);
    return pick([
      `${plain()} 2>&1`,
      `${plain()} > /dev/null`,
      `${plain()} >/dev/null 2>&1`,
      'cat < a.txt',
      `cat <<< "$(${inner})"`,
      `cat <<E\na $(${inner})\nE\n`,
      `cat <<-E\n\t\`${plain()}\`\n\tE\n`,
      `cat <<'E'\n$(${inner})\nE\n`,
      `cat <<E > /dev/null && ${plain()}\n\${x:-$(${inner})}\nE\n`,
      `{ ${inner}; } > /dev/null`,
      `(${inner}) 2>&1`,
    ]);
  };
  const compound = (depth: number): string => {
    const one = (): string => list(depth + 1);
    return pick([
      `(${one()})`,
      `( ${one()} )`,
      `{ ${one()}; }`,
      `{ ${one()}\n}`,
      `if ${one()}; then ${one()}; fi`,
      `if false; then ${plain()}; elif ${one()}; then ${one()}; else ${one()}; fi`,
      `for x in a "$(${one()})"; do ${one()}; done`,
      `for x in a b\ndo ${one()}\ndone`,
      `while ${one()}; do ${one()}; break; done`,
      `until ${one()}; do ${one()}; break; done`,
      `case "$(${one()})" in a) ${one()};; *) ${one()};; esac`,
      `case a in $(${plain()})) :;; a) ${one()};; esac`,
      `[[ -n $(${one()}) ]]; ${plain()}`,
      `${one()} # ${plain()}\n${plain()}`,
      `(${one()}) | { ${one()}; }`,
      `! ( ${one()} )`,
    ]);
  };
  function element(depth: number): string {
    const roll = prng.below(100);
    if (depth > 3 || roll < 30) return plain();
    if (roll < 48) return echo(depth);
    if (roll < 60) return wrapped();
    return roll < 72 ? redirected(depth) : compound(depth);
  }
  function list(depth: number): string {
    const count = 1 + prng.below(depth === 0 ? 3 : 2);
    const separators = [' && ', ' || ', '; ', ' | ', '\n', ';', '&&', '|'];
    let text = element(depth);
    for (let i = 1; i < count; i++) text += `${text.endsWith('\n') ? '' : pick(separators)}${element(depth)}`;
    // A here-document ends with its line, so nothing may stand behind it there.
    return depth > 0 && text.endsWith('\n') ? `${text}:` : text;
  }
  return list(0);
}
