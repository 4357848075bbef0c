import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { FactOf } from '#kernel';
import { openStore } from '#ledger';
import {
  faultsOf,
  linesIn,
  makePlace,
  type Place,
  resumeArguments,
  runArguments,
  SESSION,
  startAgent,
  startBelay,
} from './scenario.ts';
import { until } from './wait.ts';

let place: Place;
afterEach(() => place.remove());

const exec = () => path.join(place.home, 'sessions', SESSION, 'exec');
const hasReceipt = (attempt: string) =>
  / end\n/.test(readFileSync(path.join(exec(), attempt, 'rc'), { encoding: 'latin1', flag: 'a+' }));
const facts = async () => (await openStore({ home: place.home }).openReader(SESSION)).facts;
async function outcomeOfCommand(): Promise<FactOf<'attempt.outcome'> | undefined> {
  const all = await facts();
  const command = all.find((fact) => fact.type === 'action.intended' && fact.tool === 'Bash');
  const id = command?.type === 'action.intended' ? command.actionId : '';
  return all.find((fact) => fact.type === 'attempt.outcome' && fact.actionId === id) as FactOf<'attempt.outcome'>;
}

test.each([
  ['the process group of the agent', 'running'],
  ['the outer shell and then the agent', 'shell'],
] as const)(
  '%s is killed while the command runs: resume re-attaches, waits, and has the whole output once',
  async (_, at) => {
    place = makePlace({ held: true });
    const killed = await startAgent(place, runArguments(place), { at, n: 1 }).ended;
    expect(killed.signal).toBe('SIGKILL');
    const resumed = startBelay(place, resumeArguments);
    await until(
      async () =>
        (await facts()).filter((fact) => fact.type === 'executor.attached').length === 2 ||
        resumed.child.exitCode !== null,
    );
    // It is re-attached and waits: nothing is recorded while the command is held.
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(resumed.child.exitCode).toBe(null);
    expect(await outcomeOfCommand()).toBeUndefined();
    rmSync(place.hold);
    expect(await faultsOf(place, await resumed.ended)).toEqual([]);
    const outcome = await outcomeOfCommand();
    expect(outcome).toMatchObject({ status: 'succeeded', exitCode: 0, provenance: 'reconciled' });
    expect(outcome?.output).toMatch(/^started\nended\n/);
  },
  30_000,
);

test('the command ends while no agent lives: the receipt is read', async () => {
  place = makePlace({ held: true });
  await startAgent(place, runArguments(place), { at: 'running', n: 1 }).ended;
  rmSync(place.hold);
  await until(() => linesIn(place.commandRuns) === 1 && existsSync(exec()) && readdirSync(exec()).some(hasReceipt));
  expect(await faultsOf(place, await startBelay(place, resumeArguments).ended)).toEqual([]);
  expect(await outcomeOfCommand()).toMatchObject({ status: 'succeeded', provenance: 'receipt' });
}, 30_000);

test('killed again and again while it waits for the same command: still once', async () => {
  place = makePlace({ held: true });
  await startAgent(place, runArguments(place), { at: 'running', n: 1 }).ended;
  for (let time = 1; time <= 2; time++) {
    const resumed = startBelay(place, resumeArguments);
    await until(async () => (await facts()).filter((fact) => fact.type === 'executor.attached').length === time + 1);
    process.kill(-(resumed.child.pid ?? 0), 'SIGKILL');
    expect((await resumed.ended).signal).toBe('SIGKILL');
  }
  rmSync(place.hold);
  expect(await faultsOf(place, await startBelay(place, resumeArguments).ended)).toEqual([]);
}, 30_000);
