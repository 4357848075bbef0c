import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { contractView, type Fact, type FactBody, fold } from '#kernel';
import { openStore } from '#ledger';
import { encodeBatch } from '../../src/ledger/log/batch.ts';
import { headerFrame } from '../../src/ledger/log/frame.ts';
import { makePlace, type Place } from './belay.ts';
import { bash, edit, read, say } from './turns.ts';

const free = ['--permission-mode', 'bypassPermissions'];
const write = (file_path: string, content: string) => ({ calls: [{ tool: 'Write', args: { file_path, content } }] });

function gitPlace(): Place {
  const place = makePlace();
  place.write('a.txt', 'one\n');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: place.repository, stdio: 'pipe' });
  git('init', '-q');
  git('add', '.');
  git('-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-qm', 'start');
  return place;
}

const run = (place: Place, turns: readonly object[], more: readonly string[] = free) =>
  place.belay(['run', 'Change it.', '--session', 's', '--model', place.script(turns), ...more]);

const fork = (place: Place, at: number, ...more: string[]) =>
  place.belay(['fork', 's', '--at', String(at), '--session', 'f', ...more]);

const last = async (place: Place, type: Fact['type']) =>
  (await place.facts('s')).findLast((fact) => fact.type === type)?.seq ?? 0;

const idsIn = (facts: readonly Fact[]) =>
  facts.flatMap((fact) => [
    ...('actionId' in fact && fact.actionId !== undefined ? [fact.actionId] : []),
    ...('attemptId' in fact && fact.attemptId !== undefined ? [fact.attemptId] : []),
    ...('requestId' in fact && fact.requestId !== undefined ? [fact.requestId] : []),
    ...('turnId' in fact ? [fact.turnId] : []),
  ]);

describe('a fork', () => {
  test('begins with the facts of the other session under the same numbers, with identities of its own', async () => {
    const place = gitPlace();
    await run(place, [read('a.txt'), edit('a.txt', 'one', 'two'), bash('seq 40000'), say('Done.')]);
    const at = await last(place, 'session.complete');
    const made = await fork(place, at);
    expect(made).toMatchObject({ code: 0, stdout: 'f\n' });
    const [parent, child] = [await place.facts('s'), await place.facts('f')];
    expect(child[0]).toMatchObject({ sessionId: 'f', parent: { sessionId: 's', seq: at } });
    expect(child.slice(1, at).map(({ type }) => type)).toEqual(parent.slice(1, at).map(({ type }) => type));
    const shared = new Set(idsIn(parent));
    expect(idsIn(child).filter((id) => shared.has(id))).toEqual([]);
    expect(fold(child).executor).toBeNull();
    const events = (facts: readonly Fact[]) =>
      facts
        .slice(0, at)
        .map(contractView())
        .flatMap((event) => event?.type ?? []);
    expect(events(child)).toEqual(events(parent));
    // Blobs come along: the fork stands alone.
    await place.belay(['sessions', 'rm', 's']);
    const store = openStore({ home: place.home });
    for (const fact of child) {
      if (fact.type === 'attempt.outcome' && fact.blob !== undefined) await store.getBlob('f', fact.blob);
    }
    expect((await store.verify('f')).problems).toEqual([]);
  });

  test('goes its own way, and the other session knows nothing of it', async () => {
    const place = gitPlace();
    await run(place, [
      write('x.txt', '1\n'),
      say('First.'),
      { text: 'In the fork.', expect: { history: ['x.txt', 'First.'], shown: 'second' } },
    ]);
    const before = (await place.facts('s')).length;
    await fork(place, await last(place, 'session.complete'));
    expect((await place.belay(['resume', 'f', 'second'])).stdout).toBe('In the fork.\n');
    expect((await place.facts('s')).length).toBe(before);
    expect((await place.belay(['log', 'f'])).stdout).toContain('session f in');
  });

  test('what was open where it was cut is cancelled, and the turn goes on', async () => {
    const place = gitPlace();
    const turns = [read('a.txt'), edit('a.txt', 'one', 'two'), { text: 'Another way.', expect: { shown: 'forked' } }];
    expect((await run(place, turns, [])).code).toBe(10);
    await fork(place, await last(place, 'approval.requested'));
    const state = fold(await place.facts('f'));
    expect(state.turn?.open.every((action) => action.status === 'closed')).toBe(true);
    expect((await place.belay(['approve', 'f'])).code).toBe(42);
    expect((await place.belay(['resume', 'f'])).stdout).toBe('Another way.\n');
    expect((await place.belay(['approve', 's'])).code).toBe(0);
    expect(place.file('a.txt')).toBe('one\n');
  });

  test('an approval does not pass to it: that is told at once, and it waits for none', async () => {
    const place = gitPlace();
    const turns = [bash('echo ran > ran.txt'), { text: 'Another way.', expect: { shown: 'does not pass to a fork' } }];
    expect((await run(place, turns, [])).code).toBe(10);
    await place.belay(['approve', 's']);
    const made = await fork(place, (await place.facts('s')).length);
    expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining('an approval does not pass to a fork') });
    const shown = (await place.belay(['sessions', 'show', 'f'])).stdout;
    expect(shown).not.toMatch(/Awaiting|exit code 10/);
    expect(shown).toContain('the session was forked here');
    expect((await place.belay(['resume', 'f'])).stdout).toBe('Another way.\n');
    expect(existsSync(path.join(place.repository, 'ran.txt'))).toBe(false);
  });

  test('in the same workspace the model is told which files are not as they were', async () => {
    const place = gitPlace();
    const told = 'the files are as they are now, which may be later than this point. Different from this point: y.txt.';
    const go = { text: 'Seen.', expect: { history: told } };
    await run(place, [write('x.txt', '1\n'), write('y.txt', '1\n'), say('Done.')]);
    const second = (await place.facts('s')).filter(({ type }) => type === 'model.request')[1]?.seq ?? 0;
    expect((await fork(place, second)).code).toBe(0);
    await place.belay(['resume', 'f', 'again', '--model', place.script([say('One.'), go])]);
    const answer = (await place.facts('f')).findLast((fact) => fact.type === 'session.complete');
    expect(answer).toMatchObject({ text: 'Seen.' });
  });

  test('every fact can be forked at, and each fork can be undone, resumed or read', async () => {
    const place = gitPlace();
    await run(place, [write('x.txt', '1\n'), bash('echo 2 > x.txt'), say('Done.')]);
    const facts = await place.facts('s');
    const store = openStore({ home: place.home });
    for (const at of [1, 4, 6, 8, 11, 14, 17, 21, 25, facts.length].filter((seq) => seq <= facts.length)) {
      const name = `f${at}`;
      expect((await place.belay(['fork', 's', '--at', String(at), '--session', name])).code).toBe(0);
      expect((await store.verify(name)).problems).toEqual([]);
      const state = fold((await store.openReader(name)).facts);
      expect(state.turn?.open.filter((action) => action.status !== 'closed') ?? []).toEqual([]);
      expect(state.turn === null || state.turn.pause !== null || state.turn.phase === 'done').toBe(true);
    }
    expect((await fork(place, facts.length + 1)).code).toBe(42);
  });

  test('undo in it reaches back to the fork, not further', async () => {
    const place = gitPlace();
    await run(place, [write('x.txt', '1\n'), say('First.'), write('y.txt', '1\n'), say('Second.')]);
    await fork(place, await last(place, 'session.complete'));
    await place.belay(['resume', 'f', 'more']);
    expect((await place.belay(['undo', 'f', '--to', '6', '--files'])).stderr).toContain('forked');
    expect((await place.belay(['undo', 'f'])).stdout).toContain('removed y.txt');
    expect((await place.belay(['undo', 'f', '--files'])).code).toBe(42);
    expect(place.file('x.txt')).toBe('1\n');
  });
});

describe('in a worktree', () => {
  test('the files are as they were at that fact, untracked ones, links and modes too', async () => {
    const place = gitPlace();
    place.write('untracked.txt', 'mine\n');
    await run(place, [
      bash('echo two > a.txt; ln -s a.txt l; printf x > tool; chmod 755 tool; mkdir empty'),
      write('later.txt', 'x\n'),
      bash('rm untracked.txt a.txt'),
      say('Done.'),
    ]);
    const facts = await place.facts('s');
    const at = facts.filter((fact) => fact.type === 'attempt.outcome')[1]?.seq ?? 0;
    const worktree = path.join(place.folder, 'tree');
    const made = await fork(place, at, '--worktree', worktree);
    expect(made.code).toBe(0);
    const file = (name: string) => readFileSync(path.join(worktree, name), 'utf8');
    // The commands before share one look with those after: the files are exact only where a look tells so.
    expect(file('later.txt')).toBe('x\n');
    expect(existsSync(path.join(place.repository, 'a.txt'))).toBe(false);
    const status = execFileSync('git', ['status', '--porcelain'], { cwd: worktree, encoding: 'utf8' });
    expect(status).toContain('?? later.txt');
    expect((await place.belay(['sessions', 'show', 'f'])).stdout).toContain(worktree);
  });

  test('what quick commands before it had changed is named as not known, and nobody else is accused', async () => {
    const place = gitPlace();
    await run(place, [bash('echo 1 > r1.txt'), write('w.txt', '2\n'), bash('echo 3 > r3.txt'), say('Done.')]);
    const third = (await place.facts('s')).filter(({ type }) => type === 'model.request')[2]?.seq ?? 0;
    const worktree = path.join(place.folder, 'tree');
    const made = await fork(place, third, '--worktree', worktree);
    expect(made.stderr).toContain('these may differ: r1.txt, r3.txt; the model is told');
    expect(readFileSync(path.join(worktree, 'w.txt'), 'utf8')).toBe('2\n');
    const history = 'so these may not be as the results say: r1.txt, r3.txt.';
    await place.belay([
      'resume',
      'f',
      'on',
      '--model',
      place.script([say('One.'), say('Two.'), { text: 'Seen.', expect: { history } }]),
    ]);
    const facts = await place.facts('f');
    expect(facts.findLast((fact) => fact.type === 'session.complete')).toMatchObject({ text: 'Seen.' });
    expect(facts.find((fact) => fact.type === 'workspace.rebased')).toMatchObject({
      changed: [],
      fork: { at: third, worktree: true, unsure: ['r1.txt', 'r3.txt'] },
    });
  });

  test('after a look everything is exact', async () => {
    const place = gitPlace();
    place.write('untracked.txt', 'mine\n');
    await run(place, [
      bash('echo two > a.txt; ln -s a.txt l; printf x > tool; chmod 755 tool; mkdir empty'),
      say('Done.'),
      bash('rm untracked.txt a.txt'),
      say('Done.'),
    ]);
    const at = await last(place, 'session.complete');
    await place.belay(['resume', 's', 'more']);
    const worktree = path.join(place.folder, 'tree');
    expect((await fork(place, at, '--worktree', worktree)).stderr).not.toContain('not known exactly');
    const note = (await place.facts('f')).find((fact) => fact.type === 'workspace.rebased');
    expect(note).toMatchObject({ changed: [], fork: { at, worktree: true } });
    const file = (name: string) => readFileSync(path.join(worktree, name), 'utf8');
    expect([file('a.txt'), file('untracked.txt'), file('tool')]).toEqual(['two\n', 'mine\n', 'x']);
    expect(readlinkSync(path.join(worktree, 'l'))).toBe('a.txt');
    expect(lstatSync(path.join(worktree, 'tool')).mode & 0o777).toBe(0o755);
    expect(lstatSync(path.join(worktree, 'empty')).isDirectory()).toBe(true);
    // The user's own branch, index and files are as they were.
    const status = execFileSync('git', ['status', '--porcelain'], { cwd: place.repository, encoding: 'utf8' });
    expect(status).toBe(' D a.txt\n?? l\n?? tool\n');
  });

  test.each([
    ['with its folder', (_folder: string, _own: string) => {}, ' (with all that is in it)'],
    [
      'while git made it',
      (folder: string, own: string) => {
        rmSync(folder, { recursive: true });
        writeFileSync(path.join(own, 'locked'), 'initializing');
      },
      '',
    ],
  ])('left half made by a fork that was killed (%s): the command that clears it is told', async (_name, cut, loses) => {
    const place = gitPlace();
    await run(place, [write('x.txt', '1\n'), say('Done.')]);
    const at = await last(place, 'session.complete');
    const folder = path.join(place.folder, 'a tree');
    const add = ['worktree', 'add', '-q', '--detach', '--no-checkout', folder, 'HEAD'];
    execFileSync('git', add, { cwd: place.repository, stdio: 'pipe' });
    const [name = ''] = readdirSync(path.join(place.repository, '.git/worktrees'));
    cut(folder, path.join(place.repository, '.git/worktrees', name));
    const refused = await fork(place, at, '--worktree', folder);
    const clear = `git worktree remove --force --force '${folder}'`;
    expect(refused).toMatchObject({
      code: 42,
      stderr: expect.stringContaining(`${clear} removes it${loses}, then try`),
    });
    execFileSync('/bin/sh', ['-c', clear], { cwd: place.repository, stdio: 'pipe' });
    expect((await fork(place, at, '--worktree', folder)).code).toBe(0);
    expect(readFileSync(path.join(folder, 'x.txt'), 'utf8')).toBe('1\n');
  });

  test('is refused where it cannot be made, and nothing is left behind', async () => {
    const place = makePlace();
    await run(place, [write('x.txt', '1\n'), say('Done.')]);
    const ran = await fork(place, 10, '--worktree', path.join(place.folder, 'tree'));
    expect(ran.code).toBe(42);
    expect(ran.stderr).toContain('git repository');
    expect((await place.belay(['sessions', 'show', 'f'])).code).toBe(42);
  });
});

describe('a fork that cannot be made', () => {
  test('with a content that is missing leaves no session and no worktree', async () => {
    const place = gitPlace();
    await run(place, [bash('seq 40000'), say('Done.')]);
    const at = await last(place, 'session.complete');
    rmSync(path.join(place.home, 'sessions/s/blobs'), { recursive: true });
    const folder = path.join(place.folder, 'tree');
    expect(await fork(place, at, '--worktree', folder)).toMatchObject({ code: 42 });
    const trees = execFileSync('git', ['worktree', 'list'], { cwd: place.repository, encoding: 'utf8' });
    expect([existsSync(folder), trees.trim().split('\n').length]).toEqual([false, 1]);
    expect((await place.belay(['sessions', 'show', 'f'])).code).toBe(42);
  });

  test('with facts of a newer Belay is refused as every command that writes', async () => {
    const place = gitPlace();
    await run(place, [write('x.txt', '1\n'), say('Done.')]);
    const facts = await place.facts('s');
    const newer = facts.findLast((fact) => fact.type === 'attempt.outcome')?.seq ?? 0;
    const payloads = facts.map(({ seq, ts, type, ...fields }) =>
      JSON.stringify([seq, ts, type, fields, ...(seq === newer ? [9] : [])]),
    );
    const { bytes } = encodeBatch(payloads, facts.length, headerFrame());
    writeFileSync(path.join(place.home, 'sessions/s/ledger.log'), bytes);
    const refused = { code: 56, stderr: expect.stringContaining('was written by a newer version of Belay') };
    expect(await place.belay(['undo', 's'])).toMatchObject(refused);
    expect(await fork(place, facts.length)).toMatchObject(refused);
    expect((await fork(place, newer - 1)).code).toBe(0);
  });
});

test('a session of more facts than one write holds can be forked, and a fork that was stopped is not gone on with', async () => {
  const place = gitPlace();
  await run(place, [write('x.txt', '1\n'), say('Done.')]);
  const store = openStore({ home: place.home });
  const ledger = await store.openWriter('s');
  for (let i = 0; i < 7; i++) {
    await ledger.append(Array.from({ length: 10_000 }, () => ({ type: 'backoff.ended', waitedMs: 1 }) as const));
  }
  const { lastSeq } = ledger;
  await ledger.close();
  expect(await fork(place, lastSeq)).toMatchObject({ code: 0 });
  expect(
    await place.belay(['resume', 'f', 'More.', '--model', place.script([say('x'), say('x'), say('Went on.')])]),
  ).toMatchObject({
    stdout: 'Went on.\n',
  });
  const whole = (await store.openReader('f')).facts;
  const half = await store.create('half');
  const bodies = whole.slice(0, 40).map(({ seq: _seq, ts: _ts, ...body }) => body as FactBody);
  await half.append(bodies);
  await half.close();
  for (const words of [
    ['resume', 'half'],
    ['undo', 'half'],
    ['fork', 'half', '--at', '20'],
  ]) {
    const refused = {
      code: 42,
      stderr: expect.stringContaining('half is a fork that was stopped before it was whole'),
    };
    expect(await place.belay(words), words[0]).toMatchObject(refused);
  }
});
