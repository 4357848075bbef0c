import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listSessions, openStore, realDisk, type Store } from '#ledger';
import { plant, sampleLedger } from './log/sample.ts';
import { created, freshStore, logOf, said } from './support.ts';

/** Long enough that the file system tells the next change by another time. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 150));

const indexOf = (store: Store) => join(store.home, 'session-list');

async function made(ids: readonly string[]): Promise<Store> {
  const store = freshStore();
  for (const id of ids) {
    const ledger = await store.create(id);
    await ledger.append([created(id), said(`words of ${id}`)]);
    await ledger.close();
  }
  await settled();
  return store;
}

/** The list, and which ledgers were opened for it. */
async function look(store: Store, program = '') {
  const opened: string[] = [];
  const disk: typeof realDisk = {
    ...realDisk,
    open: (path, flags, mode) => {
      opened.push(path.split('/').at(-2) ?? '');
      return realDisk.open(path, flags, mode);
    },
  };
  return { rows: await listSessions({ home: store.home, program, disk }), opened };
}

it('opens only the ledgers that were changed since the last list', async () => {
  const store = await made(['a', 'b', 'c']);
  const first = await look(store);
  expect(first.opened).toEqual(['a', 'b', 'c']);
  expect(await look(store)).toEqual({ rows: first.rows, opened: [] });
  const ledger = await store.openWriter('b');
  await ledger.append([said('more')]);
  await ledger.close();
  const { rows, opened } = await look(store);
  expect(opened).toEqual(['b']);
  expect(rows.find((row) => row.sessionId === 'b')?.lastSeq).toBe(3);
  expect(rows.filter((row) => row.sessionId !== 'b')).toEqual(first.rows.filter((row) => row.sessionId !== 'b'));
});

it('reads a ledger again that was changed in place, with its length and its time of writing as they were', async () => {
  const store = await made(['a']);
  const [before] = (await look(store)).rows;
  expect(before?.damaged).toBe(false);
  const file = logOf(store, 'a');
  const { atime, mtime } = statSync(file);
  const bytes = readFileSync(file);
  bytes[80] = bytes[80]! ^ 1;
  writeFileSync(file, bytes);
  utimesSync(file, atime, mtime);
  expect((await look(store)).rows).toMatchObject([{ sessionId: 'a', damaged: true }]);
});

it('keeps nothing of a ledger that was changed a moment ago', async () => {
  const store = freshStore();
  const sample = await sampleLedger();
  for (let at = 0; at < 20; at++) {
    plant(store, 'a', sample.bytes);
    expect((await look(store)).rows).toMatchObject([{ damaged: false }]);
    const bytes = Buffer.from(sample.bytes);
    bytes[40 + at] = bytes[40 + at]! ^ 1;
    plant(store, 'a', bytes);
    expect((await look(store)).rows, `byte ${40 + at}`).toMatchObject([{ damaged: true }]);
  }
});

it('throws an index away that is damaged at any byte, cut off, or no index', async () => {
  const store = await made(['a', 'b']);
  const { rows } = await look(store);
  const whole = readFileSync(indexOf(store));
  const spoilt = Array.from(whole, (byte, at) => {
    const bytes = Buffer.from(whole);
    bytes[at] = byte ^ 0x10;
    return bytes;
  });
  const cut = Array.from({ length: 40 }, (_, n) => whole.subarray(0, Math.floor((whole.length * n) / 40)));
  const others = ['null\nnull\n', '[]\n[]\n', '["",[[{},1]]]\n["",[[{},1]]]\n'].map((text) => Buffer.from(text));
  for (const bytes of [...spoilt.filter((_, at) => at % 7 === 0), ...cut, ...others, Buffer.alloc(whole.length)]) {
    writeFileSync(indexOf(store), bytes);
    expect(await look(store), bytes.toString('latin1')).toEqual({ rows, opened: ['a', 'b'] });
  }
  expect((await look(store)).opened).toEqual([]);
});

it('believes no index of another version of the program', async () => {
  const store = await made(['a']);
  const { rows } = await look(store, '1.0.0');
  expect(await look(store, '1.0.1')).toEqual({ rows, opened: ['a'] });
  expect(await look(store, '1.0.1')).toEqual({ rows, opened: [] });
});

it('remembers nothing of a session that was removed', async () => {
  const store = await made(['a', 'b']);
  await look(store);
  expect(readFileSync(indexOf(store), 'utf8')).toContain('"a"');
  await store.remove('a');
  const left = readdirSync(store.home).filter((name) => name !== 'sessions');
  expect(left.filter((name) => readFileSync(join(store.home, name), 'utf8').includes('"a"'))).toEqual([]);
  expect((await look(store)).rows.map((row) => row.sessionId)).toEqual(['b']);
  rmSync(join(store.home, 'sessions', 'b'), { recursive: true });
  expect((await look(store)).rows).toEqual([]);
  expect(readFileSync(indexOf(store), 'utf8')).not.toContain('"b"');
});

it('lists as well where no index can be written', async () => {
  const store = await made(['a']);
  mkdirSync(indexOf(store));
  mkdirSync(join(store.home, 'session-list.new'));
  expect((await look(store)).rows).toMatchObject([{ sessionId: 'a' }]);
  expect(await openStore({ home: store.home }).list()).toMatchObject([{ sessionId: 'a' }]);
  await store.remove('a');
  expect((await look(store)).rows).toEqual([]);
});
