import { expect, test } from 'vitest';
import { cmakeToolProfile } from '../../../../src/permission/shell/programs/cmake-tools.ts';
import { literalWord } from '../../../../src/permission/shell/shell-word.ts';

const profile = (text: string) => cmakeToolProfile(`cmake ${text}`.split(' ').map(literalWord));

test.each(
  'capabilities compare_files echo echo_append environment false true sleep md5sum sha1sum sha256sum make_directory'.split(
    ' ',
  ),
)('-E %s does no harm', (tool) => expect(profile(`-E ${tool} a`)).toEqual({}));

test.each('copy rename rm remove remove_directory rm_all touch tar create_symlink cat xecho'.split(' '))(
  '-E %s may delete or replace files',
  (tool) => expect(profile(`-E ${tool} a`)).toEqual({ loses: `cmake -E ${tool} deletes or replaces files` }),
);

test.each(['-E time rm x', '-E env A=b -i rm x'])('%s starts rm', (text) => {
  expect(profile(text)?.starts?.map((words) => words.map((word) => word.text).join(' '))).toEqual(['rm x']);
});
test('other uses are not for here', () => expect(profile('-B build')).toBeNull());
