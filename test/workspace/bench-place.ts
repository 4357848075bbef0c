/** A fresh workspace with its own data folder, cleaned up afterwards; the shell of the wrapper can be chosen. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { ProcessResult, SpawnRequest, Workspace, WorkspaceOptions } from '#workspace';
import { openWorkspace } from '#workspace';

export interface Place {
  readonly root: string;
  /** Belay's data, outside the workspace. */
  readonly data: string;
  readonly workspace: Workspace;
  /** A fresh exec folder. */
  exec(): string;
  request(command: string, more?: Partial<SpawnRequest>): SpawnRequest;
  /** Prepares and starts a command. */
  run(command: string, more?: Partial<SpawnRequest>): Promise<ProcessResult>;
  /** Another agent on the same workspace and data. */
  reopen(more?: Partial<WorkspaceOptions>): Promise<Workspace>;
}

const folders: string[] = [];
const workspaces: Workspace[] = [];
let attempts = 0;

afterEach(async () => {
  for (const workspace of workspaces.splice(0)) await workspace.processes.stopLeftovers();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export const tempFolder = (): string => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'belay-ws-')));
  folders.push(folder);
  return folder;
};

export async function openPlace(more: Partial<WorkspaceOptions> = {}, shell?: string): Promise<Place> {
  const top = tempFolder();
  const root = join(top, 'work');
  const data = join(top, 'data');
  for (const folder of [root, data]) mkdirSync(folder);
  const env = { ...process.env, ...more.env, ...(shell === undefined ? {} : { PATH: pathWithShell(top, shell) }) };
  const reopen = async (again: Partial<WorkspaceOptions> = {}) => {
    const workspace = await openWorkspace({ root, protectedPaths: [data], lockFolder: data, ...more, ...again, env });
    workspaces.push(workspace);
    return workspace;
  };
  const workspace = await reopen();
  const request = (command: string, own: Partial<SpawnRequest> = {}): SpawnRequest => {
    const attemptId = `attempt-${process.pid}-${attempts++}`;
    return {
      command,
      cwd: root,
      execFolder: join(data, 'exec', attemptId),
      attemptId,
      actionId: `action-${attempts}`,
      timeoutMs: 15_000,
      signal: new AbortController().signal,
      ...own,
    };
  };
  return {
    root,
    data,
    workspace,
    exec: () => join(data, 'exec', `edit-${attempts++}`),
    request,
    run: async (command, own) => (await workspace.processes.prepare(request(command, own))).start(),
    reopen,
  };
}

export const textOf = (result: ProcessResult): string => Buffer.from(result.output).toString('latin1');

/** A zombie that a lazy first process does not collect is dead. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^\d+ \(.*\) [ZX] /s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

/** Waits until something is true; the test's own time limit ends a wait in vain. */
export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 10));
}

function pathWithShell(top: string, shell: string): string {
  const folder = join(top, 'bin');
  mkdirSync(folder, { recursive: true });
  symlinkSync(shell, join(folder, 'sh'));
  return `${folder}:${process.env['PATH'] ?? ''}`;
}
