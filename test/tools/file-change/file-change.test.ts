/** What a model is told where a change finds no room. Mounting needs root; for everybody else these do not exist. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openSession, type TestSession } from '../session.ts';

/** What cannot be brought to the disk: folders, or the sync with this number, from 1. */
const disk = vi.hoisted(() => ({ failsFor: 'nothing' as 'nothing' | 'folders' | number, syncs: 0 }));

vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>();
  const fsync = (fd: number, done: (error: Error | null) => void): void => {
    disk.syncs++;
    const fails = disk.failsFor === 'folders' ? real.fstatSync(fd).isDirectory() : disk.failsFor === disk.syncs;
    if (!fails) real.fsync(fd, done);
    else done(Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' }));
  };
  return { ...real, fsync };
});

const mounts: string[] = [];
afterEach(() => {
  disk.failsFor = 'nothing';
  for (const folder of mounts.splice(0)) spawnSync('/bin/umount', ['-l', folder]);
});

/** The workspace has a folder `small` with a file `f` and no room at all. */
async function withoutRoom(): Promise<TestSession> {
  const session = await openSession({ g: 'old\n' });
  const small = join(session.root, 'small');
  mkdirSync(small);
  const { status } = spawnSync('/bin/mount', ['-t', 'tmpfs', '-o', 'size=64k,nr_inodes=20', 'tmpfs', small]);
  expect(status).toBe(0);
  mounts.push(small);
  writeFileSync(join(small, 'f'), 'old\n');
  spawnSync('dd', ['if=/dev/zero', `of=${small}/filler`, 'bs=4k']);
  for (const file_path of ['g', 'small/f']) await session.call('Read', { file_path });
  return session;
}

const update = (path: string) => `*** Update File: ${path}\n-old\n+new\n`;

describe.runIf(process.getuid?.() === 0)('a full disk', () => {
  it.each([
    ['Edit', { file_path: 'small/f', old_string: 'old', new_string: 'new' }],
    ['Write', { file_path: 'small/f', content: 'new\n' }],
    ['Write', { file_path: 'small/made', content: 'new\n' }],
    ['ApplyPatch', { patch: `*** Begin Patch\n${update('g')}${update('small/f')}*** End Patch` }],
    ['ApplyPatch', { patch: `*** Begin Patch\n${update('g')}*** Add File: small/made\n+new\n*** End Patch` }],
  ])('%s %j: which folder, that nothing was changed, and what to do', async (tool, args) => {
    const session = await withoutRoom();
    const outcome = await session.call(tool, args);
    expect(outcome).toMatchObject({ status: 'failed', failure: { kind: 'store' } });
    expect(outcome.output).toContain(`in ${join(session.root, 'small')} (ENOSPC). Nothing was changed.`);
    expect(outcome.failure?.suggestedAction).toContain('made room there or raised the limit');
    expect([session.file('g').toString(), session.file('small/f').toString()]).toEqual(['old\n', 'old\n']);
    expect(readdirSync(join(session.root, 'small')).sort()).toEqual(['f', 'filler']);
    rmSync(join(session.root, 'small/filler'));
    expect((await session.call(tool, args)).status).toBe('succeeded');
  });
});

it('a change that may not be on the disk yet is not told as none', async () => {
  const session = await openSession({ f: 'old\n' });
  await session.call('Read', { file_path: 'f' });
  disk.failsFor = 'folders';
  const outcome = await session.call('Edit', { file_path: 'f', old_string: 'old', new_string: 'new' });
  expect(outcome).toMatchObject({ status: 'failed', files: [{ path: 'f' }] });
  expect(outcome.output).toContain('may not be on the disk yet');
  expect(outcome.output).not.toContain('Nothing was changed');
  expect(session.file('f').toString()).toBe('new\n');
});

it.each([
  ['begin', 1],
  ['end', 2],
])('a large file stays as it was where the %s of the new one does not get to the disk', async (_part, sync) => {
  const old = `old\n${'a line of a large file\n'.repeat(600_000)}`;
  const session = await openSession({ f: old });
  await session.call('Read', { file_path: 'f' });
  disk.failsFor = sync;
  disk.syncs = 0;
  const edit = { file_path: 'f', old_string: 'old', new_string: 'new' };
  const outcome = await session.call('Edit', edit);
  expect(outcome.status).toBe('failed');
  expect(outcome.output).toContain('Nothing was changed');
  expect(session.file('f').toString() === old).toBe(true);
  expect(readdirSync(session.root).filter((name) => name.startsWith('.belay-') && name !== '.belay-data')).toEqual([]);
  disk.failsFor = 'nothing';
  expect((await session.call('Edit', edit)).status).toBe('succeeded');
  expect(session.file('f').toString() === old.replace('old', 'new')).toBe(true);
});
