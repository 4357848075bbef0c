/**
 * Runs a smoke part of the tests under the other supported Node versions, and the bundled entry under one that is too
 * old. The versions are locked in scripts/node-versions; the whole suite runs under the Node that started this script.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const folder = path.join(root, 'scripts', 'node-versions');
const bin = (name: string): string => path.join(folder, 'node_modules', name, 'bin', 'node');
const entry = path.join(root, 'dist', 'belay.js');

/** What must work everywhere: the entry, the pure core, the durable record and real processes. */
const smoke = ['test/house/entry.test.ts', 'test/lib', 'test/kernel', 'test/ledger', 'test/workspace', 'test/runtime'];

function installVersions(): void {
  if (['node20', 'node22', 'node26'].every((name) => existsSync(bin(name)))) return;
  const { status } = spawnSync(
    'npm',
    ['ci', '--ignore-scripts', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: folder,
      stdio: ['ignore', 2, 2],
    },
  );
  if (status !== 0) throw new Error(`npm could not install the Node versions (exit ${status}); is the network there?`);
}

function smokePasses(name: string): boolean {
  const node = bin(name);
  const env = { ...process.env, PATH: [path.dirname(node), process.env['PATH']].join(path.delimiter) };
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=dot',
    ...smoke.filter((item) => existsSync(path.join(root, item))),
  ];
  return spawnSync(node, args, { cwd: root, env, stdio: 'inherit' }).status === 0;
}

function oldNodeIsRefused(): boolean {
  const { status, stdout, stderr } = spawnSync(bin('node20'), [entry, 'sessions'], { encoding: 'utf8' });
  return status === 1 && stdout === '' && /^belay: this is Node 20\.[^\n]*needs Node 22\.22\.2[^\n]*\n$/.test(stderr);
}

function main(): number {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    process.stdout.write('other Node versions: only run on Linux x64, where their binaries are locked\n');
    return 0;
  }
  installVersions();
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
  const results = ['node22', 'node26'].map((name) => {
    const told = spawnSync(bin(name), [entry, '--version'], { encoding: 'utf8' }).stdout.trim();
    const good = told === version && smokePasses(name);
    process.stdout.write(`${good ? 'ok  ' : 'FAIL'} ${name}\n`);
    return good;
  });
  const refused = oldNodeIsRefused();
  process.stdout.write(`${refused ? 'ok  ' : 'FAIL'} node20 is refused in one line\n`);
  return refused && results.every(Boolean) ? 0 : 1;
}

process.exitCode = main();
