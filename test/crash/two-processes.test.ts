import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openStore } from '#ledger';
import type { Cut } from './cut.ts';
import {
  type Ended,
  faultsOf,
  ledgerFaults,
  linesIn,
  makePlace,
  type Place,
  resultOf,
  resumeArguments,
  runArguments,
  runBelay,
  SESSION,
  startAgent,
  startBelay,
} from './scenario.ts';
import { until } from './wait.ts';

let place: Place;
afterEach(() => place.remove());

test.each([2, 8])(
  'of %i processes that resume one session at once exactly one goes on',
  async (many) => {
    place = makePlace({ held: true });
    await startAgent(place, runArguments(place), { at: 'running', n: 1 }).ended;
    const started = Array.from({ length: many }, () => startBelay(place, resumeArguments));
    const refused: Ended[] = [];
    for (const { ended } of started) void ended.then((one) => refused.push(one));
    await until(() => refused.length === many - 1);
    const winner = started.find(({ child }) => child.exitCode === null);
    for (const one of refused.splice(0)) {
      expect({ code: one.code, stderr: one.stderr }).toEqual({
        code: 56,
        stderr: expect.stringContaining(`session ${SESSION} is held by process ${winner?.child.pid}`),
      });
      expect(resultOf(one)).toMatchObject({ type: 'result', exit_code: 56 });
    }
    rmSync(place.hold);
    const last = await winner?.ended;
    expect(last === undefined ? ['nobody won'] : await faultsOf(place, last)).toEqual([]);
  },
  60_000,
);

/** A run that waits for an approval of its edit. */
async function waiting(): Promise<void> {
  place = makePlace();
  const args = runArguments(place).filter(
    (arg, i, all) => arg !== 'Edit(**)' && !(arg === '--allow' && all[i + 1] === 'Edit(**)'),
  );
  const ran = await runBelay(place, args);
  expect({ code: ran.code, stderr: ran.stderr }).toMatchObject({ code: 10 });
}

const inbox = () =>
  readdirSync(path.join(place.home, 'sessions', SESSION, 'inbox')).filter((name) => !name.startsWith('.'));

async function approvals(): Promise<number> {
  const { facts } = await openStore({ home: place.home }).openReader(SESSION);
  return facts.filter((fact) => fact.type === 'approval.resolved').length;
}

test('approve while another process holds the session is left for it, and not lost when that one is killed', async () => {
  for (const cut of [
    { at: 'append', n: 1 },
    { at: 'flushed', n: 1 },
    { at: 'disk', n: 3 },
    { at: 'disk', n: 9 },
  ] satisfies Cut[]) {
    await waiting();
    const holder = await openStore({ home: place.home }).openWriter(SESSION);
    const left = await runBelay(place, ['approve', SESSION]);
    expect({ code: left.code, stdout: left.stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining(`left for the running agent (pid ${process.pid})`),
    });
    expect(inbox()).toHaveLength(1);
    expect(await approvals()).toBe(0);
    await holder.close();
    const killed = await startAgent(place, resumeArguments, cut).ended;
    expect(killed.signal).toBe('SIGKILL');
    const last = await runBelay(place, resumeArguments);
    expect({ cut, faults: await faultsOf(place, last) }).toEqual({ cut, faults: [] });
    expect({ cut, approvals: await approvals(), inbox: inbox() }).toEqual({ cut, approvals: 1, inbox: [] });
    place.remove();
  }
}, 90_000);

test('a message that arrives while a command runs is heard by the running agent', async () => {
  place = makePlace({ held: true });
  const run = startBelay(place, runArguments(place));
  const store = openStore({ home: place.home });
  const facts = async () => {
    try {
      return (await store.openReader(SESSION)).facts;
    } catch {
      return [];
    }
  };
  for (;;) {
    const last = (await facts()).findLast((fact) => fact.type === 'attempt.start');
    if (last?.type === 'attempt.start' && last.effect === 'process') break;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await store.inbox(SESSION).leave({ kind: 'input', text: 'Mind the gap.' });
  await until(async () => (await facts()).some((fact) => fact.type === 'input.received'));
  rmSync(place.hold);
  const ended = await run.ended;
  expect(await faultsOf(place, ended)).toEqual([]);
  expect(inbox()).toEqual([]);
  const all = await facts();
  const heard = all.findIndex((fact) => fact.type === 'input.received');
  const outcome = all.findLastIndex((fact) => fact.type === 'attempt.outcome' && fact.exitCode !== undefined);
  expect(heard).toBeGreaterThan(0);
  expect(heard).toBeLessThan(outcome);
}, 30_000);

test('an approval given twice, before and after the holder is gone, acts once', async () => {
  await waiting();
  const holder = await openStore({ home: place.home }).openWriter(SESSION);
  await runBelay(place, ['approve', SESSION]);
  await runBelay(place, ['approve', SESSION]);
  expect(inbox()).toHaveLength(2);
  await holder.close();
  const last = await runBelay(place, resumeArguments);
  expect(await faultsOf(place, last)).toEqual([]);
  expect(inbox()).toEqual([]);
  expect(linesIn(place.commandRuns)).toBe(1);
  expect(await ledgerFaults(place)).toEqual([]);
}, 30_000);
