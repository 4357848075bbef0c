import { readdirSync, readFileSync, renameSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makePlace, type Place } from '../e2e/belay.ts';
import { bash, say } from '../e2e/turns.ts';
import { bypass } from './provider.ts';

const ledgerOf = (place: Place, id: string) => path.join(place.home, 'sessions', id, 'ledger.log');
const run = (place: Place, id: string, turns: readonly object[], cwd = place.repository) =>
  place.belay(['run', 'Go.', '--session', id, '--model', place.script(turns, `${id}.json`), ...bypass], { cwd });

test('A09: --last goes by recorded workspace and last activity, whatever the times of the files say', async () => {
  const place = makePlace();
  const other = makePlace();
  await run(place, 'old', [say('Old.'), say('Old again.')]);
  await run(place, 'new', [say('New.'), say('New again.')]);
  await run(place, 'elsewhere', [say('Elsewhere.')], other.repository);
  const now = Date.now() / 1000;
  utimesSync(ledgerOf(place, 'old'), now + 500, now + 500);
  utimesSync(ledgerOf(place, 'new'), now - 500, now - 500);
  utimesSync(ledgerOf(place, 'elsewhere'), now + 900, now + 900);
  expect((await place.belay(['resume', '--last', 'More.'])).stdout).toBe('New again.\n');
});

test('A23: a session that nobody touched for a quarter of a year is still there', async () => {
  const place = makePlace();
  await run(place, 'old', [say('Old.'), say('Still here.')]);
  const then = Date.now() / 1000 - 90 * 86_400;
  for (const name of readdirSync(path.join(place.home, 'sessions', 'old')))
    utimesSync(path.join(place.home, 'sessions', 'old', name), then, then);
  await run(place, 'new', [say('New.')]);
  expect((await place.belay(['sessions'])).stdout).toMatch(/^old /m);
  expect((await place.belay(['resume', 'old', 'More.'])).stdout).toBe('Still here.\n');
});

test('A24: when the folder of the work was renamed, resume says so, touches nothing elsewhere, and makes no new session', async () => {
  const place = makePlace();
  await run(place, 's', [say('Done.'), bash('pwd > where'), say('Again.')]);
  const moved = `${place.repository}-moved`;
  renameSync(place.repository, moved);
  const ran = await place.belay(['resume', 's', 'More.'], { cwd: moved });
  expect(ran.code).not.toBe(0);
  expect(ran.stderr).toContain(place.repository);
  expect(readdirSync(moved)).not.toContain('where');
  expect(readdirSync(path.join(place.home, 'sessions'))).toEqual(['s']);
  renameSync(moved, place.repository);
  expect((await place.belay(['resume', 's', 'More.'])).code).toBe(0);
});

test('A31: a removed session is gone from the list and from the disk', async () => {
  const place = makePlace();
  const canary = 'canary-5b1e';
  await run(place, 's', [bash(`head -c 100000 /dev/zero | tr '\\0' x; echo ${canary}`), say(canary)]);
  expect((await place.belay(['sessions', 'rm', 's'])).code).toBe(0);
  for (let look = 0; look < 2; look++) expect((await place.belay(['sessions'])).stdout).not.toMatch(/^s /m);
  const left = readdirSync(place.home, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const file = path.join(place.home, name);
    return statSync(file).isFile() && readFileSync(file, 'latin1').includes(canary);
  });
  expect(left).toEqual([]);
});
