import { spawn, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { permissionFiles } from '../../../src/assembly/permission-files.ts';
import { storeRules } from '../../../src/assembly/settings/store-rules.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'belay-settings-'));
  file = path.join(folder, 'belay/settings.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const read = () => JSON.parse(readFileSync(file, 'utf8'));

describe('rules of the user for one workspace', () => {
  test('are added beside everything that stands in the file, once each, and read for that workspace alone', async () => {
    mkdirSync(path.dirname(file));
    writeFileSync(file, '{"permissions":{"deny":["Bash(rm *)"]},"theme":"dark","projects":{"/a":{"more":1}}}', {
      mode: 0o640,
    });
    for (const rules of [['Bash(ls)'], ['Bash(ls)', 'Edit(x)']]) {
      expect(await storeRules(file, '/a', rules)).toEqual({ ok: true, value: file });
    }
    expect(read()).toEqual({
      permissions: { deny: ['Bash(rm *)'] },
      theme: 'dark',
      projects: { '/a': { more: 1, permissions: { allow: ['Bash(ls)', 'Edit(x)'] } } },
    });
    expect(statSync(file).mode & 0o777).toBe(0o640);
    const env = { XDG_CONFIG_HOME: folder };
    const none = path.join(folder, 'none.json');
    expect(await permissionFiles('/a', env, [], none)).toMatchObject({ value: { allow: ['Bash(ls)', 'Edit(x)'] } });
    expect(await permissionFiles('/b', env, [], none)).toMatchObject({ value: { allow: [] } });
  });

  test('go into the file that a link names, and the link stays', async () => {
    mkdirSync(path.dirname(file));
    writeFileSync(path.join(folder, 'real.json'), '{}');
    symlinkSync(path.join(folder, 'real.json'), file);
    expect((await storeRules(file, '/a', ['Bash(ls)'])).ok).toBe(true);
    expect(readFileSync(path.join(folder, 'real.json'), 'utf8')).toContain('Bash(ls)');
  });

  test.each([
    '{"permissions": ',
    '[]',
    '{"projects": []}',
    '{"projects": {"/a": {"permissions": {"allow": "x"}}}}',
    '',
  ])('are not added to what somebody must mend first: %s', async (text) => {
    mkdirSync(path.dirname(file));
    writeFileSync(file, text);
    expect(await storeRules(file, '/a', ['Bash(ls)'])).toMatchObject({ ok: false, error: { exitCode: 52 } });
    expect(readFileSync(file, 'utf8')).toBe(text);
  });
});

test('A13: several processes add at once, no rule is lost, and a reader sees valid JSON at every instant', async () => {
  const writer = path.join(import.meta.dirname, 'program/add-rules.ts');
  const names = ['one', 'two', 'three', 'four'];
  let running = names.length;
  const ends = names.map((name) => {
    const child = spawn(process.execPath, [writer, file, name, '50'], { stdio: ['ignore', 'ignore', 'inherit'] });
    return new Promise<number | null>((resolve) =>
      child.on('close', (code) => {
        running--;
        resolve(code);
      }),
    );
  });
  let seen = 0;
  while (running > 0) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    try {
      read();
      seen++;
    } catch (thrown) {
      // Only before the very first rule there is no file.
      expect(thrown).toMatchObject({ code: 'ENOENT' });
      expect(seen).toBe(0);
    }
  }
  expect(await Promise.all(ends)).toEqual([0, 0, 0, 0]);
  for (const name of names) {
    expect(read().projects[`/repository/${name}`].permissions.allow).toHaveLength(50);
  }
  expect(readdirSync(path.dirname(file)).filter((one) => one.startsWith('settings.json'))).toEqual(['settings.json']);
});

// Mounting needs root; for everybody else this test does not exist.
if (process.getuid?.() === 0) test('A12: on a full disk the file stays as it was, byte for byte', fullDisk);

async function fullDisk(): Promise<void> {
  const disk = path.join(folder, 'disk');
  mkdirSync(disk);
  const mounted = spawnSync('/bin/mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]);
  expect(mounted.status).toBe(0);
  try {
    file = path.join(disk, 'belay/settings.json');
    expect((await storeRules(file, '/a', ['Bash(ls)'])).ok).toBe(true);
    const before = readFileSync(file);
    for (const size of [4096, 512, 64, 1]) {
      for (let at = 0; at < 100; at++) {
        try {
          writeFileSync(path.join(disk, `fill-${size}-${at}`), 'x'.repeat(size));
        } catch {
          break;
        }
      }
    }
    const stored = await storeRules(file, '/a', [`Bash(${'long '.repeat(3000)}end)`]);
    expect(stored).toMatchObject({
      ok: false,
      error: { exitCode: 52, message: expect.stringContaining('not stored') },
    });
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(path.dirname(file)).filter((one) => one.startsWith('settings.json.'))).toEqual([]);
  } finally {
    spawnSync('/bin/umount', ['-l', disk]);
  }
}
