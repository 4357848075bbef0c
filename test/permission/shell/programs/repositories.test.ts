import { expect, test } from 'vitest';
import { repositoryProfile } from '../../../../src/permission/shell/programs/repositories.ts';
import { literalWord } from '../../../../src/permission/shell/shell-word.ts';

const profile = (text: string) => {
  const words = text.split(' ').map(literalWord);
  return repositoryProfile(words[0]?.text ?? '', words);
};

test.each(['svn commit revert', 'hg update revert', 'jj new undo'])('%s names a file or a commit', (text) => {
  expect(profile(text)).toEqual({});
});
test.each(['svn -q revert a', 'hg -v revert a', 'jj --quiet undo'])('%s names a command behind an option', (text) => {
  expect(profile(text)?.loses).toBeDefined();
});
test.each(['--config=a', '--config', '--config-file=a', '--config-toml=a', '--repository=a', '--tool=a', '-R'])(
  'jj %s works elsewhere or starts something',
  (option) => expect(profile(`jj log ${option}`)?.hazard).toBeDefined(),
);
