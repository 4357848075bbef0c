/**
 * The data folder on a small file system of its own, filled by the test at the worst moment. Mounting needs root, as
 * CI has it; for everybody else these tests do not exist.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '#ledger';
import type { Fill } from './cut.ts';
import {
  faultsOf,
  linesIn,
  makePlace,
  type Place,
  resumeArguments,
  runArguments,
  runBelay,
  SESSION,
  startAgent,
} from './scenario.ts';

const mount = (...args: readonly string[]): void => {
  const { status, stderr } = spawnSync('/bin/mount', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`mount ${args.join(' ')}: ${stderr}`);
};

let disk: string;
let place: Place;
beforeEach(() => {
  disk = realpathSync(mkdtempSync(path.join(tmpdir(), 'belay-disk-')));
  mount('-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', disk);
  mkdirSync(path.join(disk, 'home'));
  place = makePlace({ home: path.join(disk, 'home') });
});
afterEach(() => {
  place.remove();
  spawnSync('/bin/umount', ['-l', disk]);
  rmSync(disk, { recursive: true, force: true });
});

const sum = () => readFileSync(path.join(place.work, 'sum.mjs'), 'utf8');

/** The starts come in this order: both reads at once, the edit, the command, the tests. */
const moments: readonly {
  readonly name: string;
  readonly fill: Fill;
  readonly ran: readonly [edit: boolean, command: number];
}[] = [
  { name: 'before the start of an edit is written', fill: { before: 'attempt.start', n: 3 }, ran: [false, 0] },
  { name: 'before the verdict on an edit is written', fill: { before: 'action.verdict', n: 3 }, ran: [false, 0] },
  { name: 'before the start of a command is written', fill: { before: 'attempt.start', n: 4 }, ran: [true, 0] },
  { name: 'before the verdict on a command is written', fill: { before: 'action.verdict', n: 4 }, ran: [true, 0] },
  { name: 'before the start of the tests is written', fill: { before: 'attempt.start', n: 5 }, ran: [true, 1] },
  { name: 'before the outcome of an edit is written', fill: { before: 'attempt.outcome', n: 3 }, ran: [true, 0] },
  { name: 'before the outcome of a command is written', fill: { before: 'attempt.outcome', n: 4 }, ran: [true, 1] },
  { name: 'before a model is asked', fill: { before: 'model.request', n: 3 }, ran: [true, 0] },
  { name: 'before its answer is written', fill: { before: 'model.response', n: 4 }, ran: [true, 1] },
];

const isRoot = process.getuid?.() === 0;

describe.runIf(isRoot)('a full disk', () => {
  test.each(moments)(
    '$name: exit 56, and once there is room resume finishes',
    async ({ fill, ran }) => {
      const stopped = await startAgent(place, runArguments(place), null, fill).ended;
      expect({ code: stopped.code, stderr: stopped.stderr }).toMatchObject({ code: 56 });
      expect([sum().includes('a + b'), linesIn(place.commandRuns)]).toEqual(ran);
      expect(linesIn(place.testRuns)).toBe(0);
      const { report, problems } = await openStore({ home: place.home }).verify(SESSION);
      expect({ damage: report.damage, problems }).toEqual({ damage: null, problems: [] });
      const still = await runBelay(place, resumeArguments);
      expect({ code: still.code, stderr: still.stderr }).toMatchObject({ code: 56 });
      expect(linesIn(place.testRuns)).toBe(0);
      rmSync(path.join(place.home, 'filler'));
      expect(await faultsOf(place, await runBelay(place, resumeArguments))).toEqual([]);
    },
    30_000,
  );

  test('trust is not recorded, and the folder is named', async () => {
    const hooks = { PreToolUse: [{ hooks: [{ type: 'command', command: 'true' }] }] };
    mkdirSync(path.join(place.work, '.claude'));
    writeFileSync(path.join(place.work, '.claude/settings.json'), JSON.stringify({ hooks }));
    spawnSync('dd', ['if=/dev/zero', `of=${disk}/filler`, 'bs=4k']);
    const refused = await runBelay(place, ['trust', '--yes', place.work]);
    expect(refused.code).toBe(56);
    expect(refused.stderr).toContain(
      `nothing was changed: no space is left in ${place.home} (ENOSPC); free some there, then try again`,
    );
    rmSync(path.join(disk, 'filler'));
    expect((await runBelay(place, ['trust', '--yes', place.work])).code).toBe(0);
  }, 20_000);

  test('from the beginning: exit 56, and no session is left behind', async () => {
    await startAgent(place, ['doctor'], null).ended;
    spawnSync('dd', ['if=/dev/zero', `of=${disk}/filler`, 'bs=4k']);
    const ran = await runBelay(place, runArguments(place));
    expect({ code: ran.code, stderr: ran.stderr }).toMatchObject({ code: 56 });
    expect(ran.stderr).toMatch(/no session was begun: no space .*\/home\S* \(ENOSPC\); free some .*, then try again\n/);
    rmSync(path.join(disk, 'filler'));
    expect(existsSync(path.join(place.home, 'sessions', SESSION))).toBe(false);
    expect(await faultsOf(place, await runBelay(place, runArguments(place)))).toEqual([]);
  }, 30_000);
});

describe.runIf(isRoot)('a data folder that cannot be written', () => {
  test('a new session: exit 56 with the folder in the message', async () => {
    mount('-o', 'remount,ro', disk);
    const ran = await runBelay(place, runArguments(place));
    expect(ran.code).toBe(56);
    expect(ran.stderr).toContain(place.home);
    expect(sum()).toContain('a - b');
  }, 20_000);

  test('a known session: resume, approve and rm exit 56, reading works', async () => {
    const args = runArguments(place).filter((arg, i, all) => arg !== 'Edit(**)' && all[i + 1] !== 'Edit(**)');
    expect((await runBelay(place, args)).code).toBe(10);
    mount('-o', 'remount,ro', disk);
    for (const words of [resumeArguments, ['approve', SESSION], ['sessions', 'rm', SESSION]]) {
      const refused = await runBelay(place, words);
      expect({ words, code: refused.code, stderr: refused.stderr }).toMatchObject({ code: 56 });
    }
    for (const words of [
      ['log', SESSION],
      ['replay', SESSION],
      ['sessions', 'list'],
      ['diff', SESSION],
    ]) {
      const read = await runBelay(place, words);
      expect({ words, code: read.code, stderr: read.stderr }).toMatchObject({ code: 0 });
    }
    mount('-o', 'remount,rw', disk);
    expect((await runBelay(place, ['approve', SESSION])).code).toBe(0);
    expect(await faultsOf(place, await runBelay(place, resumeArguments))).toEqual([]);
  }, 30_000);
});
