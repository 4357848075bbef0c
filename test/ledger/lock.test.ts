import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Store } from '#ledger';
import { start } from './processes.ts';
import { errorOf, freshStore, logOf, waited } from './support.ts';

const folderOf = (store: Store, id: string): string => dirname(logOf(store, id));
const made = async (id: string): Promise<Store> => {
  const store = freshStore();
  await (await store.create(id)).close();
  return store;
};

describe('processes that want the same session', { timeout: 60_000 }, () => {
  it('are told apart: exactly one wins, the others learn who holds it', async () => {
    const store = await made('wanted');
    const contenders = Array.from({ length: 8 }, () => start('contend', store.home));
    for (const contender of contenders) expect(await contender.line()).toBe('ready');
    const rounds = [2, 3, 4, 5, 6, 7, 8, 2, 8, 8];
    for (const [round, count] of rounds.entries()) {
      const racing = contenders.slice(0, count);
      for (const contender of racing) contender.say('go wanted');
      const answers = await Promise.all(racing.map((contender) => contender.line()));
      const winner = answers.indexOf('won');
      expect(
        answers.filter((answer) => answer === 'won'),
        `round ${round} of ${count}`,
      ).toHaveLength(1);
      const others = answers.filter((_, i) => i !== winner);
      expect(others.every((answer) => answer.startsWith('locked session wanted is held by '))).toBe(true);
      // Who asks once it is held is told the name.
      const error = await errorOf(() => store.openWriter('wanted'));
      expect(error.message).toContain(`process ${racing[winner]!.child.pid}`);
      expect(await store.holder('wanted')).toMatchObject({ pid: racing[winner]!.child.pid });
      racing[winner]!.say('done');
      expect(await racing[winner]!.line()).toBe('free');
    }
    expect((await store.openReader('wanted')).facts).toHaveLength(rounds.length);
  });

  it('get it as soon as the holder was killed', async () => {
    const store = await made('wanted');
    for (let round = 0; round < 3; round++) {
      const holder = start('contend', store.home);
      await holder.line();
      holder.say('go wanted');
      expect(await holder.line()).toBe('won');
      expect((await errorOf(() => store.openWriter('wanted'))).code).toBe('locked');
      await holder.kill();
      const ledger = await store.openWriter('wanted');
      expect(ledger.lastSeq).toBe(round + 1);
      await ledger.close();
    }
  });
});

describe('the lock', { timeout: 60_000 }, () => {
  it('is held within a process too', async () => {
    const store = await made('a');
    const ledger = await store.openWriter('a');
    expect((await errorOf(() => store.openWriter('a'))).code).toBe('locked');
    expect((await errorOf(() => store.remove('a'))).code).toBe('locked');
    // A refused attempt in this very process must not have cost the lock.
    const other = start('contend', store.home);
    await other.line();
    other.say('go a');
    expect(await other.line()).toMatch(/^locked /);
    await ledger.close();
    other.say('go a');
    expect(await other.line()).toBe('won');
  });

  it('is not stolen because its owner file is missing, old or nonsense', async () => {
    const store = await made('a');
    const ledger = await store.openWriter('a');
    const owner = join(folderOf(store, 'a'), 'owner.json');
    for (const text of [null, '', '{}', '{"pid":1,"host":"gone","sinceMs":0}']) {
      if (text === null) rmSync(owner);
      else writeFileSync(owner, text);
      const error = await errorOf(() => store.openWriter('a'));
      expect(error.code).toBe('locked');
      expect(error.message).toMatch(text?.includes('gone') ? /process 1 on gone/ : /another process/);
    }
    await ledger.close();
    expect(existsSync(owner)).toBe(false);
    expect(await store.holder('a')).toBeNull();
  });

  it('needs no owner file that says so to be free', async () => {
    const store = await made('a');
    writeFileSync(join(folderOf(store, 'a'), 'owner.json'), `{"pid":${process.pid},"host":"x","sinceMs":1}`);
    await (await store.openWriter('a')).close();
  });

  it('is freed when opening fails behind it', async () => {
    const store = await made('a');
    writeFileSync(logOf(store, 'a'), 'not a ledger');
    for (let i = 0; i < 3; i++) expect((await errorOf(() => store.openWriter('a'))).code).toBe('damaged');
    expect(readFileSync(logOf(store, 'a'), 'utf8')).toBe('not a ledger');
  });

  it('is private to the user', async () => {
    const store = await made('a');
    expect(statSync(join(folderOf(store, 'a'), 'lock.db')).mode & 0o777).toBe(0o600);
  });

  it('is gained by nobody who asks at once in one process but one', async () => {
    const store = await made('a');
    const tries = await Promise.allSettled(Array.from({ length: 5 }, () => store.openWriter('a')));
    const won = tries.filter((result) => result.status === 'fulfilled');
    expect(won).toHaveLength(1);
    await won[0]!.value.append([waited(1)]);
    await won[0]!.value.close();
  });
});

describe('a file that somebody removes from under its holder', () => {
  it('the lock: the holder is stopped before its next effect, and who came after it keeps everything', async () => {
    const store = await made('a');
    const first = await store.openWriter('a');
    await first.append([waited(1)]);
    await first.flush();
    rmSync(join(folderOf(store, 'a'), 'lock.db'));
    await first.append([waited(2)]);
    const error = await errorOf(() => first.flush());
    expect(error).toMatchObject({
      code: 'locked',
      message: expect.stringContaining('another process may go on with it'),
    });
    expect((await errorOf(() => first.append([waited(3)]))).code).toBe('locked');
    // Another process: this one keeps one lock for each folder.
    const other = start('contend', store.home);
    await other.line();
    other.say('go a');
    expect(await other.line()).toBe('won');
    expect((await errorOf(() => first.flush())).code).toBe('locked');
    await first.close();
    expect(await store.holder('a')).toMatchObject({ pid: other.child.pid });
    other.say('done');
    expect(await other.line()).toBe('free');
    expect((await store.openReader('a')).facts.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  });

  it('a new file of the same name is not the lock', async () => {
    const store = await made('a');
    const ledger = await store.openWriter('a');
    rmSync(join(folderOf(store, 'a'), 'lock.db'));
    writeFileSync(join(folderOf(store, 'a'), 'lock.db'), '');
    await ledger.append([waited(1)]);
    expect((await errorOf(() => ledger.flush())).code).toBe('locked');
    await ledger.close();
  });

  it('the ledger, or a whole session: nothing is written into what nobody can read', async () => {
    for (const gone of ['ledger.log', '.']) {
      const store = await made('a');
      const ledger = await store.openWriter('a');
      await ledger.append([waited(1)]);
      rmSync(join(folderOf(store, 'a'), gone), { recursive: true });
      for (let tries = 0; tries < 2; tries++) {
        expect((await errorOf(() => ledger.append([waited(2)]))).message).toContain(
          'it was removed while it was written',
        );
      }
      await ledger.close();
    }
  });
});
