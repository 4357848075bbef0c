/**
 * Belay put together as always, but with points at which it kills itself and its whole process group:
 *
 *   node test/crash/agent.ts run|resume …        (the arguments of belay)
 *
 * The points lie in the ledger port and in the built-in modules that the product calls, so nothing of this is known to
 * the product. They are patched before the product is loaded.
 */
import childProcess, { type ChildProcess, type SpawnOptions } from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import type { Store, WritableLedger } from '#ledger';
import { COUNTS_VARIABLE, CUT_VARIABLE, type Cut, type CutKind, cutKinds, FILL_VARIABLE, type Fill } from './cut.ts';

const cut = JSON.parse(process.env[CUT_VARIABLE] ?? 'null') as Cut | null;
const fill = JSON.parse(process.env[FILL_VARIABLE] ?? 'null') as Fill | null;
const counts = Object.fromEntries(cutKinds.map((kind) => [kind, 0])) as { [kind in CutKind]: number };
const { existsSync, readdirSync, readFileSync, writeFileSync } = fs;

function die(): void {
  // The group first; where this process leads none, at least itself.
  try {
    process.kill(-process.pid, 'SIGKILL');
  } catch {
    process.kill(process.pid, 'SIGKILL');
  }
}

/** Takes every byte that the data folder's file system has left. */
function fillDisk(): void {
  const filler = fs.openSync(path.join(process.env['BELAY_HOME'] ?? '', 'filler'), 'w');
  for (let size = 1 << 20; size > 0; size >>= 1) {
    try {
      for (;;) fs.writeSync(filler, Buffer.alloc(size));
    } catch {
      // No room for a piece of this size.
    }
  }
  fs.closeSync(filler);
}

const times = new Map<string, number>();
function passed(type: string): number {
  const n = (times.get(type) ?? 0) + 1;
  times.set(type, n);
  return n;
}

function pass(kind: CutKind): void {
  counts[kind]++;
  if (cut?.at === kind && cut.n === counts[kind]) die();
}

type Patched = { [name: string]: (this: unknown, ...args: unknown[]) => unknown };

function before(module: object, names: readonly string[], isChange: (args: readonly unknown[]) => boolean): void {
  const target = module as Patched;
  for (const name of names) {
    const original = target[name];
    if (original === undefined) throw new Error(`there is no ${name}`);
    target[name] = function (...args) {
      if (isChange(args)) pass('disk');
      return Reflect.apply(original, this, args);
    };
  }
}

const always = () => true;
const opensForWriting = ([, flags]: readonly unknown[]) => flags !== undefined && flags !== 'r';
const syncNames = [
  'appendFileSync',
  'chmodSync',
  'copyFileSync',
  'fdatasync',
  'fsync',
  'fsyncSync',
  'ftruncateSync',
  'linkSync',
  'mkdirSync',
  'renameSync',
  'rmSync',
  'rmdirSync',
  'symlinkSync',
  'truncateSync',
  'unlinkSync',
  'writeFileSync',
  'writeSync',
];
before(fs, syncNames, always);
before(fs, ['openSync'], opensForWriting);
before(
  fs.promises,
  ['appendFile', 'chmod', 'copyFile', 'cp', 'link', 'mkdir', 'rename', 'rm', 'rmdir', 'symlink', 'unlink', 'writeFile'],
  always,
);
const openFile = fs.promises.open;
fs.promises.open = async (file, flags, mode) => {
  if (opensForWriting([file, flags])) pass('disk');
  const handle = await openFile(file, flags, mode);
  before(handle, ['write', 'writeFile', 'appendFile', 'sync', 'datasync', 'chmod', 'truncate'], always);
  return handle;
};

const spawn = childProcess.spawn as (file: string, args: readonly string[], options: SpawnOptions) => ChildProcess;
childProcess.spawn = ((file: string, args: readonly string[], options: SpawnOptions) => {
  const child = spawn(file, args, options);
  pass('spawned');
  return child;
}) as typeof childProcess.spawn;
syncBuiltinESMExports();

/** Looks at the folders of commands as they come; how commands are started is the product's own affair. */
function watchCommands(sessionFolder: string): void {
  const exec = path.join(sessionFolder, 'exec');
  const seen: string[] = [];
  const look = () => {
    for (const name of existsSync(exec) ? readdirSync(exec) : []) {
      if (!seen.includes(name) && existsSync(path.join(exec, name, 'rc'))) seen.push(name);
    }
    const nth = cut === null ? undefined : seen[cut.n - 1];
    if (nth === undefined) return;
    const folder = path.join(exec, nth);
    const isClaimed = existsSync(path.join(folder, 'claim'));
    if (cut?.at === 'claimed' && isClaimed) die();
    if (!isClaimed || !readFileSync(path.join(folder, 'out'), 'utf8').includes('started')) return;
    if (cut?.at === 'shell')
      process.kill(Number.parseInt(readFileSync(path.join(folder, 'claim'), 'utf8'), 10), 'SIGKILL');
    if (cut?.at === 'shell' || cut?.at === 'running') die();
  };
  const timer = setInterval(() => {
    try {
      look();
    } catch {
      // The folder went meanwhile.
    }
  }, 1);
  timer.unref();
}

function watched(ledger: WritableLedger): WritableLedger {
  if (cut !== null && ledger.folder !== null) watchCommands(ledger.folder);
  return new Proxy(ledger, {
    get(target, name) {
      if (name === 'append') {
        return async (bodies: Parameters<WritableLedger['append']>[0]) => {
          if (bodies.some((body) => body.type === 'attempt.outcome' && body.exitCode !== undefined)) pass('receipt');
          if (bodies.some((body) => body.type === fill?.before && passed(body.type) === fill.n)) {
            // Folders of finished attempts are swept meanwhile; what that frees is to be filled, too.
            await new Promise((resolve) => setTimeout(resolve, 200));
            fillDisk();
          }
          const facts = await target.append(bodies);
          pass('append');
          return facts;
        };
      }
      if (name === 'flush') {
        return async () => {
          pass('flush');
          await target.flush();
          pass('flushed');
        };
      }
      return Reflect.get(target, name, target);
    },
  });
}

const { openStore } = await import('#ledger');
const { main } = await import('#surfaces/cli');
const { cliDeps } = await import('../../src/assembly/cli-deps.ts');
const { dataHome } = await import('../../src/assembly/data-home.ts');
const { processIo } = await import('../../src/assembly/process-io.ts');
const { createNew, openKnown } = await import('../../src/assembly/sessions/opening.ts');

const io = processIo();
const inner = openStore({ home: dataHome(process.env, io.cwd) });
const store: Store = {
  ...inner,
  create: async (sessionId) => {
    const made = await inner.create(sessionId);
    if (cut?.at === 'disk' && cut.n === 0) die();
    return watched(made);
  },
  openWriter: async (sessionId, reader) => watched(await inner.openWriter(sessionId, reader)),
};
const around = { store, env: process.env, cwd: io.cwd };
process.exitCode = await main(process.argv.slice(2), io, {
  ...cliDeps(process.env, io.cwd),
  create: (request) => createNew(request, around),
  reopen: (request) => openKnown(request, around),
});
const file = process.env[COUNTS_VARIABLE];
if (file !== undefined) writeFileSync(file, JSON.stringify(counts));
