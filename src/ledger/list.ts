/** The list of sessions, newest first. What is wrong with one of them is said about that one, and keeps no other out. */
import { type Dirent, lstatSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isSessionId } from '#lib';
import type { SessionSummary } from './contract.ts';
import { errnoOf, LedgerError, systemError } from './error.ts';
import { openListIndex } from './list-index.ts';
import { type Disk, realDisk } from './log/disk.ts';

export const LOG = 'ledger.log';
/** How the name of a session's folder begins while it is removed. */
export const LEAVING = '.removed-';

export interface ListOptions {
  /** The data folder. */
  readonly home: string;
  /** Name and version of the program: what another one has read of a ledger is read again. */
  readonly program?: string;
  readonly disk?: Disk;
}

/** As `Store.list`. Only a ledger that was changed since the last list is opened. */
export async function listSessions(options: ListOptions): Promise<readonly SessionSummary[]> {
  const { home, program = '', disk = realDisk } = options;
  const sessions = join(home, 'sessions');
  const index = openListIndex(home, program);
  const summaries: SessionSummary[] = [];
  for (const entry of entriesOf(sessions)) {
    // A removal that was interrupted is finished by whoever looks next.
    if (entry.name.startsWith(LEAVING)) finishRemoval(join(sessions, entry.name));
    if (!isSessionId(entry.name)) continue;
    const path = `${sessions}/${entry.name}/${LOG}`;
    let changedMs = 0;
    try {
      if (!isFolder(entry, sessions)) continue;
      const lookedMs = Date.now();
      const stats = statSync(path);
      changedMs = stats.mtimeMs;
      let summary = index.find(entry.name, stats);
      if (summary === null) {
        const { summarize } = await import('./summary.ts');
        summary = summarize(disk, path, entry.name, changedMs);
        index.keep(summary, stats, lookedMs);
      }
      summaries.push(summary);
    } catch (thrown) {
      // A folder without a ledger is no session, and one that was removed meanwhile is none any more.
      if (errnoOf(thrown) === 'ENOENT' || errnoOf(thrown) === 'ENOTDIR') continue;
      const newer = thrown instanceof LedgerError && thrown.code === 'newer';
      summaries.push(blankSummary(entry.name, changedMs, !newer));
    }
  }
  index.save();
  return summaries.sort((a, b) => b.changedMs - a.changedMs || (a.sessionId < b.sessionId ? -1 : 1));
}

function finishRemoval(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // The one who removes it is still at work, or may write here and this process may not.
  }
}

function entriesOf(sessions: string): readonly Dirent[] {
  try {
    return readdirSync(sessions, { withFileTypes: true });
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return [];
    throw systemError(thrown, sessions);
  }
}

/** Some file systems do not tell in the listing of a folder what its entries are. */
function isFolder(entry: Dirent, sessions: string): boolean {
  if (entry.isDirectory()) return true;
  if (entry.isFile() || entry.isSymbolicLink()) return false;
  return lstatSync(join(sessions, entry.name)).isDirectory();
}

/** What stands for a session whose ledger tells nothing: it cannot be opened, or is of a newer format. */
const blankSummary = (sessionId: string, changedMs: number, damaged: boolean): SessionSummary => ({
  sessionId,
  changedMs,
  createdMs: changedMs,
  workspace: '',
  goal: '',
  lastSeq: 0,
  state: 'unknown',
  damaged,
});
