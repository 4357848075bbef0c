import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { Json } from '#kernel';
import { unreadOf } from '../../../src/tools/search/run-ripgrep.ts';
import { asUser } from '../../as-user.ts';
import { openSession } from '../session.ts';

/** The program itself in a place where every user may start it: the checkout may lie where only its owner may go. */
const open = vi.hoisted(() => ({ folder: '' }));
vi.mock('@vscode/ripgrep', async (original) => {
  const { rgPath } = await original<{ readonly rgPath: string }>();
  open.folder = mkdtempSync(join(tmpdir(), 'belay-rg-'));
  chmodSync(open.folder, 0o755);
  copyFileSync(rgPath, join(open.folder, 'rg'));
  return { rgPath: join(open.folder, 'rg') };
});
afterAll(() => rmSync(open.folder, { recursive: true, force: true }));

const files = {
  'a.ts': 'export const needle = 1;\n',
  'closed/b.ts': 'needle\n',
  'src/c.ts': 'export function f() {}\n',
};
const closed = '(not everything could be read: closed: Permission denied)';
const searches: readonly (readonly [string, string, Json, string])[] = [
  ['Glob', 'everything', { pattern: '**' }, `a.ts\nsrc/c.ts\n${closed}`],
  [
    'Glob',
    'nothing found',
    { pattern: '*.py' },
    `No file matches; what is ignored is found only by naming its folder as path.\n${closed}`,
  ],
  [
    'Glob',
    'the folder itself',
    { pattern: '**', path: 'closed' },
    `No file matches; what is ignored is found only by naming its folder as path.\n${closed}`,
  ],
  ['Grep', 'a match', { pattern: 'needle' }, `a.ts\n${closed}`],
  ['Grep', 'no match', { pattern: 'nowhere' }, `No match.\n${closed}`],
  ['Grep', 'a glob', { pattern: 'needle', glob: '**/[ab].ts' }, `a.ts\n${closed}`],
  [
    'Grep',
    'a glob that fits nothing',
    { pattern: 'needle', glob: '**/[xy].py' },
    `No file matches the glob.\n${closed}`,
  ],
  ['Symbols', 'all', {}, `a.ts\n  1 const needle (0)\nsrc/c.ts\n  1 function f (0)\n${closed}`],
];

describe('a folder that cannot be read is named, and all else is searched', () => {
  it.each(searches)('%s: %s', async (tool, _name, args, output) => {
    const session = await openSession(files);
    const at = (path: string) => join(session.root, path);
    // What is loaded at its first use is loaded before, for the same reason.
    await session.call(tool, args);
    await asUser([dirname(session.root), session.root, at('closed')], async () => {
      chmodSync(at('closed'), 0);
      const outcome = await session.call(tool, args);
      chmodSync(at('closed'), 0o755);
      expect(outcome).toMatchObject({ status: 'succeeded', output });
    });
  });

  it('also many of them, and with odd names', async () => {
    const session = await openSession(files);
    const names = ['w', 'x\ny', '\u001b[31mz', 'v', 'u'];
    for (const name of names) mkdirSync(join(session.root, name));
    symlinkSync('nowhere', join(session.root, 'link'));
    const folders = names.map((name) => join(session.root, name));
    await session.call('Glob', { pattern: '*.ts' });
    await asUser([dirname(session.root), session.root, ...folders], async () => {
      for (const folder of folders) chmodSync(folder, 0);
      const { output } = await session.call('Glob', { pattern: '*.ts' });
      for (const folder of folders) chmodSync(folder, 0o755);
      expect(output).toMatch(/^a\.ts\nclosed\/b\.ts\nsrc\/c\.ts\n\(not everything could be read: .* and 2 more\)$/);
      expect(output).not.toContain('\u001b');
    });
  });
});

it.each<[string, string, readonly string[] | null]>([
  ['one', 'rg: ./a: Permission denied (os error 13)\n', ['a: Permission denied']],
  ['two', 'rg: a: b (os error 1)\nrg: c: d (os error 2)', ['a: b', 'c: d']],
  ['a name with a line end', 'rg: a\nb: c (os error 1)', ['a\nb: c']],
  ['a faulty pattern', 'rg: regex parse error:\n    (\n    ^\nerror: unclosed group', null],
  ['both', 'rg: a: b (os error 1)\nrg: unrecognized file type: x', null],
  ['nothing', '', null],
])('what was not read, from the words of ripgrep: %s', (_name, stderr, expected) => {
  expect(unreadOf(stderr)).toEqual(expected);
});
