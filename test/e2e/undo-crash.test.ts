/**
 * An undo is killed, really, before one of its changes of the disk after the other; whoever comes next finishes it.
 * `UNDO_CUTS=all` tries every one of them.
 */
import { spawn } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fold } from '#kernel';
import { COUNTS_VARIABLE, type Counts, CUT_VARIABLE } from '../crash/cut.ts';
import { ended, makePlace, type Place } from './belay.ts';
import { bash, edit, read, say } from './turns.ts';

const agent = path.resolve(import.meta.dirname, '../crash/agent.ts');
const CUTS = 12;

const turns = [
  read('edited.txt'),
  edit('edited.txt', 'one', 'two'),
  bash('echo new > made.txt; rm removed.txt; mkdir -p d/e; echo x > d/e/f; ln -sf edited.txt link; chmod 755 mode.txt'),
  say('Done.'),
];

/** Path → what lies there, without git's and Belay's own. */
function tree(folder: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(folder, name);
    const stat = lstatSync(file);
    const mode = (stat.mode & 0o777).toString(8);
    if (stat.isSymbolicLink()) found.set(name, `link ${readlinkSync(file)}`);
    else if (stat.isFile()) found.set(name, `${mode} ${readFileSync(file, 'utf8')}`);
  }
  return found;
}

const visible = (files: Map<string, string>) =>
  [...files].filter(([name]) => !path.basename(name).startsWith('.belay-'));

async function killed(place: Place, args: readonly string[], env: { readonly [name: string]: string }) {
  const child = spawn(process.execPath, [agent, ...args], {
    cwd: place.repository,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], BELAY_HOME: place.home, ...env },
    stdio: 'pipe',
    detached: true,
  });
  return ended(child);
}

test('an undo killed anywhere leaves each file old or new, and is finished by undo, log or resume', {
  timeout: 900_000,
}, async () => {
  const place = makePlace();
  for (const name of ['edited.txt', 'removed.txt', 'mode.txt']) place.write(name, 'one\n');
  mkdirSync(path.join(place.repository, 'kept'));
  const old = tree(place.repository);
  await place.belay([
    'run',
    'go',
    '--session',
    's',
    '--model',
    place.script(turns),
    '--permission-mode',
    'bypassPermissions',
  ]);
  const fresh = tree(place.repository);
  const to = ['--to', '1'];

  const counts = path.join(place.folder, 'counts.json');
  // The first one keeps contents that the later ones find; what is counted is the second.
  for (let i = 0; i < 2; i++) {
    await killed(place, ['undo', 's', ...to], { [COUNTS_VARIABLE]: counts });
    expect(tree(place.repository)).toEqual(old);
    expect((await place.belay(['redo', 's'])).code).toBe(0);
    expect(tree(place.repository)).toEqual(fresh);
  }
  const { disk } = JSON.parse(readFileSync(counts, 'utf8')) as Counts;

  const all = Array.from({ length: disk }, (_, i) => i + 1);
  const every = process.env['UNDO_CUTS'] === 'all' ? 1 : Math.ceil(disk / CUTS);
  const cuts = all.filter((n) => n % every === 0);
  const finishers = [
    ['undo', 's', ...to],
    ['log', 's'],
    ['resume', 's'],
  ];
  for (const [i, n] of cuts.entries()) {
    const cut = await killed(place, ['undo', 's', ...to], { [CUT_VARIABLE]: JSON.stringify({ at: 'disk', n }) });
    const where = `killed before change ${n} of ${disk}`;
    expect(cut.code, where).toBe(-1);
    for (const [name, side] of visible(tree(place.repository))) {
      expect([old.get(name), fresh.get(name)], `${where}: ${name}`).toContain(side);
    }
    for (const [name, side] of old) {
      if (fresh.get(name) === side) expect(tree(place.repository).get(name), `${where}: ${name}`).toBe(side);
    }
    const before = fold(await place.facts('s')).undo;
    const finisher = finishers[i % finishers.length] ?? [];
    await place.belay(finisher);
    const after = fold(await place.facts('s')).undo;
    expect(after.pending, where).toBeNull();
    // A plan that was durable is finished by anybody; without one only another undo does anything.
    const isUndone = before.pending !== null || before.done.length > 0 || finisher[0] === 'undo';
    expect(tree(place.repository), `${where}, then ${finisher[0]}`).toEqual(isUndone ? old : fresh);
    if (!isUndone) continue;
    expect((await place.belay(['redo', 's'])).code, where).toBe(0);
    expect(tree(place.repository), `${where}, redone`).toEqual(fresh);
    // Whoever opens the session next tidies up.
    expect(readdirSync(path.join(place.home, 'sessions/s/exec')).filter((name) => name.startsWith('undo-'))).toEqual(
      [],
    );
  }
});
