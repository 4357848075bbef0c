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
const more = {
  'a.py': 'one\ntwo\nalpha\nthree\nfour\nfive\nalpha\n',
  'b/c.rs': 'alpha\nbeta\n',
  '[odd].txt': 'odd\n',
};
const around = 'a.py-2-two\na.py:3:alpha\na.py-4-three\n--\na.py-6-five\na.py:7:alpha';
const twoLines = 'a.py:1:one\na.py:2:two';

const grep = async (args: Json) => {
  const session = await openSession(files);
  return session.call('Grep', args);
};

const notSearched = {
  'data.bin': Buffer.from('needle\0\x01\x02\xffrest\n', 'latin1'),
  'wide.txt': Buffer.from([0xff, 0xfe, 0, 0, ...[...'needle\n'].flatMap((one) => [one.charCodeAt(0), 0, 0, 0])]),
  'a.txt': 'x\n',
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

  it.each<[string, Json, RegExp]>([
    [
      'a binary file by its path',
      { path: 'data.bin', output_mode: 'content' },
      /^data\.bin is binary data, in which only text is/,
    ],
    ['UTF-32 by its path', { path: 'wide.txt' }, /^wide\.txt is UTF-32 and was not searched; show it with Read\.$/],
    ['a text without it', { path: 'a.txt', output_mode: 'content' }, /^No match\.$/],
    ['a tree with such a file', { output_mode: 'content' }, /^No match\.$/],
  ])('nothing found is told for what it is: %s', async (_name, args, expected) => {
    const session = await openSession(notSearched);
    expect((await session.call('Grep', { pattern: 'needle', ...(args as object) })).output).toMatch(expected);
  });

  it('a pattern that is too long for any search is refused with a way on', async () => {
    const session = await openSession({ 'a.txt': 'x\n' });
    expect((await session.call('Grep', { pattern: 'x'.repeat(10_000) })).output).toBe('No match.');
    for (const pattern of ['x'.repeat(10_001), 'é'.repeat(5_001), 'x'.repeat(1_000_000)]) {
      const { output, failure } = await session.call('Grep', { pattern });
      expect(failure?.kind).toBe('schema');
      expect(output).toContain('Search for a part of it');
    }
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

  it.each<[string, Json, string]>([
    ['any case', { pattern: 'ALPHA', '-i': true }, 'a.py\nb/c.rs'],
    ['a type', { pattern: 'alpha', type: 'rust' }, 'b/c.rs'],
    ['a type and a glob', { pattern: 'alpha', type: 'rust', glob: '*.py' }, 'No match.'],
    ['lines around', { pattern: 'alpha', output_mode: 'content', '-C': 1, path: 'a.py' }, around],
    [
      'lines after',
      { pattern: 'alpha', output_mode: 'content', '-A': 1, glob: 'b/*' },
      'b/c.rs:1:alpha\nb/c.rs-2-beta',
    ],
    ['over line ends', { pattern: 'one\\ntwo', multiline: true }, 'a.py'],
    ['lines of a match over line ends', { pattern: 'one.two', multiline: true, output_mode: 'content' }, twoLines],
    ['names that a glob of ripgrep would read otherwise', { pattern: 'odd', glob: '[[]odd].txt' }, '[odd].txt'],
  ])('%s', async (_name, args, output) => {
    const session = await openSession(more);
    expect((await session.call('Grep', args)).output).toBe(output);
  });

  it.each<[string, Json, string]>([
    ['look-around', { pattern: 'a(?=b)' }, 'without look-ahead'],
    ['back-references', { pattern: '(a)\\1' }, 'without back-references'],
    ['a line end', { pattern: 'one\\ntwo' }, 'multiline'],
    ['an expression that grows without end', { pattern: '((a{1000}){1000}){1000}' }, 'smaller repetition counts'],
    ['a NUL character', { pattern: 'a\0b' }, 'Leave it out'],
    ['lines before the first', { pattern: 'a', output_mode: 'content', '-A': -1 }, 'Send 0 or more'],
    ['an unknown type', { pattern: 'a', type: 'nothing' }, 'glob such as'],
  ])('what ripgrep cannot do is explained: %s', async (_name, args, next) => {
    const outcome = await (await openSession(more)).call('Grep', args);
    expect(outcome.status).toBe('failed');
    expect(outcome.output).toContain(next);
    expect(outcome.output).not.toMatch(/PCRE2|--multiline/);
  });

  it.each<[string, string]>([
    ['one$', 'a:1:one\nb:1:one\nc:1:one'],
    ['^$', 'a:2:'],
    ['one\\r$', 'a:1:one'],
    ['one$|\\x41', 'b:1:one\nc:1:one'],
  ])('%s: the end of a line is before its line end', async (pattern, output) => {
    const session = await openSession({ a: 'one\r\n\r\n', b: 'one\n', c: 'one' });
    expect((await session.call('Grep', { pattern, output_mode: 'content' })).output).toBe(output);
  });

  it.each(['(a+)+$', '(a|aa)+$', '(.*a){20}'])('%s over a long line ends in linear time', async (pattern) => {
    const session = await openSession({ 'long.txt': `${'a'.repeat(50_000)}b\n` });
    expect((await session.call('Grep', { pattern })).status).toBe('succeeded');
  });

  it('names with odd signs are one line each, and those that no call can name are counted', async () => {
    const session = await openSession({ 'a "b".txt': 'one\n', 'line\nend.txt': 'one\n', 'x.txt': 'one\n' });
    writeFileSync(Buffer.concat([Buffer.from(`${session.root}/bad`), Buffer.of(0xff)]), 'one\n');
    const note = '(1 with names that are not UTF-8 left out)';
    const list = ['"a \\"b\\".txt"', '"line\\nend.txt"', 'x.txt', note];
    expect((await session.call('Grep', { pattern: 'one' })).output.split('\n')).toEqual(list);
    expect((await session.call('Glob', { pattern: '**' })).output.split('\n')).toEqual(list);
    expect((await session.call('Grep', { pattern: 'one', glob: '[!q]*' })).output.split('\n')).toEqual(list);
    const content = await session.call('Grep', { pattern: 'one', output_mode: 'content' });
    expect(content.output.split('\n')).toEqual([...list.slice(0, 3).map((name) => `${name}:1:one`), note]);
  });

  it('a very long line is cut', async () => {
    const session = await openSession({ a: `needle ${'x'.repeat(100_000)}\n` });
    const outcome = await session.call('Grep', { pattern: 'needle', output_mode: 'content' });
    expect(outcome.output.length).toBeLessThan(1000);
  });
});
