import { expect, test } from 'vitest';
import { ghLoss } from '../../../../src/permission/shell/programs/gh.ts';
import { literalWord } from '../../../../src/permission/shell/shell-word.ts';

const loss = (text: string) => ghLoss(text.split(' ').map(literalWord));

test.each([
  'gh pr checkout 12 --force',
  'gh pr checkout -f 12',
  'gh -R a/b pr checkout 12 --force=true',
  'gh co 12 -f',
  'gh repo sync --force',
])('%s resets files', (text) => {
  expect(loss(text)).toBe('gh resets the files and the branch: uncommitted changes would be lost');
});
test.each([
  'gh pr checkout 12',
  'gh co 12',
  'gh repo sync',
  'gh pr create -f',
  'gh repo view -f',
  'gh x sync --force',
  'gh',
])('%s resets none', (text) => expect(loss(text)).toBeNull());
