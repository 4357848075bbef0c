import { expect, test } from 'vitest';
import { grammar, readOptions } from '../../../../src/permission/shell/programs/read-options.ts';
import { literalWord, type ShellWord } from '../../../../src/permission/shell/shell-word.ts';

const known = grammar('n/dry-run q/quiet e/exclude= x /depth= S/gpg-sign? /dry-dock /no-walk');
const read = (words: readonly ShellWord[]): string => {
  const { given, operands, strange } = readOptions(words, known);
  const options = [...given].map(([name, values]) => [name, ...values.map(({ text }) => text)].join('='));
  return `${options.join(' ')} | ${operands.map(({ text }) => text).join(' ')} | ${strange}`;
};

test.each<[string, string]>([
  ['', ' |  | null'],
  ['a - b', ' | a - b | null'],
  ['-nq a -x', 'dry-run quiet x | a | null'],
  ['-en', 'exclude=n |  | null'],
  ['-e -n', 'exclude=-n |  | null'],
  ['-qen x', 'quiet exclude=n | x | null'],
  ['-e a -eb', 'exclude=a=b |  | null'],
  ['-e', 'exclude |  | null'],
  ['-Sn', 'gpg-sign=n |  | null'],
  ['-S n', 'gpg-sign | n | null'],
  ['-qzn', 'quiet |  | -qzn'],
  ['--dry-run --quiet', 'dry-run quiet |  | null'],
  ['--dry-r --q', 'dry-run quiet |  | null'],
  ['--dry', ' |  | --dry'],
  ['--d', ' |  | --d'],
  ['--x', ' |  | --x'],
  ['--exclude=n=m --depth 1', 'exclude=n=m depth=1 |  | null'],
  ['--gpg-sign n', 'gpg-sign | n | null'],
  ['--dry-run --no-dry-run', ' |  | null'],
  ['--no-dry-run -n', 'dry-run |  | null'],
  ['-q --no-quie', ' |  | null'],
  ['--no-walk', 'no-walk |  | null'],
  ['--dr', ' |  | --dr'],
  ['--not', ' |  | --not'],
  ['--notquiet', ' |  | --notquiet'],
  ['--xx-dry-run', ' |  | --xx-dry-run'],
  ['--', ' |  | null'],
  ['--no-x', ' |  | --no-x'],
  ['--=n', ' |  | --=n'],
  ['--no-', 'no-walk |  | null'],
  ['--zz --yy -n', 'dry-run |  | --zz'],
  ['-n -- -q --', 'dry-run | -q -- | null'],
])('%s reads %s', (text, expected) => {
  expect(read(text === '' ? [] : text.split(' ').map(literalWord))).toBe(expected);
});

test.each<[ShellWord, string]>([
  [{ kind: 'dynamic', text: '$x' }, ' | $x | $x'],
  [{ kind: 'pattern', text: '*' }, ' | * | null'],
  [{ kind: 'dynamic', text: '-e$x' }, 'exclude=$x |  | null'],
])('%j reads %s', (word, expected) => {
  expect(read([word])).toBe(expected);
});

test('a value keeps what is known of its word', () => {
  const words: readonly ShellWord[] = [
    { kind: 'dynamic', text: '-e$x' },
    { kind: 'pattern', text: '--exclude=*' },
  ];
  expect(readOptions(words, known).given.get('exclude')).toEqual([
    { kind: 'dynamic', text: '$x' },
    { kind: 'pattern', text: '*' },
  ]);
});
