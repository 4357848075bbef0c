/** Which sandbox a session gets: options before the record, the record before the environment, that before the files. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Fact } from '#kernel';
import { sandboxOf } from '../../../src/assembly/sandbox/session-sandbox.ts';
import { openWorkspaceAt } from '../../../src/assembly/sessions/open-workspace-at.ts';
import { noSandboxSettings, type SandboxSettings } from '../../../src/permission/sandbox/sandbox-settings.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

interface Given {
  readonly option?: 'auto' | 'required' | 'off';
  readonly network?: boolean;
  readonly recorded?: 'auto' | 'required' | 'off';
  readonly env?: string;
  readonly files?: Partial<SandboxSettings>;
  readonly demanded?: boolean;
  /** Fills the folder around the workspace `work` first. */
  readonly make?: (top: string) => unknown;
  /** A place in that folder that the user's file shows. */
  readonly readable?: string;
}

async function ask({ option, network, recorded, env, files = {}, demanded = false, make, readable }: Given) {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'belay-which-')));
  folders.push(top);
  const [work, session, home] = [join(top, 'work'), join(top, 'home/sessions/s'), join(top, 'home')];
  make?.(top);
  for (const folder of [work, session]) mkdirSync(folder, { recursive: true });
  const shown = readable === undefined ? {} : { readable: [join(top, readable)] };
  const environment = { ...process.env, BELAY_SANDBOX: env };
  const place = await openWorkspaceAt(work, session, home, environment);
  if (!place.ok) throw new Error(place.error.message);
  const settings = { type: 'settings.changed', by: 'user', sandbox: recorded, seq: 1, ts: 0 } as unknown as Fact;
  const found = await sandboxOf({
    place: place.value,
    rules: {
      guarded: [],
      narrowing: { deny: [], ask: [] },
      sandbox: { ...noSandboxSettings, ...files, ...shown },
      sandboxDemanded: demanded,
    },
    settings: {
      ...(option === undefined ? {} : { sandbox: option }),
      ...(network === undefined ? {} : { sandboxNetwork: network }),
    },
    facts: recorded === undefined ? [] : [settings],
    sessionFolder: session,
    dataFolder: home,
    env: environment,
  });
  if (!found.ok) return { exitCode: found.error.exitCode };
  const { mode, network: reached, level } = found.value.report;
  const { processes } = place.value.workspace;
  expect(processes.isConfined()).toBe(level !== 'none');
  return { mode, network: level === 'none' ? null : reached, notices: found.value.notices };
}

describe('the mode', () => {
  test.each<[string, Given, object]>([
    ['nothing said', {}, { mode: 'auto', network: false }],
    ['an option', { option: 'off', recorded: 'required', env: 'auto' }, { mode: 'off' }],
    ['the record', { recorded: 'off', env: 'required', files: { mode: 'required' } }, { mode: 'off' }],
    ['the environment', { env: 'off', files: { mode: 'required' } }, { mode: 'off' }],
    ['the files', { files: { mode: 'off' } }, { mode: 'off' }],
    ['the machine demands it', { files: { mode: 'required' }, demanded: true }, { mode: 'required' }],
    ['what the machine demands is not switched off', { option: 'off', demanded: true }, { exitCode: 44 }],
    ['an environment that says something else', { env: 'maybe' }, { exitCode: 52 }],
  ])('%s', async (_name, given, expected) => expect(await ask(given)).toMatchObject(expected));
});

describe('the network', () => {
  test.each<[string, Given, object]>([
    ['an option', { network: true, files: { network: false } }, { network: true }],
    ['the files', { files: { network: true } }, { network: true }],
    [
      'what the machine demands',
      { network: true, files: { network: false, mode: 'required' }, demanded: true },
      { exitCode: 44 },
    ],
  ])('%s', async (_name, given, expected) => expect(await ask(given)).toMatchObject(expected));
});

describe('objects that the repository borrows', () => {
  const git = (cwd: string, ...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e', ...words], { cwd, stdio: 'pipe' });
  const lent = (top: string) => {
    for (const words of [
      ['init', '-q', 'lender'],
      ['-C', 'lender', 'commit', '-q', '--allow-empty', '-m', 'x'],
    ])
      git(top, ...words);
    git(top, 'clone', '-q', '--shared', 'lender', 'work');
    return join(top, 'lender/.git/objects');
  };

  test('from a place that is hidden are told to the user', async () => {
    let from = '';
    const { notices } = await ask({
      make(top) {
        from = lent(top);
      },
    });
    expect(notices).toEqual([expect.stringContaining(`borrows objects from ${from}, which is hidden there`)]);
  });
  test('from a place that the user names are not', async () => {
    expect(await ask({ make: lent, readable: 'lender/.git/objects' })).toMatchObject({ notices: [] });
  });
  test('without a sandbox are not', async () => {
    expect(await ask({ make: lent, option: 'off' })).toMatchObject({ notices: [] });
  });
  test('and none where there are none, or no repository', async () => {
    expect(await ask({})).toMatchObject({ notices: [] });
    const plain = await ask({ make: (top) => git(top, 'init', '-q', 'work') });
    expect(plain).toMatchObject({ notices: [] });
    const odd = await ask({
      make(top) {
        git(top, 'init', '-q', 'work');
        writeFileSync(join(top, 'work/.git/objects/info/alternates'), '# x\n\n/nowhere/objects\n../../../lender\n');
      },
    });
    expect(odd).toMatchObject({ notices: [] });
  });
});

test('links at the top that lead to where nothing is shown are told to the user', async () => {
  const make = (top: string) => {
    for (const folder of ['elsewhere', 'work/in']) mkdirSync(join(top, folder), { recursive: true });
    const links: readonly (readonly [string, string])[] = [
      ['data', '../elsewhere'],
      ['inside', 'in'],
      ['system', '/usr'],
      ['gone', '/nowhere'],
    ];
    for (const [name, to] of links) symlinkSync(to, join(top, 'work', name));
  };
  const { notices } = await ask({ make });
  expect(notices).toEqual([
    expect.stringMatching(/^in the sandbox data is a broken link, .*\/elsewhere, which is hidden/),
  ]);
  expect(await ask({ make, readable: 'elsewhere' })).toMatchObject({ notices: [] });
  expect(await ask({ make, option: 'off' })).toMatchObject({ notices: [] });
});

test('a place that the user shows and that is not shown all the same is told', async () => {
  const { notices } = await ask({
    files: { readable: ['/nowhere/at/all', '/tmp', '/usr'], writable: ['/nowhere/else', '/usr/share'] },
  });
  expect(notices).toEqual([
    'sandbox.readable: /nowhere/at/all is not there',
    'sandbox.readable: /tmp is not shown as a whole; name folders in it',
    'sandbox.writable: /nowhere/else is not there',
  ]);
  expect(await ask({ option: 'off', files: { readable: ['/nowhere/at/all'] } })).toMatchObject({ notices: [] });
});
