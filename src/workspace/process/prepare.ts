/**
 * Makes an attempt ready: folder, spool, reserved receipt, and a wrapper that waits for its go line. Nothing has
 * happened yet; if the agent dies here, the wrapper reads the end of its input and leaves.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, rmSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { makeId, messageOf } from '#lib';
import { revokeClaim } from '../claim.ts';
import type { PreparedProcess, SpawnRequest } from '../contract.ts';
import { isFull } from '../error-code.ts';
import { WorkspaceError } from '../workspace-error.ts';
import { commandEnv, type Env } from './command-env.ts';
import { makeExecFolder, writeCommand, writeTree } from './exec-folder.ts';
import { startOf, type Tree } from './process-table.ts';
import type { FindProgram } from './programs.ts';
import { didNotRun } from './result.ts';
import { supervise } from './supervise.ts';
import { WRAPPER } from './wrapper.ts';

/** The system takes arguments below 128 KiB; longer texts run from a file. */
const ARGUMENT_BYTES_MAX = 120 * 1024;
const SPOOL_BYTES_MAX = 256 * 1024 * 1024;
const FREE_BYTES_MIN = 4 * 1024 * 1024;
const BLOCK_BYTES = 512;

export interface SpawnPorts {
  readonly find: FindProgram;
  readonly env: Env;
  readonly bootId: string;
  /** Called for each attempt whose wrapper got its go line. */
  readonly onStart: (tree: Tree) => void;
}

export function prepareProcess(ports: SpawnPorts, request: SpawnRequest): PreparedProcess {
  refuseImpossible(request);
  const isNew = !existsSync(request.execFolder);
  try {
    makeExecFolder(request.execFolder);
    const { child, tree } = startWrapper(ports, request);
    writeTree(request.execFolder, tree);
    return {
      start: async () => {
        if (request.signal.aborted) {
          revokeClaim(request.execFolder);
          await leave(child);
          return didNotRun(request.execFolder, 'cancelled');
        }
        ports.onStart(tree);
        return supervise(child, tree, request);
      },
      discard: async () => {
        await leave(child);
        if (isNew) rmSync(request.execFolder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    if (error instanceof WorkspaceError) throw error;
    throw new WorkspaceError(isFull(error) ? 'full' : 'io', messageOf(error), { cause: error });
  }
}

function startWrapper(ports: SpawnPorts, request: SpawnRequest): { readonly child: ChildProcess; readonly tree: Tree } {
  const sh = demand(ports.find, 'sh');
  const cat = demand(ports.find, 'cat');
  const shell = ports.find('bash') ?? sh;
  const nonce = makeId((bytes) => crypto.getRandomValues(bytes));
  const words =
    Buffer.byteLength(request.command) < ARGUMENT_BYTES_MAX
      ? ['-c', '--', request.command]
      : [writeCommand(request.execFolder, request.command)];
  const blocks = Math.max(1, Math.ceil((request.spoolBytesMax ?? SPOOL_BYTES_MAX) / BLOCK_BYTES));
  const args = ['-c', WRAPPER, 'belay', request.execFolder, nonce, ports.bootId, String(blocks), cat, shell, ...words];
  const child = spawn(sh, args, {
    argv0: 'sh',
    cwd: request.cwd,
    env: commandEnv(ports.env, request.attemptId, request.actionId),
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
  });
  child.on('error', () => undefined);
  (child.stdin as Writable).on('error', () => undefined);
  if (child.pid === undefined) throw new WorkspaceError('io', 'The system did not start the shell for the command.');
  const tree = { attemptId: request.attemptId, leader: child.pid, leaderStart: startOf(child.pid), nonce };
  return { child, tree };
}

function refuseImpossible(request: SpawnRequest): void {
  if (request.command.includes('\0')) throw new WorkspaceError('invalid', 'A command cannot contain a NUL byte.');
  if (!statSync(request.cwd, { throwIfNoEntry: false })?.isDirectory()) {
    throw new WorkspaceError('missing', `The working directory ${request.cwd} does not exist.`);
  }
  const { bavail, bsize } = statfsSync(nearestExisting(request.execFolder));
  if (bavail * bsize < FREE_BYTES_MIN) {
    throw new WorkspaceError('full', `Too little free space for the output of a command in ${request.execFolder}.`);
  }
}

function nearestExisting(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : nearestExisting(dirname(path));
}

function demand(find: FindProgram, name: string): string {
  const file = find(name);
  if (file === null)
    throw new WorkspaceError('unsupported', `The program ${name} was not found outside the workspace.`);
  return file;
}

/** Ends the wrapper's input without a go line and waits until it has gone. */
function leave(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.on('exit', () => resolve());
    (child.stdin as Writable).end();
  });
}
