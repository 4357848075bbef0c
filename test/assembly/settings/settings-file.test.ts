import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { permissionFiles } from '../../../src/assembly/permission-files.ts';
import { storeRules } from '../../../src/assembly/settings/store-rules.ts';

let folder: string;
let root: string;
let user: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'belay-settings-'));
  root = path.join(folder, 'root');
  user = path.join(folder, 'belay/settings.json');
  for (const one of [path.join(root, '.belay'), path.dirname(user)]) mkdirSync(one, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const files = () => permissionFiles(root, { XDG_CONFIG_HOME: folder }, [], path.join(folder, 'none.json'));

const bytesMax = 256 * 1024;
const large = JSON.stringify({ permissions: { deny: ['Bash(rm *)'] }, $schema: 'x'.repeat(bytesMax) });
const tooLarge = `it is too large, ${large.length} bytes of at most ${bytesMax} (256 KiB), so none of its rules count`;

test('a file of the user that is too large stops the start, and its size and the limit are told', async () => {
  writeFileSync(user, large);
  expect(await files()).toEqual({ ok: false, error: { exitCode: 52, message: `${user}: ${tooLarge}` } });
  truncateSync(user, 0);
  writeFileSync(user, `${large.slice(0, bytesMax - 2)}"}`);
  expect(await files()).toMatchObject({ ok: true, value: { narrowing: { deny: ['Bash(rm *)'] }, warnings: [] } });
});

test('a link that leads nowhere is no missing file', async () => {
  symlinkSync('gone.json', user);
  const why = 'it is a link that leads nowhere, so none of its rules count';
  expect(await files()).toEqual({ ok: false, error: { exitCode: 52, message: `${user}: ${why}` } });
  writeFileSync(path.join(folder, 'belay/gone.json'), large.slice(0, 100).replace(/,.*/, '}'));
  expect(await files()).toMatchObject({ ok: true, value: { narrowing: { deny: ['Bash(rm *)'] } } });
});

test('of a repository the same is a warning', async () => {
  writeFileSync(path.join(root, '.belay/settings.json'), large);
  expect(await files()).toMatchObject({ ok: true, value: { warnings: [`.belay/settings.json: ${tooLarge}`] } });
});

test('what is no file, or no JSON, is told as that', async () => {
  mkdirSync(user);
  expect(await files()).toMatchObject({
    error: { message: expect.stringContaining('it is no regular file, so none') },
  });
  rmSync(user, { recursive: true });
  writeFileSync(user, '[]');
  expect(await files()).toMatchObject({ error: { message: expect.stringContaining('it is no JSON object') } });
});

test('no rule is stored that would make the file too large to be read', async () => {
  const text = JSON.stringify({ more: 'x'.repeat(bytesMax - 100) });
  writeFileSync(user, text);
  expect(await storeRules(user, root, [`Bash(${'long '.repeat(30)})`])).toMatchObject({
    ok: false,
    error: {
      exitCode: 52,
      message: expect.stringMatching(/not stored: with it, \S+ would have \d+ bytes of at most 262144/),
    },
  });
  expect(await files()).toMatchObject({ ok: true });
});

test('keys that nobody reads are told: of the user, for this workspace and in .belay; of other tools only what looks like a rule', async () => {
  const odd = { permissions: { denny: ['Bash'], defaultMode: 'plan' }, env: {} };
  writeFileSync(user, JSON.stringify({ ...odd, projects: { [root]: { permissions: { alow: [] } } } }));
  mkdirSync(path.join(root, '.claude'));
  for (const name of ['.belay', '.claude']) writeFileSync(path.join(root, name, 'settings.json'), JSON.stringify(odd));
  const found = await files();
  if (!found.ok) throw new Error(found.error.message);
  const about = (file: string) =>
    found.value.warnings.flatMap((text) =>
      text.startsWith(`${file}: `) ? [/: (\S+) is not known/.exec(text)?.[1]] : [],
    );
  expect(about(user)).toEqual(['env', 'permissions.denny', 'permissions.defaultMode']);
  expect(about(`${user}, for this workspace`)).toEqual(['permissions.alow']);
  expect(about('.belay/settings.json')).toEqual(['env', 'permissions.denny', 'permissions.defaultMode']);
  expect(about('.claude/settings.json')).toEqual(['permissions.denny']);
});

test('what a repository narrows is no fault in the examples of the user; in its own they count together', async () => {
  const rule = { rule: 'Bash(git log *)', allows: ['git log -3'] };
  const of = (deny: readonly unknown[], ask: readonly unknown[]) => JSON.stringify({ permissions: { deny, ask } });
  writeFileSync(
    user,
    JSON.stringify({ permissions: { allow: [rule], deny: [{ rule: 'Bash(rm *)', denies: ['rm x'] }] } }),
  );
  writeFileSync(
    path.join(root, '.belay/settings.json'),
    of([], ['Bash(git log *)', { rule: 'Bash(rm y)', asks: ['rm y'] }]),
  );
  expect(await files()).toMatchObject({
    ok: true,
    value: {
      narrowing: { ask: ['Bash(git log *)', 'Bash(rm y)'] },
      warnings: [expect.stringContaining('rule Bash(rm y): its example "rm y" should be ask and is deny')],
      examples: { count: 3, failed: [expect.stringContaining('.belay/settings.json: rule Bash(rm y)')] },
    },
  });
  writeFileSync(user, JSON.stringify({ permissions: { allow: [rule], ask: ['Bash(git *)'] } }));
  expect(await files()).toMatchObject({ error: { exitCode: 52, message: expect.stringContaining('"git log -3"') } });
});
