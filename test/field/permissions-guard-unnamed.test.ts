import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { makePlace, type Place } from '../e2e/belay.ts';
import { bash, say } from '../e2e/turns.ts';

const bypass = ['--permission-mode', 'bypassPermissions'];
const ignored: { readonly [name: string]: string } = { 'my.db': 'mine\n', 'sub/o.db': 'below\n', '.env': 'KEY=1\n' };

/** Ignored files, two of which are committed on another branch; a recipe and a script that remove them. */
function makeWork(): Place {
  const place = makePlace();
  const git = (...args: string[]) => execFileSync('git', args, { cwd: place.repository });
  place.write('.gitignore', '*.db\n.env\n');
  place.write('Makefile', 'clean:\n\trm -f *.db sub/*.db\n');
  place.write('clean.sh', 'rm -f *.db sub/*.db\n');
  chmodSync(path.join(place.repository, 'clean.sh'), 0o755);
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'a');
  git('config', 'user.email', 'a@b');
  git('config', 'alias.co', 'checkout');
  git('add', '.');
  git('commit', '-q', '-m', 'begin');
  git('checkout', '-q', '-b', 'other');
  const lay = (text: (name: string) => string) => {
    mkdirSync(path.join(place.repository, 'sub'), { recursive: true });
    for (const name of Object.keys(ignored)) place.write(name, text(name));
  };
  lay(() => 'committed elsewhere\n');
  git('add', '-f', 'my.db', 'sub/o.db');
  git('commit', '-q', '-m', 'data');
  git('checkout', '-q', 'main');
  lay((name) => ignored[name] ?? '');
  return place;
}
const lost = (place: Place): readonly string[] =>
  Object.entries(ignored).flatMap(([name, text]) => {
    const file = path.join(place.repository, name);
    return existsSync(file) && readFileSync(file, 'utf8') === text ? [] : [name];
  });
const guarded = async (place: Place) =>
  (await place.facts('s')).flatMap((fact) => (fact.type === 'checkpoint.taken' && fact.guarded ? [fact] : []));

describe('ignored files that no word of a command names are kept before it', () => {
  test.each([
    'make clean',
    './clean.sh',
    `node -e "for (const f of ['.', 'sub']) for (const n of fs.readdirSync(f)) if (n.endsWith('.db')) fs.rmSync(f + '/' + n)"`,
    'read X < <(ls *.db sub/*.db | tr "\\n" " "); rm -rf $X',
    'git checkout -q other',
    'git switch -q other',
    'git merge -q --no-edit other',
    'git pull -q --no-rebase . other',
    'git reset -q --keep other',
    'git co -q other',
  ])('%s', async (command) => {
    const place = makeWork();
    const model = place.script([bash(command), say('Done.')]);
    expect(await place.belay(['run', 'go', '--session', 's', '--model', model, ...bypass])).toMatchObject({ code: 0 });
    expect(lost(place)).toEqual(['my.db', 'sub/o.db']);
    const undone = await place.belay(['undo', 's', '--files']);
    expect({ code: undone.code, out: undone.stdout, lost: lost(place) }).toMatchObject({ code: 0, lost: [] });
  });

  test('once, as long as they stay as they are', async () => {
    const place = makeWork();
    const model = place.script([bash('node -e 1'), bash('node -e 2'), bash('ls'), bash('node -e 3'), say('Done.')]);
    await place.belay(['run', 'go', '--session', 's', '--model', model, ...bypass]);
    const [first, ...more] = await guarded(place);
    expect(first).toBeDefined();
    // Each is looked at once more behind its command, and found the same; before the next one nothing is kept again.
    expect(more.map((fact) => fact.guarded).filter((one) => one !== first?.guarded)).toEqual([]);
    const starts = (await place.facts('s')).filter(({ type }) => type === 'attempt.start');
    const before = (await guarded(place)).filter(
      ({ seq }) => seq < (starts[1]?.seq ?? 0) && seq > (starts[0]?.seq ?? 0),
    );
    expect(before.length).toBeLessThanOrEqual(1);
  });

  test('nobody is told of them in a question, and none holds up a command that names what it takes', async () => {
    const place = makeWork();
    const model = place.script([bash('ls'), bash('node -e 1'), say('Done.')]);
    const asked = await place.belay(['run', 'go', '--session', 's', '--model', model]);
    expect(asked.code).toBe(10);
    expect(asked.stderr).not.toContain('Could be lost');
    expect(await guarded(place)).toEqual([]);
  });

  test('where nothing but what was too large is gone, that is said', async () => {
    const place = makeWork();
    writeFileSync(path.join(place.repository, 'a.db'), Buffer.alloc(9 * 1024 * 1024));
    const model = place.script([bash("node -e \"fs.rmSync('a' + '.db')\""), say('Done.')]);
    await place.belay(['run', 'go', '--session', 's', '--model', model, ...bypass]);
    const undone = await place.belay(['undo', 's', '--files']);
    expect(undone).toMatchObject({
      code: 42,
      stderr: expect.stringContaining('gone, and not kept: a.db;'),
    });
  });

  test('the smallest first, and the record names what is too large', async () => {
    const place = makeWork();
    writeFileSync(path.join(place.repository, 'a.db'), Buffer.alloc(9 * 1024 * 1024));
    const model = place.script([bash('make clean'), say('Done.')]);
    await place.belay(['run', 'go', '--session', 's', '--model', model, ...bypass]);
    expect((await guarded(place))[0]?.uncovered).toEqual(['a.db']);
    const undone = await place.belay(['undo', 's', '--files']);
    expect({ code: undone.code, lost: lost(place) }).toEqual({ code: 1, lost: [] });
    expect(undone.stdout).toContain('left alone a.db: it is gone, and was too large to be kept');
  });
});
