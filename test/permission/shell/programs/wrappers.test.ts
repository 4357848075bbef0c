import { expect, test } from 'vitest';
import { findProfile, isWrapper, wrapperProfile } from '../../../../src/permission/shell/programs/wrappers.ts';
import { literalWord, type ShellWord, unknownWord } from '../../../../src/permission/shell/shell-word.ts';

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

test.each<[string, string | undefined]>([
  ['env -S|rm x', 'rm x'],
  ['env -S|rm x|a b', "rm x 'a b'"],
  ["env -S|rm|it's", "rm 'it'\\''s'"],
  ['env -Srm x', 'rm x'],
  ['env -vS|rm x', 'rm x'],
  ['env -v0Srm x', 'rm x'],
  ['env --split-string|rm x', 'rm x'],
  ['env --split-string=rm x|a', "rm x 'a'"],
  ['env --s=rm x', 'rm x'],
  ['env -u|A|-S|rm x', 'rm x'],
  ['env -u|A|--signal-x', undefined],
  ['env -S', undefined],
  ['env --nosplit=rm x', undefined],
])('%s splits %s', (text, script) => {
  const words = text.replace(' ', '|').split('|').map(literalWord);
  expect(wrapperProfile('env', words)?.scripts).toEqual(script === undefined ? undefined : [script]);
});

test('env splits what is known', () => {
  const said = (...words: readonly ShellWord[]) => wrapperProfile('env', [literalWord('env'), ...words])?.scripts;
  expect(said(literalWord('-S'), variable)).toBeUndefined();
  expect(said({ ...variable, text: '-S$x' })).toBeUndefined();
  expect(said(literalWord('-S'), literalWord('rm'), variable)).toEqual(["rm '$x'"]);
});

test.each<[string, boolean]>(
  'timeout nohup nice ionice stdbuf time setsid command builtin exec chronic ifne ccache sccache distcc env c8 nyc xargs busybox toybox'
    .split(' ')
    .map((program): [string, boolean] => [program, true])
    .concat([
      ['watch', false],
      ['constructor', false],
      ['gxargs', false],
      ['xargsx', false],
    ]),
)('whether %s starts what stands in its words: %s', (program, is) => expect(isWrapper(program)).toBe(is));

test.each(['env - rm x', 'env -i rm x', 'env --ignore-environment rm x', 'env - CI=1 rm x', 'env -0 - rm x'])(
  '%s empties the environment and starts rm',
  (text) => {
    const { hazard: why, starts } = wrapperProfile('env', text.split(' ').map(literalWord)) ?? {};
    expect(why).toBe('env empties the environment');
    expect(starts).toEqual([['rm', 'x'].map(literalWord)]);
  },
);

test.each<[string, string | undefined]>([
  ['nice --best rm x', 'rm x'],
  ['nice --best 5 A=b rm x', 'rm x'],
  ['nice --best', undefined],
  ['nice --best 5 -v A=b', undefined],
])('%s, which is not followed, is taken to start %s', (text, inner) => {
  const { hazard: why, starts } = wrapperProfile('nice', text.split(' ').map(literalWord)) ?? {};
  expect(why).toBe('nice is used in a way that is not followed');
  expect(starts?.map((words) => words.map((word) => word.text).join(' '))).toEqual(inner && [inner]);
});

test.each(['-r -I %', '-0 -n 1', '-t -P4 -d,', '--max-args=2', '--strange'])('xargs %s starts rm', (options) => {
  const words = `xargs ${options} rm x`.split(' ').map(literalWord);
  expect(wrapperProfile('xargs', words)?.starts).toEqual([[...['rm', 'x'].map(literalWord), unknownWord]]);
});

test.each<[string, string]>([
  ['c8 rm x', 'rm x'],
  ['nyc rm x', 'rm x'],
  ['c8 --all --clean --no-clean --check-coverage --reporter=text rm x', 'rm x'],
  ['nyc --all --silent --clean --no-clean --check-coverage --reporter=text -- rm x', 'rm x'],
])('%s starts %s, and needs a rule of its own', (text, inner) => {
  const words = text.split(' ').map(literalWord);
  expect(wrapperProfile(text.split(' ')[0] ?? '', words)).toEqual({ starts: [inner.split(' ').map(literalWord)] });
});

test.each(['c8 --require y rm x', 'nyc --reporter=./y rm x', 'nyc --silent --reporter ./y rm x'])(
  '%s is not followed',
  (text) => {
    const [program = ''] = text.split(' ');
    const found = wrapperProfile(program, text.split(' ').map(literalWord));
    expect(found?.hazard).toBe(`${program} is used in a way that is not followed`);
    expect(found?.starts?.[0]?.at(-1)).toEqual(literalWord('x'));
  },
);

const starting = 'find starts a command for what it finds';
const unfinished = 'find -exec starts a command or writes a file';
test.each<[string, string, readonly string[]]>([
  ['find . -exec rm x ;', starting, ['rm x']],
  ['find . -exec rm x + -print', starting, ['rm x + -print']],
  ['find . -exec git branch + -D main ;', starting, ['git branch + -D main']],
  ['find . -exec rm {} + -exec mv a b ; -ok cp c d', starting, ['rm …', 'mv a b', 'cp c d']],
  ['find . -exec find . -exec rm x ; ;', starting, ['find . -exec rm x']],
  ['find . -exec ; -exec rm x', starting, ['rm x']],
  ['find . -exec rm x', starting, ['rm x']],
  ['find -exec rm {} ; -ok mv a{}b c ;', starting, ['rm …', 'mv … c']],
  ['find . -exec ;', unfinished, []],
  ['find . -exec', unfinished, []],
])('%s: %s, which is %j', (text, why, inner) => {
  const { hazard: said, starts = [] } = findProfile(text.split(' ').map(literalWord));
  expect(said).toBe(why);
  expect(starts.map((words) => words.map((word) => word.text).join(' '))).toEqual(inner);
});
