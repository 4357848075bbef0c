import { mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FactBody } from '#kernel';
import { realDisk, type SessionState, type Store } from '#ledger';
import { ledgerOf, plant, sampleLedger } from './log/sample.ts';
import { created, freshStore, logOf, said, waited } from './support.ts';

const begin: FactBody = { type: 'session.start', turnId: 't', goal: 'climb', planner: 'model' };
const pause: FactBody = { type: 'session.pause', reason: 'interrupted', from: 'executing' };
const resume: FactBody = { type: 'session.resume', to: 'executing' };
const complete: FactBody = { type: 'session.complete', reason: 'goal_met' };

const written = async (store: Store, id: string, batches: FactBody[][]): Promise<void> => {
  const ledger = await store.create(id);
  for (const batch of batches) await ledger.append(batch);
  await ledger.close();
};

describe('the list of sessions', () => {
  it('tells of each what its ledger says', async () => {
    const store = freshStore();
    await written(store, 'a', [[created('a'), begin], [waited(1)]]);
    const [summary] = await store.list();
    expect(summary).toMatchObject({
      sessionId: 'a',
      workspace: '/work/place',
      goal: 'climb',
      lastSeq: 3,
      state: 'open',
      damaged: false,
    });
    const { facts } = await store.openReader('a');
    expect(summary).toMatchObject({ createdMs: facts[0]!.ts, changedMs: facts.at(-1)!.ts });
  });

  it.each([
    ['of its first batch', [0]],
    ['in the middle', [40]],
    ['at its end', [79]],
    ['in a batch by itself', [80]],
  ])('a whole record that is no fact is told: %s', async (_name, odd) => {
    const store = freshStore();
    const payloads = Array.from(
      { length: 80 },
      (_, i) => `[${i + 1},${i === 0 ? 5 : 0},"input.received",{"text":${odd.includes(i) ? 7 : '"a"'}}]`,
    );
    const last = `[81,5,"input.received",{"text":${odd.includes(80) ? 7 : '"a"'}}]`;
    plant(store, 's', ledgerOf([payloads, [last]]));
    expect(await store.list()).toMatchObject([{ damaged: true, lastSeq: 81 }]);
    expect((await store.openReader('s')).damage).not.toBeNull();
  });

  const states: [SessionState, FactBody[]][] = [
    ['new', []],
    ['new', [created('a')]],
    ['open', [created('a'), begin]],
    ['paused', [created('a'), begin, pause, waited(1)]],
    ['open', [created('a'), begin, pause, resume]],
    ['done', [created('a'), begin, complete]],
    ['open', [created('a'), begin, complete, begin]],
  ];
  for (const [state, facts] of states)
    it(`says ${state} after ${facts.map((fact) => fact.type).join(', ') || 'nothing'}`, async () => {
      const store = freshStore();
      await written(store, 'a', [facts]);
      expect(await store.list()).toMatchObject([{ state, lastSeq: facts.length }]);
    });

  it('is newest first by what the ledgers say, whatever the times of the files are', async () => {
    const store = freshStore();
    for (const [id, at] of [
      ['old', 2000],
      ['middle', 3000],
      ['new', 1000],
    ] as const) {
      // A batch holds its time in its first fact alone.
      await written(store, id, [
        [created(id), begin],
        [pause, resume],
      ]);
      utimesSync(logOf(store, id), at, at);
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
    expect((await store.list()).map(({ sessionId }) => sessionId)).toEqual(['new', 'middle', 'old']);
  });

  it('reads at most 64 KiB of a large session and still knows begin and end', async () => {
    let bytes = 0;
    const disk: typeof realDisk = {
      ...realDisk,
      read: (...args) => {
        const got = realDisk.read(...args);
        bytes += got;
        return got;
      },
    };
    const store = freshStore({ disk });
    const many = Array.from({ length: 300 }, (_, i) => [said(`${i} ${'x'.repeat(1000)}`), waited(i)]);
    await written(store, 'large', [[created('large'), begin], ...many, [pause]]);
    bytes = 0;
    expect(await store.list()).toMatchObject([{ goal: 'climb', lastSeq: 603, state: 'paused', damaged: false }]);
    expect(bytes).toBeLessThanOrEqual(64 * 1024);
  });

  it('finds begin and end beside facts that are larger than what it reads', async () => {
    const store = freshStore();
    const huge = said('x'.repeat(100_000));
    await written(store, 'head', [[created('head'), begin, huge], [waited(1)], [complete]]);
    await written(store, 'tail', [[created('tail'), begin], [huge]]);
    const byId = new Map((await store.list()).map((summary) => [summary.sessionId, summary]));
    expect(byId.get('head')).toMatchObject({ goal: 'climb', lastSeq: 5, state: 'done', damaged: false });
    expect(byId.get('tail')).toMatchObject({ goal: 'climb', lastSeq: 3, damaged: false });
  });

  it('shows a damaged session as damaged, at every byte of a small one', async () => {
    const sample = await sampleLedger();
    const store = freshStore();
    for (let at = 0; at < sample.bytes.length; at += 11) {
      const bytes = Buffer.from(sample.bytes);
      bytes[at] = bytes[at]! ^ 0x10;
      plant(store, 'a', bytes);
      expect(await store.list(), `byte ${at}`).toMatchObject([{ damaged: true }]);
    }
  });

  it('does not call an interrupted append damage', async () => {
    const sample = await sampleLedger();
    const store = freshStore();
    for (let length = 0; length < sample.bytes.length; length += 7) {
      plant(store, 'a', sample.bytes.subarray(0, length));
      const facts = sample.ends.findLast((end) => end.offset <= length)!.facts;
      expect(await store.list(), `length ${length}`).toMatchObject([{ damaged: false, lastSeq: facts }]);
    }
  });

  it('is not held up by whatever lies in the folder', async () => {
    const store = freshStore();
    await written(store, 'good', [[created('good')]]);
    const place = join(store.home, 'sessions');
    mkdirSync(join(place, 'empty'));
    mkdirSync(join(place, 'folder-as-ledger', 'ledger.log'), { recursive: true });
    writeFileSync(join(place, 'file'), 'x');
    symlinkSync('/nowhere', join(place, 'dangling'));
    mkdirSync(join(place, '.removed-x'));
    plant(store, 'nonsense', Buffer.from('nonsense'));
    const summaries = await store.list();
    expect(summaries.find(({ sessionId }) => sessionId === 'good')).toMatchObject({ damaged: false });
    expect(
      summaries
        .filter(({ damaged }) => damaged)
        .map(({ sessionId }) => sessionId)
        .sort(),
    ).toEqual(['folder-as-ledger', 'nonsense']);
    expect(summaries).toHaveLength(3);
  });

  it('goes on with a session whose file is taken away meanwhile', async () => {
    const store = freshStore({
      disk: {
        ...realDisk,
        open: (path, flags, mode) => {
          if (flags === 'r' && path.includes('gone')) rmSync(path, { force: true });
          return realDisk.open(path, flags, mode);
        },
      },
    });
    plant(store, 'gone', Buffer.alloc(0));
    plant(store, 'here', Buffer.alloc(0));
    expect((await store.list()).map(({ sessionId }) => sessionId)).toEqual(['here']);
    expect(readFileSync(logOf(store, 'here'))).toHaveLength(0);
  });
});
