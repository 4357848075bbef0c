import { expect, it } from 'vitest';
import { importedNames } from '../../../src/tools/symbols/imported-names.ts';

it.each<[string, string, readonly string[] | null]>([
  [
    'typescript',
    'import { a, type B as C } from "x";\nimport d, { e } from "y";',
    ['a', 'type', 'B', 'as', 'C', 'd', 'e'],
  ],
  ['typescript', 'export { a } from "x"; const b = 1;', ['a']],
  ['typescript', 'import {\n  a,\n  b,\n} from "x";', ['a', 'b']],
  ['javascript', 'import * as all from "x";', null],
  ['javascript', 'const { a } = require("x");', null],
  ['javascript', 'const from = 1;', []],
  ['python', 'from x import a, b as c\nfrom .y import (d,\n  e)', ['a', 'b', 'as', 'c', 'd', 'e']],
  ['python', 'import os', null],
  ['python', 'from x import *', null],
  ['go', 'import "fmt"', null],
])('%s: %j', (grammar, text, names) => {
  const found = importedNames(grammar, text);
  expect(found === null ? null : [...found]).toEqual(names);
});
