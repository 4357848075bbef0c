/**
 * The folded state of a session, kept beside its ledger when a run ends in order, so that the next opening need not fold
 * everything anew. It is a cache and nothing else: whatever is not as it was written, or was folded by other code, is
 * passed over without a word, and the ledger decides whether its mark is one of its own.
 */
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readRegular, WRITE_ANEW } from '#workspace';
import { foldId } from '../fold-id.ts';
import { version } from '../version.ts';
import type { KeptState } from './first-reading.ts';

const fileName = 'state.json';
/** Fewer facts are folded in less time than it takes to keep what comes of them. */
const FACTS_MIN = 2000;
const BYTES_MAX = 256 * 1024 * 1024;

/** Losing it costs the time of a fold. */
export async function keepState(folder: string, { mark, state }: KeptState): Promise<void> {
  if (mark.seq < FACTS_MIN || mark.seq !== state.seq) return;
  const text = JSON.stringify({ mark, state });
  await writeFile(path.join(folder, fileName), `${checksum(text)}\n${text}`, { mode: 0o600, flag: WRITE_ANEW }).catch(
    () => {},
  );
}

/** What was kept by this very code; null where nothing was, or where it is not whole. */
export function recallState(folder: string): KeptState | null {
  try {
    const file = readRegular(path.join(folder, fileName), BYTES_MAX)?.toString('utf8') ?? '';
    const end = file.indexOf('\n');
    const text = file.slice(end + 1);
    if (file.slice(0, end) !== checksum(text)) return null;
    const { mark, state } = JSON.parse(text) as KeptState;
    return mark.seq === state.seq ? { mark, state } : null;
  } catch {
    return null;
  }
}

/** Another version folds otherwise: its file fails this one's checksum. */
const checksum = (text: string): string =>
  createHash('sha256').update(`${version} ${foldId}\n`).update(text).digest('hex');
