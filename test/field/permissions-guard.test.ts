import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { makePlace, type Place, until } from '../e2e/belay.ts';
import { bash, say } from '../e2e/turns.ts';

/** A repository with a changed tracked file, a file that git does not know, and ignored data. */
function makeDirtyPlace(): Place {
  const place = makePlace();
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: place.repository });
  place.write('.gitignore', 'data/\nnode_modules/\n*.log\n');
  place.write('tracked.txt', 'committed\n');
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-q', '-m', 'begin');
  place.write('tracked.txt', 'two days of work\n');
  place.write('staged.txt', 'staged work\n');
  git('add', 'staged.txt');
  place.write('unknown.txt', 'not added yet\n');
  mkdirSync(path.join(place.repository, 'data/deep'), { recursive: true });
  place.write('data/set.csv', 'a,b\n1,2\n');
  place.write('data/deep/x.bin', '\0\x01\x02');
  place.write('run.log', 'logged\n');
  mkdirSync(path.join(place.repository, 'node_modules/x'), { recursive: true });
  place.write('node_modules/x/index.js', '1\n');
  return place;
}

const work: { readonly [name: string]: string } = {
  'tracked.txt': 'two days of work\n',
  'staged.txt': 'staged work\n',
  'unknown.txt': 'not added yet\n',
  'data/set.csv': 'a,b\n1,2\n',
  'data/deep/x.bin': '\0\x01\x02',
  'run.log': 'logged\n',
};
const lost = (place: Place): readonly string[] =>
  Object.entries(work).flatMap(([name, text]) => {
    const file = path.join(place.repository, name);
    return existsSync(file) && readFileSync(file, 'utf8') === text ? [] : [name];
  });

/** Nobody keeps what tools fill anew. */
const leftAlone = /^left alone node_modules\/: it is gone, and was not kept$/m;

/** The widest rules and the mode for edits: none of them is leave to lose work. */
const wide = ['--allow', 'Bash', '--allow', 'Edit(**)', '--permission-mode', 'acceptEdits'];

describe('D33: a command that would lose uncommitted work is asked, with what would be lost, and can be undone', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['git checkout .', ['tracked.txt'], ['2 files with uncommitted changes: ', 'tracked.txt']],
    ['git checkout -- tracked.txt', ['tracked.txt'], ['tracked.txt']],
    ['git reset --hard', ['staged.txt', 'tracked.txt'], ['2 files with uncommitted changes', 'staged.txt']],
    ['git restore .', ['tracked.txt'], ['tracked.txt']],
    ['git stash -u', ['staged.txt', 'tracked.txt', 'unknown.txt'], ['unknown.txt', 'tracked.txt']],
    ['git clean -fd', ['unknown.txt'], ['1 file that git does not know: unknown.txt']],
    [
      'git clean -fdX',
      ['data/deep/x.bin', 'data/set.csv', 'run.log'],
      ['3 ignored files: data/deep/x.bin, data/set.csv, run.log', 'not brought back by an undo: node_modules/'],
    ],
    ['rm -rf data', ['data/deep/x.bin', 'data/set.csv'], ['2 ignored files: data/deep/x.bin, data/set.csv']],
    ['find data -name "*.csv" -delete', ['data/set.csv'], ['find -delete removes every file', '/data']],
    [': > unknown.txt', ['unknown.txt'], ['the present content of unknown.txt would be overwritten']],
    ['cd data && rm -r deep', ['data/deep/x.bin'], ['data/deep/x.bin']],
  ])('%s', async (command, gone, told) => {
    const place = makeDirtyPlace();
    const model = place.script([bash(command), say('Done.')]);
    const asked = await place.belay(['run', 'go', '--session', 's', '--model', model, ...wide]);
    expect({ code: asked.code, lost: lost(place) }).toEqual({ code: 10, lost: [] });
    for (const text of told) expect(asked.stderr).toContain(text);
    await place.belay(['approve', 's']);
    const ran = await place.belay(['resume', 's']);
    expect({ code: ran.code, lost: [...lost(place)].sort() }).toEqual({ code: 0, lost: gone });
    const undone = await place.belay(['undo', 's', '--files']);
    // What it cannot bring back is said with the code of a failure.
    const code = told.some((text) => text.includes('not brought back')) ? 1 : 0;
    expect({ code: undone.code, out: undone.stdout, lost: lost(place) }).toMatchObject({ code, lost: [] });
  });

  test('such commands of several rounds come back one after the other, and what the user made since stays', async () => {
    const place = makeDirtyPlace();
    const model = place.script([
      bash('rm -rf data'),
      bash('rm run.log *.log'),
      bash('echo z >new; git clean -fdX'),
      say('gone'),
    ]);
    const bypass = ['--permission-mode', 'bypassPermissions'];
    expect(await place.belay(['run', 'go', '--session', 's', '--model', model, ...bypass])).toMatchObject({ code: 0 });
    expect(lost(place)).toEqual(['data/set.csv', 'data/deep/x.bin', 'run.log']);
    place.write('run.log', 'mine now\n');
    for (let i = 0; i < 3; i++) await place.belay(['undo', 's', '--files']);
    expect(lost(place)).toEqual(['run.log']);
    expect(readFileSync(path.join(place.repository, 'run.log'), 'utf8')).toBe('mine now\n');
  });

  test('git push -f, git branch -D and git worktree remove are asked, and it is said that no undo brings them back', async () => {
    const place = makeDirtyPlace();
    for (const [command, told] of [
      ['git push -f origin main', 'not brought back by an undo: commits of the remote'],
      ['git branch -D main', 'not brought back by an undo: branches, tags and commits'],
      ['git worktree remove ../other', 'not brought back by an undo: other worktrees'],
    ] as const) {
      const model = place.script([bash(command), say('Done.')]);
      const asked = await place.belay(['run', 'go', '--model', model, ...wide]);
      expect(asked.code).toBe(10);
      expect(asked.stderr).toContain(told);
    }
  });

  test('where nothing is asked the work is kept all the same', async () => {
    const place = makeDirtyPlace();
    const model = place.script([bash('git clean -fdx && git reset --hard'), say('Done.')]);
    const bypass = ['--permission-mode', 'bypassPermissions'];
    expect(await place.belay(['run', 'go', '--session', 's', '--model', model, ...bypass])).toMatchObject({ code: 0 });
    expect(lost(place)).toHaveLength(6);
    expect(await place.belay(['undo', 's', '--files'])).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(leftAlone),
    });
    expect(lost(place)).toEqual([]);
    expect((await place.belay(['redo', 's'])).code).toBe(0);
    expect(lost(place)).toHaveLength(6);
  });

  test('a killed agent: what was kept before the command is brought back as well', async () => {
    const place = makeDirtyPlace();
    const model = place.script([bash('git clean -fdX && touch cleaned && sleep 2'), say('Done.')]);
    const child = place.start([
      'run',
      'go',
      '--session',
      's',
      '--model',
      model,
      '--permission-mode',
      'bypassPermissions',
    ]);
    await until(() => existsSync(path.join(place.repository, 'cleaned')));
    child.kill('SIGKILL');
    expect(lost(place)).toHaveLength(3);
    await until(async () => leftAlone.test((await place.belay(['undo', 's', '--files'])).stdout));
    expect(lost(place)).toEqual([]);
  });
});

describe('D33: a version that is only staged is asked for, unless the session itself has it', () => {
  const stagedIn = (place: Place) =>
    execFileSync('git', ['show', ':staged.txt'], { cwd: place.repository, encoding: 'utf8' });
  test.each(['git reset', 'git restore --staged .', 'git add -A', 'git commit -qam x'])('%s', async (command) => {
    const place = makeDirtyPlace();
    place.write('staged.txt', 'changed later\n');
    const model = place.script([bash(command), say('Done.')]);
    const asked = await place.belay(['run', 'go', '--session', 's', '--model', model, ...wide]);
    expect({ code: asked.code, staged: stagedIn(place) }).toEqual({ code: 10, staged: 'staged work\n' });
    for (const text of [
      'what is staged of staged.txt would be lost',
      'Not kept, and not brought back by an undo: what is',
    ])
      expect(asked.stderr).toContain(text);
  });
  test('what the model staged, changed and stages again', async () => {
    const place = makeDirtyPlace();
    const put = (content: string) => ({ calls: [{ tool: 'Write', args: { file_path: 'new.txt', content } }] });
    const model = place.script([
      put('one\n'),
      bash('git add new.txt'),
      put('two\n'),
      bash('git add new.txt'),
      say('Done.'),
    ]);
    const ran = await place.belay(['run', 'go', '--session', 's', '--model', model, ...wide]);
    expect({ code: ran.code, err: ran.stderr }).toMatchObject({ code: 0 });
    expect(execFileSync('git', ['show', ':new.txt'], { cwd: place.repository, encoding: 'utf8' })).toBe('two\n');
  });
});

describe('D34: a recursive delete is asked with the paths to which it leads', () => {
  const cases: readonly (readonly [command: string, told: (place: Place) => string])[] = [
    ['rm -rf "$UNSET/"*', () => '"$UNSET/"* is /*, because UNSET is not set, outside the workspace'],
    ['rm -rf ~/x', (place) => `~/x is ${place.folder}/x, outside the workspace`],
    ['rm -rf .', (place) => `. is ${place.repository}\n`],
    ['rm -rf sub/../../out', (place) => `sub/../../out is ${place.folder}/out, outside the workspace`],
    ['find ../out -delete', (place) => `../out is ${place.folder}/out, outside the workspace`],
    ['rm -r link/inner', (place) => `link/inner is ${place.folder}/out/inner, outside the workspace`],
    ['bash -c "rm -rf ../out"', (place) => `../out is ${place.folder}/out, outside the workspace`],
    ['rm -rf "$(cat where)"', () => '$(cat where)" is known only when it runs'],
  ];
  test.each(cases)('%s', async (command, told) => {
    const place = makeDirtyPlace();
    mkdirSync(path.join(place.folder, 'out/inner'), { recursive: true });
    symlinkSync(path.join(place.folder, 'out'), path.join(place.repository, 'link'));
    writeFileSync(path.join(place.folder, 'out/OWNED'), 'x');
    const model = place.script([bash(command), say('Done.')]);
    const env = { HOME: place.folder };
    const asked = await place.belay(['run', 'go', '--session', 's', '--model', model, ...wide], { env });
    expect(asked.code).toBe(10);
    expect(asked.stderr).toContain(told(place));
    await place.belay(['deny', 's']);
    await place.belay(['resume', 's']);
    expect(existsSync(path.join(place.folder, 'out/OWNED'))).toBe(true);
    expect(lost(place)).toEqual([]);
  });
});
