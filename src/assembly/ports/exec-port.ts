/** The folders of attempts: `exec/<attemptId>` below the session. */
import type { Stats } from 'node:fs';
import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FactType } from '#kernel';
import type { Ledger } from '#ledger';
import type { ExecPort } from '#runtime';
import { keepOutput } from '#workspace';
import { undoFolderOf } from './undo-folder.ts';

/** A recorded outcome names the output up to this length whole; a longer one is kept as a file as well. */
export const KEPT_WHOLE_BYTES = 4 * 1024 * 1024;
/** Of such files one session keeps so much; the oldest go first. */
const KEPT_BYTES_MAX = 1024 * 1024 * 1024;

export const execFolderOf = (sessionFolder: string, attemptId: string): string =>
  path.join(sessionFolder, 'exec', attemptId);
/** Where the output of an attempt lies after its folder is gone. */
export const spoolFileOf = (sessionFolder: string, attemptId: string): string =>
  path.join(sessionFolder, 'spools', attemptId);

export function execPort(sessionFolder: string): ExecPort {
  const folder = (attemptId: string) => execFolderOf(sessionFolder, attemptId);
  return {
    folder,
    async sweep(attemptIds) {
      // After what waits for the same flush: the next request to the model.
      await new Promise((resolve) => setImmediate(resolve));
      const there = new Set(await readdir(path.join(sessionFolder, 'exec')).catch(() => []));
      for (const attemptId of attemptIds) {
        if (!there.has(attemptId)) continue;
        await keepSpool(sessionFolder, attemptId).catch(() => {});
        await rm(folder(attemptId), { recursive: true, force: true }).catch(() => {});
      }
    },
  };
}

/** Losing it costs the middle of a long output, never a fact. */
async function keepSpool(sessionFolder: string, attemptId: string): Promise<void> {
  const file = spoolFileOf(sessionFolder, attemptId);
  if (!keepOutput(execFolderOf(sessionFolder, attemptId), file, KEPT_WHOLE_BYTES)) return;
  const folder = path.dirname(file);
  const kept = await Promise.all(
    (await readdir(folder)).map(async (name) => ({ name, ...sizeAndTime(await stat(path.join(folder, name))) })),
  );
  let bytes = kept.reduce((sum, one) => sum + one.size, 0);
  for (const one of kept.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
    if (bytes <= KEPT_BYTES_MAX) return;
    bytes -= one.size;
    await rm(path.join(folder, one.name), { force: true });
  }
}

const sizeAndTime = ({ size, mtimeMs }: Stats) => ({ size, mtimeMs });

/** Facts that tell which folders are needed no more. */
const tracedTypes = [
  'attempt.start',
  'attempt.outcome',
  'hook.started',
  'hook.ended',
  'task.started',
  'task.ended',
  'undo.done',
] as const satisfies readonly FactType[];

/**
 * At an opening: folders whose outcome is recorded go, once it is on disk and not only written by the run that died;
 * those that no fact knows are revoked, so that an executor that was frozen before its start finds its claim taken.
 */
export async function tidyExec(sessionFolder: string, ledger: Pick<Ledger, 'find' | 'flush'>): Promise<void> {
  const folders = await readdir(path.join(sessionFolder, 'exec')).catch((): string[] => []);
  if (folders.length === 0) return;
  const known = new Map<string, boolean>();
  const undone = new Set<string>();
  const tasks = new Map<string, string>();
  for (const fact of ledger.find(tracedTypes)) {
    if (fact.type === 'attempt.start' || fact.type === 'hook.started') known.set(fact.attemptId, false);
    if (fact.type === 'hook.ended' && fact.status !== 'unknown') known.set(fact.attemptId, true);
    // A background command has its outcome at once and needs its folder until it ended.
    if (fact.type === 'task.started') {
      known.set(fact.attemptId, false);
      tasks.set(fact.actionId, fact.attemptId);
    }
    const ended = fact.type === 'task.ended' ? tasks.get(fact.actionId) : undefined;
    if (ended !== undefined) known.set(ended, true);
    if (fact.type === 'undo.done') undone.add(fact.undoId);
    // A revoked attempt keeps its claim for ever: whoever only slept must find it taken whenever it wakes.
    // An outcome that is not known stays with what the world left behind, for whoever is asked about it.
    if (fact.type === 'attempt.outcome' && fact.attemptId !== undefined && fact.status !== 'unknown') {
      known.set(fact.attemptId, true);
    }
  }
  const port = execPort(sessionFolder);
  const over: string[] = [];
  for (const name of folders) {
    const undoId = undoFolderOf(name);
    const isOver = undoId === null ? known.get(name) : undone.has(undoId);
    if (isOver === true) over.push(name);
    if (isOver === undefined) await revoke(port.folder(name));
  }
  if (over.length === 0) return;
  await ledger.flush();
  await port.sweep(over);
}

const revoke = (folder: string) => writeFile(path.join(folder, 'claim'), 'revoked\n', { flag: 'wx' }).catch(() => {});
