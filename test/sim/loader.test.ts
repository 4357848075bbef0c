import { expect, test } from 'vitest';
import { replaceLine } from './loader.ts';

const plant = { file: 'f.ts', line: 'b();', becomes: 'c();' };

test('exactly the wanted line is replaced', () => {
  expect(replaceLine('a();\n  b();\nb(1);\n', plant)).toBe('a();\nc();\nb(1);\n');
});

test.each(['a();', 'b();\n  b();\n'])('a line that is missing or not the only one is refused: %j', (source) => {
  expect(() => replaceLine(source, plant)).toThrow(/needs exactly one/);
});
