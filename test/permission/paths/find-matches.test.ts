import { expect, it } from 'vitest';
import type { PermissionPorts } from '../../../src/permission/contract.ts';
import { findMatches } from '../../../src/permission/paths/find-matches.ts';

const numbered = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => `${i}.txt`);
const tree: { readonly [folder: string]: readonly string[] } = {
  '.': ['.hid', '.dir/', 'A.pem', 'a.txt', 'a1', 'ab', 'b.txt', 'dir/', 'lead/', 'link', '[x]', 'x*y', '{q}'],
  dir: ['a.txt', 'sub/'],
  '.dir': ['in.txt'],
  'dir/sub': ['a.txt'],
  lead: ['out'],
  full: numbered(1000),
  more: numbered(1000),
  over: numbered(1001),
  vast: numbered(6000),
};
const asked: string[] = [];
const ports: PermissionPorts = {
  realPath: async (path) => (path === 'link' ? 'real' : path === 'lead/out' ? null : path),
  entries: async (folder, max) => {
    asked.push(folder);
    return (tree[folder] ?? []).slice(0, max);
  },
};

it.each([
  ['*', ['A.pem', 'a.txt', 'a1', 'ab', 'b.txt', 'dir', 'lead', 'link', 'real', '[x]', 'x*y', '{q}']],
  ['*.txt', ['a.txt', 'b.txt']],
  ['a*', ['A.pem', 'a.txt', 'a1', 'ab']],
  ['a?', ['a1', 'ab']],
  ['.h*', ['.hid']],
  ['?hid', []],
  ['dir/*', ['dir/a.txt', 'dir/sub']],
  ['./dir//*', ['dir/a.txt', 'dir/sub']],
  ['dir/./*', ['dir/a.txt', 'dir/sub']],
  ['d*/*', ['dir/a.txt', 'dir/sub']],
  ['*/sub/*', ['dir/sub/a.txt']],
  ['*r/a.txt', ['dir/a.txt']],
  ['.d*/*', ['.dir/in.txt']],
  ['a[1b]', ['a1', 'ab']],
  ['a[!1]', ['a1', 'ab']],
  ['a[[:digit:]]', ['A.pem', 'a.txt', 'a1', 'ab']],
  ['a[]]*', ['A.pem', 'a.txt', 'a1', 'ab']],
  ['\\[*', ['[x]']],
  ['x\\**', ['x*y']],
  ['{q}*', ['{q}']],
  ['\\{q\\}*', ['{q}']],
  ['nothing/*', []],
  ['dir/a\\.*', ['dir/a.txt']],
] as const)('%s finds %j', async (text, places) => {
  expect(await findMatches(text, [text], ports)).toEqual({ places, asks: null });
});

it('takes the last name of a way without a pattern as it is', async () => {
  expect(await findMatches('x', ['dir/\\[x\\]'], ports)).toEqual({ places: ['dir/[x]'], asks: null });
});

it('looks along every way', async () => {
  expect(await findMatches('*', ['dir/*', '.dir/*'], ports)).toEqual({
    places: ['dir/a.txt', 'dir/sub', '.dir/in.txt'],
    asks: null,
  });
});

it('asks where what is found leads out, or is too much', async () => {
  expect(await findMatches('lead/*', ['lead/*'], ports)).toEqual({
    places: [],
    asks: 'lead/out, which lead/* finds, leads out of the workspace',
  });
  const many = (text: string) => ({ places: [], asks: `${text} finds more files than can be looked at` });
  expect((await findMatches('full/*', ['full/*'], ports)).places).toHaveLength(1000);
  expect(await findMatches('over/*', ['over/*'], ports)).toEqual(many('over/*'));
  expect(await findMatches('vast/a*', ['vast/a*'], ports)).toEqual(many('vast/a*'));
  expect(await findMatches('*', ['full/*', 'dir/*'], ports)).toMatchObject({ asks: null });
  expect((await findMatches('*', ['full/*', 'more/*'], ports)).places).toHaveLength(2000);
  expect(await findMatches('*', ['full/*', 'more/*', 'dir/*'], ports)).toEqual(many('*'));
  expect(await findMatches('*', ['dir/*', 'lead/*'], ports)).toEqual({
    places: ['dir/a.txt', 'dir/sub'],
    asks: 'lead/out, which * finds, leads out of the workspace',
  });
});

it('finds nothing where nobody can look, and looks into no folder that is named', async () => {
  const blind = { realPath: ports.realPath };
  expect(await findMatches('*', ['*'], blind)).toEqual({ places: [], asks: null });
  asked.length = 0;
  await findMatches('dir/sub/*', ['dir/sub/*'], ports);
  expect(asked).toEqual(['dir/sub']);
});
