import { describe, expect, it } from 'vitest';
import { stepsOf } from '../../../src/permission/rules/path-glob.ts';
import { createStepMachine, type Step } from '../../../src/permission/rules/step-machine.ts';

const is = (one: string): Step => ({ fits: (char) => char === one });

describe('createStepMachine', () => {
  const table: readonly (readonly [steps: readonly Step[], text: string, leads: boolean])[] = [
    [[], '', true],
    [[], 'a', false],
    [[is('a')], 'a', true],
    [[is('a')], '', false],
    [[is('a')], 'aa', false],
    [[is('a'), is('b')], 'ab', true],
    [[{ ways: [1, 2] }, is('a'), is('b')], 'b', true],
    [[{ ways: [1, 2] }, is('a'), is('b')], 'ab', true],
    [[{ ways: [] }, is('a')], 'a', false],
    [[{ ways: [1, 3] }, is('a'), { ways: [0] }], 'aaa', true],
    [[{ ways: [1, 3] }, is('a'), { ways: [0] }], '', true],
    // Ways in a circle.
    [[{ ways: [1] }, { ways: [0, 2] }, is('a')], 'a', true],
    [[is('😀')], '😀', true],
    [[is('\uffff'), is('a')], '\uffffa', true],
    [[is('\ud83d'), is('a')], '\ud83da', true],
  ];
  it.each(table)('%j on %j: %s', (steps, text, leads) => {
    expect(createStepMachine(steps)(text)).toBe(leads);
  });
});

describe('the work for one name', () => {
  /** How often a step looked at a character. */
  function looks(pattern: string, ...names: readonly string[]): number {
    const steps = stepsOf(pattern, true);
    let count = 0;
    const counting = (steps.ok ? steps.value : []).map(({ fits, ways }): Step => {
      if (ways !== undefined) return { ways };
      return {
        fits(char) {
          count++;
          return fits?.(char) === true;
        },
      };
    });
    const machine = createStepMachine(counting);
    for (const name of names) machine(name);
    return count;
  }
  it.each([
    ['*a*a*a*a*a*a*a*ab', 'a'],
    [`${'*a'.repeat(60)}b`, 'a'],
    [`${'**/'.repeat(60)}b`, 'a/'],
    [`${'{a,a}'.repeat(60)}b`, 'a'],
    [`${'{a*,a*}'.repeat(30)}b`, 'a'],
    ['?*'.repeat(60), 'a'],
  ])('is at most that of its steps for each character: %s', (pattern, part) => {
    expect(looks(pattern, part.repeat(50))).toBeLessThanOrEqual(pattern.length * 5 * part.length * 50);
    // Twice as long a name takes twice as much, where each star may end anywhere.
    expect(looks(pattern, part.repeat(400))).toBeLessThanOrEqual(2 * looks(pattern, part.repeat(200)) + 10_000);
  });
  it.each<readonly [pattern: string, name: string, isKnown: boolean]>([
    ['src/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'lib/a.ts', true],
    ['src/\u007f?', 'src/\u007fa', true],
    // Seldom met, so they are looked up again.
    ['src/*.ts', 'src/\u0080.ts', false],
    ['src/*.ts', 'src/😀.ts', false],
    // Where so many readings stand together, they hardly do so twice.
    ['?*'.repeat(8), 'a'.repeat(40), true],
    ['?*'.repeat(60), 'a'.repeat(80), false],
  ])('of %s for %s is known the second time: %s', (pattern, name, isKnown) => {
    expect(looks(pattern, name, name) === looks(pattern, name)).toBe(isKnown);
  });
  it.each([
    [199, true],
    [200, false],
  ])('is remembered for two hundred places: %d behind the first', (length, isKnown) => {
    const text = 'a'.repeat(length);
    expect(looks(text, text, text) === looks(text, text)).toBe(isKnown);
  });
  it.each([
    [64, true],
    [65, false],
  ])('is remembered where %d readings stand together: %s', (count, isKnown) => {
    const pattern = `{${Array.from({ length: count }, () => 'ab').join()}}`;
    expect(looks(pattern, 'ab', 'ab') === looks(pattern, 'ab')).toBe(isKnown);
  });
  it('is done once where two ways meet', () => {
    expect(looks('{a,a}{a,a}', 'aa')).toBe(4);
    expect(looks('{a,a}b', 'aa')).toBe(3);
  });
});
