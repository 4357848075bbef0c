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
  ];
  it.each(table)('%j on %j: %s', (steps, text, leads) => {
    expect(createStepMachine(steps)(text)).toBe(leads);
  });
});

describe('the work for one name', () => {
  /** How often a step looked at a character. */
  function looks(pattern: string, name: string): number {
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
    createStepMachine(counting)(name);
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
  it('is done once where two ways meet', () => {
    expect(looks('{a,a}{a,a}', 'aa')).toBe(4);
    expect(looks('{a,a}b', 'aa')).toBe(3);
  });
});
