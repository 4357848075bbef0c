import { expect, test } from 'vitest';
import { couldBeOption, findSpelling } from '../../../../src/permission/shell/programs/option-spellings.ts';
import { literalWord } from '../../../../src/permission/shell/shell-word.ts';

const options = {
  long: ['--globalSetup', '--x-file', '--C'],
  short: 'q',
  except: ['--global', '--glob=a'],
  like: /^!/,
};

test.each([
  '--globalSetup',
  '--globalSetup=x',
  '--globalSetup:x',
  '--global-setup=./x',
  '--GLOBALSETUP',
  '--global_setup',
  '--globalS',
  '--g',
  '---globalSetup',
  '-globalSetup',
  '-global-setup',
  '-glo',
  '--globalSetup.a.b',
  '--global-setup.a=b',
  '--xFile',
  '--XF',
  '--x',
  '-C',
  '-aq',
  '!x',
])('%s could be one of the options', (text) => expect(couldBeOption(text, options)).toBe(true));

test.each([
  '--global',
  '--global=x',
  '--glob=a',
  '--globalSetups',
  '--globalSetupx.a',
  '--no-globalSetup',
  '-gl',
  '-c',
  '-',
  '--',
  '--=x',
  'globalSetup',
  'x',
  '@x',
])('%s is none', (text) => expect(couldBeOption(text, options)).toBe(false));

test('what stands behind no- may take a value', () => {
  const no = { long: ['--script-shell'], takesNo: true };
  for (const text of ['--no-script-shell', '--no-no-script-shell=x', '-No-script-sh', '--NO-scriptShell']) {
    expect(couldBeOption(text, no), text).toBe(true);
    expect(couldBeOption(text, { ...no, takesNo: false }), text).toBe(false);
  }
  for (const text of ['--no-color', '--noscript-shell', '--x-no-script-shell']) {
    expect(couldBeOption(text, no), text).toBe(false);
  }
});

test('the first one is found, wherever it stands', () => {
  expect(findSpelling(['a', '--x', '--', '--global-s', '-q'].map(literalWord), options)).toBe('--x');
  expect(findSpelling(['a', '--', '--global-s', '-q'].map(literalWord), options)).toBe('--global-s');
  expect(findSpelling(['a', '--global'].map(literalWord), options)).toBeNull();
  expect(findSpelling(['-a'].map(literalWord), {})).toBeNull();
});
