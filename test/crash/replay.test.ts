import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { decide, type Fact, fold, initialState, type State } from '#kernel';
import { openStore } from '#ledger';
import { createMasker } from '#permission';
import { replay } from '../../src/surfaces/cli/commands/replay.ts';
import type { CliDeps } from '../../src/surfaces/cli/contract.ts';
import { makePlace, type Place, runArguments, runBelay, SESSION } from './scenario.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

async function finished(): Promise<readonly Fact[]> {
  const ran = await runBelay(place, runArguments(place));
  expect(ran.code).toBe(0);
  return (await openStore({ home: place.home }).openReader(SESSION)).facts;
}

/** Everything but reading the ledger, and hiding secrets in what is told, throws: model, tools, workspace, lock. */
const onlyReading = (facts: readonly Fact[]): CliDeps =>
  new Proxy({} as CliDeps, {
    get(_, name) {
      if (name === 'secretMask') return async () => createMasker({});
      if (name !== 'read') throw new Error(`replay touched ${String(name)}`);
      return async () => ({
        ok: true,
        value: { sessionId: SESSION, facts, folder: place.home, damage: null, torn: null },
      });
    },
  });

async function replayed(facts: readonly Fact[], at: number): Promise<{ state: State; next: unknown }> {
  let text = '';
  const printer = {
    out: (line: string) => {
      text += line;
    },
    note: () => undefined,
    stream: () => undefined,
    outFailure: async () => null,
  };
  const code = await replay(SESSION, { at }, { deps: onlyReading(facts), printer });
  expect(code).toBe(0);
  return JSON.parse(text);
}

test('replay of every prefix gives the state that was, with model and tools that throw if touched', async () => {
  const facts = await finished();
  expect(facts.length).toBeGreaterThan(50);
  const plain = (value: unknown) => JSON.parse(JSON.stringify(value));
  let live = initialState;
  for (let at = 0; at <= facts.length; at++) {
    live = fold(facts.slice(at === 0 ? 0 : at - 1, at), live);
    const { state, next } = await replayed(facts, at);
    expect(state).toEqual(plain(live));
    expect(next).toEqual(plain(decide(live)));
  }
}, 30_000);

test('the real program replays without workspace and script, and leaves no trace', async () => {
  const facts = await finished();
  rmSync(place.work, { recursive: true });
  renameSync(place.script, `${place.script}.away`);
  const before = contentOf(place.home);
  const cwd = { ...place, work: place.folder };
  for (const at of [1, 17, facts.length >> 1, facts.length]) {
    const ran = await runBelay(cwd, ['replay', SESSION, '--at', String(at)]);
    expect({ at, code: ran.code, stderr: ran.stderr }).toEqual({ at, code: 0, stderr: '' });
    expect(JSON.parse(ran.stdout).state).toEqual(JSON.parse(JSON.stringify(fold(facts.slice(0, at)))));
  }
  const whole = await runBelay(cwd, ['replay', SESSION]);
  expect(JSON.parse(whole.stdout)).toMatchObject({ at: facts.length, standing: { exitCode: 0, verified: true } });
  const beyond = await runBelay(cwd, ['replay', SESSION, '--at', String(facts.length + 1)]);
  expect(beyond.code).toBe(42);
  expect(contentOf(place.home)).toBe(before);
}, 30_000);

/** Names, times and bytes of everything below a folder. */
function contentOf(folder: string): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const file = path.join(folder, name);
    const { mtimeMs } = statSync(file);
    hash.update(`${name} ${mtimeMs}\n`);
    if (statSync(file).isFile()) hash.update(readFileSync(file));
  }
  return hash.digest('hex');
}
