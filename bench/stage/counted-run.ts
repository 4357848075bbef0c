/** A whole run under strace, and what it synced. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { strace, syncedPaths } from '../measure/strace.ts';
import type { Stage } from '../row.ts';
import { endedWell, homeOf, startAgent } from './agent.ts';
import { startModelServer, type Turn } from './model-server.ts';
import { makeRepository } from './repository.ts';

export interface Counted {
  /** Syncs of the ledger file. */
  readonly ledger: number;
  /** Syncs of files and folders inside the workspace, in order. */
  readonly workspace: readonly string[];
  /** Size of the ledger at the end. */
  readonly ledgerBytes: number;
}

/** Runs so many rounds of one kind, then an answer, in a repository of 30 files. Needs strace. */
export async function countedRun(
  stage: Stage,
  name: string,
  count: number,
  turnOf: (round: number) => Turn,
  end: Turn = { text: 'done' },
): Promise<Counted> {
  if (spawnSync('strace', ['-V']).status !== 0) throw new Error('strace is not installed; it counts the syncs');
  const cwd = path.join(stage.folder, name, 'repository');
  mkdirSync(cwd, { recursive: true });
  makeRepository(cwd, 30);
  const own: Stage = { ...stage, folder: path.join(stage.folder, name) };
  const file = path.join(own.folder, 'strace.txt');
  const server = await startModelServer((round) => (round < count ? turnOf(round) : end));
  try {
    const agent = startAgent(own, { cwd, env: server.env, under: strace(file) });
    await endedWell(agent);
  } finally {
    await server.close();
  }
  const sessions = path.join(homeOf(own), 'sessions');
  const ledgerFile = path.join(sessions, readdirSync(sessions)[0] ?? '', 'ledger.log');
  const synced = syncedPaths(file);
  return {
    ledger: synced.filter((one) => one === ledgerFile).length,
    workspace: synced.filter((one) => one === cwd || one.startsWith(`${cwd}/`)),
    ledgerBytes: statSync(ledgerFile).size,
  };
}
