import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { build } from '../../scripts/build.ts';

const root = path.resolve(import.meta.dirname, '../..');
const installLimitMs = 180_000;
// Whole programs of others (npm, the compiler) are run, on machines that have more to do.
vi.setConfig({ testTimeout: installLimitMs });

let folder: string;
let packed: { readonly filename: string; readonly files: readonly { readonly path: string }[] };

/** What an outer `npm test` left in the environment would point the inner npm at the outer project. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^npm_(lifecycle|package|command|config_local_prefix)/i.test(name)),
);

function run(command: string, args: readonly string[], cwd: string, more: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', env: { ...env, ...more } });
  return { status, stdout, stderr };
}

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'belay-pack-'));
  const stage = path.join(folder, 'stage');
  const user = path.join(folder, 'user');
  mkdirSync(stage);
  mkdirSync(user);
  // A stage of its own, so that the release build does not disturb a Belay that runs from dist/ meanwhile.
  for (const name of ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'examples/demo']) {
    if (existsSync(path.join(root, name))) cpSync(path.join(root, name), path.join(stage, name), { recursive: true });
  }
  build(path.join(stage, 'dist'), true);
  const pack = run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], stage);
  [packed] = JSON.parse(pack.stdout);
  writeFileSync(path.join(user, 'package.json'), '{ "private": true, "type": "module" }');
  const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  const { status, stderr } = run('npm', [...install, path.join(folder, packed.filename)], user);
  if (status !== 0) throw new Error(stderr);
}, installLimitMs);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the package', () => {
  it('carries the bundle with its types and licences, and no sources or tests', () => {
    const files = packed.files.map((file) => file.path);
    expect(files).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'README.md',
        'CHANGELOG.md',
        'dist/belay.js',
        'dist/parts.js',
        'dist/main.cjs',
        'dist/list-sessions.js',
        'dist/index.js',
        'dist/index.d.ts',
        'dist/third-party-licenses.txt',
      ]),
    );
    expect(
      files.filter((file) => !/^(dist|examples\/demo)\/|^(LICENSE|README\.md|CHANGELOG\.md|package\.json)$/.test(file)),
    ).toEqual([]);
  });

  it('holds its code in one byte a letter, without comments, and hands requests on as objects', () => {
    const dist = path.join(folder, 'stage/dist');
    const chunks = readdirSync(dist).filter((name) => /\.c?js$/.test(name));
    const code = new Map(chunks.map((name) => [name, readFileSync(path.join(dist, name), 'utf8')]));
    const having = (pattern: RegExp) => chunks.filter((name) => pattern.test(code.get(name) ?? ''));
    expect(having(/[^\0-\x7f]/)).toEqual([]);
    expect(having(/^\s*\/\*\*/m)).toEqual([]);
    // Once for the command line, once for the library.
    expect(having(/\bcontent: body,/)).toHaveLength(2);
    expect(having(/\bcontent: JSON\.stringify\(body\)/)).toEqual([]);
  });

  it('installs into an empty folder and answers --version and --help', () => {
    const user = path.join(folder, 'user');
    expect(run('npx', ['--no-install', 'belay', '--version'], user)).toEqual({
      status: 0,
      stdout: `${manifest.version}\n`,
      stderr: '',
    });
    const help = run('npx', ['--no-install', 'belay', '--help'], user);
    expect({ status: help.status, stderr: help.stderr }).toEqual({ status: 0, stderr: '' });
    expect(help.stdout).toContain('belay');
  });

  it('can be imported as a library, with types that a strict consumer accepts', () => {
    const user = path.join(folder, 'user');
    writeFileSync(
      path.join(user, 'use.ts'),
      "import * as belay from 'belay';\nconsole.log(Object.keys(belay).length > 0);\n",
    );
    expect(run(process.execPath, ['--no-warnings', 'use.ts'], user)).toEqual({
      status: 0,
      stdout: 'true\n',
      stderr: '',
    });
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--types', 'node'];
    const types = ['--typeRoots', path.join(root, 'node_modules/@types'), 'use.ts'];
    const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
    expect(run(process.execPath, [tsc, ...options, ...types], user)).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it('finds its grammars where they were installed', () => {
    const user = path.join(folder, 'user');
    writeFileSync(path.join(user, 'one.py'), 'def one(): pass\n');
    const turns = [{ calls: [{ tool: 'Symbols', args: { path: 'one.py' } }] }, { text: 'done' }];
    writeFileSync(path.join(user, 'script.json'), JSON.stringify({ turns }));
    const shown = ['--model', 'scripted/script.json', '--output-format', 'stream-json'];
    const told = run('npx', ['--no-install', 'belay', 'run', 'look', ...shown], user, {
      BELAY_HOME: path.join(folder, 'home'),
    });
    expect(told).toMatchObject({ status: 0 });
    expect(told.stdout).toContain('1-1 function one');
  });

  it('keeps the code that it compiled, of every command once, and starts with it', () => {
    const user = path.join(folder, 'user');
    writeFileSync(
      path.join(user, 'talk.json'),
      JSON.stringify({ turns: ['one', 'two', 'three', 'four'].map((text) => ({ text })) }),
    );
    const home = path.join(folder, 'home-of-code');
    const code = path.join(home, 'code');
    const belay = (...args: string[]) => {
      const { status, stderr } = run('npx', ['--no-install', 'belay', ...args], user, { BELAY_HOME: home });
      expect({ args, status, stderr: /warning/i.test(stderr) }).toEqual({ args, status: 0, stderr: false });
      return new Map(readdirSync(code).map((name) => [name.replace(/-.*/, ''), statSync(path.join(code, name)).ino]));
    };
    const session = ['--session', 's', '--model', 'scripted/talk.json'];
    const first = belay('run', 'talk', ...session);
    expect([...first.keys()].sort()).toEqual(['base', 'load', 'main.cjs', 'rolldown', 'session']);
    // What V8 refuses is written anew: the same files are those that it took, also where flags were set meanwhile.
    expect(belay('run', 'talk', '--model', 'scripted/talk.json')).toEqual(first);
    const second = belay('resume', 's', 'on');
    expect([...second].filter(([name, ino]) => first.get(name) === ino)).toEqual([]);
    expect(belay('resume', 's', 'on')).toEqual(second);
    for (const name of readdirSync(code)) truncateSync(path.join(code, name), 700);
    expect(belay('sessions').size).toBeGreaterThan(second.size);
    belay('resume', 's', 'on');
  });

  it('depends on nothing but what cannot be bundled', () => {
    const lock = JSON.parse(readFileSync(path.join(folder, 'user/package-lock.json'), 'utf8'));
    const installed = Object.keys(lock.packages).filter(
      (name) => name !== '' && !/@vscode\/(ripgrep|tree-sitter-wasm)/.test(name),
    );
    expect(installed).toEqual(['node_modules/belay']);
  });

  it('passes the package linter', async () => {
    const { messages } = await publint({
      pkgDir: path.join(folder, 'user/node_modules/belay'),
      strict: true,
      pack: false,
    });
    expect(messages).toEqual([]);
  });
});
