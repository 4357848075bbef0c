/** A ledger where the machine is not kind: stopped holders, reused pids, closed descriptors, copies, lost pages. */
import { appendFileSync, copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FactBody } from '#kernel';
import { openStore, realDisk, type Store } from '#ledger';
import { start } from './processes.ts';
import { created, errorOf, freshStore, logOf, said, temporaryFolder } from './support.ts';

async function made(bodies: readonly FactBody[] = [said('one'), said('two')]): Promise<Store> {
  const store = freshStore();
  const ledger = await store.create('a');
  await ledger.append([created('a')]);
  for (const body of bodies) await ledger.append([body]);
  await ledger.close();
  return store;
}

const texts = async (store: Store): Promise<string[]> =>
  (await store.openReader('a')).facts.flatMap((fact) => (fact.type === 'input.received' ? [fact.text] : []));

describe('the holder', { timeout: 60_000 }, () => {
  it('that is stopped keeps the session, is named, and loses nothing when it goes on', async () => {
    const store = await made();
    const holder = start('contend', store.home);
    await holder.line();
    holder.say('go a');
    expect(await holder.line()).toBe('won');
    holder.child.kill('SIGSTOP');
    const error = await errorOf(() => store.openWriter('a'));
    expect(error).toMatchObject({ code: 'locked' });
    expect(error.message).toContain(String(holder.child.pid));
    // Whoever only reads is in nobody's way.
    expect(await texts(store)).toEqual(['one', 'two']);
    holder.child.kill('SIGCONT');
    holder.say('done');
    expect(await holder.line()).toBe('free');
    const ledger = await store.openWriter('a');
    expect(ledger.lastSeq).toBe(4);
    await ledger.close();
  });

  it('of another life with the pid that we have now holds nothing', async () => {
    const store = await made();
    const owner = join(dirname(logOf(store, 'a')), 'owner.json');
    writeFileSync(owner, JSON.stringify({ pid: process.pid, host: 'this container, before its restart', sinceMs: 1 }));
    const ledger = await store.openWriter('a');
    await ledger.append([said('three')]);
    await ledger.close();
    expect(await texts(store)).toEqual(['one', 'two', 'three']);
  });
});

describe('the file', { timeout: 60_000 }, () => {
  it('whose descriptor was closed under the writer takes no fact, and is whole for the next one', async () => {
    const { home } = await made();
    let descriptor = -1;
    const disk: typeof realDisk = {
      ...realDisk,
      open(path, flags, mode) {
        const fd = realDisk.open(path, flags, mode);
        if (flags === 'r+') descriptor = fd;
        return fd;
      },
    };
    const store = openStore({ home, disk });
    const ledger = await store.openWriter('a');
    realDisk.close(descriptor);
    expect((await errorOf(() => ledger.append([said('lost')]))).code).toBe('io');
    await ledger.close().catch(() => {});
    const fresh = openStore({ home });
    const next = await fresh.openWriter('a');
    expect(next.torn).toBeNull();
    await next.append([said('three')]);
    await next.close();
    expect(await texts(fresh)).toEqual(['one', 'two', 'three']);
  });

  it('copied at any instant while it is written is a valid prefix', async () => {
    const home = join(temporaryFolder(), 'data');
    const writer = start('write-on', home, 'a');
    await writer.line();
    const log = join(home, 'sessions', 'a', 'ledger.log');
    let longest = 0;
    for (let n = 0; n < 40; n++) {
      const copy = freshStore();
      await (await copy.create('a')).close();
      copyFileSync(log, logOf(copy, 'a'));
      const { facts, damage } = await copy.openReader('a');
      expect(damage).toBeNull();
      expect(facts.map((fact) => fact.seq)).toEqual(facts.map((_, i) => i + 1));
      expect(facts.length).toBeGreaterThanOrEqual(longest);
      longest = facts.length;
      const ledger = await copy.openWriter('a');
      await ledger.append([said('on')]);
      await ledger.close();
    }
    await writer.kill();
  });

  it('that lost a page in its middle is damaged there, is readable up to there, and can be repaired', async () => {
    const store = await made(Array.from({ length: 60 }, (_, i) => said(`${i} ${'x'.repeat(300)}`)));
    const bytes = readFileSync(logOf(store, 'a'));
    bytes.fill(0, 4096, 8192);
    writeFileSync(logOf(store, 'a'), bytes);
    const error = await errorOf(() => store.openWriter('a'));
    expect(error.code).toBe('damaged');
    expect(error.offset).toBeLessThan(8192);
    const before = await texts(store);
    const done = await store.repair('a', () => []);
    expect(done?.later).toBeGreaterThan(30);
    const after = await texts(store);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.at(-1)).toMatch(/^59 /);
    expect(after.length + (done?.lost ?? 0)).toBe(60);
  });

  it('that ends in a block of zeros lost nothing that was told', async () => {
    const store = await made();
    appendFileSync(logOf(store, 'a'), Buffer.alloc(8192));
    const ledger = await store.openWriter('a');
    expect(existsSync(ledger.torn?.keptIn ?? '')).toBe(true);
    await ledger.close();
    expect(await texts(store)).toEqual(['one', 'two']);
  });
});
