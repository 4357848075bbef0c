import { chmodSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { asUser } from '../../as-user.ts';
import { openSession } from '../session.ts';

type Files = { readonly [path: string]: string };

it.each<[string, Files, string, string]>([
  [
    'a file',
    { 'src/a.ts': '', 'src/README.md': '' },
    'src',
    'Name a file in it, for example src/a.ts; Glob lists more.',
  ],
  ['the root', { 'a.ts': '', '.git/x': '' }, '.', 'Name a file in it, for example a.ts; Glob lists more.'],
  ['folders only', { 'src/a.ts': '', '.git/x': '' }, '.', 'List it with Glob{"pattern":"**","path":"src/"}.'],
  ['the root by no name', { 'src/a.ts': '', '.git/x': '' }, '', 'List it with Glob{"pattern":"**","path":"src/"}.'],
  ['what is hidden only', { '.git/x': '', '.env': '' }, './', 'List it with Glob{"pattern":"**","path":"./"}.'],
  ['nothing at all', {}, '', 'List it with Glob{"pattern":"**","path":"."}.'],
])('a folder in the place of a file is told with what to name: %s', async (_name, files, path, next) => {
  const session = await openSession(files);
  const { output } = await session.call('Read', { file_path: path });
  expect(output).toBe(`${JSON.stringify(path)} is a folder, and Read takes a file.\n${next}`);
});

it('also one that tells nobody what is in it', async () => {
  const session = await openSession({ 'closed/a': '' });
  const closed = join(session.root, 'closed');
  await asUser([dirname(session.root), session.root, closed], async () => {
    chmodSync(closed, 0);
    const { output } = await session.call('Read', { file_path: 'closed' });
    chmodSync(closed, 0o755);
    expect(output).toMatch(/^"closed" is a folder, and Read takes a file\.\nList it with Glob/);
  });
});
