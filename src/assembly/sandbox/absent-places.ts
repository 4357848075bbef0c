/**
 * What was not there before the commands of a run and must not come into being, remembered in the session's folder: an
 * agent that was killed cannot tidy up after a command that outlives it, and the next run would take what that command
 * left for something that has always been there. A copy of the record lies where all sessions of the workspace
 * look: a new session puts away once what a killed one has left.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { messageOf } from '#lib';
import { WorkspaceError } from '#workspace';

export interface AbsentPlaces {
  /** Absolute paths that were absent when the run before began; empty where it ended in order. */
  readonly absent: readonly string[];
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
const folderIn = (shared: string): string => path.join(shared, 'absent');

/** Throws where it cannot be kept, so that no command starts. */
export function keepAbsent(at: AbsentAt, { absent, told }: AbsentPlaces): void {
  const record = JSON.stringify({ absent, told, by: { pid: process.pid, bootId: at.bootId } });
  try {
    writeFileSync(fileIn(at.sessionFolder), record, { mode: 0o600 });
    if (at.shared === null) return;
    const other = otherName(at.sessionFolder, at.shared);
    if (absent.length === 0) {
      rmSync(other, { force: true });
      return;
    }
    mkdirSync(folderIn(at.shared), { recursive: true, mode: 0o700 });
    writeFileSync(other, record, { mode: 0o600 });
  } catch (thrown) {
    throw new WorkspaceError('io', `What the sandbox must know later was not kept: ${messageOf(thrown)}`);
  }
}

const otherName = (sessionFolder: string, shared: string): string =>
  path.join(folderIn(shared), `${path.basename(sessionFolder)}.json`);

export function forgetAbsent({ sessionFolder, shared }: AbsentAt): void {
  rmSync(fileIn(sessionFolder), { force: true });
  if (shared !== null) rmSync(otherName(sessionFolder, shared), { force: true });
}

/** Never throws: what cannot be read was written before any command began. */
export function absentBefore(sessionFolder: string): AbsentPlaces {
  const { absent, told } = read(fileIn(sessionFolder));
  return { absent, told };
}

/**
 * What other sessions of the workspace found absent whose programs are gone. Each is heard once: what somebody makes
 * there afterwards is his own.
 */
export function absentOfKilled({ sessionFolder, shared, bootId }: AbsentAt): readonly string[] {
  if (shared === null) return [];
  const own = path.basename(otherName(sessionFolder, shared));
  return recordsIn(folderIn(shared)).flatMap((name) => {
    const file = path.join(folderIn(shared), name);
    const { absent, by } = read(file);
    if (name === own || (by.bootId === bootId && isAlive(by.pid))) return [];
    rmSync(file, { force: true });
    return absent;
  });
}

function recordsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
}

function read(file: string): AbsentPlaces & { readonly by: { readonly pid: number; readonly bootId: string } } {
  try {
    const found = JSON.parse(readFileSync(file, 'utf8')) as { [name: string]: unknown };
    const by = found['by'] as { [name: string]: unknown } | undefined;
    const [pid, bootId] = [Number(by?.['pid'] ?? 0), String(by?.['bootId'] ?? '')];
    return { absent: textsIn(found['absent']), told: textsIn(found['told']), by: { pid, bootId } };
  } catch {
    return { absent: [], told: [], by: { pid: 0, bootId: '' } };
  }
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM';
  }
}

const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
