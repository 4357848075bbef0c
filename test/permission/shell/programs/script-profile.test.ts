import { expect, test } from 'vitest';
import { scriptProfile } from '../../../../src/permission/shell/programs/script-profile.ts';
import { literalWord } from '../../../../src/permission/shell/shell-word.ts';

const hazardOf = (text: string) => scriptProfile(text.split(' ').map(literalWord)).hazard;

test.each(
  'shell shell_plus dbshell runscript console repl runner ti tin tink tinke tinker'
    .split(' ')
    .flatMap((verb) => [`manage.py ${verb}`, `a/artisan -v ${verb} x`]),
)('%s takes code', (text) => {
  const [file = '', ...args] = text.split(' ');
  const name = file.replace('a/', '');
  expect(hazardOf(text)).toBe(`${name} ${args.find((one) => !one.startsWith('-'))} may run code`);
});

test.each([
  ...['', '.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.py', '.rb', '.php', '.phar'].map((end) => [
    `a.b/tsc${end} --outdir x`,
    'tsc --outdir runs a program, reads its orders from a file or writes one',
  ]),
  ['manage.py test --settings=x', 'manage --settings=x runs a program, reads its orders from a file or writes one'],
  ['bin/rails db:drop', 'rails db:drop may run a program, load code, send a file or write one'],
])('%s is judged as the program of that name: %s', (text, hazard) => expect(hazardOf(text)).toBe(hazard));

test.each([
  'manage.py test app',
  'artisan migrate t',
  'a.js --config x',
  'train.py eval',
  'ticks.py x',
  'bin/rails test',
])('%s is a script', (text) => expect(hazardOf(text)).toBeUndefined());
