/** Repositories that commands in the sandbox make: they may, but what would start programs outside later is put away. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { textOf } from '../workspace/bench-place.ts';
import { openConfined } from './confined-place.ts';

vi.setConfig({ testTimeout: 60_000 });

const monitor = (proof = 'it-ran') =>
  `printf '[core]\\n\\trepositoryformatversion = 0\\n\\tbare = false\\n\\tworktree = .\\n\\tfsmonitor = "touch ${proof}; false"\\n'`;
const bare = `mkdir -p objects refs && echo 'ref: refs/heads/main' >HEAD && ${monitor()} >config`;
const without = 'rm -rf .git';
const sentence = (at: string) =>
  expect.stringContaining(`${at} would make git run programs or read other settings; it was moved to`);

describe('what makes git start programs in a repository that a command made is put away and told', () => {
  test.each<[what: string, prepare: string, command: string, places: readonly string[]]>([
    [
      'the settings of a new one',
      without,
      'git init -q . && git config core.fsmonitor "touch it-ran; false"',
      ['.git/config'],
    ],
    [
      'its hooks',
      without,
      'git init -q . && printf "#!/bin/sh\\n" >.git/hooks/pre-commit && chmod +x .git/hooks/pre-commit',
      ['.git/hooks'],
    ],
    ['the settings of a plain folder that is one', without, bare, ['config']],
    ['those of one below a repository', 'true', `mkdir sub && cd sub && ${bare}`, ['sub/config']],
    [
      'those of a nested one',
      'true',
      'git init -q a1/b/c && git -C a1/b/c config alias.x "!id"',
      ['a1/b/c/.git/config'],
    ],
    [
      'a file that leads out of the workspace',
      without,
      'git init -q /tmp/away && echo "gitdir: /tmp/away/.git" >.git',
      ['.git'],
    ],
    ['a link that does', without, 'git init -q /tmp/away && ln -s /tmp/away/.git .git', ['.git']],
    [
      'what a file leads to',
      'true',
      'git init -q x/y && git -C x/y config core.pager id && mv x/y/.git x/y/g && echo "gitdir: y/g" >x/.git',
      ['x/y/g/config'],
    ],
    [
      'what a folder of a worktree shares',
      without,
      'mkdir -p g/worktrees/w && cd g/worktrees/w && echo ../evil >commondir && echo x >HEAD && cd ../../.. && echo "gitdir: g/worktrees/w" >.git',
      ['g/worktrees/w/commondir'],
    ],
  ])('%s', async (_what, prepare, command, places) => {
    const place = await openConfined({}, prepare);
    const result = await place.run(command);
    expect({ code: result.exitCode, out: textOf(result) }).toEqual({ code: 0, out: '' });
    expect(result.confined?.putAway).toEqual(places.map((at) => sentence(join(place.root, at))));
    for (const at of places) expect(existsSync(join(place.root, at))).toBe(false);
    spawnSync('git', ['status'], { cwd: join(place.root, places[0] ?? '', '..') });
    expect(readdirSync(place.root)).not.toContain('it-ran');
  });

  test('what is harmless stays, and work goes on in it; a later command that changes that is told', async () => {
    const place = await openConfined({}, without);
    const made = await place.run(
      'git init -q . && git config user.name n && git config user.email a@b && git add a && git commit -qm x && git init -q --bare b.git && git remote add origin ./b.git && git push -q -u origin HEAD && git worktree add -q w && git status --porcelain',
    );
    expect({ code: made.exitCode, put: made.confined?.putAway }).toEqual({ code: 0, put: [] });
    const next = await place.run(
      'git config user.email b@c && git commit -q --allow-empty -m y && git log --format=%s',
    );
    expect([textOf(next), next.confined?.putAway]).toEqual(['y\nx\n', []]);
    const last = await place.run('git -C b.git config core.sshCommand ./x');
    expect(last.confined?.putAway).toEqual([sentence(join(place.root, 'b.git/config'))]);
  });

  test("what the user makes while nothing confined lives stays, as long as it stays the user's", async () => {
    const place = await openConfined({}, without);
    await place.run('true');
    spawnSync('git', ['init', '-q'], { cwd: place.root });
    spawnSync('git', ['config', 'core.hooksPath', 'mine'], { cwd: place.root });
    const hook = join(place.root, '.git/hooks/pre-push');
    mkdirSync(join(place.root, '.git/hooks'), { recursive: true });
    writeFileSync(hook, '#!/bin/sh\n');
    chmodSync(hook, 0o755);
    expect((await place.run('git config user.name n')).confined?.putAway).toEqual([]);
    const changed = await place.run('git config core.hooksPath theirs; echo id >>.git/hooks/pre-push');
    expect(changed.confined?.putAway).toEqual([
      sentence(join(place.root, '.git/config')),
      sentence(join(place.root, '.git/hooks')),
    ]);
  });

  test('what Belay itself makes while a command runs stays', async () => {
    const place = await openConfined({}, `${without}; mkdir objects refs; echo 'ref: refs/heads/main' >HEAD`);
    const running = place.run('until [ -e go ]; do sleep 0.05; done');
    place.confinement.accept?.(join(place.root, 'config'));
    writeFileSync(join(place.root, 'config'), '[core]\nfsmonitor = x\n');
    writeFileSync(join(place.root, 'go'), '');
    expect((await running).confined?.putAway).toEqual([]);
    expect(existsSync(join(place.root, 'config'))).toBe(true);
  });
});
