/** Runs the real program in real folders: each place has a repository and a data folder of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, vi } from 'vitest';
import type { Fact } from '#kernel';
import { openStore } from '#ledger';
import type { ResultObject } from '#surfaces/view';

const root = path.resolve(import.meta.dirname, '../..');
/** The bundle where it is not older than any source, because it starts faster; else the sources themselves. */
export const entry = path.join(root, isBundleCurrent() ? 'dist/belay.js' : 'src/assembly/entry.ts');
const keptCode = path.join(root, 'node_modules/.cache/belay-code');
mkdirSync(keptCode, { recursive: true });
const demoRepository = path.join(root, 'examples/demo/repo');

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}
export interface Place {
  readonly folder: string;
  readonly repository: string;
  readonly home: string;
  /** Writes a script for the scripted model; returns the model's name. */
  script(turns: readonly object[], name?: string): string;
  belay(args: readonly string[], options?: RunOptions): Promise<Ran>;
  start(args: readonly string[], options?: RunOptions): ChildProcess;
  file(name: string): string;
  write(name: string, text: string): void;
  facts(sessionId: string): Promise<readonly Fact[]>;
}
export interface RunOptions {
  readonly input?: string | Buffer;
  readonly env?: { readonly [name: string]: string };
  readonly cwd?: string;
}

// Each test starts several whole programs, on machines that have more to do.
vi.setConfig({ testTimeout: 90_000 });

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export function makePlace(repository: string = demoRepository): Place {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'belay-e2e-')));
  folders.push(folder);
  const place = { folder, repository: path.join(folder, 'repo'), home: path.join(folder, 'home') };
  cpSync(repository, place.repository, { recursive: true });
  // What one place compiles, all start with.
  mkdirSync(place.home);
  symlinkSync(keptCode, path.join(place.home, 'code'));
  const start = (args: readonly string[], options: RunOptions = {}) => {
    const { PATH = '', HOME = '' } = process.env;
    const child = spawn(process.execPath, [entry, ...args], {
      cwd: options.cwd ?? place.repository,
      // Commands of the tests are watched from outside, by files and process ids; the sandbox has tests of its own.
      env: { PATH, HOME, BELAY_HOME: place.home, BELAY_SANDBOX: 'off', ...options.env },
      stdio: 'pipe',
    });
    child.stdin.on('error', () => {});
    child.stdin.end(options.input ?? '');
    return child;
  };
  return {
    ...place,
    start,
    script(turns, name = 'script.json') {
      const file = path.join(folder, name);
      writeFileSync(file, JSON.stringify({ turns }));
      return `scripted/${file}`;
    },
    belay: (args, options) => ended(start(args, options)),
    file: (name) => readFileSync(path.join(place.repository, name), 'utf8'),
    write: (name, text) => writeFileSync(path.join(place.repository, name), text),
    facts: async (sessionId) => (await openStore({ home: place.home }).openReader(sessionId)).facts,
  };
}

export function ended(child: ChildProcess): Promise<Ran> {
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve) => {
    child.on('close', (code, signal) => resolve({ code: code ?? (signal === null ? 1 : -1), stdout, stderr }));
  });
}

/** The result object, after seeing that it is the only line or the last one. */
export function resultOf(ran: Ran): ResultObject {
  const last = ran.stdout.trimEnd().split('\n').at(-1) ?? '';
  return JSON.parse(last) as ResultObject;
}

export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('the condition did not come true');
}

/** Until the only command of a session has ended: then it writes nothing any more. */
export async function untilReceipt(place: Place, session: string): Promise<void> {
  const exec = path.join(place.home, 'sessions', session, 'exec');
  const hasEnded = (attempt: string) => {
    const receipt = path.join(exec, attempt, 'rc');
    return existsSync(receipt) && / end\n/.test(readFileSync(receipt, 'latin1'));
  };
  await until(() => existsSync(exec) && readdirSync(exec).some(hasEnded));
}

function isBundleCurrent(): boolean {
  const stamp = path.join(root, 'dist/.stamp');
  if (!existsSync(stamp)) return false;
  const builtMs = statSync(stamp).mtimeMs;
  return readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' }).every(
    (file) => statSync(path.join(root, 'src', file)).mtimeMs <= builtMs,
  );
}
