/**
 * Makes an attempt ready: folder, spool, reserved receipt, and a wrapper that waits for its go line. Nothing has
 * happened yet; if the agent dies here, the wrapper reads the end of its input and leaves.
 */
import { spawn } from 'node:child_process';
import { existsSync, rmSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { messageOf } from '#lib';
import { revokeClaim } from '../claim.ts';
import type { ConfinedStart, PreparedProcess, SpawnRequest } from '../contract.ts';
import { errorCode, isFull } from '../error-code.ts';
import { throughWayOut } from '../network/way-out.ts';
import { WorkspaceError } from '../workspace-error.ts';
import { commandEnv, type Env } from './command-env.ts';
import { confinedCommand, quoted } from './confined-command.ts';
import { makeExecFolder, writeCommand, writeConfinement, writeTree } from './exec-folder.ts';
import { withErrorsApart, withStages } from './how-ended.ts';
import type { Launchers } from './launcher.ts';
import type { Carried } from './passed-variables.ts';
import { startOf, type Tree } from './process-table.ts';
import type { FindProgram } from './programs.ts';
import { didNotRun } from './result.ts';
import { statusLines } from './status-lines.ts';
import { supervise } from './supervise.ts';
import { askedOf, WRAPPER } from './wrapper.ts';
import { makeNonce, type Wrapper, type WrapperWords } from './wrapper-handle.ts';

/** The system takes arguments below 128 KiB; longer texts run from a file. */
const ARGUMENT_BYTES_MAX = 120 * 1024;
/** A longer text is no argument of the shell that readies the way out. */
const WAY_OUT_BYTES_MAX = 50 * 1024;
const SPOOL_BYTES_MAX = 256 * 1024 * 1024;
const FREE_BYTES_MIN = 4 * 1024 * 1024;
const BLOCK_BYTES = 512;

export interface SpawnPorts {
  readonly find: FindProgram;
  readonly env: Env;
  readonly bootId: string;
  readonly launchers: Launchers;
  readonly carried: () => Carried;
  /** Called for each attempt whose wrapper got its go line. */
  readonly onStart: (tree: Tree, request: SpawnRequest) => void;
}

/** `confined`: the words before those of the command; null where it runs as it is. */
export function prepareProcess(
  ports: SpawnPorts,
  request: SpawnRequest,
  confined: ConfinedStart | null,
): PreparedProcess {
  refuseImpossible(request);
  const isNew = !existsSync(request.execFolder);
  try {
    makeExecFolder(request.execFolder, request.separate === true);
    const wrapper = startWrapper(ports, request, confined);
    const told = Promise.all([wrapper.ready, wrapper.up]).then(([leader]) =>
      leader === null ? null : recordTree(request, leader, wrapper.nonce),
    );
    told.catch(() => undefined);
    return {
      start: async () => {
        const tree = await unlessStopped(told, request.signal);
        if (tree === null || request.signal.aborted) {
          revokeClaim(request.execFolder);
          void wrapper.leave();
          wrapper.release();
          return didNotRun(request.execFolder, request.signal.aborted ? 'cancelled' : 'not-started');
        }
        ports.onStart(tree, request);
        return supervise(wrapper, tree, request);
      },
      discard: async () => {
        await wrapper.leave();
        wrapper.release();
        if (isNew) rmSync(request.execFolder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    if (error instanceof WorkspaceError) throw error;
    if (!isFull(error)) throw new WorkspaceError('io', messageOf(error), { cause: error });
    const what = errorCode(error) === 'EFBIG' ? 'No file may be long enough' : 'There is no space';
    const message = `${what} for a command in ${request.execFolder} (${errorCode(error)}); nothing was run`;
    throw new WorkspaceError('full', message, { cause: error });
  }
}

function recordTree({ execFolder, attemptId }: SpawnRequest, leader: number, nonce: string): Tree {
  const tree = { attemptId, leader, leaderStart: startOf(leader), nonce };
  writeTree(execFolder, tree);
  return tree;
}

/** A wrapper that does not come to its first line is not waited for longer than this. */
const READY_WAIT_MS = 10_000;

function unlessStopped(told: Promise<Tree | null>, signal: AbortSignal): Promise<Tree | null> {
  return new Promise((resolve, reject) => {
    const end = (give: () => void) => () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      give();
    };
    const stop = end(() => resolve(null));
    const timer = setTimeout(stop, READY_WAIT_MS);
    signal.addEventListener('abort', stop, { once: true });
    told.then(
      (tree) => end(() => resolve(tree))(),
      (error: unknown) => end(() => reject(error))(),
    );
  });
}

function startWrapper(ports: SpawnPorts, request: SpawnRequest, confined: ConfinedStart | null): Wrapper {
  const sh = demand(ports.find, 'sh');
  const found = ports.find('bash');
  const bash = found ?? sh;
  const whole = found === null ? request.command : withStages(request.command, confined !== null);
  const apart = ports.carried().words + (request.separate === true ? withErrorsApart(whole) : whole);
  const wayOut = found !== null && Buffer.byteLength(apart) < WAY_OUT_BYTES_MAX ? confined?.wayOut : undefined;
  const command = wayOut === undefined ? apart : throughWayOut(wayOut, bash, apart);
  const words: WrapperWords = {
    attemptId: request.attemptId,
    actionId: request.actionId,
    cwd: request.cwd,
    folder: request.execFolder,
    bootId: ports.bootId,
    blocks: Math.max(1, Math.ceil((request.spoolBytesMax ?? SPOOL_BYTES_MAX) / BLOCK_BYTES)),
    cat: demand(ports.find, 'cat'),
    shell: bash,
    confined,
    command,
  };
  if (confined !== null) writeConfinement(request.execFolder, confined);
  return ports.launchers.start(words) ?? spawnWrapper(ports, sh, words);
}

/** The long way: a wrapper that this process itself is the parent of. */
function spawnWrapper(ports: SpawnPorts, sh: string, words: WrapperWords): Wrapper {
  const { folder, bootId, blocks, cat, confined } = words;
  const shell = confined === null ? words.shell : sh;
  const command =
    confined === null
      ? words.command
      : confinedCommand(confined, folder, words.shell, words.command, ARGUMENT_BYTES_MAX);
  const nonce = makeNonce();
  const isLong = Buffer.byteLength(command) >= ARGUMENT_BYTES_MAX;
  const text = isLong ? `exec ${quoted(shell)} ${quoted(writeCommand(folder, command))}${askedOf(command)}` : command;
  const child = spawn(
    sh,
    ['-c', WRAPPER, 'belay', folder, nonce, bootId, String(blocks), cat, shell, '-c', '--', text],
    {
      argv0: 'sh',
      cwd: words.cwd,
      env: commandEnv(ports.env, words.attemptId, words.actionId, ports.carried().env),
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
    },
  );
  child.on('error', () => undefined);
  if (child.pid === undefined) throw new WorkspaceError('io', 'The system did not start the shell for the command.');
  const input = child.stdin as Writable;
  input.on('error', () => undefined);
  const told = statusLines(child).follow(nonce);
  return {
    ...told,
    nonce,
    ready: Promise.resolve(child.pid),
    go: () => void input.end('go\n'),
    leave: () => {
      input.end();
      return told.exited;
    },
    release: () => {
      // A wrapper that still drains a background child must not keep this process from ending.
      (child.stdio[3] as Readable).destroy();
      child.unref();
    },
  };
}

function refuseImpossible(request: SpawnRequest): void {
  if (request.command.includes('\0')) throw new WorkspaceError('invalid', 'A command cannot contain a NUL byte.');
  if (!statSync(request.cwd, { throwIfNoEntry: false })?.isDirectory()) {
    throw new WorkspaceError('missing', `The working directory ${request.cwd} does not exist.`);
  }
  if (!mayEnter(request.cwd)) {
    throw new WorkspaceError('closed', `The working directory ${request.cwd} may not be entered.`);
  }
  const { bavail, bsize } = statfsSync(nearestExisting(request.execFolder));
  if (bavail * bsize < FREE_BYTES_MIN) {
    throw new WorkspaceError(
      'full',
      `There is too little space for the output of a command in ${request.execFolder}; nothing was run`,
    );
  }
}

/** Whether its entries can be reached, as whoever starts in it has to. */
function mayEnter(folder: string): boolean {
  try {
    statSync(`${folder}/.`);
    return true;
  } catch {
    return false;
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
