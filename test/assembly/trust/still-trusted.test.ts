import { mkdirSync, mkdtempSync, realpathSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { giveTrust, repositoryTrust } from '../../../src/assembly/trust/repository-trust.ts';
import { stillTrusted } from '../../../src/assembly/trust/still-trusted.ts';
import { trustedParts } from '../../../src/assembly/trust/trusted-parts.ts';

let top = '';
let root = '';
let home = '';
const put = (name: string, text: string) => {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  writeFileSync(path.join(root, name), text);
};
const settings = (command: string, more: object = {}) =>
  JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command }] }] }, ...more });

beforeEach(() => {
  top = realpathSync(mkdtempSync(path.join(tmpdir(), 'belay-trust-')));
  root = path.join(top, 'work');
  home = path.join(top, 'home');
  put('.belay/settings.json', settings('"$CLAUDE_PROJECT_DIR"/tools/h.sh', { checks: ['node check.js'] }));
  put('tools/h.sh', '#!/bin/sh\n. "$(dirname "$0")/lib.sh"\nnode tools/deep.js\n');
  put('tools/lib.sh', '. tools/more.sh\n');
  put('tools/more.sh', 'true\n');
  put('tools/deep.js', '1\n');
  put('check.js', '1\n');
  put('other.sh', '1\n');
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const trust = async () => {
  const now = await repositoryTrust(root, home);
  await giveTrust(root, home, now.digest ?? '');
  return repositoryTrust(root, home);
};

test('the digest covers what commands name, and what shell scripts start or read in turn', async () => {
  expect((await repositoryTrust(root, home)).named).toEqual([
    'check.js',
    'tools/deep.js',
    'tools/h.sh',
    'tools/lib.sh',
    'tools/more.sh',
  ]);
});

test('a log that a hook writes revokes nothing', async () => {
  put('.belay/settings.json', settings('tools/h.sh >>"$CLAUDE_PROJECT_DIR"/.claude/hooks.log 2>&1 | tee -a seen.log'));
  put('.claude/hooks.log', 'once\n');
  put('seen.log', '');
  expect((await trust()).trusted).toBe(true);
  put('.claude/hooks.log', 'once\ntwice\n');
  put('seen.log', 'once\n');
  expect((await repositoryTrust(root, home)).trusted).toBe(true);
  put('tools/lib.sh', 'false\n');
  expect((await repositoryTrust(root, home)).trusted).toBe(false);
});

describe('what a script loads is covered with it', () => {
  const hook = "import './lib.mjs';\nimport { x } from '../shared/x.js';\nimport chalk from 'chalk';\n";
  beforeEach(() => {
    put('.belay/settings.json', settings('node tools/h.mjs; python3 -m tools.py; python3 tools/p.py; npm run lint'));
    put('tools/h.mjs', hook);
    put('tools/lib.mjs', "const deep = await import('./deep.mjs');\n");
    put('tools/deep.mjs', '1\n');
    put('shared/x.ts', 'export const x = 1;\n');
    put('tools/py/__main__.py', 'from . import inner\n');
    put('tools/py/inner.py', 'import tools.far\n');
    put('tools/far.py', '');
    put('tools/p.py', 'import beside, json\n');
    put('tools/beside.py', '');
  });

  test('by name', async () => {
    const { named, beyond } = await repositoryTrust(root, home);
    expect(named).toEqual([
      'shared/x.ts',
      'tools/beside.py',
      'tools/deep.mjs',
      'tools/far.py',
      'tools/h.mjs',
      'tools/lib.mjs',
      'tools/p.py',
      'tools/py/__main__.py',
      'tools/py/inner.py',
    ]);
    expect(beyond).toEqual([
      'what npm starts in a command of .belay/settings.json',
      'the package chalk, loaded by tools/h.mjs',
    ]);
  });

  test.each<[string, string]>([
    ['an import', 'tools/lib.mjs'],
    ['an import of an import', 'tools/deep.mjs'],
    ['one from another folder', 'shared/x.ts'],
    ['a file that now comes before the one that was meant', 'shared/x.js'],
    ['a module of a package', 'tools/py/inner.py'],
    ['a new module that hides one of Python itself', 'tools/json.py'],
  ])('a change revokes trust and is named: %s', async (_what, name) => {
    const whyNot = stillTrusted(root, home, await trust());
    put(name, '2\n');
    expect((await repositoryTrust(root, home)).trusted).toBe(false);
    expect(await whyNot()).toContain(name);
  });

  test('of a very long file any change counts', async () => {
    put('tools/lib.mjs', '');
    truncateSync(path.join(root, 'tools/lib.mjs'), 33 * 1024 * 1024);
    await trust();
    utimesSync(path.join(root, 'tools/lib.mjs'), 1, 1);
    expect((await repositoryTrust(root, home)).trusted).toBe(false);
  });

  test('where there are more files than are looked at, that is told', async () => {
    const names = Array.from({ length: 400 }, (_, i) => `./part${i}.mjs`);
    for (const name of names) put(`tools/${name}`, '');
    put('tools/h.mjs', names.map((name) => `import '${name}';`).join('\n'));
    const { named, beyond } = await repositoryTrust(root, home);
    expect(named).toHaveLength(300);
    expect(beyond).toContain('more than the first 300 files');
  });
});

describe('before each start of a hook', () => {
  test('nothing is said where nothing changed', async () => {
    expect(await stillTrusted(root, home, await trust())()).toBeNull();
  });

  test.each<[string, string, string]>([
    ['the hook itself', 'tools/h.sh', 'true\n'],
    ['what it reads', 'tools/lib.sh', 'true\n'],
    ['what that reads', 'tools/more.sh', 'false\n'],
    ['what it starts', 'tools/deep.js', '2\n'],
    ['the configuration', '.belay/settings.json', settings('tools/h.sh')],
    ['a new file of configuration', '.claude/settings.local.json', '{}'],
  ])('a change is named: %s', async (_what, name, text) => {
    const whyNot = stillTrusted(root, home, await trust());
    put(name, text);
    expect(await whyNot()).toContain(`${name}`);
    expect(await whyNot()).toContain('changed since the user trusted it, so it is not started');
  });

  test('a file that is gone, and one that came', async () => {
    const whyNot = stillTrusted(root, home, await trust());
    rmSync(path.join(root, 'tools/deep.js'));
    expect(await whyNot()).toContain('tools/deep.js changed');
    put('tools/deep.js', '1\n');
    expect(await whyNot()).toBeNull();
    put('lib.sh', 'true\n');
    expect(await whyNot()).toContain('lib.sh changed');
  });

  test.each(['check.js', 'other.sh'])('what only a check names, or nobody, does not matter: %s', async (name) => {
    const whyNot = stillTrusted(root, home, await trust());
    put(name, '2\n');
    expect(await whyNot()).toBeNull();
  });

  test('what the user trusts anew meanwhile counts, but not another configuration', async () => {
    const whyNot = stillTrusted(root, home, await trust());
    put('tools/h.sh', 'true\n');
    expect(await whyNot()).not.toContain('start again');
    await trust();
    expect(await whyNot()).toBeNull();
    put('.belay/settings.json', settings('other.sh'));
    await trust();
    expect(await whyNot()).toContain('and start again');
  });
});

describe('a session takes from it', () => {
  test('hooks that ask before each start, and the files from which they start', async () => {
    await trust();
    const parts = await trustedParts(root, home, false);
    if (!parts.ok) throw new Error(parts.error.message);
    const { hooks, guarded } = parts.value;
    expect(guarded).toEqual(['.belay/settings.json', 'tools/h.sh', 'tools/lib.sh', 'tools/deep.js', 'tools/more.sh']);
    expect(await hooks[0]?.whyNot?.()).toBeNull();
    put('tools/more.sh', 'false\n');
    expect(await hooks[0]?.whyNot?.()).toContain('tools/more.sh');
  });

  test('nothing without trust', async () => {
    expect(await trustedParts(root, home, false)).toMatchObject({ value: { hooks: [], guarded: [] } });
  });
});
