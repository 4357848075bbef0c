/** Rule files that are pipes or lead to devices hold no search up, and which rules did not count is told. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSession } from '../session.ts';

const files = { '.gitignore': 'out/\n', 'out/x.ts': 'one', 'src/a.ts': 'one', 'src/deep/b.ts': 'two' };
const kinds: readonly (readonly [kind: string, put: (path: string) => void])[] = [
  ['a pipe', (path) => void execFileSync('mkfifo', [path])],
  ['a link to a device', (path) => symlinkSync('/dev/zero', path)],
];
const places: readonly (readonly [path: string, told: string, seen: readonly string[]])[] = [
  ['.ignore', 'rules of .ignore and .rgignore files', []],
  ['src/.rgignore', 'rules of .ignore and .rgignore files', []],
  ['src/deep/.gitignore', 'rules of .gitignore files below the root', []],
  ['.gitignore', 'rules of .gitignore files below the root', ['out/x.ts']],
  ['.git/info/exclude', 'rules of .git/info/exclude', []],
];

describe.each(kinds)('%s', (_kind, put) => {
  it.each(places)(
    'as %s',
    async (place, told, seen) => {
      const session = await openSession(files);
      const path = join(session.root, place);
      mkdirSync(dirname(path), { recursive: true });
      if (place.startsWith('.git/')) writeFileSync(join(session.root, '.git/HEAD'), 'ref: refs/heads/main\n');
      rmSync(path, { force: true });
      put(path);
      const note = `(${told} did not count: ${JSON.stringify(place)} is no regular file)`;
      const globbed = await session.call('Glob', { pattern: '**/*.ts' });
      expect(globbed.output).toBe([...seen, 'src/a.ts', 'src/deep/b.ts', note].join('\n'));
      const grepped = await session.call('Grep', { pattern: 'one' });
      expect(grepped.output).toBe([...seen, 'src/a.ts', note].join('\n'));
      // Once it is a file again, its rules count.
      rmSync(path);
      writeFileSync(path, '');
      expect((await session.call('Glob', { pattern: '**/b.ts' })).output).toBe('src/deep/b.ts');
    },
    20_000,
  );
});
