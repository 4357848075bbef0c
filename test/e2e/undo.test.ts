import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { openStore } from '#ledger';
import { makePlace, type Place, until } from './belay.ts';
import { bash, edit, read, say } from './turns.ts';

const free = ['--permission-mode', 'bypassPermissions'];
const write = (file_path: string, content: string) => ({ calls: [{ tool: 'Write', args: { file_path, content } }] });

function gitPlace(): Place {
  const place = makePlace();
  place.write('a.txt', 'one\n');
  place.write('b.txt', 'one\n');
  chmodSync(path.join(place.repository, 'b.txt'), 0o755);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: place.repository, stdio: 'pipe' });
  git('init', '-q');
  git('add', '.');
  git('-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-qm', 'start');
  return place;
}

async function run(place: Place, turns: readonly object[], more: readonly string[] = free) {
  return place.belay(['run', 'Change it.', '--session', 's', '--model', place.script(turns), ...more]);
}

/** A model that plays these turns and then says what it was shown. */
function telling(place: Place, turns: readonly object[]): string {
  const file = path.join(place.folder, 'telling.mjs');
  const text = `const turns = ${JSON.stringify(turns)};
export default ({ messages }, { turn }) => turns[turn] ?? { text: JSON.stringify(messages) };\n`;
  writeFileSync(file, text);
  return `scripted/${file}`;
}

/** Everything but git's own: path → content or kind, with the mode. */
function tree(folder: string): { [path: string]: string } {
  const found: { [path: string]: string } = {};
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (name === '.git' || name.startsWith('.git/')) continue;
    const stat = lstatSync(path.join(folder, name));
    const kind = stat.isFile() ? readFileSync(path.join(folder, name), 'utf8') : stat.isDirectory() ? 'folder' : 'link';
    found[name] = `${(stat.mode & 0o777).toString(8)} ${kind}`;
  }
  return found;
}

const seqOf = async (place: Place, nth: number) =>
  (await place.facts('s')).filter((fact) => fact.type === 'model.response')[nth]?.seq ?? 0;

describe('files', () => {
  test('an edit and what a command did come back round by round, and forth again', async () => {
    const place = gitPlace();
    const start = tree(place.repository);
    await run(place, [
      read('a.txt'),
      edit('a.txt', 'one', 'two'),
      bash('echo new > c.txt; rm b.txt; mkdir -p d/e; ln -s a.txt l; chmod 600 a.txt'),
      say('Done.'),
    ]);
    const end = tree(place.repository);
    const first = await place.belay(['undo', 's', '--files']);
    expect(first).toMatchObject({ code: 0 });
    expect(first.stdout).toBe('restored a.txt\nrestored b.txt\nremoved c.txt\nremoved d/e/\nremoved l\n');
    expect(tree(place.repository)).toEqual({ ...start, 'a.txt': '644 two\n' });
    expect((await place.belay(['undo', 's', '--files'])).stdout).toBe('restored a.txt\n');
    expect(tree(place.repository)).toEqual(start);
    expect((await place.belay(['undo', 's', '--files'])).code).toBe(42);
    expect((await place.belay(['redo', 's'])).code).toBe(0);
    expect((await place.belay(['redo', 's'])).code).toBe(0);
    expect(tree(place.repository)).toEqual(end);
    expect((await place.belay(['redo', 's'])).stderr).toContain('no undo to take back');
  });

  test('a commit that a command made stays; the files of before come back beside it', async () => {
    const place = gitPlace();
    const commit = 'git -c user.name=t -c user.email=t@t commit -qam more';
    await run(place, [bash(`echo two > a.txt; ${commit}`), say('Done.')]);
    expect(await place.belay(['undo', 's', '--files'])).toMatchObject({ code: 0, stdout: 'restored a.txt\n' });
    const git = (...args: string[]) => execFileSync('git', args, { cwd: place.repository, encoding: 'utf8' });
    expect(git('log', '--format=%s')).toBe('more\nstart\n');
    expect([place.file('a.txt'), git('show', 'HEAD:a.txt')]).toEqual(['one\n', 'two\n']);
  });

  test('--to goes right before the round of a fact; what others changed is left alone and named', async () => {
    const place = gitPlace();
    await run(place, [write('x.txt', '1\n'), write('y.txt', '1\n'), write('z.txt', '1\n'), say('Done.')]);
    place.write('z.txt', 'mine\n');
    const ran = await place.belay(['undo', 's', '--to', String(await seqOf(place, 1)), '--files']);
    expect(ran.code).toBe(1);
    expect(ran.stdout).toBe('removed y.txt\nleft alone z.txt: somebody else changed it after Belay did\n');
    expect([place.file('x.txt'), place.file('z.txt')]).toEqual(['1\n', 'mine\n']);
    expect(existsSync(path.join(place.repository, 'y.txt'))).toBe(false);
  });

  test('what a person changed between two runs stays when the runs around it are undone', async () => {
    const place = gitPlace();
    await run(place, [bash('echo two > a.txt'), say('Done.'), bash('echo three > c.txt'), say('Done again.')]);
    place.write('b.txt', 'mine\n');
    await place.belay(['resume', 's', 'more']);
    const ran = await place.belay(['undo', 's', '--to', '1', '--files']);
    expect(ran.code).toBe(0);
    expect([place.file('a.txt'), place.file('b.txt')]).toEqual(['one\n', 'mine\n']);
    expect(existsSync(path.join(place.repository, 'c.txt'))).toBe(false);
  });

  test('what others change beside an undo is not its business; the next run finds it, and only it', async () => {
    const place = gitPlace();
    await run(place, [bash('echo two > a.txt'), say('Done.'), say('Seen.')]);
    place.write('b.txt', 'mine\n');
    expect((await place.belay(['undo', 's', '--files'])).stdout).toContain('restored a.txt');
    expect((await place.facts('s')).filter((fact) => fact.type === 'workspace.rebased')).toEqual([]);
    await place.belay(['resume', 's', 'more']);
    const rebased = (await place.facts('s')).filter((fact) => fact.type === 'workspace.rebased');
    expect(rebased.map((fact) => fact.changed)).toEqual([['b.txt']]);
    expect([place.file('a.txt'), place.file('b.txt')]).toEqual(['one\n', 'mine\n']);
  });

  test('what others changed in its way is found before anything is planned', async () => {
    const place = gitPlace();
    await run(place, [bash('echo two > a.txt; rm b.txt; mkdir d'), say('Done.')]);
    place.write('a.txt', 'mine\n');
    place.write('d/mine.txt', 'mine\n');
    const ran = await place.belay(['undo', 's', '--files']);
    expect(ran.stdout).toContain('restored b.txt');
    expect(ran.stdout).toContain('left alone a.txt: somebody else changed it after Belay did');
    const facts = await place.facts('s');
    const planned = facts.findIndex((fact) => fact.type === 'undo.planned');
    const rebased = facts.findIndex((fact) => fact.type === 'workspace.rebased');
    expect(rebased).toBeGreaterThan(0);
    expect(rebased).toBeLessThan(planned);
    expect([place.file('a.txt'), place.file('d/mine.txt')]).toEqual(['mine\n', 'mine\n']);
  });

  test('an untracked file that only the workspace had comes back after a command removed it', async () => {
    const place = gitPlace();
    place.write('notes.txt', 'only here\n');
    await run(place, [bash('rm notes.txt'), say('Done.')]);
    await place.belay(['undo', 's']);
    expect(place.file('notes.txt')).toBe('only here\n');
  });

  test('a file written by a tool and removed by the next command comes back as it was written', async () => {
    const place = gitPlace();
    await run(place, [write('x.txt', 'written\n'), bash('rm x.txt'), say('Done.')]);
    await place.belay(['undo', 's', '--files']);
    expect(place.file('x.txt')).toBe('written\n');
  });

  test('evidence does not come back with the files, and a verified turn is not told as verified any more', async () => {
    const place = makePlace();
    const turns = [
      read('src/slugify.js'),
      edit('src/slugify.js', "'_'", "'-'"),
      { calls: [{ tool: 'Test', args: {} }] },
    ];
    const ran = await run(place, [...turns, say('Done.')], ['--check', 'node --test', '--allow', 'Edit(**)']);
    expect(ran.code).toBe(0);
    await place.belay(['undo', 's', '--files']);
    expect(place.file('src/slugify.js')).toContain("'_'");
    const told = await place.belay(['resume', 's', '--output-format', 'json']);
    expect(JSON.parse(told.stdout)).toMatchObject({ verified: false, is_error: true });
    await place.belay(['redo', 's']);
    expect(JSON.parse((await place.belay(['resume', 's', '--output-format', 'json'])).stdout)).toMatchObject({
      verified: false,
    });
  });

  test('in a folder that is no git repository', async () => {
    const place = makePlace();
    const start = tree(place.repository);
    await run(place, [bash('rm -r src; echo x > y'), say('Done.')]);
    expect((await place.belay(['undo', 's'])).code).toBe(0);
    expect(tree(place.repository)).toEqual(start);
  });

  test('what is too large to keep is told before and after', async () => {
    const place = gitPlace();
    const large = path.join(place.repository, 'large.bin');
    writeFileSync(large, Buffer.alloc(33 * 1024 * 1024, 1));
    await run(place, [bash('printf x >> large.bin; echo two > a.txt'), say('Done.')]);
    expect((await place.belay(['log', 's'])).stdout).toContain('without the content of large.bin');
    const ran = await place.belay(['undo', 's']);
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain('left alone large.bin: its content is not kept');
    expect(place.file('a.txt')).toBe('one\n');
  });
});

describe('the conversation', () => {
  test('the model is shown nothing of what was undone; what it cost stays', async () => {
    const place = gitPlace();
    const model = telling(place, [read('a.txt'), write('secret-plan.txt', 'x\n'), say('First answer.')]);
    await place.belay(['run', 'Change it.', '--session', 's', '--model', model, ...free]);
    const before = (await place.facts('s')).length;
    const undone = await place.belay(['undo', 's']);
    expect(undone.stdout).toContain('undone: the conversation is as it was at fact');
    expect((await place.facts('s')).length).toBeGreaterThan(before);
    const ran = await place.belay(['resume', 's', 'another way', '--output-format', 'json']);
    const result = JSON.parse(ran.stdout);
    expect(result.num_turns).toBe(4);
    for (const part of ['Change it.', 'a.txt', 'another way']) expect(result.result).toContain(part);
    for (const part of ['secret-plan', 'First answer']) expect(result.result).not.toContain(part);
  });

  test('--files keeps the conversation and tells the model; --chat keeps the files', async () => {
    const place = gitPlace();
    const model = telling(place, [write('x.txt', '1\n'), say('First.')]);
    await place.belay(['run', 'Change it.', '--session', 's', '--model', model, ...free]);
    await place.belay(['undo', 's', '--files']);
    const second = (await place.belay(['resume', 's', 'second'])).stdout;
    for (const part of ['First.', 'brought files back to an earlier state: x.txt']) expect(second).toContain(part);
    expect((await place.belay(['redo', 's'])).stderr).toContain('the session went on');
    place.write('x.txt', 'mine\n');
    await place.belay(['undo', 's', '--chat', '--to', '1']);
    expect(place.file('x.txt')).toBe('mine\n');
    const third = (await place.belay(['resume', 's', 'third'])).stdout;
    for (const part of ['Change it.', 'third']) expect(third).toContain(part);
    for (const part of ['First.', 'second']) expect(third).not.toContain(part);
  });

  test('a redo shows the undone rounds again', async () => {
    const place = gitPlace();
    await run(place, [write('x.txt', '1\n'), say('First.'), { text: 'Yes.', expect: { history: 'x.txt' } }]);
    await place.belay(['undo', 's']);
    await place.belay(['redo', 's']);
    expect(place.file('x.txt')).toBe('1\n');
    expect((await place.belay(['resume', 's', 'go on'])).stdout).toBe('Yes.\n');
  });
});

describe('what waits and what runs', () => {
  test('an approved call behind the point never starts, and its verdict is not passed on', async () => {
    const place = gitPlace();
    const ran = await run(
      place,
      [write('x.txt', '1\n'), read('a.txt'), edit('a.txt', 'one', 'two'), edit('a.txt', 'one', 'two')],
      ['--allow', 'Write(**)'],
    );
    expect(ran.code).toBe(10);
    await place.belay(['approve', 's']);
    expect((await place.belay(['undo', 's', '--to', String(await seqOf(place, 2))])).code).toBe(0);
    // The same call proposed anew is asked anew.
    expect((await place.belay(['resume', 's'])).code).toBe(10);
    expect(place.file('a.txt')).toBe('one\n');
    const facts = await place.facts('s');
    const edits = facts.flatMap((fact) =>
      fact.type === 'action.intended' && fact.tool === 'Edit' ? [fact.actionId] : [],
    );
    const verdicts = facts.filter((fact) => fact.type === 'action.verdict' && edits.includes(fact.actionId));
    expect(verdicts).toMatchObject([{ verdict: 'cancel', by: 'person' }]);
  });

  test('a point before the running turn ends that turn', async () => {
    const place = gitPlace();
    const turns = [write('x.txt', '1\n'), say('First.'), read('a.txt'), edit('a.txt', 'one', 'two'), say('Third.')];
    await run(place, turns, ['--allow', 'Write(**)']);
    expect((await place.belay(['resume', 's', 'second'])).code).toBe(10);
    expect((await place.belay(['undo', 's', '--to', '5'])).code).toBe(0);
    expect((await place.belay(['resume', 's', 'third'])).stdout).toBe('Third.\n');
  });

  test('while another process holds the session it is refused with 56', async () => {
    const place = gitPlace();
    await run(place, [write('x.txt', '1\n'), say('Done.')]);
    const held = await openStore({ home: place.home }).openWriter('s');
    const ran = await place.belay(['undo', 's']);
    expect(ran.code).toBe(56);
    expect(ran.stderr).toContain(String(process.pid));
    await held.close();
    expect(place.file('x.txt')).toBe('1\n');
  });

  test('while a command is alive it is refused, and afterwards it covers what the command did', async () => {
    const place = gitPlace();
    const hold = path.join(place.folder, 'hold');
    writeFileSync(hold, '');
    const command = `echo two > a.txt; while [ -e '${hold}' ]; do sleep 0.05; done; echo late > late.txt`;
    const child = place.start(['run', 'go', '--session', 's', '--model', place.script([bash(command)]), ...free]);
    await until(() => place.file('a.txt') === 'two\n');
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('close', resolve));
    const refused = await place.belay(['undo', 's']);
    expect(refused.code).toBe(42);
    expect(refused.stderr).toContain('still runs (Bash)');
    expect(place.file('a.txt')).toBe('two\n');
    rmSync(hold);
    await until(() => existsSync(path.join(place.repository, 'late.txt')));
    await until(async () => (await place.belay(['undo', 's'])).code === 0);
    expect(place.file('a.txt')).toBe('one\n');
    expect(existsSync(path.join(place.repository, 'late.txt'))).toBe(false);
  });
});

describe('a repository that wants to run code', () => {
  test('no hook, filter, monitor, diff driver or pager of it runs in undo, redo and fork', async () => {
    const place = gitPlace();
    const marker = path.join(place.folder, 'ran');
    const evil = path.join(place.folder, 'evil.sh');
    writeFileSync(evil, `#!/bin/sh\necho "$0 $*" >> '${marker}'\ncat\n`, { mode: 0o755 });
    const hooks = path.join(place.folder, 'hooks');
    mkdirSync(hooks);
    for (const hook of ['post-checkout', 'post-index-change', 'reference-transaction', 'pre-auto-gc', 'post-commit']) {
      writeFileSync(path.join(hooks, hook), readFileSync(evil), { mode: 0o755 });
      writeFileSync(path.join(place.repository, '.git/hooks', hook), readFileSync(evil), { mode: 0o755 });
    }
    place.write('.gitattributes', '*.txt filter=evil diff=evil text eol=crlf\n');
    const settings = {
      'core.fsmonitor': evil,
      'core.hooksPath': hooks,
      'core.pager': evil,
      'core.editor': evil,
      'core.sshCommand': evil,
      'diff.external': evil,
      'diff.evil.command': evil,
      'diff.evil.textconv': evil,
      'filter.evil.clean': evil,
      'filter.evil.smudge': evil,
      'filter.evil.process': evil,
      'filter.evil.required': 'true',
      'core.autocrlf': 'true',
    };
    for (const [name, value] of Object.entries(settings)) {
      execFileSync('git', ['config', name, value], { cwd: place.repository });
    }
    await run(place, [write('a.txt.new', 'x\n'), bash('echo two > a.txt; echo two > n.txt'), say('Done.')]);
    rmSync(marker, { force: true });
    expect((await place.belay(['undo', 's'])).code).toBe(0);
    expect(place.file('a.txt')).toBe('one\n');
    expect((await place.belay(['redo', 's'])).code).toBe(0);
    const worktree = path.join(place.folder, 'tree');
    const last = (await place.facts('s')).length;
    expect((await place.belay(['fork', 's', '--at', String(last), '--worktree', worktree])).code).toBe(0);
    expect(readFileSync(path.join(worktree, 'a.txt'), 'utf8')).toBe('two\n');
    expect((await place.belay(['diff', 's'])).code).toBe(0);
    expect(existsSync(marker)).toBe(false);
  });
});
