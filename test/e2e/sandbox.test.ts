/** The sandbox as the command line offers it: by default, required, off, left by approval, and where none works. */
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { FactOf } from '#kernel';
import { ended, entry, makePlace, type Place, resultOf } from './belay.ts';
import { bash, fix, say } from './turns.ts';

const json = ['--output-format', 'json'];
const free = ['--permission-mode', 'bypassPermissions'];
const isRoot = process.getuid?.() === 0;
const driver = path.join(import.meta.dirname, 'fixtures/on-terminal.py');
const auto = { BELAY_SANDBOX: 'auto' };

/** A folder for the front of the search path with a bubblewrap that does nothing but fail. */
function broken(place: Place): { readonly [name: string]: string } {
  const folder = path.join(place.folder, 'broken');
  mkdirSync(folder);
  writeFileSync(
    path.join(folder, 'bwrap'),
    '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2; exit 1\n',
  );
  chmodSync(path.join(folder, 'bwrap'), 0o755);
  return { ...auto, PATH: `${folder}:${process.env['PATH']}` };
}

const probed = async (place: Place, id: string) =>
  (await place.facts(id)).filter((fact): fact is FactOf<'sandbox.probed'> => fact.type === 'sandbox.probed');

describe('by default', () => {
  test('commands run in it; what it keeps them from is told to the model, and the level to everybody', async () => {
    const place = makePlace();
    const model = place.script([
      bash('echo in >in.txt; touch /usr/belay-was-here'),
      { ...say('Done.'), expect: { matches: 'Read-only file system[^]*unsandboxed: true' } },
    ]);
    const ran = await place.belay(['run', 'go', '--session', 's', '--model', model, ...free, ...json], {
      env: auto,
    });
    expect(resultOf(ran)).toMatchObject({ sandbox: { level: 'bubblewrap', network: false } });
    expect(place.file('in.txt')).toBe('in\n');
    expect(await probed(place, 's')).toMatchObject([{ mode: 'auto', level: 'bubblewrap', network: false }]);
  });

  test('git that changes the branch and leaves a file as it was: the model hears not to commit it', async () => {
    const place = makePlace();
    const git = (...words: string[]) =>
      execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e', ...words], {
        cwd: place.repository,
        stdio: 'pipe',
      });
    mkdirSync(path.join(place.repository, '.vscode'));
    place.write('.vscode/settings.json', '1');
    for (const words of [
      ['init', '-q', '-b', 'main'],
      ['add', '.'],
      ['commit', '-qm', 'one'],
      ['checkout', '-qb', 'other'],
    ])
      git(...words);
    place.write('.vscode/settings.json', '2');
    git('commit', '-qam', 'two');
    git('checkout', '-q', 'main');
    const told = { matches: 'Switched to branch[^]*Git could not change files[^]*do not commit them' };
    const model = place.script([bash('git checkout other; echo over'), { ...say('Done.'), expect: told }]);
    const ran = await place.belay(['run', 'go', '--model', model, ...free, ...json], { env: auto });
    expect(resultOf(ran)).toMatchObject({ exit_code: 0, result: 'Done.' });
  });

  test('a whole task goes through: edit, declared check, commit', async () => {
    const place = makePlace();
    const git = (...words: string[]) => execFileSync('git', words, { cwd: place.repository, encoding: 'utf8' });
    git('init', '-q');
    git('config', 'user.email', 'a@b');
    git('config', 'user.name', 'n');
    git('add', '.');
    git('commit', '-qm', 'before');
    const commit = { calls: [{ tool: 'Commit', args: { message: 'Hyphens', paths: ['src/slugify.js'] } }] };
    const model = place.script([...fix.slice(0, -1), commit, say('Done.')]);
    const args = ['run', 'Fix it.', '--model', model, '--check', 'node --test', ...free, ...json];
    const ran = await place.belay(args, { env: auto });
    expect(resultOf(ran)).toMatchObject({ exit_code: 0, verified: true, sandbox: { level: 'bubblewrap' } });
    expect(git('log', '--format=%s')).toBe('Hyphens\nbefore\n');
    expect(git('status', '--porcelain')).toBe('');
  });

  test('network can be switched on', async () => {
    const place = makePlace();
    const model = place.script([bash('readlink /proc/self/ns/net >net'), say('Done.')]);
    await place.belay(['run', 'go', '--session', 's', '--model', model, ...free, '--sandbox-network', 'on'], {
      env: auto,
    });
    const own = readlinkSync('/proc/self/ns/net');
    expect(place.file('net')).toBe(`${own}\n`);
    expect(await probed(place, 's')).toMatchObject([{ network: true }]);
  });
});

describe('leaving it', () => {
  test('is asked also where everything is allowed; approved, the command runs outside', async () => {
    const place = makePlace();
    const mark = path.join(place.folder, 'outside');
    const turn = {
      text: 'x',
      calls: [
        { tool: 'Bash', args: { command: `echo x >${mark}`, unsandboxed: true, description: 'it must be there' } },
      ],
    };
    const model = place.script([turn, say('Done.')]);
    const ran = await place.belay(['run', 'go', '--session', 's', '--model', model, ...free, ...json], { env: auto });
    expect(ran.code).toBe(10);
    const [pending] = resultOf(ran).pending;
    expect(pending?.reason).toContain('outside the sandbox');
    expect(pending?.preview).toContain('outside the sandbox: it must be there');
    expect(existsSync(mark)).toBe(false);
    expect((await place.belay(['approve', 's'], { env: auto })).code).toBe(0);
    expect((await place.belay(['resume', 's'], { env: auto })).code).toBe(0);
    expect(existsSync(mark)).toBe(true);
  });
});

describe('where none works', () => {
  test('required stops the start with 44', async () => {
    const place = makePlace();
    const args = ['run', 'go', '--session', 's', '--model', place.script([say('Done.')]), '--sandbox', 'required'];
    const ran = await place.belay(args, { env: broken(place) });
    expect(ran).toMatchObject({ code: 44, stderr: expect.stringContaining('No permissions to create new namespace') });
  });

  test('root without a terminal has to say that it is off; anybody else is told', async () => {
    const place = makePlace();
    const env = broken(place);
    const args = ['run', 'go', '--model', place.script([say('Done.')])];
    const ran = await place.belay([...args, '--session', 'a'], { env });
    if (isRoot) {
      expect(ran).toMatchObject({ code: 44, stderr: expect.stringContaining('--sandbox off') });
    } else {
      expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('without a sandbox') });
    }
    const off = await place.belay([...args, '--session', 'b', '--sandbox', 'off'], { env });
    expect(off.code).toBe(0);
    expect(await probed(place, 'b')).toMatchObject([{ mode: 'off', level: 'none' }]);
  });

  test.each([
    ['y\\n', 0, 'off'],
    ['n\\n', isRoot ? 44 : 0, 'auto'],
  ])('root on a terminal is asked once; %s', async (answer, code, mode) => {
    const place = makePlace();
    const args = ['run', 'go', '--session', 's', '--model', place.script([say('Done.')])];
    const child = spawn('python3', [driver, answer, process.execPath, entry, ...args], {
      cwd: place.repository,
      env: { ...process.env, ...broken(place), BELAY_HOME: place.home },
    });
    const ran = await ended(child);
    expect(ran.code).toBe(code);
    if (isRoot) expect(ran.stdout).toContain('Run commands as root without a sandbox in this session?');
    if (code === 0) expect(await probed(place, 's')).toMatchObject([{ mode: isRoot ? mode : 'auto', level: 'none' }]);
  });

  test('a session that was started without keeps that', async () => {
    const place = makePlace();
    const env = broken(place);
    const model = place.script([say('Once.'), say('Twice.')]);
    await place.belay(['run', 'go', '--session', 's', '--model', model, '--sandbox', 'off'], { env });
    expect((await place.belay(['resume', 's', 'again'], { env })).code).toBe(0);
    expect(await probed(place, 's')).toHaveLength(1);
  });

  test('doctor says why', async () => {
    const place = makePlace();
    const ran = await place.belay(['doctor'], { env: broken(place) });
    expect(ran.stdout).toMatch(/sandbox +none: bubblewrap does not work here: bwrap: No permissions/);
    expect((await place.belay(['doctor'])).stdout).toMatch(/sandbox +bubblewrap/);
  });
});

test.each([
  [['--sandbox', 'on'], '--sandbox is auto, required, off'],
  [['--sandbox-network', 'true'], '--sandbox-network is on or off'],
])('%j is refused', async (options, message) => {
  const place = makePlace();
  const ran = await place.belay(['run', 'go', '--model', place.script([say('x')]), ...options]);
  expect(ran).toMatchObject({ code: 42, stderr: expect.stringContaining(message) });
});
