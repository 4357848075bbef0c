import { expect, it } from 'vitest';
import { nearestLines } from '../../../src/tools/edit/nearest-lines.ts';

const long = (middle: string): string => `${'var a=1;'.repeat(5_000)}${middle}${'var b=2;'.repeat(5_000)}`;

it.each<[string, string, string, string]>([
  ['a whole word of it', 'var needle=2;', 'let needle=3;', 'var needle=2;'],
  ['a word with a letter too many', 'var needle=2;', 'var needles=2;', 'var needle=2;'],
  ['a word with another begin', 'callNeedle(2)', 'runNeedle(2);', 'callNeedle(2)'],
  ['a word that is cut', 'configuration()', 'var configurat(', 'configuration()'],
])('of a long line the part is shown where most of the text stands: %s', (_name, there, wanted, shown) => {
  const near = nearestLines(long(there), wanted);
  expect(near?.line).toBe(1);
  expect(near?.excerpt).toContain(shown);
  expect(near?.excerpt.length).toBeLessThan(300);
});

it('of a long line that has nothing of it the beginning is shown', () => {
  expect(nearestLines(`${long('')}\nother words here`, 'var zzzzzz=1;')?.excerpt).toContain('\tvar a=1;');
});

it.each<[string, string, string, number | undefined]>([
  ['many lines in many more', 'x y\n'.repeat(50_000), `${'x y\n'.repeat(20_000)}q`, 1],
  ['a line of megabytes', `${'var a=1;'.repeat(400_000)}needle`, 'let needle', 1],
  ['nothing of it in a line of megabytes', 'var a=1;'.repeat(400_000), 'zzz yyy', undefined],
])('large texts are looked through in a time that does not explode: %s', (_name, content, wanted, line) => {
  expect(nearestLines(content, wanted)?.line).toBe(line);
});
