import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openSession, type TestSession } from '../session.ts';

const files = { 'a.ts': 'export const word = 1;\n', 'sub/b.log': 'word\n', 'sub/c.ts': 'word\n', 'gen/d.ts': 'word\n' };

/** `above`: the rules of the folder in which the workspace lies. */
async function place(above: string, repositories: readonly ('above' | 'here')[], own = ''): Promise<TestSession> {
  const session = await openSession(own === '' ? files : { ...files, '.gitignore': own });
  const top = dirname(session.root);
  writeFileSync(join(top, '.gitignore'), above);
  for (const one of repositories) execFileSync('git', ['init', '-q', one === 'above' ? top : session.root]);
  return session;
}

async function found(session: TestSession, path = '.'): Promise<readonly string[]> {
  const listed = (await session.call('Glob', { pattern: '**', path })).output;
  const searched = (await session.call('Grep', { pattern: 'word', path })).output;
  expect(searched).toBe(listed.replace(/^\.gitignore\n/, ''));
  return listed.split('\n').filter((line) => line !== '.gitignore');
}

describe('rules of folders above the workspace', () => {
  const all = ['a.ts', 'gen/d.ts', 'sub/b.log', 'sub/c.ts'];
  const noLog = all.filter((path) => !path.endsWith('.log'));
  test.each<[string, Parameters<typeof place>, readonly string[]]>([
    ['say nothing of a repository below them', ['*\n', ['here']], all],
    ['nor where they are in a repository themselves', ['*\n', ['above', 'here']], all],
    ['nor of a workspace that is in none', ['*\n', []], all],
    ['whose own rules count', ['*\n', [], '*.log\n'], noLog],
    ['as do those of a repository', ['*\n', ['here'], '*.log\n'], noLog],
    ['count in a part of a repository', ['gen/\n', ['above'], '*.log\n'], ['a.ts', 'sub/c.ts']],
    ['but not where they leave out the workspace itself', ['work/\n', ['above'], '*.log\n'], noLog],
    ['nor where they leave out everything', ['*\n', ['above'], '*.log\n'], noLog],
  ])('%s', async (_name, arranged, expected) => {
    const session = await place(...arranged);
    expect(await found(session)).toEqual(expected);
    expect(await found(session, 'sub')).toEqual(expected.filter((path) => path.startsWith('sub/')));
  });

  test('a repository that is made later counts from then on', async () => {
    const session = await place('*\n', ['above']);
    expect(await found(session)).toEqual(all);
    execFileSync('git', ['init', '-q', session.root]);
    expect(await found(session)).toEqual(all);
    writeFileSync(join(session.root, '.git/info/exclude'), '.belay-data\n*.log\n');
    expect(await found(session)).toEqual(noLog);
  });

  test('of a repository within the workspace its own rules count, as for git', async () => {
    const session = await place('', ['here'], '*.log\n');
    mkdirSync(join(session.root, 'module'));
    execFileSync('git', ['init', '-q', join(session.root, 'module')]);
    session.put('module/e.log', 'word\n');
    session.put('module/f.tmp', 'word\n');
    session.put('module/.gitignore', '*.tmp\n');
    const listed = (await session.call('Glob', { pattern: 'module/*' })).output;
    expect(listed).toBe('module/.gitignore\nmodule/e.log');
  });
});
