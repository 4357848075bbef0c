/**
 * What was not there before the commands of a run and must not come into being, remembered in the session's folder: an
 * agent that was killed cannot tidy up after a command that outlives it, and the next run would take what that command
 * left for something that has always been there.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { messageOf } from '#lib';
import { WorkspaceError } from '#workspace';

export interface AbsentPlaces {
  /** Absolute paths that were absent when the run before began; empty where it ended in order. */
  readonly absent: readonly string[];
  /** What its end put away, a sentence each; nobody has been told yet. */
  readonly told: readonly string[];
}

const fileIn = (sessionFolder: string): string => path.join(sessionFolder, 'absent.json');

/** Throws where it cannot be kept, so that no command starts. */
export function keepAbsent(sessionFolder: string, places: AbsentPlaces): void {
  try {
    writeFileSync(fileIn(sessionFolder), JSON.stringify(places), { mode: 0o600 });
  } catch (thrown) {
    throw new WorkspaceError('io', `What the sandbox must know later was not kept: ${messageOf(thrown)}`);
  }
}

export const forgetAbsent = (sessionFolder: string): void => rmSync(fileIn(sessionFolder), { force: true });

/** Never throws: what cannot be read was written before any command began. */
export function absentBefore(sessionFolder: string): AbsentPlaces {
  try {
    const found = JSON.parse(readFileSync(fileIn(sessionFolder), 'utf8')) as { [name: string]: unknown };
    return { absent: textsIn(found['absent']), told: textsIn(found['told']) };
  } catch {
    return { absent: [], told: [] };
  }
}

const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
