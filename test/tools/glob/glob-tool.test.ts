import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Json } from '#kernel';
import { openSession } from '../session.ts';

const files = {
  'src/a.ts': '',
  'src/deep/b.ts': '',
  'src/deep/c.js': '',
  'a.test.ts': '',
  '.env': '',
  '.gitignore': 'out/\n',
  'out/x.ts': '',
  '.belay-data/x.ts': '',
  '.git/x.ts': '',
  'name with space.ts': '',
};

describe('Glob', () => {
  it.each<[string, Json, string]>([
    ['by ending, at any depth', { pattern: '*.ts' }, 'a.test.ts\nname with space.ts\nsrc/a.ts\nsrc/deep/b.ts'],
    ['below a folder', { pattern: 'src/**/*.ts' }, 'src/a.ts\nsrc/deep/b.ts'],
    ['everything', { pattern: '**', path: 'src/deep' }, 'src/deep/b.ts\nsrc/deep/c.js'],
    ['relative to the path', { pattern: 'deep/*', path: './src/' }, 'src/deep/b.ts\nsrc/deep/c.js'],
    ['hidden files', { pattern: '.env' }, '.env'],
    ['alternatives', { pattern: '**/*.{js,test.ts}' }, 'a.test.ts\nsrc/deep/c.js'],
    ['alternatives of folders', { pattern: '{src/deep,nope}/*.js' }, 'src/deep/c.js'],
    ['nothing', { pattern: '*.py' }, 'No file matches; what is ignored is found only by naming its folder as path.'],
  ])('%s', async (_name, args, output) => {
    const session = await openSession(files);
    symlinkSync('/etc', join(session.root, 'etc'));
    expect(await session.call('Glob', args)).toMatchObject({ status: 'succeeded', output });
  });

  it('takes the whole path of the workspace for what is in it, and says where another one begins', async () => {
    const session = await openSession(files);
    const pattern = `${session.root}/src/*.ts`;
    for (const path of ['.', 'src/deep']) {
      const { output } = await session.call('Glob', { pattern, path });
      expect(output).toEqual(path === '.' ? 'src/a.ts' : expect.stringContaining('No file matches'));
    }
    const outside = await session.call('Glob', { pattern: '/etc/*' });
    expect(outside).toMatchObject({ status: 'failed', failure: { kind: 'schema' } });
    expect(outside.output).toContain('outside the workspace');
  });

  it.each([
    ['src/deep', '.'],
    ['deep', 'src'],
  ])('says of a folder (%s in %s) how its files are listed', async (pattern, path) => {
    const session = await openSession(files);
    symlinkSync('/etc', join(session.root, 'etc'));
    const { output } = await session.call('Glob', { pattern, path });
    expect(output).toBe('No file matches; src/deep is a folder: give it as path, with the pattern **.');
    expect((await session.call('Glob', { pattern: 'etc' })).output).toMatch(/^No file matches; what is ignored/);
  });

  it('says how many more there are', async () => {
    const many = Object.fromEntries(Array.from({ length: 250 }, (_, i) => [`f${String(i).padStart(3, '0')}.txt`, '']));
    const session = await openSession(many);
    const { output } = await session.call('Glob', { pattern: '*.txt' });
    expect(output.split('\n').slice(-2)).toEqual(['f199.txt', '(50 more; narrow the pattern or the path)']);
  });

  it('matches in a time that does not explode', async () => {
    const name = 'a'.repeat(200);
    const session = await openSession({ [name]: '', [`${'d/'.repeat(60)}${name}`]: '' });
    for (const pattern of ['*a*a*b', '**/*a/**/*a/**/*b', `${'[a]'.repeat(150)}b`, '?'.repeat(200)]) {
      expect((await session.call('Glob', { pattern })).status, pattern).toBe('succeeded');
    }
    for (const pattern of ['*a*a*a*a*a*a*b', '**/a/**/a/**/a/**/a/**/b', '{*a*a,b}*a*a']) {
      expect((await session.call('Glob', { pattern })).output, pattern).toContain('Correct the glob');
    }
  });

  it.each(['', '../x', 'a['])('refuses the pattern %j', async (pattern) => {
    const session = await openSession(files);
    expect((await session.call('Glob', { pattern })).status).toBe('failed');
  });
});
