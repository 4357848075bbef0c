/** Undo where git sees less, or something else, than what lies on the disk; and two agents on one file. */
import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ended, makePlace, type Place } from './belay.ts';
import { bash, say } from './turns.ts';

const free = ['--permission-mode', 'bypassPermissions'];

function git(folder: string, ...args: string[]): string {
  const who = ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'protocol.file.allow=always'];
  return execFileSync('git', [...who, ...args], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
}

function gitPlace(): Place {
  const place = makePlace();
  place.write('a.txt', 'one\n');
  git(place.repository, 'init', '-q');
  git(place.repository, 'add', '.');
  git(place.repository, 'commit', '-qm', 'start');
  return place;
}

/** Every file with its content, git's own left out. */
const tree = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => !name.split('/').includes('.git') && lstatSync(path.join(folder, name)).isFile())
      .map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]),
  );

describe('undo is about what lies on the disk', () => {
  test.each<readonly [name: string, prepare: (place: Place) => void, command: string]>([
    [
      'a file that git was told to assume unchanged',
      (place) => void git(place.repository, 'update-index', '--assume-unchanged', 'a.txt'),
      'echo two > a.txt',
    ],
    [
      'a file that git was told to skip',
      (place) => void git(place.repository, 'update-index', '--skip-worktree', 'a.txt'),
      'rm a.txt',
    ],
    [
      'a sparse checkout',
      (place) => {
        mkdirSync(path.join(place.repository, 'in'));
        place.write('in/x.txt', 'one\n');
        git(place.repository, 'add', '.');
        git(place.repository, 'commit', '-qm', 'more');
        git(place.repository, 'sparse-checkout', 'set', 'in');
      },
      'echo two > in/x.txt; mkdir out; echo x > out/y.txt',
    ],
    [
      'a nested repository',
      (place) => {
        const nested = path.join(place.repository, 'nested');
        mkdirSync(nested);
        writeFileSync(path.join(nested, 'n.txt'), 'one\n');
        git(nested, 'init', '-q');
        git(nested, 'add', '.');
        git(nested, 'commit', '-qm', 'start');
      },
      'echo two > nested/n.txt; echo x > nested/new.txt',
    ],
    [
      'a submodule',
      (place) => {
        const other = path.join(place.folder, 'other');
        mkdirSync(other);
        writeFileSync(path.join(other, 's.txt'), 'one\n');
        git(other, 'init', '-q');
        git(other, 'add', '.');
        git(other, 'commit', '-qm', 'start');
        git(place.repository, 'submodule', 'add', '-q', other, 'sub');
        git(place.repository, 'commit', '-qm', 'sub');
      },
      'rm sub/s.txt; echo two > a.txt',
    ],
    [
      'a filter that stores something else than what lies there',
      (place) => {
        git(place.repository, 'config', 'filter.upper.clean', 'tr a-z A-Z');
        git(place.repository, 'config', 'filter.upper.smudge', 'tr A-Z a-z');
        place.write('.gitattributes', '*.big filter=upper\n*.crlf text eol=crlf\n');
        place.write('large.big', 'pointer\n');
        place.write('lines.crlf', 'one\r\ntwo\r\n');
        git(place.repository, 'add', '.');
        git(place.repository, 'commit', '-qm', 'filtered');
      },
      'echo two > large.big; echo two > lines.crlf',
    ],
    [
      'commits, branches and stashes made meanwhile',
      () => undefined,
      'echo two > a.txt; git -c user.name=t -c user.email=t@t commit -qam two; git checkout -q -b other',
    ],
  ])('%s', async (_name, prepare, command) => {
    const place = gitPlace();
    prepare(place);
    const start = tree(place.repository);
    const model = place.script([bash(command), say('Done.')]);
    await place.belay(['run', 'go', '--session', 's', '--model', model, ...free]);
    const end = tree(place.repository);
    expect(end).not.toEqual(start);
    const index = readFileSync(path.join(place.repository, '.git/index'));
    const head = git(place.repository, 'log', '--all', '--oneline');
    expect((await place.belay(['undo', 's'])).code).toBe(0);
    expect(tree(place.repository)).toEqual(start);
    expect((await place.belay(['redo', 's'])).code).toBe(0);
    expect(tree(place.repository)).toEqual(end);
    // The user's own index, branches and history are none of its business.
    expect(readFileSync(path.join(place.repository, '.git/index')).equals(index)).toBe(true);
    expect(git(place.repository, 'log', '--all', '--oneline')).toBe(head);
  });
});

test('two agents that edit one file at the same time lose nothing', async () => {
  const place = gitPlace();
  place.write('shared.txt', 'end\n');
  /** Reads, then adds the first of its lines that is not there yet; what was refused as stale is simply tried again. */
  const model = (letter: string) => {
    const file = path.join(place.folder, `${letter}.mjs`);
    writeFileSync(
      file,
      `export default ({ messages }, { turn }) => {
  const args = { file_path: 'shared.txt' };
  if (turn % 2 === 0) return { calls: [{ tool: 'Read', args }] };
  const text = messages.at(-1).results?.[0]?.text ?? '';
  const missing = [1, 2, 3, 4, 5, 6].map((n) => '${letter}' + n).find((line) => !text.includes(line));
  if (missing === undefined) return { text: 'Done.' };
  return { calls: [{ tool: 'Edit', args: { ...args, old_string: 'end', new_string: missing + '\\nend' } }] };
};\n`,
    );
    return `scripted/${file}`;
  };
  const agents = ['A', 'B'].map((letter) =>
    ended(place.start(['run', 'go', '--session', letter, '--model', model(letter), '--allow', 'Edit(**)'])),
  );
  for (const ran of await Promise.all(agents)) expect(ran).toMatchObject({ code: 0, stdout: 'Done.\n' });
  const lines = place.file('shared.txt').split('\n').sort();
  expect(lines.filter((line) => /^[AB]/.test(line))).toEqual(
    [1, 2, 3, 4, 5, 6].flatMap((n) => [`A${n}`, `B${n}`]).sort(),
  );
  // Each undoes its own work only where the other did not go on from there.
  const undone = await place.belay(['undo', 'A', '--to', '1', '--files']);
  expect([0, 1]).toContain(undone.code);
  const left = place.file('shared.txt');
  for (const n of [1, 2, 3, 4, 5, 6]) expect(left).toContain(`B${n}`);
});
