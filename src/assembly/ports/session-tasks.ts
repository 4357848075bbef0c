/** Background commands and kept outputs of one session: where their traces lie, with secrets masked. */
import type { Fact } from '#kernel';
import type { Ledger } from '#ledger';
import type { Masker } from '#permission';
import type { TasksPort } from '#runtime';
import { createTaskTable, type OutputArchive, type RecordedOutput, type SessionTools } from '#tools';
import { type OutputPart, readKeptOutput, readOutput, type Workspace } from '#workspace';
import { execFolderOf, spoolFileOf } from './exec-port.ts';

type Source = Pick<Ledger, 'read' | 'putBlob' | 'getBlob'>;

export interface SessionTasks {
  readonly tools: SessionTools;
  readonly port: TasksPort;
  /** Stops what this process follows; closing the session records it. */
  stopFollowed(): Promise<void>;
}

export function sessionTasks(workspace: Workspace, folder: string, ledger: Source, masker: Masker): SessionTasks {
  const tasks = createTaskTable(workspace, {
    folder: (attemptId) => execFolderOf(folder, attemptId),
    putBlob: (bytes) => ledger.putBlob(masker.bytes(bytes)),
  });
  const masked: TasksPort['ended'] = async (running) => masker.json(await tasks.ended(running));
  return {
    tools: { tasks, archive: outputArchive(folder, ledger) },
    stopFollowed: () => tasks.stopFollowed(),
    port: { ended: masked, stop: async (running) => masker.json(await tasks.stop(running)) },
  };
}

/** What the session keeps of the output of a call, the longest first: a spool, a blob, what the model was shown. */
function outputArchive(folder: string, ledger: Pick<Ledger, 'read' | 'getBlob'>): OutputArchive {
  return {
    async find(actionId) {
      const known = endOf(ledger.read(), actionId);
      if (known === null) return null;
      const { attemptId, blob, output } = known;
      const spool = attemptId === null ? '' : execFolderOf(folder, attemptId);
      const kept = attemptId === null ? '' : spoolFileOf(folder, attemptId);
      const read: RecordedOutput['read'] = async (from, bytesMax) =>
        (attemptId === null ? null : (readOutput(spool, from, bytesMax) ?? readKeptOutput(kept, from, bytesMax))) ??
        partOf(blob === null ? Buffer.from(output) : await ledger.getBlob(blob), from, bytesMax);
      return { end: known.end, read };
    },
  };
}

interface Ended {
  readonly attemptId: string | null;
  readonly blob: string | null;
  readonly output: string;
  readonly end: string;
}

function endOf(facts: Iterable<Fact>, actionId: string): Ended | null {
  let found: Ended | null = null;
  let attemptId: string | null = null;
  for (const fact of facts) {
    if (!('actionId' in fact) || fact.actionId !== actionId) continue;
    if (fact.type === 'attempt.outcome' || fact.type === 'task.ended') {
      if (fact.type === 'attempt.outcome') attemptId = fact.attemptId ?? null;
      const code = fact.exitCode === undefined ? '' : `, exit code ${fact.exitCode}`;
      found = { attemptId, blob: fact.blob ?? null, output: fact.output, end: `ended: ${fact.status}${code}` };
    }
  }
  return attemptId === null ? null : found;
}

const partOf = (bytes: Uint8Array, from: number, bytesMax: number): OutputPart => ({
  bytes: bytes.subarray(from, from + bytesMax),
  size: bytes.byteLength,
});
