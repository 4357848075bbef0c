/** A file system that lies: it says that all was stored, and stored less. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { openSession } from '../tools/session.ts';

const lie = vi.hoisted(() => ({ how: 'none' as 'none' | 'short' | 'zeroed' }));

vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>();
  const writeSync = (file: number, data: Uint8Array, at: number, length: number): number => {
    if (lie.how === 'none') return real.writeSync(file, data, at, length);
    // The length may be right and the end not: what a network file system leaves after a lost page.
    const kept = Buffer.from(data.subarray(at, at + length - 3));
    real.writeSync(file, lie.how === 'short' ? kept : Buffer.concat([kept, Buffer.alloc(3)]));
    return length;
  };
  return { ...real, writeSync };
});

test.each(['short', 'zeroed'] as const)(
  'B31: a %s write is found by reading back; the file stays as it was',
  async (how) => {
    const session = await openSession({ f: 'one\ntwo\n' });
    await session.call('Read', { file_path: 'f' });
    lie.how = how;
    const edit = await session.call('Edit', { file_path: 'f', old_string: 'one', new_string: 'a much longer line' });
    const created = await session.call('Write', { file_path: 'new/g', content: 'something\n' });
    lie.how = 'none';
    for (const outcome of [edit, created]) expect(outcome.status).toBe('failed');
    expect(edit.output).toMatch(/stored/);
    expect(session.file('f').toString()).toBe('one\ntwo\n');
    expect(readdirSync(session.root)).toEqual(['.belay-data', 'f']);
    expect((await session.call('Edit', { file_path: 'f', old_string: 'one', new_string: '1' })).status).toBe(
      'succeeded',
    );
  },
);

test('the wrapped file system still writes what it is told when it does not lie', async () => {
  const session = await openSession();
  mkdirSync(path.join(session.root, 'd'));
  writeFileSync(path.join(session.root, 'd', 'x'), 'x');
  await session.call('Write', { file_path: 'd/y', content: 'whole\n' });
  expect(readFileSync(path.join(session.root, 'd', 'y'), 'utf8')).toBe('whole\n');
});
