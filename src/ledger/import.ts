/**
 * Brings a session in from an exported folder. It is copied aside, checked whole (every byte, every schema, every blob),
 * closed for what was under way where it came from, and only then appears under its name, in one step.
 */
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { blobsOf, type Fact, type FactBody } from '#kernel';
import { isSessionId } from '#lib';
import { fileBlobs } from './blobs.ts';
import type { Codec } from './codec.ts';
import { errnoOf, LedgerError, systemError } from './error.ts';
import { randomId, syncFolder, writeDurably } from './folders.ts';
import type { Disk } from './log/disk.ts';
import { openLog } from './log/open.ts';
import { readLog } from './log/read.ts';
import { recentFacts } from './recent.ts';
import { readRegular } from './regular.ts';

export interface ImportParts {
  readonly disk: Disk;
  readonly codec: Codec;
  readonly sessions: string;
  readonly nowMs: number;
}

/** Returns the id of the session. Throws `LedgerError`: `damaged`, `newer`, `missing`, `exists`, `invalid`. */
export async function importFolder(
  parts: ImportParts,
  source: string,
  closing: (facts: readonly Fact[]) => readonly FactBody[],
): Promise<string> {
  const aside = join(parts.sessions, `.import-${randomId()}`);
  try {
    mkdirSync(aside, { mode: 0o700 });
    for (const part of ['blobs', 'exec', 'inbox']) mkdirSync(join(aside, part), { mode: 0o700 });
    const log = join(aside, 'ledger.log');
    await writeDurably(log, readRegular(join(source, 'ledger.log')));
    const facts = wholeFacts(parts, log, source);
    const sessionId = idOf(facts, source);
    await copyBlobs(facts, join(source, 'blobs'), join(aside, 'blobs'));
    await addClosing(parts, log, facts, closing(facts));
    appear(aside, join(parts.sessions, sessionId), sessionId);
    await syncFolder(parts.sessions);
    return sessionId;
  } catch (thrown) {
    throw systemError(thrown, source);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

function wholeFacts({ disk, codec }: ImportParts, log: string, source: string): readonly Fact[] {
  const facts: Fact[] = [];
  const reading = readLog(disk, log, codec);
  let next = reading.next();
  for (; !next.done; next = reading.next()) facts.push(...next.value.facts);
  const { damage, tornBytes, newer } = next.value;
  if (damage !== null || tornBytes > 0) {
    const offset = damage?.offset ?? next.value.goodBytes;
    const why = damage?.problem === undefined ? '' : `: ${damage.problem}`;
    const what = `${join(source, 'ledger.log')} does not verify: it is damaged or cut off at byte ${offset}, behind fact ${facts.length}${why}`;
    throw new LedgerError('damaged', what, { path: source, offset, lastGoodSeq: facts.length });
  }
  const [first] = newer;
  if (first) {
    const what = `fact ${first.seq} (${first.type}) of ${source} was written by a newer version of Belay`;
    throw new LedgerError('newer', what, { path: source, type: first.type });
  }
  for (const { seq, ts: _, ...body } of facts) {
    const [problem] = codec.misfits(body);
    if (problem) throw new LedgerError('damaged', `fact ${seq} of ${source} does not fit its schema: ${problem}`);
  }
  return facts;
}

function idOf(facts: readonly Fact[], source: string): string {
  const [first] = facts;
  if (first?.type === 'session.created' && isSessionId(first.sessionId)) return first.sessionId;
  // Told anew when the session went on after a repair.
  const again = facts.find((fact) => fact.type === 'session.created');
  if (first?.type === 'record.lost' && again !== undefined && isSessionId(again.sessionId)) return again.sessionId;
  if (first?.type === 'record.lost') {
    const what = `the record of how the session in ${source} began is lost, and with it its name`;
    throw new LedgerError('invalid', what, { path: source });
  }
  throw new LedgerError('invalid', `${source} does not begin with the creation of a session`, { path: source });
}

async function copyBlobs(facts: readonly Fact[], from: string, to: string): Promise<void> {
  const source = fileBlobs(from);
  const target = fileBlobs(to);
  for (const hash of new Set(facts.flatMap(blobsOf))) await target.put(await source.get(hash));
}

async function addClosing(
  { disk, codec, nowMs }: ImportParts,
  log: string,
  facts: readonly Fact[],
  more: readonly FactBody[],
): Promise<void> {
  const { sink, lastSeq } = openLog(disk, log, codec, recentFacts(0), []);
  try {
    const bodies: FactBody[] = [{ type: 'ledger.imported', facts: facts.length }, ...more];
    sink.write(
      bodies.map((body, i) => codec.encode(body, lastSeq + 1 + i, nowMs)),
      lastSeq + bodies.length,
    );
    await sink.flush();
  } finally {
    await sink.close();
  }
}

function appear(aside: string, folder: string, sessionId: string): void {
  try {
    // A folder is never renamed over another one that has something in it.
    renameSync(aside, folder);
  } catch (thrown) {
    if (!['ENOTEMPTY', 'EEXIST'].includes(errnoOf(thrown))) throw thrown;
    throw new LedgerError('exists', `session ${sessionId} exists already`, { path: folder }, { cause: thrown });
  }
}
