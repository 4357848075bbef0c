import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { keepOutput, readKeptOutput, readOutput } from '#workspace';
import { openPlace, until } from '../bench-place.ts';

const text = (part: { readonly bytes: Uint8Array } | null) => Buffer.from(part?.bytes ?? []).toString();

test('a part of the output, without the end marker and what children print behind it', async () => {
  const place = await openPlace();
  const request = place.request('printf 0123456789; (sleep 0.2; printf late) &');
  const prepared = await place.workspace.processes.prepare(request);
  await prepared.start();
  await until(() => readFileSync(path.join(request.execFolder, 'out'), 'latin1').includes('late'));
  expect(readOutput(request.execFolder, 3, 4)).toMatchObject({ size: 10 });
  expect(text(readOutput(request.execFolder, 3, 4))).toBe('3456');
  expect(text(readOutput(request.execFolder, 8, 100))).toBe('89');
  expect(text(readOutput(request.execFolder, 50, 100))).toBe('');
});

test('a long output is kept where it is moved, a short one is not', async () => {
  const place = await openPlace();
  const request = place.request('printf 0123456789');
  await (await place.workspace.processes.prepare(request)).start();
  const file = path.join(place.data, 'spools', 'one');
  expect(keepOutput(request.execFolder, file, 10)).toBe(false);
  expect(existsSync(file)).toBe(false);
  expect(keepOutput(request.execFolder, file, 9)).toBe(true);
  expect(readFileSync(file, 'latin1')).toBe('0123456789');
  expect(text(readKeptOutput(file, 8, 5))).toBe('89');
});

test('where there is nothing, nothing is read or kept', async () => {
  const place = await openPlace();
  const nowhere = path.join(place.data, 'nowhere');
  expect(readOutput(nowhere, 0, 10)).toBeNull();
  expect(readKeptOutput(nowhere, 0, 10)).toBeNull();
  expect(keepOutput(nowhere, path.join(place.data, 'x'), 0)).toBe(false);
  writeFileSync(path.join(place.data, 'file'), 'abc');
  expect(text(readKeptOutput(path.join(place.data, 'file'), 1, 1))).toBe('b');
});
