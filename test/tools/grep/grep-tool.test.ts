import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Json } from '#kernel';
import { openSession } from '../session.ts';

const files = {
  'src/a.ts': 'const one = 1;\nconst two = 2;\n',
  'src/deep/b.ts': 'const one = 3;\r\n',
  'test/a.test.ts': 'one();\n',
  'README.md': 'one\n',
  '.github/ci.yml': 'one: 1\n',
  '.gitignore': 'out/\n*.log\n',
  'out/built.ts': 'const one = 1;\n',
  'debug.log': 'one\n',
  '.belay-data/ledger.log': 'one\n',
  '.git/config': 'one\n',
};
const grep = async (args: Json) => {
  const session = await openSession(files);
  return session.call('Grep', args);
};

describe('Grep', () => {
  it.each<[string, Json, string]>([
    [
      'files, in the order of paths',
      { pattern: 'one' },
      '.github/ci.yml\nREADME.md\nsrc/a.ts\nsrc/deep/b.ts\ntest/a.test.ts',
    ],
    ['a folder', { pattern: 'one', path: 'src' }, 'src/a.ts\nsrc/deep/b.ts'],
    ['a file', { pattern: 'one', path: './src/a.ts' }, 'src/a.ts'],
    [
      'lines',
      { pattern: 'two|= 3', output_mode: 'content' },
      'src/a.ts:2:const two = 2;\nsrc/deep/b.ts:1:const one = 3;',
    ],
    ['counts', { pattern: 'const', output_mode: 'count' }, 'src/a.ts:2\nsrc/deep/b.ts:1'],
    ['a glob', { pattern: 'one', glob: '*.ts' }, 'src/a.ts\nsrc/deep/b.ts\ntest/a.test.ts'],
    ['a glob with folders', { pattern: 'one', glob: 'src/**/*.ts' }, 'src/a.ts\nsrc/deep/b.ts'],
    ['a glob below a path', { pattern: 'one', path: 'src', glob: 'deep/*.ts' }, 'src/deep/b.ts'],
    ['an excluding glob', { pattern: 'one', glob: '!**/*.ts' }, '.github/ci.yml\nREADME.md'],
    ['a glob never brings back ignored files', { pattern: 'one', glob: '*.log' }, 'No file matches the glob.'],
    ['a pattern that begins like an option', { pattern: '--one' }, 'No match.'],
    ['an unknown text', { pattern: 'nowhere' }, 'No match.'],
    [
      'a limit, with what is left out',
      { pattern: 'one', head_limit: 2 },
      '.github/ci.yml\nREADME.md\n(3 further lines; narrow the search or raise head_limit)',
    ],
  ])('%s', async (_name, args, output) => {
    expect(await grep(args)).toMatchObject({ status: 'succeeded', output });
  });

  it.each<[string, Json, string, string]>([
    ['a faulty pattern', { pattern: 'a(' }, 'schema', 'Escape what is meant literally'],
    ['a faulty glob', { pattern: 'a', glob: '[' }, 'schema', 'Correct the glob'],
    ['a missing path', { pattern: 'a', path: 'nope' }, 'not_found', 'Glob'],
    ['a path outside', { pattern: 'a', path: '..' }, 'rejected', 'inside the workspace'],
    ["Belay's own data", { pattern: 'a', path: '.belay-data' }, 'rejected', 'Leave it alone'],
  ])('%s is refused with a way on', async (_name, args, kind, next) => {
    const outcome = await grep(args);
    expect(outcome).toMatchObject({ status: 'failed', failure: { kind } });
    expect(outcome.output).toContain(next);
  });

  it("follows no link out, and obeys no configuration of the user's", async () => {
    const session = await openSession(files);
    symlinkSync('/etc', join(session.root, 'etc'));
    writeFileSync(join(session.root, '.ripgreprc'), '--invert-match\n');
    process.env['RIPGREP_CONFIG_PATH'] = join(session.root, '.ripgreprc');
    try {
      const outcome = await session.call('Grep', { pattern: 'root:|two' });
      expect(outcome.output).toBe('src/a.ts');
    } finally {
      delete process.env['RIPGREP_CONFIG_PATH'];
    }
  });

  it('a very long line is cut', async () => {
    const session = await openSession({ a: `needle ${'x'.repeat(100_000)}\n` });
    const outcome = await session.call('Grep', { pattern: 'needle', output_mode: 'content' });
    expect(outcome.output.length).toBeLessThan(1000);
  });
});
