/**
 * Builds dist/ with tsdown.
 *
 *   node scripts/build.ts            the bundle, as ./belay uses it
 *   node scripts/build.ts --release  the same from scratch, with type declarations, as npm pack ships it
 *
 * The files are made in a folder of their own and then moved into place one by one, what they name last, so that a
 * Belay that runs from dist/ meanwhile always finds whole files. Chunks of earlier builds stay for a day, because that
 * running Belay may still have to load one of them.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const keepOldChunksMs = 24 * 60 * 60_000;
const entries = ['list-sessions.js', 'main.js', 'index.js', 'belay.js'];

function bundle(outDir: string, release: boolean): void {
  const tsdown = path.join(root, 'node_modules', 'tsdown', 'dist', 'run.mjs');
  const env = { ...process.env, BELAY_BUILD_DIR: outDir, BELAY_BUILD_TYPES: release ? '1' : '0' };
  const { status } = spawnSync(process.execPath, [tsdown, '--logLevel', 'warn'], {
    cwd: root,
    env,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) throw new Error('tsdown could not build; its lines above say why');
}

function moveIntoPlace(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  const built = readdirSync(from).sort((a, b) => entries.indexOf(a) - entries.indexOf(b));
  for (const name of built) renameSync(path.join(from, name), path.join(to, name));
  for (const name of readdirSync(to)) {
    const file = path.join(to, name);
    const old = !built.includes(name) && name !== '.stamp' && Date.now() - statSync(file).mtimeMs > keepOldChunksMs;
    if (old) rmSync(file, { force: true, recursive: true });
  }
}

/** Builds into `target`; throws when the sources cannot be built, and then leaves `target` as it was. A release build removes everything that was there before. */
export function build(target: string, release: boolean): void {
  const temporary = path.join(root, '.node', `build-${process.pid}`);
  rmSync(temporary, { recursive: true, force: true });
  try {
    bundle(temporary, release);
    if (release) rmSync(target, { recursive: true, force: true });
    moveIntoPlace(temporary, target);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

if (import.meta.main) build(path.join(root, 'dist'), process.argv.includes('--release'));
