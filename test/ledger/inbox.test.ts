import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { InboxBody, Store } from '#ledger';
import { errorOf, freshStore, logOf } from './support.ts';

const withSession = async (): Promise<{ store: Store; folder: string }> => {
  const store = freshStore();
  await (await store.create('a')).close();
  return { store, folder: join(dirname(logOf(store, 'a')), 'inbox') };
};

const bodies: InboxBody[] = [
  { kind: 'approval', actionId: 'x', verdict: 'approve', by: 'ada' },
  { kind: 'approval', actionId: 'x', verdict: 'deny', by: 'ada', note: 'no\n"really"' },
  { kind: 'settle', actionId: 'x', answer: 'not-applied', by: 'ada' },
  { kind: 'input', text: 'go on ü 🧗' },
  { kind: 'cancel', by: 'ada' },
];

describe('the inbox', () => {
  it('gives messages in order of arrival, as they were left, until they are removed', async () => {
    const { store, folder } = await withSession();
    const inbox = store.inbox('a');
    expect(inbox.isEmpty()).toBe(true);
    const ids: string[] = [];
    for (const body of bodies) ids.push(await inbox.leave(body));
    expect(inbox.isEmpty()).toBe(false);
    expect(await inbox.list()).toEqual({
      messages: bodies.map((body, i) => ({ ...body, id: ids[i] })),
      unreadable: [],
    });
    await inbox.remove(ids[1]!);
    await inbox.remove(ids[1]!);
    expect((await store.inbox('a').list()).messages.map(({ id }) => id)).toEqual(ids.filter((_, i) => i !== 1));
    for (const id of ids) await inbox.remove(id);
    expect(readdirSync(folder)).toEqual([]);
    writeFileSync(join(folder, '.half'), '');
    expect(inbox.isEmpty()).toBe(true);
  });

  it('takes messages while the session is held', async () => {
    const { store } = await withSession();
    const ledger = await store.openWriter('a');
    await store.inbox('a').leave({ kind: 'cancel', by: 'ada' });
    expect((await store.inbox('a').list()).messages).toHaveLength(1);
    await ledger.close();
  });

  it('keeps many apart that are left at once', async () => {
    const { store } = await withSession();
    const ids = await Promise.all(
      Array.from({ length: 30 }, (_, i) => store.inbox('a').leave({ kind: 'input', text: `${i}` })),
    );
    const { messages } = await store.inbox('a').list();
    expect(messages.map(({ id }) => id)).toEqual([...ids].sort());
    expect(messages).toHaveLength(30);
  });

  const misfit: unknown[] = [
    null,
    {},
    { kind: 'toString' },
    { kind: 'input' },
    { kind: 'input', text: 1 },
    { kind: 'approval', actionId: 'x', verdict: 'perhaps', by: 'ada' },
    { kind: 'cancel', by: 'ada', more: 1 },
  ];
  for (const body of misfit)
    it(`refuses what is no message: ${JSON.stringify(body)}`, async () => {
      const { store, folder } = await withSession();
      expect((await errorOf(() => store.inbox('a').leave(body as InboxBody))).code).toBe('invalid');
      expect(readdirSync(folder)).toEqual([]);
    });

  it('names files that are no message and leaves them where they are', async () => {
    const { store, folder } = await withSession();
    const id = await store.inbox('a').leave({ kind: 'input', text: 'x' });
    writeFileSync(join(folder, 'note.txt'), 'x');
    writeFileSync(join(folder, `${id}.json`.replace('-0', '-1')), '{"kind":"inp');
    mkdirSync(join(folder, 'folder'));
    writeFileSync(join(folder, '.half.tmp'), '{');
    const { messages, unreadable } = await store.inbox('a').list();
    expect(messages).toHaveLength(1);
    expect(unreadable).toHaveLength(3);
    expect(readdirSync(folder)).toHaveLength(5);
  });

  for (const id of ['../../ledger.log', '..', '', 'x'])
    it(`removes nothing for the id ${JSON.stringify(id)}`, async () => {
      const { store } = await withSession();
      await store.inbox('a').remove(id);
      expect((await store.openReader('a')).damage).toBeNull();
    });

  it('is empty when its folder is gone, and makes it when something is left', async () => {
    const { store, folder } = await withSession();
    rmSync(folder, { recursive: true });
    const inbox = store.inbox('a');
    expect(await inbox.list()).toEqual({ messages: [], unreadable: [] });
    await inbox.remove('00000000000000-000000-0123456789abcdef');
    await inbox.leave({ kind: 'input', text: 'x' });
    expect((await inbox.list()).messages).toHaveLength(1);
  });

  it('is missing with its session', async () => {
    const { store } = await withSession();
    const inbox = store.inbox('a');
    await store.remove('a');
    expect((await errorOf(() => inbox.leave({ kind: 'input', text: 'x' }))).code).toBe('missing');
  });
});

describe('watching the inbox', () => {
  it('calls for what is there already and for each arrival, until it is stopped', async () => {
    const { store } = await withSession();
    const inbox = store.inbox('a');
    await inbox.leave({ kind: 'input', text: '1' });
    const called = vi.fn();
    const stop = inbox.watch(called);
    await expect.poll(() => called.mock.calls.length).toBe(1);
    const id = await inbox.leave({ kind: 'input', text: '2' });
    await expect.poll(() => called.mock.calls.length).toBe(2);
    // A removal is no arrival.
    await inbox.remove(id);
    await inbox.leave({ kind: 'input', text: '3' });
    await expect.poll(() => called.mock.calls.length).toBe(3);
    stop();
    stop();
    await inbox.leave({ kind: 'input', text: '4' });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(called).toHaveBeenCalledTimes(3);
  });

  it('hears by polling where nothing tells it', async () => {
    const { store, folder } = await withSession();
    const inbox = store.inbox('a');
    const called = vi.fn();
    const stop = inbox.watch(called);
    rmSync(folder, { recursive: true });
    await inbox.leave({ kind: 'input', text: 'x' });
    await expect.poll(() => called.mock.calls.length).toBeGreaterThan(0);
    stop();
  });
});
