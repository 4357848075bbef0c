/** Files that rules keep from being read are not searched, and the answer does not tell what is in them. */
import { expect, it } from 'vitest';
import type { Json } from '#kernel';
import { unreadFiles } from '#permission';
import type { Tool } from '../../../src/tools/contract.ts';
import { createGrepTool } from '../../../src/tools/grep/grep-tool.ts';
import { createSymbolsTool } from '../../../src/tools/symbols/symbols-tool.ts';
import { openSession } from '../session.ts';

const files = {
  '.env': 'SECRET=1\n',
  'secrets/key.ts': 'export const SECRET = 2;\n',
  'src/a.ts': 'export const SECRET = 3;\n',
  'src/b.ts': 'export const other = SECRET;\n',
};
const rules = { deny: ['Read(.env)', 'Read(secrets/**)'], ask: ['Read(src/b.ts)'] };
const note = "(not searched, by the user's rules: ";

async function call(make: typeof createGrepTool | typeof createSymbolsTool, args: Json): Promise<string> {
  const session = await openSession(files);
  const unread = await unreadFiles(rules, { workspace: session.root });
  const tool: Tool = make(session.workspace, unread);
  const prepared = await tool.prepare(args, session.context());
  return prepared.ok ? (await prepared.attempt.run()).output : '';
}

it.each<[Json, string]>([
  [{ pattern: 'SECRET' }, `src/a.ts\n${note}Read(.env), Read(secrets/**), Read(src/b.ts))`],
  [
    { pattern: 'SECRET', output_mode: 'content' },
    `src/a.ts:1:export const SECRET = 3;\n${note}Read(.env), Read(secrets/**), Read(src/b.ts))`,
  ],
  [{ pattern: 'SECRET=1' }, `No match.\n${note}Read(.env), Read(secrets/**), Read(src/b.ts))`],
  [{ pattern: 'SECRET=2' }, `No match.\n${note}Read(.env), Read(secrets/**), Read(src/b.ts))`],
  [{ pattern: 'SECRET', path: 'src' }, `src/a.ts\n${note}Read(.env), Read(src/b.ts))`],
  [{ pattern: 'SECRET', path: 'secrets' }, `No match.\n${note}Read(.env), Read(secrets/**))`],
  [
    { pattern: 'SECRET', path: 'secrets', glob: '*.ts' },
    `No file matches the glob.\n${note}Read(.env), Read(secrets/**))`,
  ],
  [
    { pattern: 'SECRET', glob: '{.env,secrets/*}' },
    `No file matches the glob.\n${note}Read(.env), Read(secrets/**), Read(src/b.ts))`,
  ],
  // A file that is named was judged by its name, and perhaps approved.
  [{ pattern: 'SECRET', path: '.env', output_mode: 'content' }, '.env:1:SECRET=1'],
])('Grep %j', async (args, output) => {
  expect(await call(createGrepTool, args)).toBe(output);
});

it.each<[Json, string]>([
  [{}, `src/a.ts\n  1 const SECRET (0)\n${note}Read(.env), Read(secrets/**), Read(src/b.ts))`],
  [{ path: 'src/a.ts' }, '1-1 const SECRET'],
])('Symbols %j', async (args, output) => {
  expect(await call(createSymbolsTool, args)).toBe(output);
});

it('where all is left out, Symbols says so as well', async () => {
  const output = await call(createSymbolsTool, { path: 'secrets' });
  expect(output).toContain('No file of a supported language');
  expect(output).toContain(`${note}Read(.env), Read(secrets/**))`);
});
