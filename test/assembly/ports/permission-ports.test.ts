/** What commands reach through links and patterns in a real folder. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { permissionPorts } from '../../../src/assembly/ports/permission-ports.ts';
import { createPermission } from '../../../src/permission/create-permission.ts';
import type { Workspace } from '../../../src/workspace/contract.ts';
import { openFiles } from '../../../src/workspace/files/open-files.ts';

const top = realpathSync(mkdtempSync(join(tmpdir(), 'belay-ports-')));
afterAll(() => rmSync(top, { recursive: true, force: true }));

const root = join(top, 'proj');
let ports: ReturnType<typeof permissionPorts>;

beforeAll(() => {
  for (const folder of ['src/deep/deeper', 'certs', 'plain', 'many'])
    mkdirSync(join(root, folder), { recursive: true });
  const files = ['a.txt', 'src/a.txt', 'src/b.txt', 'certs/server.pem', 'certs/readme.md', 'plain/a.txt', 'plain/b.md'];
  for (const file of [...files, 'plain/[x].md', '.env', '../outside.txt']) writeFileSync(join(root, file), 'x');
  for (let i = 0; i < 1001; i++) writeFileSync(join(root, `many/${i}.txt`), '');
  symlinkSync('.', join(root, 'self'));
  symlinkSync('..', join(root, 'src/up'));
  symlinkSync('src/deep/deeper', join(root, 'down'));
  mkdirSync(join(root, 'leads'));
  symlinkSync('../../outside.txt', join(root, 'leads/away.txt'));
  ports = permissionPorts({
    files: openFiles(root, { root, env: {}, protectedPaths: [] }, () => 'boot'),
    processes: { isConfined: () => false },
    revision: {},
  } as unknown as Workspace);
});

const decide = async (command: string, allow: readonly string[], deny: readonly string[] = []) =>
  (
    await createPermission(ports, [], { deny, ask: [] })(
      { tool: 'Bash', args: { command }, effect: 'process', paths: null },
      { mode: 'acceptEdits', allow, checks: [], workspace: root, signal: new AbortController().signal },
    )
  ).decision;

const programs = 'cat echo cp python3 ls cd head git ln'.split(' ').map((name) => `Bash(${name} *)`);

describe.each([
  ['rules for programs', programs],
  ['a rule for every command', ['Bash']],
])('%s', (_name, allow) => {
  it.each([
    'cat self/../outside.txt',
    'cat ./self/../outside.txt',
    'cat self/self/../outside.txt',
    'cat src/up/../outside.txt',
    'cat src/up/../src/a.txt',
    'cat < self/../outside.txt',
    'echo x > self/../outside2.txt',
    'echo x >> self/../outside2.txt',
    'cp src/a.txt self/../outside3.txt',
    'python3 self/../x.py',
    'cat down/../../../outside.txt',
    'cat nothing/../../outside.txt',
    'cd self && cat ../outside.txt',
    'cd src/up && cat ../outside.txt',
    'cd self/.. && cat outside.txt',
    'cd down/../.. && cat ../outside.txt',
    'ln -s . new && cat new/../outside.txt',
    'cat leads/away.txt',
    'cat leads/*',
    'cat self/../outs*',
    'cat certs/server.pem',
    'cat certs/*',
    'cat certs/*.p*',
    'cat certs/[rs]*',
    'cat self/certs/*',
    'cat */*',
    'cd certs && cat *',
    'cat many/*',
  ])('asks: %s', async (command) => {
    expect(await decide(command, allow)).toBe('ask');
  });
  it.each([
    'cat self/a.txt',
    'cat src/up/a.txt',
    'cat src/../a.txt',
    'cat src/a.txt src/b.txt',
    'cp src/a.txt self/new.txt',
    'echo x > down/../new.txt',
    'cd src && cat a.txt',
    'cat plain/*',
    'cat plain/*.md',
    'cat plain/[ab]*',
    'cat src/*.txt',
    'cat certs/*.md',
  ])('allows: %s', async (command) => {
    expect(await decide(command, allow)).toBe('allow');
  });
});

it.each([
  ['cat plain/*', 'Read(plain/b.md)'],
  ['cat plain/?.md', 'Read(plain/b.md)'],
  ['cat plain/\\[*', 'Read(plain/[[]x].md)'],
  ['cat p*n/b*', 'Read(plain/b.md)'],
  ['cat certs/*', 'Read(certs/server.pem)'],
  ['cat self/plain/*', 'Read(plain/b.md)'],
])('%s is denied by %s', async (command, rule) => {
  expect(await decide(command, programs, [rule])).toBe('deny');
});
