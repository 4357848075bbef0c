import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { FileChange, WorkspaceOptions } from '#workspace';
import { blobHash } from '../../../src/workspace/files/blob-hash.ts';
import { startAgent } from '../agents/start-agent.ts';
import { openPlace, type Place } from '../bench-place.ts';

const hash = (text: string) => blobHash(Buffer.from(text));
const changes: readonly FileChange[] = [
  { path: 'f', bytes: Buffer.from('new\n'), base: hash('old\n') },
  { path: 'sub/made', bytes: Buffer.from('made\n'), base: null, mode: 0o755 },
  { path: 'g', bytes: null, base: hash('gone\n') },
];
const fingerprints = [
  { path: 'f', base: hash('old\n'), result: hash('new\n') },
  { path: 'sub/made', base: null, result: hash('made\n') },
  { path: 'g', base: hash('gone\n'), result: null },
];

async function open(more: Partial<WorkspaceOptions> = {}): Promise<Place> {
  const place = await openPlace(more);
  writeFileSync(join(place.root, 'f'), 'old\n');
  writeFileSync(join(place.root, 'g'), 'gone\n');
  return place;
}
const text = (place: Place, name: string) =>
  existsSync(join(place.root, name)) ? readFileSync(join(place.root, name), 'utf8') : null;
function expectAsFound(place: Place): void {
  expect(text(place, 'f')).toBe('old\n');
  expect(text(place, 'g')).toBe('gone\n');
  expect(text(place, 'sub/made')).toBeNull();
}
function expectDone(place: Place): void {
  expect(text(place, 'f')).toBe('new\n');
  expect(text(place, 'g')).toBeNull();
  expect(text(place, 'sub/made')).toBe('made\n');
  expect(readdirSync(place.root)).toEqual(['f', 'sub']);
  expect(readdirSync(join(place.root, 'sub'))).toEqual(['made']);
}

describe('several files', () => {
  test('are changed, made and taken away, with a fingerprint each', async () => {
    const place = await open();
    const execFolder = place.exec();
    expect(await place.workspace.files.writeAll(changes, execFolder)).toEqual({ ok: true, fingerprints, notes: [] });
    expectDone(place);
    expect(statSync(join(place.root, 'sub/made')).mode & 0o777).toBe(0o755);
    expect(await place.workspace.files.settle(execFolder, fingerprints)).toEqual({
      state: 'applied',
      changedSince: false,
    });
  });

  test.each<[string, Partial<FileChange>]>([
    ['another content than the base', { path: 'g', bytes: null, base: hash('else') }],
    ['a new file where one is', { path: 'g', bytes: Buffer.from('x'), base: null }],
    ['a file that is gone', { path: 'gone', bytes: Buffer.from('x'), base: hash('x') }],
    ['a path outside', { path: '../x', bytes: Buffer.from('x'), base: null }],
    ['a file and a folder of one name', { path: 'sub', bytes: Buffer.from('x'), base: null }],
    ['the same file twice', { path: './f', bytes: Buffer.from('x'), base: hash('old\n') }],
  ])('%s: none is changed, and nothing is left behind', async (_name, last) => {
    const place = await open();
    const list = [...changes.slice(0, 2), last as FileChange];
    expect(await place.workspace.files.writeAll(list, null)).toMatchObject({ ok: false });
    expectAsFound(place);
    expect(readdirSync(place.root).sort()).toEqual(['f', 'g']);
  });

  test('somebody writes into the last one at the last moment: theirs stays, and the others are as they were', async () => {
    const place: Place = await open({
      onDisplace: (path) => path === 'g' && writeFileSync(join(place.root, 'g'), 'theirs\n'),
    } as Partial<WorkspaceOptions>);
    expect(await place.workspace.files.writeAll(changes, null)).toMatchObject({ ok: false, code: 'stale' });
    expect(text(place, 'g')).toBe('theirs\n');
    expect(text(place, 'f')).toBe('old\n');
    expect(readdirSync(place.root).sort()).toEqual(['f', 'g']);
  });
});

test('an agent killed after any step leaves all or nothing, once it is settled', async () => {
  const ends: string[] = [];
  for (let n = 1; ends.at(-1) !== 'done'; n++) {
    expect(n).toBeLessThan(40);
    const place = await open();
    const execFolder = place.exec();
    const agent = startAgent('write-files.ts', [place.root, place.data, execFolder, String(n)]);
    const printed = await agent.ended();
    expect(printed).not.toContain('refused');
    const settled = await place.workspace.files.settle(execFolder, fingerprints);
    if (settled.state === 'applied') expectDone(place);
    else {
      expect(['not-started', 'not-applied']).toContain(settled.state);
      expectAsFound(place);
      expect(readdirSync(place.root, { recursive: true }).filter((name) => String(name).includes('.belay-'))).toEqual(
        [],
      );
      // It may simply run again.
      expect(await place.workspace.files.writeAll(changes, place.exec())).toMatchObject({ ok: true });
      expectDone(place);
    }
    ends.push(printed.includes('done') ? 'done' : settled.state);
  }
  expect(new Set(ends)).toEqual(new Set(['not-applied', 'applied', 'done']));
}, 60_000);
