/** Patches of several files in whole sessions: asked with every diff, allowed by rules, taken back by undo, killed. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makePlace, type Place, resultOf } from '../e2e/belay.ts';
import { bypass, json } from './provider.ts';

const read = (...files: string[]) => ({ calls: files.map((file_path) => ({ tool: 'Read', args: { file_path } })) });
const patch = (...lines: string[]) => ({
  calls: [{ tool: 'ApplyPatch', args: { patch: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') } }],
});
const change = patch(
  ...['*** Update File: src/a.txt', '-a', '+A', '*** Add File: src/new/n.txt', '+n', '*** Delete File: src/gone.txt'],
  ...['*** Update File: src/m.txt', '*** Move to: src/moved.txt', '-m', '+M'],
);
const files = { 'src/a.txt': 'a\n', 'src/gone.txt': 'g\n', 'src/m.txt': 'm\n' };

function placeWith(turns: readonly object[]): { place: Place; args: readonly string[] } {
  const place = makePlace();
  mkdirSync(path.join(place.repository, 'src'), { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(place.repository, name), content);
  return { place, args: ['run', 'Go.', '--session', 's', '--model', place.script(turns)] };
}
const at = (place: Place, name: string) => path.join(place.repository, name);
const text = (place: Place, name: string) =>
  existsSync(at(place, name)) ? readFileSync(at(place, name), 'utf8') : null;
const expectDone = (place: Place) => {
  expect(text(place, 'src/a.txt')).toBe('A\n');
  expect(text(place, 'src/new/n.txt')).toBe('n\n');
  expect(text(place, 'src/gone.txt')).toBeNull();
  expect(text(place, 'src/m.txt')).toBeNull();
  expect(text(place, 'src/moved.txt')).toBe('M\n');
};
const expectAsFound = (place: Place) => {
  for (const [name, content] of Object.entries(files)) expect(text(place, name)).toBe(content);
  for (const name of ['src/new/n.txt', 'src/moved.txt']) expect(text(place, name)).toBeNull();
};

test('a patch is asked with the diff of every file, and what was approved is what is done', async () => {
  const { place, args } = placeWith([read(...Object.keys(files)), change, { text: 'Done.' }]);
  const asked = resultOf(await place.belay([...args, ...json]));
  expect(asked.exit_code).toBe(10);
  const preview = asked.pending[0]?.preview ?? '';
  for (const name of ['src/a.txt', 'src/new/n.txt', 'src/gone.txt', 'src/moved.txt']) expect(preview).toContain(name);
  expectAsFound(place);
  expect((await place.belay(['approve', 's'])).code).toBe(0);
  expect((await place.belay(['resume', 's'])).code).toBe(0);
  expectDone(place);
});

test('a rule for edits allows a patch only with all of its files', async () => {
  const wide = placeWith([read(...Object.keys(files)), change, { text: 'Done.' }]);
  expect((await wide.place.belay([...wide.args, '--allow', 'Edit(src/**)'])).code).toBe(0);
  expectDone(wide.place);
  const narrow = placeWith([read(...Object.keys(files)), change, { text: 'Done.' }]);
  expect((await narrow.place.belay([...narrow.args, '--allow', 'Edit(src/new/**)'])).code).toBe(10);
  expectAsFound(narrow.place);
});

test('an undo takes a patch back, and a redo brings it again', async () => {
  const { place, args } = placeWith([read(...Object.keys(files)), change, { text: 'Done.' }]);
  expect((await place.belay([...args, ...bypass])).code).toBe(0);
  expectDone(place);
  expect((await place.belay(['undo', 's', '--files'])).code).toBe(0);
  expectAsFound(place);
  expect((await place.belay(['redo', 's'])).code).toBe(0);
  expectDone(place);
});

test('a file that was made by a patch can be run, and its mode stays through an edit', async () => {
  const script = patch('*** Add File: run.sh', '+#!/bin/sh', '+echo ran');
  const edit = { calls: [{ tool: 'Edit', args: { file_path: 'run.sh', old_string: 'ran', new_string: 'ran again' } }] };
  const bash = { calls: [{ tool: 'Bash', args: { command: 'chmod +x run.sh && ./run.sh' } }] };
  const { place, args } = placeWith([script, bash, edit, { text: 'Done.' }]);
  expect((await place.belay([...args, ...bypass])).code).toBe(0);
  expect(text(place, 'run.sh')).toBe('#!/bin/sh\necho ran again\n');
  expect(statSync(at(place, 'run.sh')).mode & 0o111).not.toBe(0);
});
