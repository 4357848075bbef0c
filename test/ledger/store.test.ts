import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type LedgerError, openStore } from '#ledger';
import { encodeBatch } from '../../src/ledger/log/batch.ts';
import { headerFrame } from '../../src/ledger/log/frame.ts';
import { plant } from './log/sample.ts';
import { start } from './processes.ts';
import { bodyOf, created, errorOf, freshStore, logOf, said, temporaryFolder, waited } from './support.ts';

describe('create', () => {
  it('makes a session of private folders and files', async () => {
    const store = freshStore();
    const ledger = await store.create('a');
    await ledger.append([created('a')]);
    await ledger.putBlob(Buffer.from('large'));
    await store.inbox('a').leave({ kind: 'input', text: 'x' });
    const wrong: string[] = [];
    const look = (path: string): void => {
      const stats = statSync(path);
      if ((stats.mode & 0o777) !== (stats.isDirectory() ? 0o700 : 0o600))
        wrong.push(`${path} ${stats.mode.toString(8)}`);
      if (stats.isDirectory()) for (const name of readdirSync(path)) look(join(path, name));
    };
    look(store.home);
    expect(wrong).toEqual([]);
    expect(readdirSync(ledger.folder!).sort()).toEqual(
      ['blobs', 'exec', 'inbox', 'ledger.log', 'lock.db', 'owner.json'].sort(),
    );
    await ledger.close();
  });

  it('refuses an id that is taken, by a session or by anything else', async () => {
    const store = freshStore();
    await (await store.create('a')).close();
    mkdirSync(join(store.home, 'sessions', 'b', 'blobs', 'c'), { recursive: true });
    mkdirSync(join(store.home, 'sessions', 'd', 'mine'), { recursive: true });
    for (const id of ['a', 'b', 'd']) expect((await errorOf(() => store.create(id))).code).toBe('exists');
  });

  it('gives an id whose folder was begun by a program that was killed', async () => {
    const store = freshStore();
    mkdirSync(join(store.home, 'sessions', 'a', 'exec'), { recursive: true });
    mkdirSync(join(store.home, 'sessions', 'b'));
    for (const id of ['a', 'b']) await (await store.create(id)).close();
    const listed = await store.list();
    expect(listed.map(({ sessionId, damaged }) => `${sessionId} ${damaged}`).sort()).toEqual(['a false', 'b false']);
  });

  it('gives an id to one of many who ask at once', async () => {
    const store = freshStore();
    const tries = await Promise.allSettled(Array.from({ length: 6 }, () => store.create('a')));
    expect(tries.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    for (const result of tries)
      if (result.status === 'fulfilled') await result.value.close();
      else expect((result.reason as LedgerError).code).toBe('exists');
  });

  for (const id of ['', '.', '..', 'a/b', '../x', '.hidden', 'a b', 'ä', 'x'.repeat(65), 'a\0'])
    it(`refuses ${JSON.stringify(id.slice(0, 20))} as an id, to make or to open`, async () => {
      const store = freshStore();
      expect((await errorOf(() => store.create(id))).code).toBe('invalid');
      expect((await errorOf(() => store.openWriter(id))).code).toBe('missing');
      expect((await errorOf(() => store.openReader(id))).code).toBe('missing');
      expect((await errorOf(() => store.inbox(id))).code).toBe('missing');
      expect((await errorOf(() => store.remove(id))).code).toBe('missing');
    });

  it('says what is wrong with a data folder that is a file', async () => {
    const home = join(temporaryFolder(), 'file');
    writeFileSync(home, '');
    const error = await errorOf(() => openStore({ home }).create('a'));
    expect(error.message).toContain(home);
  });

  it('says so when the data folder cannot be written', async () => {
    // /proc takes no folders from anybody, root included.
    const error = await errorOf(() => openStore({ home: '/proc/belay' }).create('a'));
    expect(error.code).toBe('readonly');
    expect(error.message).toContain('/proc/belay');
  });
});

describe('a session', { timeout: 60_000 }, () => {
  it('that is not there is missing, and reading makes nothing', async () => {
    const store = freshStore();
    expect(await store.list()).toEqual([]);
    for (const call of [
      () => store.openReader('none'),
      () => store.openWriter('none'),
      () => store.verify('none'),
      () => store.holder('none'),
      () => store.exportTo('none', join(temporaryFolder(), 'x')),
      () => store.getBlob('none', '0'.repeat(64)),
    ])
      expect((await errorOf(call)).code).toBe('missing');
    expect(existsSync(store.home)).toBe(false);
  });

  it('can be read while it is written, by anybody', async () => {
    const store = freshStore();
    const ledger = await store.create('a');
    await ledger.append([waited(1)]);
    expect((await store.openReader('a')).facts).toHaveLength(1);
    await ledger.append([waited(2)]);
    expect((await openStore({ home: store.home }).openReader('a')).facts).toHaveLength(2);
    await ledger.close();
  });

  it('goes on over many openings', async () => {
    const store = freshStore();
    await (await store.create('a')).close();
    for (let i = 1; i <= 5; i++) {
      const ledger = await store.openWriter('a');
      expect([...ledger.read()].map((fact) => fact.seq)).toEqual(Array.from({ length: i - 1 }, (_, n) => n + 1));
      await ledger.append([waited(i)]);
      await ledger.close();
    }
    expect((await store.openReader('a')).facts.map(bodyOf)).toEqual([1, 2, 3, 4, 5].map(waited));
  });

  it('keeps every fact that was named before the process was killed', async () => {
    const store = freshStore();
    let before = 0;
    for (const lines of [1, 40, 200]) {
      const program = start('write-on', store.home, 'killed');
      let named = 0;
      for (let n = 0; n < lines; n++) named = Number(await program.line());
      await program.kill();
      const report = await store.openReader('killed');
      expect(report.damage).toBeNull();
      expect(report.facts.length).toBeGreaterThanOrEqual(named);
      expect(named).toBeGreaterThan(before);
      expect(report.facts.map((fact) => fact.seq)).toEqual(report.facts.map((_, i) => i + 1));
      before = named;
    }
  });

  it('is a valid ledger in any copy made while it is written', async () => {
    const store = freshStore();
    const program = start('write-on', store.home, 'copied');
    let last = 0;
    for (let n = 0; n < 60; n++) {
      await program.line();
      if (n % 3 !== 0) continue;
      const copy = join(temporaryFolder(), 'copy', 'sessions', 'copied');
      mkdirSync(dirname(copy), { recursive: true });
      await store.exportTo('copied', copy);
      const report = await openStore({ home: dirname(dirname(copy)) }).openReader('copied');
      expect(report.damage).toBeNull();
      expect(report.facts.length).toBeGreaterThanOrEqual(last);
      last = report.facts.length;
    }
    expect(last).toBeGreaterThan(0);
  });
});

describe('verify', () => {
  it('finds nothing in a ledger of ours, and names what does not fit', async () => {
    const store = freshStore();
    const ledger = await store.create('a');
    await ledger.append([created('a'), waited(1)]);
    await ledger.close();
    expect(await store.verify('a')).toMatchObject({ problems: [], report: { damage: null } });
    const batch = encodeBatch(['[1,2,"backoff.ended",{"waitedMs":"long"}]'], 1, headerFrame());
    plant(store, 'b', batch.bytes);
    const { report, problems } = await store.verify('b');
    const problem = 'fact 1 (backoff.ended) does not fit its schema: /waitedMs: expected a whole number';
    expect(problems).toEqual([]);
    expect(report).toMatchObject({ facts: [], damage: { lastGoodSeq: 0, problem } });
    await expect(store.openWriter('b')).rejects.toMatchObject({
      code: 'damaged',
      message: expect.stringContaining(problem),
    });
  });
});

describe('a ledger that holds nothing', () => {
  it.each([
    ['only the folder of a session', (_folder: string) => {}, null],
    ['a torn end that was cut', (folder: string) => writeFileSync(join(folder, 'ledger.torn-1'), 'x'), null],
    ['a blob', (folder: string) => writeFileSync(join(folder, 'blobs', 'a'), 'x'), 'blobs is there'],
    ['an attempt', (folder: string) => mkdirSync(join(folder, 'exec', 'a.1')), 'exec is there'],
    ['an undo', (folder: string) => mkdirSync(join(folder, 'exec', 'undo-a-1')), 'exec is there'],
    ['a hook, which may come before the first flush', (folder: string) => mkdirSync(join(folder, 'exec', 'a')), null],
    ['a last scan', (folder: string) => writeFileSync(join(folder, 'last-scan.json'), '{}'), 'last-scan.json is there'],
  ])('beside %s', async (_name, make, problem) => {
    const store = freshStore();
    await (await store.create('s')).close();
    make(dirname(logOf(store, 's')));
    const { damage } = await store.openReader('s');
    expect(damage?.problem ?? null).toEqual(problem === null ? null : expect.stringContaining(problem));
    expect((await store.list())[0]).toMatchObject({ damaged: problem !== null });
    if (problem === null) await (await store.openWriter('s')).close();
    else await expect(store.openWriter('s')).rejects.toMatchObject({ code: 'damaged' });
  });
});

describe('remove', { timeout: 60_000 }, () => {
  it('takes the whole session and nothing else', async () => {
    const store = freshStore();
    for (const id of ['a', 'b']) {
      const ledger = await store.create(id);
      await ledger.append([created(id)]);
      await ledger.close();
    }
    await store.remove('a');
    expect(readdirSync(join(store.home, 'sessions'))).toEqual(['b']);
    expect((await errorOf(() => store.openReader('a'))).code).toBe('missing');
    await (await store.create('a')).close();
    expect((await store.list()).map((summary) => summary.sessionId).sort()).toEqual(['a', 'b']);
  });

  it('is refused while another process holds the session', async () => {
    const store = freshStore();
    await (await store.create('a')).close();
    const holder = start('contend', store.home);
    await holder.line();
    holder.say('go a');
    expect(await holder.line()).toBe('won');
    expect((await errorOf(() => store.remove('a'))).code).toBe('locked');
    expect((await store.openReader('a')).facts).toHaveLength(1);
  });

  it('given up by its holder, a session is gone before anybody else can have it', async () => {
    const store = freshStore();
    const ledger = await store.create('a');
    await ledger.append([created('a')]);
    await ledger.discard();
    expect(readdirSync(join(store.home, 'sessions'))).toEqual([]);
    await (await store.create('a')).close();
  });

  it('is finished by whoever lists the sessions next, where it was interrupted', async () => {
    const store = freshStore();
    const left = join(store.home, 'sessions', '.removed-a-x', 'blobs');
    mkdirSync(left, { recursive: true });
    writeFileSync(join(left, 'secret'), 'x');
    expect(await store.list()).toEqual([]);
    expect(readdirSync(join(store.home, 'sessions'))).toEqual([]);
  });

  it('does not follow links out of the session', async () => {
    const store = freshStore();
    await (await store.create('a')).close();
    const outside = temporaryFolder();
    writeFileSync(join(outside, 'precious'), 'x');
    symlinkSync(outside, join(dirname(logOf(store, 'a')), 'exec', 'link'));
    await store.remove('a');
    expect(readdirSync(outside)).toEqual(['precious']);
  });
});

describe('export', () => {
  it('copies ledger and blobs to a new place, where they are a session again', async () => {
    const store = freshStore();
    const ledger = await store.create('a');
    const hash = await ledger.putBlob(Buffer.from('large'));
    await ledger.append([created('a'), said(hash)]);
    const other = freshStore();
    mkdirSync(join(other.home, 'sessions'), { recursive: true });
    await store.exportTo('a', join(other.home, 'sessions', 'moved'));
    await ledger.append([waited(1)]);
    await ledger.close();
    const moved = await other.openWriter('moved');
    expect(moved.lastSeq).toBe(2);
    expect(Buffer.from(await moved.getBlob(hash)).toString()).toBe('large');
    await moved.append([waited(2)]);
    await moved.close();
    expect((await store.openReader('a')).facts).toHaveLength(3);
  });

  it('refuses a place where something is', async () => {
    const store = freshStore();
    await (await store.create('a')).close();
    const place = temporaryFolder();
    writeFileSync(join(place, 'mine'), 'x');
    expect((await errorOf(() => store.exportTo('a', place))).code).toBe('exists');
    expect(readFileSync(join(place, 'mine'), 'utf8')).toBe('x');
  });

  it('leaves nothing behind where it fails, and can then be tried again; damage is copied and told', async () => {
    const store = freshStore();
    const ledger = await store.create('a');
    await ledger.append([created('a'), said('x')]);
    await ledger.close();
    const target = join(temporaryFolder(), 'copy');
    const pipe = join(store.home, 'sessions', 'a', 'blobs', 'pipe');
    execFileSync('mkfifo', [pipe]);
    await errorOf(() => store.exportTo('a', target));
    expect(existsSync(target)).toBe(false);
    rmSync(pipe);
    expect(await store.exportTo('a', target)).toBe(null);
    const bytes = readFileSync(logOf(store, 'a'));
    bytes[40] = (bytes[40] as number) ^ 1;
    writeFileSync(logOf(store, 'a'), bytes);
    expect(await store.exportTo('a', `${target}-2`)).toMatchObject({ lastGoodSeq: 0 });
    expect(readFileSync(join(`${target}-2`, 'ledger.log')).equals(bytes)).toBe(true);
  });
});
