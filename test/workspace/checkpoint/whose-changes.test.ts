/** Which changes commands that started at an instant cannot have made, on a real file system. */
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openCheckpoints, openWorkspace } from '#workspace';
import { earlierOf, whoseChanges } from '../../../src/workspace/checkpoint/whose-changes.ts';
import { asUser } from '../../as-user.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function makePlace() {
  const root = mkdtempSync(join(tmpdir(), 'belay-whose-'));
  const store = mkdtempSync(join(tmpdir(), 'belay-whose-store-'));
  folders.push(root, store);
  const at = (path: string) => join(root, path);
  const { revision } = await openWorkspace({ root, protectedPaths: [], env: process.env });
  const checkpoints = openCheckpoints({ folder: store, root, keptIn: [] });
  return { root, at, revision, checkpoints };
}

type Act = (at: (path: string) => string) => void;
const write =
  (path: string, text: string): Act =>
  (at) => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  };
const all =
  (...acts: readonly Act[]): Act =>
  (at) => {
    for (const act of acts) act(at);
  };
const move =
  (from: string, to: string): Act =>
  (at) =>
    renameSync(at(from), at(to));

test('what nobody may look at may be of the commands', async () => {
  const { root, at } = await makePlace();
  write('closed/a', '1')(at);
  await asUser([root, at('closed')], async () => {
    chmodSync(at('closed'), 0o644);
    const changes = [
      { path: 'closed/a', before: null, now: '000000 unreachable' },
      { path: 'closed/in/gone', before: '100644 x', now: null },
    ];
    const whose = whoseChanges(
      root,
      changes,
      [{ fromMs: Date.now() - 1000, toMs: null }],
      earlierOf(new Map()),
      Date.now(),
    );
    chmodSync(at('closed'), 0o755);
    expect([...whose]).toEqual([]);
  });
});

test.each<readonly [name: string, before: Act, thinking: Act, command: Act, expected: { [path: string]: string }]>([
  ['a new file of the command', write('a', '1'), () => {}, write('b', '2'), {}],
  ['a changed file of the command', write('a', '1'), () => {}, write('a', '2'), {}],
  ['a file that a person changed before', write('a', '1'), write('a', '2'), write('b', '3'), { a: 'others' }],
  ['its mode alone', write('a', '1'), (at) => chmodSync(at('a'), 0o600), write('b', '3'), { a: 'others' }],
  ['a file that a person made before', write('a', '1'), write('c', '2'), write('b', '3'), { c: 'others' }],
  [
    'also beside a new file of the command',
    write('d/a', '1'),
    all(write('d/a', '2'), write('d/c', '3')),
    write('d/b', '4'),
    { 'd/a': 'others', 'd/c': 'others' },
  ],
  [
    'a file that a person removed before',
    write('d/a', '1'),
    (at) => rmSync(at('d/a')),
    write('b', '2'),
    { 'd/': 'others', 'd/a': 'others' },
  ],
  ['a file that the command removed', write('d/a', '1'), () => {}, (at) => rmSync(at('d/a')), {}],
  [
    'an ignored file that becomes visible',
    all(write('.gitignore', 'x\n'), write('x', '1')),
    () => {},
    write('.gitignore', 'y\n'),
    { x: 'others' },
  ],
  [
    'and is changed besides',
    all(write('.gitignore', 'x\n'), write('x', '1')),
    () => {},
    all(write('.gitignore', 'y\n'), write('x', '2')),
    { x: 'older' },
  ],
  [
    'an ignored file that is moved',
    all(write('.gitignore', 'x\n'), write('x', '1')),
    () => {},
    move('x', 'z'),
    { z: 'older' },
  ],
  ['a file that is moved', write('x', '1'), () => {}, move('x', 'z'), {}],
  ['a folder that is moved with its files', all(write('s/a', '1'), write('s/t/b', '2')), () => {}, move('s', 'l'), {}],
  [
    'an ignored folder that is moved with its files',
    all(write('.gitignore', 'x/\n'), write('x/a', '1')),
    () => {},
    move('x', 'z'),
    { 'z/a': 'older' },
  ],
  [
    'a folder that takes the place of another',
    all(write('d/a', '1'), write('e/a', '2')),
    () => {},
    all(move('d', 'f'), move('e', 'd')),
    {},
  ],
])('%s', async (_name, before, thinking, command, expected) => {
  const { at, revision, checkpoints } = await makePlace();
  before(at);
  const first = await revision.scan();
  thinking(at);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const sinceMs = Date.now();
  command(at);
  const now = await revision.scan();
  const changes = revision.changed(first, now).map((path) => ({
    path,
    before: first.manifest.get(path) ?? null,
    now: now.manifest.get(path) ?? null,
  }));
  const ref = await checkpoints.tellApart(changes, [{ fromMs: sinceMs, toMs: null }], first, []);
  expect(ref === null ? {} : Object.fromEntries(checkpoints.manifest(ref) ?? [])).toEqual(expected);
});

test('what was changed while none of several commands was at work is told', async () => {
  const { root, at, revision, checkpoints } = await makePlace();
  for (const name of ['a', 'b', 'gone']) writeFileSync(at(name), '1');
  const first = await revision.scan();
  for (const name of ['a', 'b', 'new']) writeFileSync(at(name), '2');
  rmSync(at('gone'));
  const stampMs = Number(lstatSync(at('b'), { bigint: true }).ctimeNs / 1_000_000n);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const now = await revision.scan();
  const changes = revision.changed(first, now).map((path) => ({
    path,
    before: first.manifest.get(path) ?? null,
    now: now.manifest.get(path) ?? null,
  }));
  const told = async (spans: readonly { readonly fromMs: number; readonly toMs: number | null }[]) => {
    const ref = await checkpoints.tellApart(changes, spans, first, []);
    return ref === null ? {} : Object.fromEntries(checkpoints.manifest(ref) ?? []);
  };
  const ago = (fromMs: number, toMs: number) => ({ fromMs: stampMs - fromMs, toMs: stampMs - toMs });
  // Of what is gone nobody knows when exactly it went.
  const later = { a: 'later', b: 'later', new: 'later' };
  expect(await told([ago(9000, 3000)])).toEqual(later);
  expect(await told([ago(9000, 3000), ago(-60_000, -70_000)])).toEqual(later);
  // The stamp lies in one of them, or so close behind its end that it may be its own.
  expect(await told([ago(9000, 3000), ago(1000, -1000)])).toEqual({});
  expect(await told([ago(9000, 3000), ago(1000, 100)])).toEqual({});
  expect(await told([ago(9000, 3000), { fromMs: stampMs - 1000, toMs: null }])).toEqual({});
  // A clock that runs ahead of ours proves nothing.
  const future = new Map<string, string>(
    whoseChanges(root, changes, [ago(9000, 3000)], earlierOf(first.manifest), stampMs - 2000),
  );
  expect(Object.fromEntries(future)).toEqual({});
});
