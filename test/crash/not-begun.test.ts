/** A program that is killed while it starts a session: what is left can be told, begun or removed. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openStore } from '#ledger';
import { faultsOf, makePlace, type Place, runArguments, runBelay, SESSION, startAgent } from './scenario.ts';

// Each test starts several whole programs, on machines that have more to do.
vi.setConfig({ testTimeout: 90_000 });

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const belay = (...words: readonly string[]) => runBelay(place, words);
const listed = async () =>
  (await openStore({ home: place.home }).list()).map(({ state, lastSeq }) => ({ state, lastSeq }));

describe('killed before the first turn', () => {
  test('with its first facts: resume says so, and words begin it', async () => {
    expect((await startAgent(place, runArguments(place), { at: 'append', n: 1 }).ended).signal).toBe('SIGKILL');
    expect((await listed())[0]).toMatchObject({ state: 'new' });
    const refused = await belay('resume', SESSION);
    expect(refused.code).toBe(42);
    expect(refused.stderr).toContain(
      `session ${SESSION} was stopped before its first turn, and what it was to do is not recorded: belay resume ${SESSION} "…" begins it; nothing was done`,
    );
    expect((await belay('sessions', 'list')).stdout).toContain('  not begun   ');
    expect((await belay('sessions', 'show', SESSION)).stdout).toContain(`belay resume ${SESSION} "…" begins it`);
    const ran = await belay('resume', SESSION, 'Make the sum right.', '--output-format', 'json');
    expect(await faultsOf(place, ran)).toEqual([]);
  });

  test('before anything was recorded: all commands say so, and run begins it anew', async () => {
    expect((await startAgent(place, runArguments(place), { at: 'disk', n: 0 }).ended).signal).toBe('SIGKILL');
    expect(await listed()).toEqual([{ state: 'new', lastSeq: 0 }]);
    const refused = await belay('resume', SESSION, 'Go on.');
    expect(refused.code).toBe(42);
    expect(refused.stderr).toContain(`session ${SESSION} was stopped before anything of it was recorded`);
    expect(refused.stderr).toContain(`belay run --session ${SESSION} "…" begins it anew`);
    expect((await belay('sessions', 'show', SESSION)).stdout).toContain(`belay run --session ${SESSION} "…" begins it`);
    expect(await faultsOf(place, await runBelay(place, runArguments(place)))).toEqual([]);
  });

  test('while its folder was made: the name is free', async () => {
    mkdirSync(path.join(place.home, 'sessions', SESSION, 'blobs'), { recursive: true });
    expect((await belay('resume', SESSION)).code).toBe(42);
    expect(await faultsOf(place, await runBelay(place, runArguments(place)))).toEqual([]);
  });

  test('one that has facts, or is damaged, is never begun anew', async () => {
    const store = openStore({ home: place.home });
    await (await store.create(SESSION)).close();
    writeFileSync(path.join(place.home, 'sessions', SESSION, 'ledger.log'), 'no ledger at all, but somebody wrote it');
    const refused = await runBelay(place, runArguments(place));
    expect(refused.code).toBe(56);
    expect(refused.stderr).toContain('is damaged');
  });
});
