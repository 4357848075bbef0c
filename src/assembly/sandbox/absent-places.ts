/**
 * What was not there before the commands of a run and must not come into being, remembered in the session's folder: an
 * agent that was killed cannot tidy up after a command that outlives it, and the next run would take what that command
 * left for something that has always been there. A copy of the record lies where all sessions of the workspace
 * look: a new session puts away once what a killed one has left. Of `starters` it counts only while commands may live,
 * which a mark beside the record tells: a record that is written anew for each command would cost more than its start.
 */
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { messageOf } from '#lib';
import { WorkspaceError } from '#workspace';
import type { RepositoryRecord } from './new-repositories.ts';

export interface AbsentPlaces {
  /** Absolute paths that were absent when the run before began; empty where it ended in order. */
  readonly absent: readonly string[];
  /** Of these, what counts only if commands were at work at the end. */
  readonly starters?: readonly string[];
  /** Repositories as they were, which counts under the same condition. */
  readonly repositories?: RepositoryRecord;
  /** What its end put away, a sentence each; nobody has been told yet. */
  readonly told: readonly string[];
}

/** Where a session keeps its record. */
export interface AbsentAt {
  readonly sessionFolder: string;
  /** Folder of what all sessions on the workspace share; null: they do not hear of each other. */
  readonly shared: string | null;
  /** The machine's present run: a program of another one is gone. */
  readonly bootId: string;
}

const fileIn = (sessionFolder: string): string => path.join(sessionFolder, 'absent.json');
const MARK = 'absent.open';
const markIn = (sessionFolder: string): string => path.join(sessionFolder, MARK);
const folderIn = (shared: string): string => path.join(shared, 'absent');

/** Throws where it cannot be kept, so that no command starts. */
export function keepAbsent(at: AbsentAt, { absent, starters = [], repositories, told }: AbsentPlaces): void {
  const record = JSON.stringify({
    absent,
    starters,
    repositories,
    told,
    mark: markIn(at.sessionFolder),
    by: { pid: process.pid, bootId: at.bootId },
  });
  try {
    writeFileSync(fileIn(at.sessionFolder), record, { mode: 0o600 });
    if (at.shared === null) return;
    const other = otherName(at.sessionFolder, at.shared);
    if (absent.length + starters.length === 0 && repositories === undefined) {
      rmSync(other, { force: true });
      return;
    }
    mkdirSync(folderIn(at.shared), { recursive: true, mode: 0o700 });
    writeFileSync(other, record, { mode: 0o600 });
  } catch (thrown) {
    throw new WorkspaceError('io', `What the sandbox must know later was not kept: ${messageOf(thrown)}`);
  }
}

/** Commands may live from now on, or none does any more. Throws where the first cannot be said. */
export function markAtWork({ sessionFolder }: AbsentAt, isAtWork: boolean): void {
  try {
    if (isAtWork) closeSync(openSync(markIn(sessionFolder), 'a', 0o600));
    else rmSync(markIn(sessionFolder), { force: true });
  } catch (thrown) {
    if (isAtWork) throw new WorkspaceError('io', `What the sandbox must know later was not kept: ${messageOf(thrown)}`);
  }
}

const otherName = (sessionFolder: string, shared: string): string =>
  path.join(folderIn(shared), `${path.basename(sessionFolder)}.json`);

export function forgetAbsent({ sessionFolder, shared }: AbsentAt): void {
  rmSync(fileIn(sessionFolder), { force: true });
  rmSync(markIn(sessionFolder), { force: true });
  if (shared !== null) rmSync(otherName(sessionFolder, shared), { force: true });
}

/** Never throws: what cannot be read was written before any command began. */
export function absentBefore(sessionFolder: string): AbsentPlaces {
  const { mark: _mark, by: _by, ...places } = read(fileIn(sessionFolder));
  return places;
}

/**
 * What other sessions of the workspace found absent whose programs are gone. Each is heard once: what somebody makes
 * there afterwards is his own.
 */
export function absentOfKilled({ sessionFolder, shared, bootId }: AbsentAt): readonly AbsentPlaces[] {
  if (shared === null) return [];
  const own = path.basename(otherName(sessionFolder, shared));
  return recordsIn(folderIn(shared)).flatMap((name) => {
    const file = path.join(folderIn(shared), name);
    const { mark, by, ...places } = read(file);
    if (name === own || (by.bootId === bootId && isAlive(by.pid))) return [];
    rmSync(file, { force: true });
    // From here on it is the matter of this session.
    if (path.basename(mark) === MARK) rmSync(mark, { force: true });
    return [places];
  });
}

function recordsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
}

interface KeptRecord extends AbsentPlaces {
  readonly mark: string;
  readonly by: { readonly pid: number; readonly bootId: string };
}

function read(file: string): KeptRecord {
  try {
    const found = JSON.parse(readFileSync(file, 'utf8')) as { [name: string]: unknown };
    const by = found['by'] as { [name: string]: unknown } | undefined;
    const [pid, bootId] = [Number(by?.['pid'] ?? 0), String(by?.['bootId'] ?? '')];
    const mark = String(found['mark'] ?? '');
    const starters = existsSync(mark) ? textsIn(found['starters']) : [];
    const absent = [...textsIn(found['absent']), ...starters];
    const repositories = existsSync(mark) ? repositoriesIn(found['repositories']) : {};
    return { absent, ...repositories, told: textsIn(found['told']), mark, by: { pid, bootId } };
  } catch {
    return { absent: [], told: [], mark: '', by: { pid: 0, bootId: '' } };
  }
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM';
  }
}

function repositoriesIn(value: unknown): { readonly repositories?: RepositoryRecord } {
  const { kept, dangers } = (value ?? {}) as { readonly [name: string]: unknown };
  if (!Array.isArray(dangers)) return {};
  const pairs = dangers
    .map(textsIn)
    .flatMap(([at, danger]) => (at === undefined || danger === undefined ? [] : [[at, danger] as const]));
  return { repositories: { kept: textsIn(kept), dangers: pairs } };
}

const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
