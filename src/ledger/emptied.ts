import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Damage } from './contract.ts';

/**
 * The damage of a ledger that holds nothing although its session had begun: what only comes behind a first fact is there.
 * Null where nothing is. A folder of which that cannot be told counts as one that never began.
 */
export function emptiedDamage(folder: string): Damage | null {
  const found = namesIn(folder).filter((name) => LATER.test(name));
  if (namesIn(join(folder, 'blobs')).length > 0) found.push('blobs');
  if (namesIn(join(folder, 'exec')).some((name) => OF_CALL.test(name))) found.push('exec');
  if (found.length === 0) return null;
  const problem = `the ledger is empty, but its session had begun: ${found.sort().join(', ')} ${found.length === 1 ? 'is' : 'are'} there`;
  return { offset: 0, lastGoodSeq: 0, laterRecords: 0, problem };
}

/** What an end in order or a repair leaves. A torn end does not count: it may be all that there ever was. */
const LATER = /^(last-scan\.json|state\.json|ledger\.damaged-\d+)$/;

/** Attempts of calls, and undos, come behind a flush. A hook may run before the first one, which a power loss takes back. */
const OF_CALL = /\.|^undo-/;

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
