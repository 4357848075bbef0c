import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FactBody } from '#kernel';
import { openStore } from '#ledger';
import { readSession } from '../../src/assembly/sessions/read-session.ts';
import { makePlace, type Place, runBelay, SESSION } from './scenario.ts';

const FACTS = 30;
let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

/** Thirty facts in batches of one, two and three. */
async function writeLedger(): Promise<string> {
  const ledger = await openStore({ home: place.home }).create(SESSION);
  const texts = Array.from({ length: FACTS }, (_, i) => `words ${i + 1}`);
  for (let size = 1; texts.length > 0; size = (size % 3) + 1) {
    await ledger.append(texts.splice(0, size).map((text): FactBody => ({ type: 'input.received', text })));
  }
  await ledger.flush();
  await ledger.close();
  return path.join(place.home, 'sessions', SESSION, 'ledger.log');
}

const flipped = (bytes: Buffer, at: number, mask: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ mask;
  return copy;
};

test('every flipped byte of a ledger of thirty facts is named with the last good fact, or harmless', async () => {
  const file = await writeLedger();
  const whole = readFileSync(file);
  const store = openStore({ home: place.home });
  const { facts } = await store.openReader(SESSION);
  expect(facts).toHaveLength(FACTS);
  const silent: string[] = [];
  let named = 0;
  for (let at = 0; at < whole.length; at++) {
    // Each bit is turned at every eighth byte, all of them at once at the others.
    const mask = at % 2 === 0 ? 0xff : 1 << ((at >> 1) % 8);
    writeFileSync(file, flipped(whole, at, mask));
    const read = await readSession(store, SESSION);
    if (!read.ok) {
      if (read.error.exitCode !== 56) silent.push(`byte ${at}: ${read.error.exitCode} ${read.error.message}`);
      continue;
    }
    const { facts: shown, damage, torn } = read.value;
    if (JSON.stringify(shown) !== JSON.stringify(facts.slice(0, shown.length))) silent.push(`byte ${at}: other facts`);
    if (shown.length === FACTS && damage === null && torn === null) continue;
    named++;
    const message = damage ?? torn ?? '';
    const tellsLast = new RegExp(`\\b${shown.length}\\b`).test(message.replace(/at byte \d+/, ''));
    if (damage === null || !tellsLast) silent.push(`byte ${at}: ${shown.length} shown: ${message}`);
  }
  expect(silent).toEqual([]);
  expect(named).toBeGreaterThan(whole.length * 0.9);
}, 120_000);

test('belay log shows the good facts, names the damage and exits 56; resume refuses to touch it', async () => {
  const file = await writeLedger();
  const whole = readFileSync(file);
  for (const at of [3, 40, whole.length >> 1, whole.length - 90, whole.length - 1]) {
    writeFileSync(file, flipped(whole, at, 0xff));
    const shown = await runBelay(place, ['log', SESSION, '--json']);
    const last = shown.stdout.split('\n').length - 1;
    expect({ at, code: shown.code }).toEqual({ at, code: 56 });
    expect(shown.stderr).toMatch(new RegExp(`damaged at byte \\d+: facts up to ${last} are good`));
    const resumed = await runBelay(place, ['resume', SESSION, '--model', `scripted/${place.script}`]);
    expect({ at, code: resumed.code }).toEqual({ at, code: 56 });
    expect(readFileSync(file).equals(flipped(whole, at, 0xff))).toBe(true);
  }
}, 60_000);

test('a torn end is told with the last good fact, and all facts before it are shown', async () => {
  const file = await writeLedger();
  const whole = readFileSync(file);
  writeFileSync(file, whole.subarray(0, whole.length - 7));
  // What was flushed cannot be half an append any more.
  expect((await runBelay(place, ['log', SESSION, '--json'])).code).toBe(56);
  rmSync(path.join(path.dirname(file), 'ledger.end'));
  const shown = await runBelay(place, ['log', SESSION, '--json']);
  const last = shown.stdout.split('\n').length - 1;
  expect(last).toBeGreaterThan(FACTS - 4);
  expect(shown.code).toBe(0);
  expect(shown.stderr).toContain(`facts up to ${last} are good`);
}, 60_000);

test('one damaged session is in nobody else’s way', async () => {
  const file = await writeLedger();
  writeFileSync(file, flipped(readFileSync(file), 60, 0xff));
  mkdirSync(path.join(place.home, 'sessions', 'empty'), { recursive: true });
  const listed = await runBelay(place, ['sessions', 'list']);
  expect(listed.code).toBe(0);
  expect(listed.stdout).toContain(SESSION);
  const ran = await runBelay(place, ['run', 'Go.', '--session', 'other', '--model', `scripted/${place.script}`]);
  expect(ran.code).toBe(10);
}, 20_000);
