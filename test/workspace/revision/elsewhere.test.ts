import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Unheld } from '../../../src/workspace/contract.ts';
import { elsewhere } from '../../../src/workspace/revision/elsewhere.ts';

const gitProgram = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
const every: readonly Unheld[] = ['changes', 'untracked', 'ignored'];

/** A repository of two packages, with work of each kind in both and above. */
function stage() {
  const top = realpathSync(mkdtempSync(path.join(tmpdir(), 'belay-elsewhere-')));
  folders.push(top);
  const env = { PATH: process.env['PATH'] ?? '', HOME: top };
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: top, env, encoding: 'utf8' });
  const put = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(top, file)), { recursive: true });
    writeFileSync(path.join(top, file), text);
  };
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'n');
  git('config', 'user.email', 'n@example.org');
  const tracked = ['top.ts', 'pkg/[a]/s.ts', 'pkg/a/near.ts', 'pkg/b/ö o.ts', 'pkg/b/same.ts'];
  for (const file of tracked) put(file, 'one\n');
  put('.gitignore', 'dist/\n*.log\n');
  git('add', '-A');
  git('commit', '-qm', 'first');
  const look = (which: readonly Unheld[], root = 'pkg/[a]', program: string | null = gitProgram) =>
    elsewhere({ root: path.join(top, root), git: program, env }, which);
  const change = () => {
    for (const file of ['pkg/[a]/s.ts', 'pkg/a/near.ts', 'pkg/b/ö o.ts']) put(file, 'two\n');
    for (const folder of ['pkg/[a]', 'pkg/b']) {
      put(`${folder}/new/x.ts`, 'mine\n');
      put(`${folder}/dist/x.js`, 'made\n');
      put(`${folder}/x.log`, 'told\n');
    }
  };
  return { git, put, look, change };
}

describe('what no commit holds outside a part of a repository', () => {
  it.each<[which: readonly Unheld[], files: readonly string[]]>([
    [['changes'], ['../a/near.ts', '../b/ö o.ts']],
    [['untracked'], ['../b/new/x.ts']],
    [['ignored'], ['../b/dist/', '../b/x.log']],
    [every, ['../a/near.ts', '../b/ö o.ts', '../b/new/x.ts', '../b/dist/', '../b/x.log']],
  ])('%j', async (which, files) => {
    const { look, change } = stage();
    expect(await look(which)).toEqual({ top: '../..', files: [] });
    change();
    expect(await look(which)).toEqual({ top: '../..', files });
  });
  it('names both ends of what was moved, and what is staged', async () => {
    const { git, put, look } = stage();
    git('mv', 'top.ts', 'pkg/[a]/top.ts');
    put('pkg/b/staged.ts', 'mine\n');
    git('add', 'pkg/b/staged.ts');
    expect(await look(['changes'])).toEqual({ top: '../..', files: ['../b/staged.ts', '../../top.ts'] });
  });
  it('is known too where the repository ignores the part: git reaches from there', async () => {
    const { put, look } = stage();
    put('dist/work/x.ts', 'mine\n');
    put('top.ts', 'two\n');
    expect(await look(['changes'], 'dist/work')).toEqual({ top: '../..', files: ['../../top.ts'] });
  });
  it('is nothing at the top, without a repository and without git; and not known where git fails', async () => {
    const { look, change, put } = stage();
    change();
    const nothing = { top: '.', files: [] };
    expect(await look(every, '.')).toEqual(nothing);
    expect(await look(every, '..')).toEqual(nothing);
    expect(await look(every, 'pkg/b', null)).toEqual(nothing);
    put('.git/index', 'broken');
    expect(await look(every)).toBe(null);
  });
});
