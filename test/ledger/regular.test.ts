/** What lies where a ledger should be may be a pipe or a device: one such session is told and holds up nobody. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileBlobs } from '../../src/ledger/blobs.ts';
import { created, errorOf, freshStore, logOf, said, temporaryFolder } from './support.ts';

const kinds: readonly (readonly [kind: string, put: (path: string) => void])[] = [
  ['a pipe', (path) => void execFileSync('mkfifo', [path])],
  ['a device', (path) => symlinkSync('/dev/zero', path)],
  ['a folder', (path) => void mkdirSync(path)],
];

describe.each(kinds)('%s in the place of a file', (_kind, put) => {
  const replaced = (path: string) => {
    rmSync(path, { force: true });
    put(path);
  };

  it('a ledger: the session is damaged, the others are listed, and it can be removed', async () => {
    const store = freshStore();
    for (const id of ['a', 'b']) {
      const ledger = await store.create(id);
      await ledger.append([created(id), said('hi')]);
      await ledger.close();
    }
    replaced(logOf(store, 'a'));
    const rows = await store.list();
    expect(rows.find(({ sessionId }) => sessionId === 'a')).toMatchObject({ damaged: true });
    expect(rows.find(({ sessionId }) => sessionId === 'b')).toMatchObject({ damaged: false });
    expect(await errorOf(() => store.openReader('a'))).toMatchObject({ code: 'damaged' });
    expect(await errorOf(() => store.openWriter('a'))).toMatchObject({ code: 'damaged' });
    await store.remove('a');
    expect(await store.list()).toHaveLength(1);
  });

  it('a ledger that is imported is refused', async () => {
    const folder = temporaryFolder();
    put(join(folder, 'ledger.log'));
    expect(await errorOf(() => freshStore().importFrom(folder, () => []))).toMatchObject({ code: 'damaged' });
  });

  it.each(['ledger.end', 'owner.json'])('%s counts as none', async (name) => {
    const store = freshStore();
    const ledger = await store.create('a');
    await ledger.append([created('a'), said('hi')]);
    await ledger.close();
    replaced(join(dirname(logOf(store, 'a')), name));
    expect(await store.list()).toMatchObject([{ sessionId: 'a', damaged: false }]);
    expect((await store.openReader('a')).facts).toHaveLength(2);
  });

  it('a blob is damaged', async () => {
    const folder = temporaryFolder();
    const blobs = fileBlobs(folder);
    const hash = await blobs.put(Buffer.from('large'));
    replaced(join(folder, hash));
    expect(await errorOf(() => blobs.get(hash))).toMatchObject({ code: 'damaged' });
  });
});
