import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Json } from '#kernel';
import type { AttemptContext } from '../../../src/tools/contract.ts';
import { prepareMark, takeClaim } from '../../../src/workspace/claim.ts';
import { openSession, type TestSession } from '../session.ts';

async function repository(files: { readonly [path: string]: string }): Promise<TestSession> {
  const session = await openSession(files);
  git(session, 'init', '-q', '-b', 'main');
  git(session, 'config', 'user.name', 'Somebody');
  git(session, 'config', 'user.email', 'somebody@localhost');
  writeFileSync(join(session.root, '.git/info/exclude'), '.belay-data\n');
  git(session, 'add', '-A');
  git(session, 'commit', '-q', '-m', 'as found');
  return session;
}

const git = (session: TestSession, ...args: string[]): string =>
  execFileSync('git', args, { cwd: session.root, encoding: 'utf8' }).trim();
const commits = (session: TestSession) => Number(git(session, 'rev-list', '--count', 'HEAD'));
const changed = (session: TestSession) => git(session, 'show', '--format=', '--name-status', 'HEAD').split('\n');

function hook(session: TestSession, name: string, text: string): void {
  const file = join(session.root, '.git/hooks', name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
}
const noTrailer = `grep -v '^Belay-Action' "$1" >"$1.new"; cat "$1.new" >"$1"`;

/** Starts the attempt and returns how to run it, so that a test can settle it under the same identity. */
async function start(session: TestSession, context: AttemptContext, args: Json) {
  const prepared = await session.tool('Commit').prepare(args, context);
  if (!prepared.ok) throw new Error(prepared.failure.message);
  return prepared.attempt;
}

describe('a commit holds exactly the paths named', () => {
  test('new, changed and deleted ones; what else is staged or changed stays as it is', async () => {
    const session = await repository({ 'a.txt': 'a\n', 'gone.txt': 'x\n', 'other.txt': 'o\n', 'staged.txt': 's\n' });
    session.put('a.txt', 'a2\n');
    session.put('new file.txt', 'n\n');
    session.put('other.txt', 'o2\n');
    session.put('staged.txt', 's2\n');
    git(session, 'add', 'staged.txt');
    rmSync(join(session.root, 'gone.txt'));
    const outcome = await session.call('Commit', {
      message: "It's done: $(touch hacked) `touch hacked`",
      paths: ['a.txt', 'new file.txt', './gone.txt'],
    });
    expect(outcome).toMatchObject({ status: 'succeeded', exitCode: 0 });
    expect(changed(session)).toEqual(['M\ta.txt', 'D\tgone.txt', 'A\tnew file.txt']);
    expect(git(session, 'status', '--porcelain')).toBe('M other.txt\nM  staged.txt');
    expect(git(session, 'log', '-1', '--format=%s')).toBe("It's done: $(touch hacked) `touch hacked`");
    expect(outcome.data).toEqual({ commit: git(session, 'rev-parse', 'HEAD') });
    expect(git(session, 'log', '-1', '--format=%b')).toMatch(/^Belay-Action: action/);
    expect(git(session, 'reflog', '-1', '--format=%gs')).toMatch(/^belay\/action/);
  });

  test('another version that is only staged is named to whoever approves', async () => {
    const session = await repository({ 'a.txt': 'a\n', 'd/b.txt': 'b\n', 'd/c.txt': 'c\n' });
    for (const name of ['a.txt', 'd/b.txt']) session.put(name, 'staged\n');
    git(session, 'add', '-A');
    for (const name of ['a.txt', 'd/b.txt']) session.put(name, 'later\n');
    const previewOf = async (...paths: string[]) => {
      const looked = await session.tool('Commit').inspect?.({ message: 'm', paths }, session.context());
      return looked?.ok === true ? looked.preview : looked;
    };
    expect(await previewOf('d')).toBe('m\n\nd\nd/b.txt: another version is staged, and would be lost');
    expect(await previewOf('a.txt')).toBe('m\n\na.txt\na.txt: another version is staged, and would be lost');
    expect(await previewOf('d/c.txt')).toBe('m\n\nd/c.txt');
  });

  test('nothing where git would take the workspace itself for a repository', async () => {
    const session = await openSession({
      'a.txt': 'a\n',
      HEAD: 'ref: refs/heads/main\n',
      config: `[core]\nrepositoryformatversion = 0\nbare = false\nworktree = .\nfsmonitor = "touch it-ran; false"\n`,
      'objects/x': '',
      'refs/x': '',
    });
    expect(await session.call('Commit', { message: 'm', paths: ['a.txt'] })).toMatchObject({
      failure: { message: expect.stringContaining('take the workspace itself for a repository') },
    });
    expect(existsSync(join(session.root, 'it-ran'))).toBe(false);
  });

  test.each([
    ['by its own path', (root: string) => join(root, 'bin')],
    ['by a link', (root: string) => `${dirname(root)}/linked/bin`],
  ])('no git of the workspace commits: it is on the search path %s', async (_name, folderOf) => {
    const session = await openSession({ 'a.txt': 'a\n' }, [], (root) => `${folderOf(root)}:${process.env['PATH']}`);
    git(session, 'init', '-q', '-b', 'main');
    git(session, 'config', 'user.name', 'Somebody');
    git(session, 'config', 'user.email', 'somebody@localhost');
    session.put('bin/git', `#!/bin/sh\ntouch '${session.root}/it-ran'\n`);
    chmodSync(join(session.root, 'bin/git'), 0o755);
    symlinkSync(session.root, join(dirname(session.root), 'linked'));
    expect(await session.call('Commit', { message: 'm', paths: ['a.txt'] })).toMatchObject({ status: 'succeeded' });
    expect(changed(session)).toEqual(['A\ta.txt']);
    expect(existsSync(join(session.root, 'it-ran'))).toBe(false);
  });

  test.each([
    ['a pattern is a name', { message: 'm', paths: ['*.txt'] }, 'pathspec'],
    ['nothing changed', { message: 'm', paths: ['a.txt'] }, 'nothing to commit'],
  ])('%s', async (_name, args, shown) => {
    const session = await repository({ 'a.txt': 'a\n' });
    const outcome = await session.call('Commit', args);
    expect(outcome).toMatchObject({ status: 'failed', output: expect.stringContaining(shown) });
    expect(commits(session)).toBe(1);
  });

  test.each([
    [{ message: ' ', paths: ['a.txt'] }, 'message is empty'],
    [{ message: 'm', paths: [] }, 'No path'],
    [{ message: 'm', paths: ['../outside'] }, 'outside'],
    [{ message: 'm', paths: ['.git/config'] }, 'belongs to git'],
  ])('refused before it starts: %j', async (args, shown) => {
    const session = await repository({ 'a.txt': 'a\n' });
    const found = await session.inspect('Commit', args);
    expect(found.ok ? '' : found.failure.message).toContain(shown);
  });

  test('the hooks of the repository run, and one that refuses is told', async () => {
    const session = await repository({ 'a.txt': 'a\n' });
    mkdirSync(join(session.root, '.git/hooks'), { recursive: true });
    writeFileSync(join(session.root, '.git/hooks/pre-commit'), '#!/bin/sh\necho "no commits on Mondays"; exit 1\n');
    chmodSync(join(session.root, '.git/hooks/pre-commit'), 0o755);
    session.put('a.txt', 'a2\n');
    const outcome = await session.call('Commit', { message: 'm', paths: ['a.txt'] });
    expect(outcome).toMatchObject({ status: 'failed', output: expect.stringContaining('no commits on Mondays') });
    expect(commits(session)).toBe(1);
  });

  const generate = `
echo line >> CHANGES.md; echo more >> log.txt; sed -i.bak s/BARE/formatted/ a.txt sub/b.txt; rm -f *.bak sub/*.bak
git add CHANGES.md log.txt a.txt sub/b.txt`;

  test.each([
    ['where some of its files are named', ['a.txt', 'sub']],
    ['where all are named at once', ['.']],
  ])('what hooks add to it is in the index, too: %s', async (_name, paths) => {
    const session = await repository({ 'a.txt': 'a\n', 'sub/b.txt': 'b\n', 'log.txt': 'l\n', 'own.txt': 'o\n' });
    hook(session, 'pre-commit', generate);
    session.put('a.txt', 'BARE\n');
    session.put('sub/b.txt', 'BARE\n');
    session.put('sub/new [x].txt', 'n\n');
    if (paths[0] !== '.') {
      session.put('own.txt', 'o2\n');
      session.put('noted.txt', 'n\n');
      git(session, 'add', 'own.txt');
      git(session, 'add', '-N', 'noted.txt');
    }
    const outcome = await session.call('Commit', { message: 'm', paths });
    expect(outcome).toMatchObject({ status: 'succeeded', exitCode: 0 });
    expect(git(session, 'show', 'HEAD:a.txt', 'HEAD:sub/b.txt', 'HEAD:CHANGES.md')).toBe('formatted\nformatted\nline');
    const own = ['A noted.txt', 'M  own.txt'];
    expect(git(session, 'status', '--porcelain').split('\n')).toEqual(paths[0] === '.' ? [''] : own);
  });

  test('what the user staged stays staged where a hook commits another version of it', async () => {
    const session = await repository({ 'a.txt': 'a\n', 'log.txt': 'l\n' });
    hook(session, 'pre-commit', 'echo hooked > log.txt; git add log.txt');
    session.put('log.txt', 'mine\n');
    git(session, 'add', 'log.txt');
    session.put('a.txt', 'a2\n');
    await session.call('Commit', { message: 'm', paths: ['a.txt'] });
    expect(git(session, 'show', ':log.txt')).toBe('mine');
    expect(git(session, 'show', ':a.txt')).toBe('a2');
  });

  test('the first commit of a repository, with what its hook adds', async () => {
    const session = await openSession({ 'a.txt': 'a\n' });
    git(session, 'init', '-q', '-b', 'main');
    git(session, 'config', 'user.name', 'Somebody');
    git(session, 'config', 'user.email', 'somebody@localhost');
    writeFileSync(join(session.root, '.git/info/exclude'), '.belay-data\n');
    hook(session, 'pre-commit', 'echo line > CHANGES.md; git add CHANGES.md');
    expect(await session.call('Commit', { message: 'm', paths: ['a.txt'] })).toMatchObject({ status: 'succeeded' });
    expect(git(session, 'status', '--porcelain')).toBe('');
  });

  test('in a folder of a repository: a hook adds a file at its top, and one that refuses leaves nothing noted', async () => {
    const session = await openSession({ 'a.txt': 'a\n', 'sub/b.txt': 'b\n' });
    const top = dirname(session.root);
    git(session, 'init', '-q', '-b', 'main', top);
    git(session, 'config', 'user.name', 'Somebody');
    git(session, 'config', 'user.email', 'somebody@localhost');
    writeFileSync(join(top, '.git/info/exclude'), '.belay-data\n');
    git(session, 'add', '-A');
    git(session, 'commit', '-q', '-m', 'as found');
    writeFileSync(
      join(top, '.git/hooks/pre-commit'),
      '#!/bin/sh\n[ ! -e work/refuse ] || exit 1\necho line > CHANGES.md; git add CHANGES.md\n',
      { mode: 0o755 },
    );
    session.put('sub/new.txt', 'n\n');
    session.put('refuse', '');
    const commit = () => session.call('Commit', { message: 'm', paths: ['sub'] });
    expect(await commit()).toMatchObject({ status: 'failed' });
    expect(git(session, 'status', '--porcelain').split('\n')).toEqual(['?? work/refuse', '?? work/sub/new.txt']);
    rmSync(join(session.root, 'refuse'));
    expect(await commit()).toMatchObject({ status: 'succeeded' });
    expect(git(session, 'status', '--porcelain')).toBe('');
    expect(git(session, 'ls-files', '--full-name', '-c', top).split('\n')).toContain('CHANGES.md');
  });

  test('where there is no repository, git says so once', async () => {
    const session = await openSession({ 'a.txt': 'a\n' });
    const { status, output } = await session.call('Commit', { message: 'm', paths: ['a.txt'] });
    expect([status, output.match(/not a git repository/g)]).toEqual(['failed', ['not a git repository']]);
  });

  test('one that is refused leaves what the user had noted', async () => {
    const session = await repository({ 'a.txt': 'a\n' });
    hook(session, 'pre-commit', 'exit 1');
    session.put('noted.txt', 'n\n');
    git(session, 'add', '-N', 'noted.txt');
    session.put('new.txt', 'n\n');
    await session.call('Commit', { message: 'm', paths: ['new.txt'] });
    expect(git(session, 'status', '--porcelain').split('\n')).toEqual(['A noted.txt', '?? new.txt']);
    await session.call('Commit', { message: 'm', paths: ['noted.txt'] });
    expect(git(session, 'status', '--porcelain').split('\n')).toEqual(['A noted.txt', '?? new.txt']);
  });

  test.each<[string, (session: TestSession) => void, object]>([
    [
      'is stopped in its last hook',
      (session) => hook(session, 'post-commit', 'touch mark; sleep 300'),
      { status: 'succeeded', output: expect.stringMatching(/cancelled(.*\n)*The commit was made all the same/) },
    ],
    [
      'is stopped before it committed',
      (session) => hook(session, 'pre-commit', 'touch mark; sleep 300'),
      { status: 'cancelled' },
    ],
  ])('a git that %s', async (_name, arrange, outcome) => {
    const session = await repository({ 'a.txt': 'a\n' });
    arrange(session);
    session.put('a.txt', 'a2\n');
    const stop = new AbortController();
    const running = session.call('Commit', { message: 'm', paths: ['a.txt'] }, { signal: stop.signal });
    while (!existsSync(join(session.root, 'mark'))) await new Promise((resolve) => setTimeout(resolve, 10));
    stop.abort();
    expect(await running).toMatchObject(outcome);
  });

  test('a git that fails while a hook committed something else says what is there', async () => {
    const session = await repository({ 'a.txt': 'a\n' });
    const other =
      'export GIT_INDEX_FILE=.git/own; git read-tree HEAD; git commit -q --no-verify --allow-empty -m other; exit 1';
    hook(session, 'pre-commit', other);
    session.put('a.txt', 'a2\n');
    const outcome = await session.call('Commit', { message: 'm', paths: ['a.txt'] });
    expect(outcome).toMatchObject({ status: 'failed', output: expect.stringMatching(/a hook committed \w+ other/) });
  });

  test('an approval is bound to the content that was shown', async () => {
    const session = await repository({ 'a.txt': 'a\n' });
    const args = { message: 'm', paths: ['a.txt'] };
    const first = await session.inspect('Commit', args);
    session.put('a.txt', 'a2\n');
    expect(await session.inspect('Commit', args)).not.toEqual(first);
  });
});

describe('a commit left behind', () => {
  const args = { message: 'm', paths: ['a.txt'] };

  test('made, and its receipt lost: the repository says so, even after an amend', async () => {
    const session = await repository({ 'a.txt': 'a\n' });
    session.put('a.txt', 'a2\n');
    const context = session.context('c1');
    const attempt = await start(session, context, args);
    await attempt.run();
    rmSync(join(context.execFolder, 'rc'));
    rmSync(join(context.execFolder, 'out'));
    const settled = await session.tool('Commit').settle(args, attempt.base ?? null, context);
    const applied = {
      state: 'settled',
      outcome: { status: 'succeeded', settling: { probe: 'query', verdict: 'applied' } },
    };
    expect(settled).toMatchObject(applied);
    git(session, 'commit', '-q', '--amend', '-m', 'said better');
    expect(await session.tool('Commit').settle(args, attempt.base ?? null, context)).toMatchObject(applied);
    expect(commits(session)).toBe(2);
  });

  test.each<[string, readonly (readonly [string, string])[], object]>([
    ['takes its trailer out', [['commit-msg', noTrailer]], { status: 'succeeded', settling: { verdict: 'applied' } }],
    [
      'takes its trailer out and adds to its message',
      [['commit-msg', `${noTrailer}; sed -i '1s/^/[T-1] /' "$1"`]],
      { status: 'succeeded', output: expect.stringContaining('[T-1] m'), settling: { verdict: 'applied' } },
    ],
    [
      'says something else',
      [['commit-msg', 'echo other words >"$1"']],
      { status: 'unknown', settling: { probe: 'query', verdict: 'unknown' } },
    ],
  ])(
    'made, its receipt lost, by a repository whose hook %s: the log of HEAD says so',
    async (_name, hooks, outcome) => {
      const session = await repository({ 'a.txt': 'a\n' });
      for (const [name, text] of hooks) hook(session, name, text);
      session.put('a.txt', 'a2\n');
      const context = session.context('c1');
      const attempt = await start(session, context, args);
      await attempt.run();
      for (const name of ['rc', 'out']) rmSync(join(context.execFolder, name));
      const settled = await session.tool('Commit').settle(args, attempt.base ?? null, context);
      expect(settled).toMatchObject({ state: 'settled', outcome });
      // It moved on since: still the same.
      git(session, 'reset', '-q', '--hard', 'HEAD~1');
      expect(await session.tool('Commit').settle(args, attempt.base ?? null, context)).toMatchObject({ outcome });
    },
  );

  test.each([
    ['its first', []],
    ['another', ['as found']],
  ])(
    'what only the log of HEAD names is no commit where git died before it moved the branch: %s',
    async (_n, before) => {
      const session = await openSession({ 'a.txt': 'a\n' });
      for (const words of [
        ['init', '-q', '-b', 'main'],
        ['config', 'user.name', 'S'],
        ['config', 'user.email', 's@localhost'],
      ]) {
        git(session, ...words);
      }
      for (const message of before) git(session, 'commit', '-q', '--allow-empty', '-m', message);
      const parent = before.length === 0 ? null : git(session, 'rev-parse', 'HEAD');
      hook(session, 'commit-msg', noTrailer);
      const context = session.context('c1');
      const attempt = await start(session, context, args);
      await attempt.run();
      for (const name of ['rc', 'out']) rmSync(join(context.execFolder, name));
      const branch = join(session.root, '.git/refs/heads/main');
      if (parent === null) rmSync(branch);
      else writeFileSync(branch, `${parent}\n`);
      const settled = await session.tool('Commit').settle(args, attempt.base ?? null, context);
      expect(settled).toMatchObject({ state: 'not-started', settling: { probe: 'query', verdict: 'not-applied' } });
    },
  );

  test('a hook that moved HEAD under the mark of the action made no commit', async () => {
    const session = await repository({ 'a.txt': 'a\n' });
    hook(session, 'pre-commit', 'git reset -q --soft HEAD; exit 1');
    session.put('a.txt', 'a2\n');
    const context = session.context('c1');
    const attempt = await start(session, context, args);
    expect(await attempt.run()).toMatchObject({ status: 'failed' });
    expect(git(session, 'reflog', '-1', '--format=%gs')).toMatch(/^belay\/action/);
    rmSync(join(context.execFolder, 'rc'));
    rmSync(join(context.execFolder, 'out'));
    const settled = await session.tool('Commit').settle(args, attempt.base ?? null, context);
    expect(settled).toMatchObject({ settling: { probe: 'query', verdict: 'not-applied' } });
  });

  test('claimed and never made: it may run again', async () => {
    const session = await repository({ 'a.txt': 'a\n' });
    const context = session.context('c2');
    takeClaim(context.execFolder, context.bootId);
    expect(await session.tool('Commit').settle(args, null, context)).toEqual({
      state: 'not-started',
      settling: { probe: 'query', observed: 'no commit names this action', verdict: 'not-applied' },
    });
  });

  test('a reflog line of a git that died before it moved the branch is no commit', async () => {
    const session = await repository({ 'a.txt': 'a\n' });
    session.put('a.txt', 'a2\n');
    const context = session.context('c3');
    takeClaim(context.execFolder, context.bootId);
    const parent = git(session, 'rev-parse', 'HEAD');
    git(session, 'commit', '-q', '-am', `m\n\nBelay-Action: ${context.actionId}`);
    writeFileSync(join(session.root, '.git/refs/heads/main'), `${parent}\n`);
    expect(await session.tool('Commit').settle(args, null, context)).toMatchObject({ state: 'not-started' });
  });

  test('not begun: proven by the claim; a repository without any commit can be asked, too', async () => {
    const session = await openSession({ 'a.txt': 'a\n' });
    git(session, 'init', '-q');
    const fresh = session.context('c4');
    // As an agent leaves it that died after it made the attempt ready.
    prepareMark(fresh.execFolder);
    expect(await session.tool('Commit').settle(args, null, fresh)).toMatchObject({
      settling: { probe: 'claim', verdict: 'not-started' },
    });
    const claimed = session.context('c5');
    takeClaim(claimed.execFolder, claimed.bootId);
    expect(await session.tool('Commit').settle(args, null, claimed)).toMatchObject({
      settling: { probe: 'query', verdict: 'not-applied' },
    });
  });

  test('after another boot the repository decides as well', async () => {
    const session = await repository({ 'a.txt': 'a\n' });
    session.put('a.txt', 'a2\n');
    const context = session.context('c6');
    await (await start(session, context, args)).run();
    const later = { ...context, bootId: 'another' };
    expect(await session.tool('Commit').settle(args, null, later)).toMatchObject({
      state: 'settled',
      outcome: { status: 'succeeded' },
    });
  });
});

describe('a repository whose configuration starts a program to fetch what is missing', () => {
  /** A branch that leads nowhere, in what says it is a partial clone; `started` tells whether the program ran. */
  async function hostile() {
    const session = await repository({ 'a.txt': 'a\n' });
    const mark = join(session.root, '.git', 'started');
    const program = join(session.root, '.git', 'program');
    writeFileSync(program, `#!/bin/sh\ntouch ${mark}\n`);
    chmodSync(program, 0o755);
    git(session, 'config', 'core.repositoryformatversion', '1');
    git(session, 'config', 'extensions.partialClone', 'origin');
    git(session, 'config', 'remote.origin.promisor', 'true');
    git(session, 'config', 'remote.origin.url', `file://${session.root}`);
    git(session, 'config', 'remote.origin.uploadpack', program);
    writeFileSync(join(session.root, '.git/refs/heads/ghost'), `${'12'.repeat(20)}\n`);
    return { session, hasStarted: () => existsSync(mark) };
  }

  test('a plain git starts it', async () => {
    const { session, hasStarted } = await hostile();
    expect(() => execFileSync('git', ['log', '--all'], { cwd: session.root, stdio: 'pipe' })).toThrow();
    expect(hasStarted()).toBe(true);
  });

  test('looking for the commit does not, and the commit counts', async () => {
    const { session, hasStarted } = await hostile();
    session.put('a.txt', 'a2\n');
    const outcome = await session.call('Commit', { message: 'm', paths: ['a.txt'] });
    expect(outcome).toMatchObject({ status: 'succeeded', data: { commit: git(session, 'rev-parse', 'HEAD') } });
    expect(hasStarted()).toBe(false);
  });

  test('nor does settling one that was never made, which nobody can know there', async () => {
    const { session, hasStarted } = await hostile();
    const context = session.context('c7');
    takeClaim(context.execFolder, context.bootId);
    await expect(session.tool('Commit').settle({ message: 'm', paths: ['a.txt'] }, null, context)).rejects.toThrow(
      'git could not be asked',
    );
    expect(hasStarted()).toBe(false);
  });
});
