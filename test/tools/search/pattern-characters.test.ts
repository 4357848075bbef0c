import { expect, it } from 'vitest';
import { foreignCharacters } from '../../../src/tools/search/pattern-characters.ts';

it.each<[string, string | null]>([
  ['plain', null],
  ['a.*\\w+[^b]', null],
  ['\\x41\\u{42}\\u0043', null],
  ['café', 'é'],
  ['中.*文', '中文'],
  ['\\xe9|\\x{4e2d}|\\u{6587}|\\u3042|\\U0001f600', 'é中文あ😀'],
  ['\\u{110000}|\\x{d800}', null],
  ['\\p{Han}', ''],
  ['\\p{Han}é', 'é'],
])('%s', (pattern, characters) => {
  expect(foreignCharacters(pattern)).toBe(characters);
});
