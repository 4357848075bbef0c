import { expect, it } from 'vitest';
import { openSession } from '../session.ts';

it('every file that was read may be edited, each at its present content, and no other', async () => {
  const session = await openSession({ 'src/a.js': 'a\n', 'test/a.test.js': 'a\n', 'README.md': 'a\n' });
  const edit = (file_path: string) => session.call('Edit', { file_path, old_string: 'a', new_string: 'b' });
  for (const file_path of ['README.md', 'src/a.js', 'test/a.test.js']) await session.call('Read', { file_path });
  session.put('test/a.test.js', 'a\nlater\n');
  session.put('unread.js', 'a\n');
  expect((await edit('src/a.js')).status).toBe('succeeded');
  expect((await edit('README.md')).status).toBe('succeeded');
  expect((await edit('test/a.test.js')).failure?.kind).toBe('stale');
  expect((await edit('unread.js')).failure?.kind).toBe('precondition');
});
