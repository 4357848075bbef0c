/** The state kept beside a ledger: it saves time, and never makes another session of it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { type Fact, type FactBody, fold, initialState, type State } from '#kernel';
import { type Mark, openStore } from '#ledger';
import { createFirstReading } from '../../src/assembly/sessions/first-reading.ts';
import { keepState, recallState } from '../../src/assembly/sessions/kept-state.ts';
import { openKnown } from '../../src/assembly/sessions/opening.ts';
import { makePlace, type Place } from '../e2e/belay.ts';
import { bash, fix, say } from '../e2e/turns.ts';
import { arbitraryBody } from '../ledger/arbitrary-fact.ts';

const folders: string[] = [];
const fresh = (): string => {
  const folder = mkdtempSync(path.join(tmpdir(), 'belay-kept-'));
  folders.push(folder);
  return folder;
};
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const place = { bytes: 234_567, sha256: 'ab'.repeat(32) };
const file = (folder: string) => path.join(folder, 'state.json');

test('a state that was kept and what follows it is the fold of all facts, for every cut', async () => {
  const folder = fresh();
  await fc.assert(
    fc.asyncProperty(fc.array(arbitraryBody(), { maxLength: 25 }), async (bodies) => {
      // The numbers are those of a session that is long enough to be kept.
      const facts = bodies.map((body, i) => ({ ...body, seq: 5001 + i, ts: i * 7 }) as Fact);
      const whole = fold(facts);
      for (let n = 1; n <= facts.length; n++) {
        const state = fold(facts.slice(0, n));
        await keepState(folder, { mark: { seq: state.seq, ...place }, state });
        const kept = recallState(folder);
        expect(kept).toEqual({ mark: { seq: state.seq, ...place }, state });
        expect(fold(facts.slice(n), kept?.state)).toEqual(whole);
        expect(JSON.stringify(fold(facts.slice(n), kept?.state))).toBe(JSON.stringify(whole));
      }
    }),
    { numRuns: 60 },
  );
}, 60_000);

const long = (): { mark: Mark; state: State } => ({
  mark: { seq: 2345, ...place },
  state: { ...initialState, seq: 2345, cwd: 'src', todos: [{ content: 'x', activeForm: 'x', status: 'pending' }] },
});

test('a file that is not whole, was changed at any byte or is of another code is passed over', async () => {
  const folder = fresh();
  expect(recallState(folder)).toBe(null);
  await keepState(folder, long());
  const bytes = readFileSync(file(folder));
  expect(recallState(folder)).toEqual(long());
  for (let at = 0; at < bytes.length; at++) {
    writeFileSync(file(folder), bytes.subarray(0, at));
    expect(recallState(folder)).toBe(null);
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] as number) ^ 1;
    writeFileSync(file(folder), changed);
    expect(recallState(folder)).toBe(null);
  }
  writeFileSync(file(folder), Buffer.concat([bytes, Buffer.from(' ')]));
  expect(recallState(folder)).toBe(null);
});

test('nothing is kept of a short session, of a state that is not at the mark, or where it cannot be written', async () => {
  const folder = fresh();
  const { mark, state } = long();
  await keepState(folder, { mark: { ...mark, seq: 20 }, state: { ...state, seq: 20 } });
  await keepState(folder, { mark, state: { ...state, seq: mark.seq - 1 } });
  await keepState(path.join(folder, 'missing'), { mark, state });
  expect(recallState(folder)).toBe(null);
});

test('a state is believed only of the ledger that bears its mark', async () => {
  const home = fresh();
  const store = openStore({ home });
  const bodies = (id: string): FactBody[] => [
    { type: 'session.created', sessionId: id, workspace: '/w', version: '1' },
    { type: 'mode.changed', mode: 'plan', by: 'user' },
    ...Array.from({ length: 2100 }, (_, i): FactBody => ({ type: 'backoff.ended', waitedMs: i })),
  ];
  for (const id of ['a', 'b']) {
    const ledger = await store.create(id);
    await ledger.append(bodies(id));
    await keepState(ledger.folder ?? '', { mark: ledger.mark() as Mark, state: fold(ledger.read()) });
    await ledger.append([{ type: 'mode.changed', mode: 'acceptEdits', by: 'user' }]);
    await ledger.close();
  }
  const opened = async (id: string, recall = recallState) => {
    let recalled = 0;
    const reading = createFirstReading((folder) => {
      recalled++;
      return recall(folder);
    });
    const ledger = await store.openWriter(id, reading);
    const facts = [...ledger.read()];
    await ledger.close();
    expect(recalled).toBe(1);
    expect(reading.state()).toEqual(fold(facts));
    const plain = createFirstReading(() => null);
    plain.see(facts);
    expect(reading.projector().request()).toEqual(plain.projector().request());
    return reading.state();
  };
  expect(await opened('a')).toMatchObject({
    sessionId: 'a',
    settings: { mode: 'acceptEdits', modeBeforePlan: 'acceptEdits' },
  });
  // That of another session, with a checksum that is right.
  expect((await opened('a', () => recallState(path.join(home, 'sessions', 'b')))).sessionId).toBe('a');
  // One that says something else at a place that the ledger does have.
  const lying = { ...(recallState(path.join(home, 'sessions', 'a')) as { mark: Mark; state: State }) };
  expect((await opened('a', () => ({ ...lying, mark: { ...lying.mark, sha256: place.sha256 } }))).sessionId).toBe('a');
  // Shown nothing, a reading knows nothing: a store of another make may have no use for it.
  const unread = createFirstReading(recallState);
  unread.known?.(path.join(home, 'sessions', 'a'));
  expect(unread.state()).toEqual(initialState);
});

const signal = new AbortController().signal;

/** A scripted model counts the answers that a session has had. */
const scriptOf = (place: Place) =>
  place.script([...fix, bash('true'), ...Array.from({ length: 8 }, () => say('Done.'))]);

async function reopened(place: Place, words: string) {
  const around = {
    store: openStore({ home: place.home }),
    env: { ...process.env, BELAY_HOME: place.home },
    cwd: place.folder,
  };
  const made = await openKnown({ sessionId: 's', settings: { model: scriptOf(place) }, signal }, around);
  if (!made.ok) throw new Error(made.error.message);
  const before = made.value.session.state;
  const pull = await made.value.session.run(words);
  const { state } = made.value.session;
  await made.value.close('done');
  return { before, pull, state };
}

test('a session goes on with the state that its last run left behind, as it would without', async () => {
  const place = makePlace();
  await place.belay([
    'run',
    'Fix it.',
    '--session',
    's',
    '--permission-mode',
    'bypassPermissions',
    '--model',
    scriptOf(place),
  ]);
  const ledger = await openStore({ home: place.home }).openWriter('s');
  for (let i = 0; i < 20; i++) {
    await ledger.append(Array.from({ length: 120 }, (): FactBody => ({ type: 'backoff.ended', waitedMs: i })));
  }
  const folder = ledger.folder ?? '';
  await ledger.close();
  const first = await reopened(place, 'And?');
  const kept = recallState(folder);
  const facts = await place.facts('s');
  expect(first.pull.kind).toBe('finish');
  expect(kept?.state).toEqual(fold(facts));
  const second = await reopened(place, 'And now?');
  expect(second.before).toEqual(fold((await place.facts('s')).slice(0, second.before.seq)));
  expect(recallState(folder)?.mark.seq).toBeGreaterThan(kept?.mark.seq ?? 0);
  // An older one is as good: what follows it is folded. None, or a broken one, costs only time.
  await keepState(folder, kept as NonNullable<typeof kept>);
  const third = await reopened(place, 'Still there?');
  rmSync(file(folder));
  writeFileSync(file(folder), 'nonsense');
  const fourth = await reopened(place, 'Goodbye?');
  for (const { before, state } of [third, fourth]) {
    const all = await place.facts('s');
    expect(before).toEqual(fold(all.slice(0, before.seq)));
    expect(state).toEqual(fold(all.slice(0, state.seq)));
  }
  expect((await place.facts('s')).filter(({ type }) => type === 'session.pause')).toEqual([]);
}, 60_000);
