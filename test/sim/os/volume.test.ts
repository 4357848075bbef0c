/** What a power loss may take, and what it may not. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededPrng } from '#lib';
import { Volume } from './volume.ts';

const text = fc.string({ minLength: 1, maxLength: 2000 });

function written(before: string, after: string): { readonly volume: Volume; readonly path: string } {
  const volume = new Volume(() => 0);
  const path = '/d/file';
  volume.makeFolders('/d');
  const inode = volume.create(path, 'file', 0o600, 'open');
  volume.write(inode, Buffer.from(before), 0);
  volume.syncAll();
  volume.write(inode, Buffer.from(after), inode.size);
  return { volume, path };
}

test('what was synced stays, whatever else is lost', () => {
  fc.assert(
    fc.property(text, text, fc.integer(), fc.boolean(), (before, after, seed, reorder) => {
      const { volume, path } = written(before, after);
      volume.powerLoss(seededPrng(seed), { reorder });
      const found = volume.content(volume.need(path, 'open'));
      const synced = Buffer.from(before);
      expect(found.subarray(0, synced.length).equals(synced)).toBe(true);
      expect(found.length).toBeLessThanOrEqual(Buffer.byteLength(before + after));
    }),
  );
});

test('without reordering the rest is a prefix of what was written, filled up with zeros at most', () => {
  fc.assert(
    fc.property(text, text, fc.integer(), (before, after, seed) => {
      const { volume, path } = written(before, after);
      volume.powerLoss(seededPrng(seed), { reorder: false });
      const found = volume.content(volume.need(path, 'open'));
      const all = Buffer.from(before + after);
      let same = 0;
      while (same < found.length && found[same] === all[same]) same++;
      expect(found.subarray(same).every((byte) => byte === 0)).toBe(true);
    }),
  );
});

test('a name that was not synced is there or not; one that was stays', () => {
  const seen = new Set<boolean>();
  for (let seed = 0; seed < 50; seed++) {
    const { volume } = written('x', 'y');
    volume.create('/d/new', 'file', 0o600, 'open');
    volume.powerLoss(seededPrng(seed), { reorder: true });
    seen.add(volume.find('/d/new') !== null);
    expect(volume.find('/d/file')).not.toBeNull();
  }
  expect([...seen].sort()).toEqual([false, true]);
});

test('of names that were changed since a sync a power loss keeps the first ones, in order', () => {
  const seen = new Set<string>();
  for (let seed = 0; seed < 200; seed++) {
    const { volume } = written('x', 'y');
    const folder = volume.need('/d', 'open');
    for (const name of ['mark', 'claim']) volume.create(`/d/${name}`, 'file', 0o600, 'open');
    volume.name(folder, [
      ['mark', null],
      ['moved', volume.need('/d/mark', 'open')],
    ]);
    volume.powerLoss(seededPrng(seed), { reorder: false });
    seen.add([...folder.entries.keys()].join(' '));
  }
  expect([...seen].sort()).toEqual(['file', 'file claim moved', 'file mark', 'file mark claim']);
});
