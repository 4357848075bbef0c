/** The folders of attempts: `exec/<attemptId>` below the session. */
import { readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Ledger } from '#ledger';
import type { ExecPort } from '#runtime';
import { undoFolderOf } from './undo-folder.ts';

export function execPort(sessionFolder: string): ExecPort {
  const folder = (attemptId: string) => path.join(sessionFolder, 'exec', attemptId);
  return {
    folder,
    async sweep(attemptIds) {
      for (const attemptId of attemptIds) {
        await rm(folder(attemptId), { recursive: true, force: true }).catch(() => {});
      }
    },
  };
}

/**
 * At an opening: folders whose outcome is recorded go, once it is on disk and not only written by the run that died;
 * those that no fact knows are revoked, so that an executor that was frozen before its start finds its claim taken.
 */
export async function tidyExec(sessionFolder: string, ledger: Pick<Ledger, 'read' | 'flush'>): Promise<void> {
  const folders = await readdir(path.join(sessionFolder, 'exec')).catch((): string[] => []);
  if (folders.length === 0) return;
  const known = new Map<string, boolean>();
  const undone = new Set<string>();
  for (const fact of ledger.read()) {
    if (fact.type === 'attempt.start') known.set(fact.attemptId, false);
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
