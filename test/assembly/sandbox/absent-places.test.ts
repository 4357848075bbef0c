/** What commands leave in git folders when nobody tidies up after them: the agent is killed, or the run is just ending. */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { programFinder } from '#workspace';
import { absentBefore } from '../../../src/assembly/sandbox/absent-places.ts';
import { openSandbox, type SandboxRequest } from '../../../src/assembly/sandbox/open-sandbox.ts';

const gone = spawnSync('true').pid;
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function place() {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'belay-absent-')));
  folders.push(top);
  const [work, session, other] = [join(top, 'work'), join(top, 'data/sessions/s'), join(top, 'data/sessions/t')];
  const shared = join(top, 'data/workspaces/w');
  for (const folder of [join(work, '.git/objects'), join(work, '.git/refs'), session, other, shared])
    mkdirSync(folder, { recursive: true });
  writeFileSync(join(work, '.git/HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(work, '.git/config'), '');
  const open = async (mode: SandboxRequest['mode'] = 'required', sessionFolder = session) => {
    const opened = await openSandbox({
      mode,
      network: false,
      settings: { readable: [], writable: [] },
      deny: [],
      workspace: work,
      dataFolder: join(top, 'data'),
      sessionFolder,
      shared,
      memory: null,
      find: programFinder(work, process.env['PATH']),
      env: process.env,
      bootId: 'boot',
    });
    if (!opened.ok) throw new Error(opened.error.message);
    return opened.value;
  };
  const planted = join(work, '.git/commondir');
  /** As the records look when the program of the session is gone. */
  const kill = () => {
    for (const file of [join(session, 'absent.json'), join(shared, 'absent/s.json')]) {
      const record = JSON.parse(readFileSync(file, 'utf8'));
      writeFileSync(file, JSON.stringify({ ...record, by: { pid: gone, bootId: 'boot' } }));
    }
  };
  return { work, session, other, shared, open, kill, planted, plant: () => writeFileSync(planted, '/evil\n') };
}

describe('what was absent before the commands of a run and came into being after its agent was killed', () => {
  test.each<SandboxRequest['mode']>(['required', 'off'])(
    'is put away at the next start (--sandbox %s)',
    async (mode) => {
      const { work, session, open, planted, plant } = place();
      await (await open()).confinement?.confine(work);
      plant();
      const { putAway } = await open(mode);
      expect(putAway).toEqual([expect.stringContaining(planted)]);
      expect(existsSync(planted)).toBe(false);
      expect(readdirSync(session).filter((name) => name.startsWith('refused-'))).toHaveLength(1);
    },
  );

  test('is put away after a command of the killed agent that is waited for by the next', async () => {
    const { work, open, planted, plant } = place();
    await (await open()).confinement?.confine(work);
    const next = await open();
    plant();
    expect(next.confinement?.tidy(true)).toEqual([expect.stringContaining(planted)]);
  });
});

describe('settings of a repository that came into being after the agent was killed', () => {
  const make = (work: string, more = '') => {
    for (const name of ['objects', 'refs']) mkdirSync(join(work, 'sub', name), { recursive: true });
    writeFileSync(join(work, 'sub/HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(join(work, 'sub/config'), `[core]\nbare = true\n${more}`);
  };
  const planted = 'fsmonitor = x\n';

  test('are put away at the next start, of the same session and of another', async () => {
    for (const isOther of [false, true]) {
      const { work, other, session, open, kill } = place();
      await (await open()).confinement?.confine(work);
      kill();
      make(work, planted);
      const { putAway } = await open('required', isOther ? other : session);
      expect(putAway).toEqual([expect.stringContaining(join(work, 'sub/config'))]);
      expect(existsSync(join(work, 'sub/config'))).toBe(false);
    }
  });
  test('stay where they start nothing, where they were there before, and where no command was at work', async () => {
    const { work, open, kill } = place();
    make(work, planted);
    const { confinement } = await open();
    await confinement?.confine(work);
    kill();
    expect((await open()).putAway).toEqual([]);
    make(work);
    expect((await open()).putAway).toEqual([]);
    const next = await open();
    await next.confinement?.confine(work);
    next.confinement?.tidy(true);
    kill();
    make(work, planted);
    expect((await open()).putAway).toEqual([]);
  });
});

describe('what a killed agent left is put away by a new session on the workspace, too', () => {
  test.each<SandboxRequest['mode']>(['required', 'off'])('once (--sandbox %s)', async (mode) => {
    const { work, other, shared, open, kill, planted, plant } = place();
    await (await open()).confinement?.confine(work);
    kill();
    plant();
    expect((await open(mode, other)).putAway).toEqual([expect.stringContaining(planted)]);
    expect(existsSync(planted)).toBe(false);
    expect(readdirSync(join(shared, 'absent'))).toEqual([]);
    // Whoever makes it from now on means it.
    plant();
    expect((await open(mode, other)).putAway).toEqual([]);
    expect(existsSync(planted)).toBe(true);
  });

  test('after its own commands, as long as it runs', async () => {
    const { work, other, open, kill, planted, plant } = place();
    await (await open()).confinement?.confine(work);
    kill();
    const next = await open('required', other);
    plant();
    expect(next.confinement?.tidy(true)).toEqual([expect.stringContaining(planted)]);
  });

  test('not while that agent lives, which tidies by itself, and not where it ended in order', async () => {
    const { work, other, shared, open, planted, plant } = place();
    const { confinement } = await open();
    await confinement?.confine(work);
    plant();
    expect((await open('required', other)).putAway).toEqual([]);
    expect(existsSync(planted)).toBe(true);
    confinement?.close?.();
    expect(existsSync(planted)).toBe(false);
    expect(readdirSync(join(shared, 'absent'))).toEqual([]);
  });

  test('and the session itself knows it all the same when it is resumed', async () => {
    const { work, other, open, kill, planted, plant } = place();
    await (await open()).confinement?.confine(work);
    kill();
    await open('required', other);
    plant();
    expect((await open()).putAway).toEqual([expect.stringContaining(planted)]);
  });
});

test('what came into being at the very end of a run is put away, and told at the next start, once', async () => {
  const { work, session, open, planted, plant } = place();
  const { confinement } = await open();
  await confinement?.confine(work);
  plant();
  confinement?.close?.();
  expect(existsSync(planted)).toBe(false);
  const next = await open();
  expect(next.putAway).toEqual([expect.stringContaining(planted)]);
  next.confinement?.close?.();
  expect((await open()).putAway).toEqual([]);
  expect(absentBefore(session)).toEqual({ absent: [], told: [] });
});

test('what the user makes between two runs, or while no command ran, stays', async () => {
  const { work, open, planted, plant } = place();
  const first = await open();
  await first.confinement?.confine(work);
  first.confinement?.close?.();
  const second = await open();
  plant();
  second.confinement?.close?.();
  expect((await open()).putAway).toEqual([]);
  expect(existsSync(planted)).toBe(true);
});

describe('what starts programs later', () => {
  test('is put away at the next start where the agent was killed at a command', async () => {
    const { work, other, open, kill } = place();
    await (await open()).confinement?.confine(work);
    kill();
    writeFileSync(join(work, '.envrc'), 'x\n');
    const next = await open('required', other);
    expect(next.putAway).toEqual([expect.stringContaining(`${join(work, '.envrc')} starts programs outside`)]);
    // The command may still be at work.
    await next.confinement?.confine(work);
    writeFileSync(join(work, '.envrc'), 'x\n');
    expect(next.confinement?.tidy(true)).toHaveLength(1);
  });

  test('stays, once it was put away by another session, when the killed one is resumed', async () => {
    const { work, other, open, kill } = place();
    await (await open()).confinement?.confine(work);
    kill();
    (await open('required', other)).confinement?.close?.();
    mkdirSync(join(work, '.idea'));
    expect((await open()).putAway).toEqual([]);
    expect(existsSync(join(work, '.idea'))).toBe(true);
  });

  test('stays where Belay itself made it while a command was at work', async () => {
    const { work, open } = place();
    const { confinement } = await open();
    await confinement?.confine(work);
    confinement?.accept?.(join(work, '.vscode/settings.json'));
    mkdirSync(join(work, '.vscode'));
    expect((await open()).putAway).toEqual([]);
    expect(existsSync(join(work, '.vscode'))).toBe(true);
  });

  test('stays where it was killed while no command was at work', async () => {
    const { work, open, kill, plant, planted } = place();
    const { confinement } = await open();
    await confinement?.confine(work);
    expect(confinement?.tidy(true)).toEqual([]);
    kill();
    writeFileSync(join(work, '.envrc'), 'x\n');
    plant();
    expect((await open()).putAway).toEqual([expect.stringContaining(planted)]);
    expect(existsSync(join(work, '.envrc'))).toBe(true);
  });

  test('stays at the end of a run where it came into being between commands', async () => {
    const { work, open } = place();
    const { confinement } = await open();
    await confinement?.confine(work);
    confinement?.tidy(true);
    mkdirSync(join(work, '.idea'));
    confinement?.close?.();
    expect((await open()).putAway).toEqual([]);
    expect(existsSync(join(work, '.idea'))).toBe(true);
  });
});

test('where it cannot be remembered no command starts', async () => {
  const { work, session, open } = place();
  const { confinement } = await open();
  mkdirSync(join(session, 'absent.json'));
  await expect(confinement?.confine(work)).rejects.toThrow('was not kept');
});
