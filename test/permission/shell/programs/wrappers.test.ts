import { expect, test } from 'vitest';
import { wrapperProfile } from '../../../../src/permission/shell/programs/wrappers.ts';
import { literalWord, type ShellWord } from '../../../../src/permission/shell/shell-word.ts';

const variable: ShellWord = { kind: 'dynamic', text: '$x' };
const hazard = 'watch runs its words as a shell text';
test('watch runs its words only where all of them are known', () => {
  expect(wrapperProfile('watch', ['watch', 'rm', 'x'].map(literalWord))).toEqual({ hazard, scripts: ['rm x'] });
  expect(wrapperProfile('watch', [...['watch', 'rm'].map(literalWord), variable])).toEqual({ hazard });
  expect(wrapperProfile('watch', [literalWord('watch')])).toEqual({ hazard });
});

test('only env splits a text into words', () => {
  const said = (program: string) => wrapperProfile(program, [program, '-S', 'rm x'].map(literalWord))?.hazard;
  expect(said('env')).toBe('env splits a text into words');
  expect(said('nohup')).toBe('nohup is used in a way that is not followed');
});

test.each(['env - rm x', 'env -i rm x', 'env - CI=1 rm x', 'env -0 - rm x'])(
  '%s empties the environment and starts rm',
  (text) => {
    const { hazard: why, starts } = wrapperProfile('env', text.split(' ').map(literalWord)) ?? {};
    expect(why).toBe('env empties the environment');
    expect(starts).toEqual([['rm', 'x'].map(literalWord)]);
  },
);
