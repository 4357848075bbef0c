/** Background commands and kept outputs of one session: where their traces lie, with secrets masked. */
import type { Fact } from '#kernel';
import type { Ledger } from '#ledger';
import type { Masker } from '#permission';
import type { TasksPort } from '#runtime';
import { createTaskTable, type OutputArchive, type SessionTools } from '#tools';
import { type OutputPart, readKeptOutput, readOutput, type Workspace } from '#workspace';
import { execFolderOf, KEPT_WHOLE_BYTES, spoolFileOf } from './exec-port.ts';

type Source = Pick<Ledger, 'find' | 'putBlob' | 'getBlob'>;

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
    mask: masker.text,
  });
  const masked: TasksPort['ended'] = async (running) => masker.json(await tasks.ended(running));
  return {
    tools: { tasks, archive: outputArchive(folder, ledger) },
    stopFollowed: () => tasks.stopFollowed(),
    port: { ended: masked, stop: async (running) => masker.json(await tasks.stop(running)) },
  };
}

/** What the session keeps of the output of a call, the longest first: a spool, a blob, what the model was shown. */
function outputArchive(folder: string, ledger: Pick<Ledger, 'find' | 'getBlob'>): OutputArchive {
  return {
    async find(actionId) {
      const known = endOf(ledger.find(['attempt.start', 'attempt.outcome', 'task.ended']), actionId);
      if (known === null) return null;
      const { attemptId, blob, output, end } = known;
      const fromSpool = (from: number, bytesMax: number) =>
        readOutput(execFolderOf(folder, attemptId), from, bytesMax) ??
        readKeptOutput(spoolFileOf(folder, attemptId), from, bytesMax);
      if (fromSpool(0, 0) !== null) {
        return {
          attemptId,
          end,
          read: async (from, bytesMax) => fromSpool(from, bytesMax) ?? partOf(Buffer.from(''), 0, 0),
        };
      }
      const bytes = blob === null ? Buffer.from(output) : await ledger.getBlob(blob);
      const isCut = bytes.byteLength >= KEPT_WHOLE_BYTES;
      return {
        attemptId,
        end: isCut ? `${end}; of a longer output only the two ends are kept, joined here` : end,
        read: async (from, bytesMax) => partOf(bytes, from, bytesMax),
      };
    },
  };
}

interface Ended {
  readonly attemptId: string;
  readonly blob: string | null;
  readonly output: string;
  readonly end: string;
}

function endOf(facts: Iterable<Fact>, actionId: string): Ended | null {
  let found: Omit<Ended, 'attemptId'> | null = null;
  let attemptId: string | null = null;
  const processes = new Set<string>();
  for (const fact of facts) {
    if (!('actionId' in fact) || fact.actionId !== actionId) continue;
    if (fact.type === 'attempt.start' && isCommand(fact.effect)) processes.add(fact.attemptId);
    if (fact.type === 'attempt.outcome' || fact.type === 'task.ended') {
      if (fact.type === 'attempt.outcome') attemptId = fact.attemptId ?? null;
      const code = fact.exitCode === undefined ? '' : `, exit code ${fact.exitCode}`;
      found = { blob: fact.blob ?? null, output: fact.output, end: `ended: ${fact.status}${code}` };
    }
  }
  if (found === null || attemptId === null) return null;
  // Of any other call only what was too long to be shown whole is worth asking for.
  return processes.has(attemptId) || found.blob !== null ? { ...found, attemptId } : null;
}

/** A command that only reads is of its own class; it may be a tool of another kind, whose output is small and whole. */
const isCommand = (effect: string): boolean => effect === 'process' || effect === 'read';

const partOf = (bytes: Uint8Array, from: number, bytesMax: number): OutputPart => ({
  bytes: bytes.subarray(from, from + bytesMax),
  size: bytes.byteLength,
});
