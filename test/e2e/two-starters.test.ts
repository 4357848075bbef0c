/** Two programs begin one session at the same time: one of them goes on, and nothing of it is lost to the other. */
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '#ledger';
import { ended, makePlace, type Place } from './belay.ts';
import { bash, say } from './turns.ts';

function starter(place: Place, env: { readonly [name: string]: string } = {}) {
  const model = place.script([bash('echo ran >> log.txt'), say('Done.')]);
  const words = ['run', 'Go.', '--session', 's', '--model', model, '--permission-mode', 'bypassPermissions'];
  return ended(place.start(words, { env }));
}

/** A starter that stops for so long between making the folder of its session and locking it. */
function slowly(place: Place, ms: number): { readonly [name: string]: string } {
  const file = path.join(place.folder, `slow-${ms}.cjs`);
  writeFileSync(
    file,
    `const fs = require('node:fs');
const real = fs.realpathSync;
let isOver = false;
const slow = (...args) => {
  if (!isOver && String(args[0]).endsWith('sessions/s')) {
    isOver = true;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${ms});
  }
  return real(...args);
};
slow.native = real.native;
fs.realpathSync = slow;
require('node:module').syncBuiltinESMExports();\n`,
  );
  return { NODE_OPTIONS: `--require ${file}` };
}

const begun = async (place: Place) => {
  const { facts, damage } = await openStore({ home: place.home }).openReader('s');
  const count = (type: string) => facts.filter((fact) => fact.type === type).length;
  return { created: count('session.created'), ended: count('session.complete'), damage };
};
const once = { created: 1, ended: 1, damage: null };

test('at once: one goes on, the other is told that it is held or there', async () => {
  const place = makePlace();
  const both = await Promise.all([starter(place), starter(place)]);
  expect(both.filter(({ code }) => code === 0)).toHaveLength(1);
  const [other] = both.filter(({ code }) => code !== 0);
  expect([42, 56]).toContain(other?.code);
  expect(other?.stderr).toMatch(/session s (is held by process|exists already)/);
  expect([await begun(place), place.file('log.txt')]).toEqual([once, 'ran\n']);
});

test('one that wakes after the other has finished takes nothing from it', async () => {
  const place = makePlace();
  const slow = starter(place, slowly(place, 6000));
  // Its folder is there, and its lock is not.
  while (!existsSync(path.join(place.home, 'sessions/s/ledger.log'))) await new Promise((soon) => setTimeout(soon, 20));
  expect(await starter(place)).toMatchObject({ code: 0, stdout: 'Done.\n' });
  expect(await slow).toMatchObject({ code: 42, stderr: expect.stringContaining('session s exists already') });
  expect([await begun(place), place.file('log.txt')]).toEqual([once, 'ran\n']);
});

test('one that found it empty and wakes after another has begun it takes nothing from it', async () => {
  const place = makePlace();
  await (await openStore({ home: place.home }).create('s')).close();
  const slow = starter(place, slowly(place, 6000));
  await new Promise((soon) => setTimeout(soon, 1500));
  expect(await starter(place)).toMatchObject({ code: 0, stdout: 'Done.\n' });
  expect(await slow).toMatchObject({ code: 42, stderr: expect.stringContaining('session s exists already') });
  expect([await begun(place), place.file('log.txt')]).toEqual([once, 'ran\n']);
});
