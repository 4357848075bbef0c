/**
 * Everything that can still be read of a damaged ledger file, under the numbers it had.
 *
 * 1. The longest valid prefix is taken as it is; behind it every record that checks by itself, in rising order.
 * 2. No number is skipped in silence: each fact that is gone is named, up to the highest number the file still tells of.
 * 3. A file that is whole and ends before a number that was there once has lost what lies between. Of an empty one nothing
 *    is mended.
 * 4. An interrupted append at the very end was never told to anybody; it is no loss.
 */
import { messageOf } from '#lib';
import type { Codec } from '../codec.ts';
import type { Disk } from '../log/disk.ts';
import { readFully } from '../log/disk.ts';
import { COMMIT, COMMIT_BYTES, COMMIT_PAYLOAD_BYTES, FACT, frameChecks, HEAD_BYTES, MARK } from '../log/frame.ts';
import { scanLog } from '../log/scan.ts';
import { judgeTail } from '../log/tail.ts';

export interface Salvage {
  /** Payloads by number from 1 on, each with its own time; null where a fact is lost. */
  readonly payloads: readonly (string | null)[];
  readonly lost: number;
  /** Records behind the first damage that were kept. */
  readonly later: number;
  /** Why facts whose bytes are as they were written are lost or left out all the same. */
  readonly problems: readonly string[];
  /** Where the file first stops making sense; null for a whole file. */
  readonly offset: number | null;
}

/** A number that no session reaches is damage, too: it must not make us write a million placeholders. */
const GAP_MAX = 1_000_000;
const PROBLEMS_MAX = 5;

/** Throws `LedgerError` `newer` for a format of the future. */
export function salvage(disk: Disk, fd: number, path: string, codec: Codec, noted = 0): Salvage {
  const payloads: (string | null)[] = [];
  const problems: string[] = [];
  let offset: number | null = null;
  // Only the first fact of a batch holds its time; where that one is lost, the time before is the best there is.
  let ts = 0;
  const keep = (payload: string): boolean => {
    const seq = seqOf(codec, payload);
    if (seq === null || seq <= payloads.length || seq - payloads.length > GAP_MAX) return false;
    while (payloads.length < seq - 1) payloads.push(null);
    const own = timeOf(payload);
    if (own !== 0) ts = own;
    payloads.push(own === 0 ? payload.replace(/^(\[\d+),0,/, `$1,${ts},`) : payload);
    return true;
  };

  const batches = scanLog(disk, fd, path);
  let next = batches.next();
  for (; !next.done; next = batches.next()) {
    const { bytes, frames, firstSeq, base } = next.value;
    frames.forEach((at, i) => {
      const payload = payloadAt(bytes, at);
      if (seqOf(codec, payload) === firstSeq + i && keep(payload)) return;
      offset ??= base + at;
      if (problems.length < PROBLEMS_MAX) problems.push(problemOf(codec, payload, firstSeq + i));
      while (payloads.length < firstSeq + i) payloads.push(null);
    });
  }
  const end = next.value;
  let later = 0;
  if (end.damage !== null) {
    offset ??= end.damage.offset;
    const rest = readFully(disk, fd, end.goodBytes, Math.max(0, disk.size(fd) - end.goodBytes));
    const { frames, highest, written } = recordsOf(rest, end.goodBytes);
    let repeated = 0;
    for (const at of frames) {
      if (at >= written) continue;
      if (keep(payloadAt(rest, at))) later++;
      else repeated++;
    }
    if (repeated > 0) problems.push(`${repeated} later records have numbers that do not follow; they are left out`);
    const top = highest - payloads.length <= GAP_MAX ? highest : payloads.length;
    while (payloads.length < top) payloads.push(null);
    // Something was here, even if nothing tells how much.
    if (!payloads.includes(null)) payloads.push(null);
  }
  if (payloads.length > 0 && noted > payloads.length && noted - payloads.length <= GAP_MAX) {
    offset ??= end.goodBytes;
    while (payloads.length < noted) payloads.push(null);
  }
  const lost = payloads.filter((payload) => payload === null).length;
  return { payloads, lost, later, problems, offset: lost === 0 ? null : offset };
}

const payloadAt = (bytes: Buffer, at: number): string =>
  bytes.toString('utf8', at + HEAD_BYTES, at + HEAD_BYTES + bytes.readUInt32LE(at + 2));

/** The time in a payload, Unix milliseconds; 0 where that of the batch holds. */
export function timeOf(payload: string): number {
  const [, ts] = JSON.parse(payload) as [number, number];
  return ts;
}

function problemOf(codec: Codec, payload: string, seq: number): string {
  try {
    codec.decode(payload);
    return `fact ${seq} has another number`;
  } catch (thrown) {
    return messageOf(thrown);
  }
}

/** The number in a payload that is a fact, of this version or of a later one; else null. */
function seqOf(codec: Codec, payload: string): number | null {
  try {
    const decoded = codec.decode(payload);
    const { seq } = 'newer' in decoded ? decoded.newer : decoded.fact;
    return Number.isSafeInteger(seq) && seq > 0 ? seq : null;
  } catch {
    return null;
  }
}

/** Whole frames wherever they begin, the highest number a commit tells of, and where an interrupted append begins. */
function recordsOf(rest: Buffer, base: number) {
  const frames: number[] = [];
  let highest = 0;
  let behindCommit = 0;
  for (let at = rest.indexOf(MARK); at >= 0; at = rest.indexOf(MARK, at)) {
    const length = at + HEAD_BYTES < rest.length ? rest.readUInt32LE(at + 2) : Number.POSITIVE_INFINITY;
    const end = at + HEAD_BYTES + length + 1;
    if (end > rest.length || !frameChecks(rest, at)) {
      at++;
      continue;
    }
    if (rest[at + 1] === FACT) frames.push(at);
    if (rest[at + 1] === COMMIT && length === COMMIT_PAYLOAD_BYTES) {
      highest = Math.max(highest, rest.readUInt32LE(at + HEAD_BYTES + 2));
      behindCommit = at + COMMIT_BYTES;
    }
    at = end;
  }
  const isTorn = judgeTail(rest.subarray(behindCommit), base + behindCommit, 0) === null;
  return { frames, highest, written: isTorn ? behindCommit : rest.length };
}
