/**
 * Shell texts from a seed that are dense with quotes, here-documents, expansions and substitutions within one another.
 * Every command word is `m` or one of `z1`, `z2` …, each of which stands at one place only.
 */
import { type Prng, seededPrng } from '#lib';

type Make = () => string;

const operators: readonly string[] = ':- - :+ + ? :? # ## % %% / // /# /% ^ ^^ , ,, = : @'.split(' ');
/** What may end, begin or hide something where nobody expects it. */
const noise: readonly string[] = [
  ...'\'"\\`$(){}<>|&;#~*/[]! \n\t'.split(''),
  ...[
    '\\\n',
    "$'",
    '$"',
    '\\`',
    '\\$',
    "\\'",
    '\\"',
    '\\}',
    '<(',
    '>(',
    '$(',
    '${x',
    '$((',
    '<<E',
    '\nE\n',
    '$\\\n(',
    '1>',
  ],
];

export const quotedTexts = (seed: number, count: number): readonly string[] =>
  Array.from({ length: count }, (_one, i) => quotedText(seededPrng(seed * 100_003 + i)));

function quotedText(prng: Prng): string {
  const pick = <T>(list: readonly T[]): T => list[prng.below(list.length)] as T;
  const chance = (percent: number): boolean => prng.below(100) < percent;
  let commands = 0;
  let left = 16;
  const zap = (): string => `z${++commands}`;
  const some = (make: Make, max: number): string => Array.from({ length: prng.below(max + 1) }, make).join('');

  const within = (): string =>
    pick<Make>([
      zap,
      zap,
      () => `${zap()} ${word()}`,
      () => `${zap()} ${word()}; ${zap()}`,
      () => `${zap()} <<F\n${some(piece, 3)}\nF\n`,
      () => `(${zap()})`,
    ])();
  const substitution = (): string =>
    pick<Make>([
      () => `$(${within()})`,
      () => `\`${within().replaceAll('`', chance(30) ? '\\`' : '')}\``,
      () => `<(${within()})`,
      () => `>(${within()})`,
      () => `$((${pick(['1', `a[$(${zap()})]`, `\`${zap()}\``, "'1'"])}))`,
      () => `$(( ${zap()} ) )`,
    ])();
  const expansion = (): string => {
    const operator = pick(operators);
    const more = operator.startsWith('/') && chance(60) ? `/${some(piece, 2)}` : '';
    return `\${${pick(['x', 's', 'HOME', '1', 's[0]'])}${operator}${some(piece, 3)}${more}}`;
  };
  function piece(): string {
    if (left-- < 0) return 'a';
    return pick<Make>([
      substitution,
      substitution,
      expansion,
      expansion,
      () => `'${some(piece, 2).replaceAll("'", '')}'`,
      () => `"${some(piece, 2)}"`,
      () => pick(noise),
      () => pick(['a', 'b', '-', ' ', '$s', '\\\n']),
      () => pick(['a', '1', '.']),
    ])();
  }
  const word = (): string => some(piece, 2) || 'a';
  const body = (): string => some(piece, 4);
  const redirection = (): string =>
    pick(['1', '12', '', 'a', '{fd}', '&']) +
    pick(['>', '<', '>&', '<&', '&>', '<<<', '<<']) +
    pick(['', ' ']) +
    word();
  const test = (): string =>
    pick<Make>([
      () => `[[ a ${pick(['=', '!=', '=~'])}${pick([' ', '\n'])}${pick<Make>([word, () => some(sign, 4)])()} ]]`,
      () => `[[${pick([' ', '\n'])}-n ${word()}${pick([' ', '\n'])}]]`,
    ])();
  const sign = (): string => pick(['a', '(', ')', '|', '[a]', '.', '\\|', "'|'", '&', ';', '<', zap(), ' ']);

  const text = pick<Make>([
    () => `m <<E\n${body()}\nE\n`,
    () => `m <<E\n${expansion()}\nE\nm 'a' "${zap()}"`,
    () => `m <<-E\n\t${body()}\n\tE\n`,
    () => `m <<${pick(["'E'", '"E"', '\\E'])}\n${body()}\nE\n`,
    () => `m "$(m <<E\n${body()}\nE\n)"`,
    () => `m \`m <<E\n${body().replaceAll('`', '')}\nE\n\``,
    () => `m <<A <<B; ${zap()}\n${body()}\nA\n${body()}\nB\n`,
    () => `m "${some(piece, 3)}" 'a' "${zap()}"`,
    () => `m ${expansion()} ${word()}`,
    () => `m "${expansion()}"`,
    () => `m "\`m ${word().replaceAll('`', '\\`')}\`"`,
    () => `m <<< ${word()}`,
    () => `m ${word()} ${redirection()} ${word()}`,
    () => `${test()}; m`,
    () => `case ${word()} in ${word()}) m;; esac`,
    () => `for i in ${word()}; do m; done`,
    () => `CI=${word()} m`,
  ])();
  const at = prng.below(text.length + 1);
  return chance(15) ? text.slice(0, at) + pick(noise) + text.slice(at + prng.below(3)) : text;
}
