/** A ledger that was cut or emptied is whole up to its end; what was noted beside it tells that there was more. */
import { cpSync, existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FactBody } from '#kernel';
import { openStore, realDisk, type Store } from '#ledger';
import { created, errorOf, freshStore, logOf, said } from './support.ts';

const detached: FactBody = { type: 'executor.detached', executorId: 'x', reason: 'end' };
const endOf = (store: Store) => join(dirname(logOf(store, 's')), 'ledger.end');

/** Six facts, flushed and left; `size` is where the ledger ended behind the fourth. */
async function left(store: Store, last: FactBody = said('f')): Promise<number> {
  const ledger = await store.create('s');
  await ledger.append([created('s'), said('b')]);
  await ledger.append([said('c'), said('d')]);
  const { size } = statSync(logOf(store, 's'));
  await ledger.append([said('e'), last]);
  await ledger.flush();
  await ledger.close();
  return size;
}

describe('a ledger that lost its end', () => {
  it.each([
    ['at a fact', 0],
    ['in the middle of one', 20],
  ])('%s is damage to everybody, until it is mended', async (_name, more) => {
    const store = freshStore();
    const size = await left(store);
    truncateSync(logOf(store, 's'), size + more);
    const problem = 'the ledger ends here, but 6 facts were stored';
    expect(await errorOf(() => store.openWriter('s'))).toMatchObject({
      code: 'damaged',
      message: expect.stringContaining(problem),
    });
    // Nothing was cut: the rest of the file may still be of use.
    expect(statSync(logOf(store, 's')).size).toBe(size + more);
    expect((await store.openReader('s')).damage).toMatchObject({ offset: size, lastGoodSeq: 4, problem });
    expect(await store.list()).toMatchObject([{ damaged: true, lastSeq: 4 }]);
    expect(await store.repair('s', () => [])).toMatchObject({ offset: size, lost: 2, later: 0 });
    const { facts, damage } = await store.openReader('s');
    expect(damage).toBeNull();
    expect(facts.map(({ type }) => type).slice(3)).toEqual([
      'input.received',
      'record.lost',
      'record.lost',
      'ledger.repaired',
    ]);
    expect(await store.list()).toMatchObject([{ damaged: false }]);
    await (await store.openWriter('s')).close();
  });

  it('and was killed behind a flush has lost what came before that flush', async () => {
    const store = freshStore();
    const ledger = await store.create('s');
    await ledger.append([created('s'), said('b')]);
    await ledger.flush();
    const { size } = statSync(logOf(store, 's'));
    await ledger.append([said('c')]);
    await ledger.flush();
    await ledger.append([said('d')]);
    // As a kill leaves it: nothing else of the writer is there.
    const home = freshStore();
    cpSync(dirname(logOf(store, 's')), dirname(logOf(home, 's')), { recursive: true });
    await ledger.close();
    truncateSync(logOf(home, 's'), size);
    expect((await home.verify('s')).report.damage).toMatchObject({
      lastGoodSeq: 2,
      problem: 'the ledger ends here, but 3 facts were stored',
    });
  });

  it('and all the rest never counts as one that never began', async () => {
    const store = freshStore();
    await left(store);
    writeFileSync(logOf(store, 's'), '');
    const problem = 'the ledger is empty, but its session had begun: 6 facts were stored';
    expect(await errorOf(() => store.openWriter('s'))).toMatchObject({ code: 'damaged' });
    expect((await store.openReader('s')).damage).toMatchObject({ offset: 0, lastGoodSeq: 0, problem });
    expect(await store.list()).toMatchObject([{ damaged: true }]);
    expect(await store.repair('s', () => [])).toBeNull();
  });
});

describe('the note', () => {
  it('is made at each flush, for whoever is killed, and at the end; it tells of what is on disk', async () => {
    const store = freshStore();
    const ledger = await store.create('s');
    await ledger.append([created('s')]);
    expect(existsSync(endOf(store))).toBe(false);
    await ledger.flush();
    expect(readFileSync(endOf(store), 'latin1')).toBe('1\n');
    await ledger.append([said('b')]);
    expect(readFileSync(endOf(store), 'latin1')).toBe('1\n');
    await ledger.flush();
    expect(readFileSync(endOf(store), 'latin1')).toBe('2\n');
    await ledger.append([said('c')]);
    await ledger.close();
    expect(readFileSync(endOf(store), 'latin1')).toBe('2\n');
  });

  it('is written over: of a longer one nothing stays', async () => {
    const store = freshStore();
    await left(store);
    writeFileSync(endOf(store), 'nonsense that is long\n');
    const ledger = await store.openWriter('s');
    await ledger.append([said('g')]);
    await ledger.flush();
    expect(readFileSync(endOf(store), 'latin1')).toBe('7\n');
    await ledger.close();
  });

  it('may lag behind, be missing or be nonsense', async () => {
    const store = freshStore();
    await left(store);
    for (const text of ['3\n', '', '9', 'x\n', '-9\n', '9.5\n', '0\n', '9999999999\n']) {
      writeFileSync(endOf(store), text);
      expect((await store.openReader('s')).damage, text).toBeNull();
    }
    rmSync(endOf(store));
    expect((await store.openReader('s')).damage).toBeNull();
    await (await store.openWriter('s')).close();
    // Who only looks leaves none.
    expect(existsSync(endOf(store))).toBe(false);
  });

  it('is not asked for by the list of a session that was left in order', async () => {
    const store = freshStore();
    await left(store, detached);
    writeFileSync(endOf(store), '9\n');
    expect(await store.list()).toMatchObject([{ damaged: false }]);
    expect((await store.openReader('s')).damage).not.toBeNull();
  });

  it('is no proof against a reader that is overtaken by the writer', async () => {
    let more = async () => {};
    const home = freshStore();
    const writer = await home.create('s');
    await writer.append([created('s')]);
    await writer.flush();
    // Whoever reads sees the file as it was; before it asks for the note, the writer has gone on and left.
    const overtaken = openStore({
      home: home.home,
      disk: {
        ...realDisk,
        close(fd) {
          realDisk.close(fd);
        },
        read(...args) {
          const got = realDisk.read(...args);
          void more();
          return got;
        },
      },
    });
    more = async () => {
      more = async () => {};
      void writer.append([said('b'), said('c')]);
      writeFileSync(endOf(home), '3\n');
    };
    expect(await overtaken.list()).toMatchObject([{ damaged: false }]);
    more = async () => {
      more = async () => {};
      void writer.append([said('d')]);
      writeFileSync(endOf(home), '4\n');
    };
    expect((await overtaken.openReader('s')).damage).toBeNull();
    await writer.close();
  });
});
