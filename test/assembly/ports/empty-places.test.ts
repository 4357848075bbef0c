/** What a command wrote where the sandbox shows nothing is gone: it must not count as written. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { initialState, type Json } from '#kernel';
import type { ToolAttempt, ToolsPort } from '#runtime';
import { type Unseen, withEmptyPlaces } from '../../../src/assembly/ports/empty-places.ts';
import { makePlace } from '../../e2e/belay.ts';
import { bash, say } from '../../e2e/turns.ts';

const home = '/home/me';
const root = `${home}/work/repo`;
const isShownEmpty = (place: string) =>
  `${place}/`.startsWith(`${home}/`) && !`${place}/`.startsWith(`${root}/`) && !place.startsWith(`${home}/.cargo`);

const context = (cwd = '.') => ({ state: () => ({ ...initialState, cwd }) }) as unknown as ToolAttempt;
/** A tool that says "ran", or a reading one. */
const tools = (effect: 'process' | 'read', status: 'succeeded' | 'cancelled' = 'succeeded', output = 'ran') =>
  ({
    profile: () => ({ effect, paths: null, problem: null }),
    prepare: async () => ({
      ok: true,
      attempt: { run: async () => ({ status, output }), discard: async () => {} },
    }),
    settle: async () => ({ state: 'settled', outcome: { status, output } }),
  }) as unknown as ToolsPort;

async function outputOf(args: Json, port = tools('process'), tool = 'Bash', cwd = '.', links: Unseen['links'] = []) {
  const told = withEmptyPlaces(port, { root, home, isShownEmpty, links });
  const prepared = await told.prepare(tool, args, context(cwd));
  if (!prepared.ok) throw new Error('it was not made ready');
  const { output } = await prepared.attempt.run();
  expect(await told.settle(tool, args, null, context(cwd))).toEqual({
    state: 'settled',
    outcome: expect.objectContaining({ output }),
  });
  return output;
}
const line = (word: string) => `ran\n${word}: the sandbox shows this place empty, so nothing that is there was seen`;

describe('told', () => {
  test.each([
    ['cp a ~/out/', '~/out/'],
    ['cp a "$HOME"/out', '$HOME/out'],
    ['cp a "${HOME}/out"', '${HOME}/out'],
    ['echo x >~/log', '~/log'],
    ['tool --out=/home/me/out', '/home/me/out'],
    ['git worktree add ../wt', '../wt'],
    ['cp a ..', '..'],
    ["cd src && cp a '/home/me/x y'", '/home/me/x'],
    ['(cat ~/notes; true)', '~/notes'],
  ])('%s', async (command, word) => expect(await outputOf({ command })).toContain(line(word)));

  test('a path counts from the folder in which the command started', async () => {
    expect(await outputOf({ command: 'cp a ../b' }, undefined, 'Bash', 'src')).toBe('ran');
    expect(await outputOf({ command: 'cp a ../../b' }, undefined, 'Bash', 'src')).toContain(line('../../b'));
    expect(await outputOf({ command: 'cp a ../b', cwd: '.' }, undefined, 'Bash', 'src')).toContain(line('../b'));
  });
});

describe('not told', () => {
  test.each([
    ['of the workspace', { command: `cp ${root}/a ~/work/repo/b ../repo/c src/../d` }],
    ['of what is shown in the home', { command: 'ls ~/.cargo/bin' }],
    ['of other places', { command: 'cp a /tmp/b; ls / /etc' }],
    ['where nobody knows from where a path counts', { command: 'cd src && cp a ../b; git -C src mv ../a ../b' }],
    ['of what only looks like a path', { command: 'sed s/..//g a; echo a..b ..x; echo $HOMES/x ~user' }],
    ['outside the sandbox', { command: 'cp a ~/out', unsandboxed: true }],
    ['without a command', { path: '~/out' }],
    ['without arguments', null],
  ])('%s', async (_name, args) => expect(await outputOf(args)).toBe('ran'));

  test('of a search for a text that looks like a path', async () => {
    const told = withEmptyPlaces(tools('read'), { root, home, isShownEmpty: () => true, links: [] });
    const outputFor = async (command: string) => {
      const prepared = await told.prepare('Bash', { command }, context());
      return prepared.ok ? (await prepared.attempt.run()).output : '';
    };
    expect(await outputFor(`grep -r '/nowhere/at/all' .`)).toBe('ran');
    const there = realpathSync(mkdtempSync(path.join(tmpdir(), 'belay-there-')));
    expect(await outputFor(`ls ${there}`)).toContain(line(there));
    rmSync(there, { recursive: true });
  });

  test('of other tools, and of a call that was cancelled', async () => {
    expect(await outputOf({ command: 'cp a ~/out' }, undefined, 'Test')).toBe('ran');
    expect(await outputOf({ command: 'cp a ~/out' }, tools('process', 'cancelled'))).toBe('ran');
  });
});

describe('a link of the workspace that leads to where nothing is shown', () => {
  const links = [
    { name: 'data', target: '/mnt/data' },
    { name: 'node_modules', target: '/home/me/x' },
  ];
  const ask = (command: string, output = 'ran') =>
    outputOf({ command }, tools('process', 'succeeded', output), 'Bash', '.', links);
  const told = (name: string, target: string) =>
    `${name} is a link to ${target}, of which the sandbox shows nothing. If it must be reached`;

  test.each(['ls data', './train --in=./data/x', "cat 'data/a b'", '(ls data)'])(
    'is told where it is named: %s',
    async (command) => expect(await ask(command)).toContain(told('data', '/mnt/data')),
  );
  test.each([
    "Error: Cannot find module 'x'",
    'ls: cannot access: No such file or directory',
    'Error: ENOENT: no',
    'mkdir: cannot create directory: File exists',
  ])('is told where something is missing: %s', async (output) =>
    expect(await ask('npm test', output)).toContain(told('data', '/mnt/data')),
  );
  test('the one that is named comes first', async () =>
    expect(await ask('ls node_modules/x', 'No such file or directory')).toContain(told('node_modules', '/home/me/x')));
  test.each(['npm test', 'ls database src/data mydata', 'ls data-x'])('is not told else: %s', async (command) =>
    expect(await ask(command)).toBe('ran'),
  );
});

test('in the sandbox the model hears that what it wrote in the home is gone', async () => {
  const place = makePlace();
  const command = 'mkdir -p ~/belay-out && echo x > ~/belay-out/x && echo written';
  const settings = ['--permission-mode', 'bypassPermissions', '--sandbox', 'required', '--session', 's'];
  await place.belay(['run', 'go', '--model', place.script([bash(command), say('Done.')]), ...settings]);
  const outputs = (await place.facts('s')).flatMap((fact) => (fact.type === 'attempt.outcome' ? [fact.output] : []));
  expect(outputs).toEqual([
    expect.stringMatching(/^written\nexit code 0\n~\/belay-out: the sandbox shows this place empty/),
  ]);
});
