import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorOf, freshStore } from './support.ts';

describe('a blob', () => {
  it('is a file named by its content, written once', async () => {
    const ledger = await freshStore().create('a');
    const hash = await ledger.putBlob(Buffer.from('content'));
    await ledger.putBlob(Buffer.from('content'));
    const folder = join(ledger.folder!, 'blobs');
    expect(readdirSync(folder)).toEqual([hash]);
    expect(readFileSync(join(folder, hash), 'utf8')).toBe('content');
    await ledger.close();
  });

  it('is read by the store without holding the session', async () => {
    const store = freshStore();
    const ledger = await store.create('a');
    const hash = await ledger.putBlob(Buffer.from('content'));
    expect(Buffer.from(await store.getBlob('a', hash)).toString()).toBe('content');
    await ledger.close();
  });

  it('that was changed is refused, and healed when its content is stored again', async () => {
    const ledger = await freshStore().create('a');
    const hash = await ledger.putBlob(Buffer.from('content'));
    const path = join(ledger.folder!, 'blobs', hash);
    for (const wrong of ['contenT', '', 'content and more']) {
      writeFileSync(path, wrong);
      expect(await errorOf(() => ledger.getBlob(hash))).toMatchObject({ code: 'damaged', path });
    }
    await ledger.putBlob(Buffer.from('content'));
    expect(Buffer.from(await ledger.getBlob(hash)).toString()).toBe('content');
    await ledger.close();
  });

  it('finds its folder again when somebody removed it', async () => {
    const ledger = await freshStore().create('a');
    rmSync(join(ledger.folder!, 'blobs'), { recursive: true });
    const hash = await ledger.putBlob(Buffer.from('content'));
    expect(await ledger.getBlob(hash)).toHaveLength(7);
    await ledger.close();
  });
});
