import { expect, test } from 'vitest';
import { compilePathRule } from '../../../src/permission/rules/path-rule.ts';

const side = { narrows: true, workspace: '/home/me/w', home: '/home/me' };

test.each<[string, string, boolean]>([
  ['~/w/a/**', '.', true],
  ['~/w/a/**', 'a', true],
  ['~/w/a/**', 'b', false],
  ['~/x/**', '.', false],
  ['//home/me/w/a/**', 'a', true],
  ['//home/me/w/a/**', 'b', false],
  ['//etc/**', '.', false],
  ['a/b', 'a/c', false],
  ['a/b', 'a/b', true],
  ['a/b', 'A', true],
  ['a/*/b', 'a/c', true],
  ['*/b', 'x', true],
])('%s reaches below %s: %s', (spec, folder, reaches) => {
  const rule = compilePathRule(spec, side);
  expect(rule.ok && rule.reaches(folder)).toBe(reaches);
});
