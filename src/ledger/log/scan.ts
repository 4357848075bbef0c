/**
 * Reads a ledger file batch by batch, checking everything on the way; memory is bound by the largest batch.
 *
 * The link of a commit covers every byte of its batch and of the link before, so one SHA-256 per batch replaces the
 * checksum of each frame; those are computed only to name the place when a link does not fit. In the same way one SHA-256
 * up to a mark replaces the links before it: where it does not fit, nothing of the scan counts, and another one without
 * the mark names the place.
 */
import type { Damage, Mark } from '../contract.ts';
import { LedgerError } from '../error.ts';
import { type Disk, readFully } from './disk.ts';
import {
  COMMIT_BYTES,
  FORMAT_NAME,
  FORMAT_VERSION,
  FRAME_BYTES,
  frameChecks,
  HEAD_BYTES,
  HEADER,
  headerFrame,
  LINK_AT,
  LINK_BYTES,
  linkOver,
} from './frame.ts';
import { countRecords, judgeTail } from './tail.ts';
import { walkBatch } from './walk.ts';
import { createWholeHash, type WholeHash } from './whole-hash.ts';

const WINDOW_BYTES = 256 * 1024;

/** A whole, checked batch. `bytes` is reused: it is valid until the next one is asked for. */
export interface Batch {
  readonly bytes: Buffer;
  /** Offsets of the fact frames in `bytes`. */
  readonly frames: readonly number[];
  readonly firstSeq: number;
  /** Offset of the commit frame in `bytes`. */
  readonly commit: number;
  /** Offset in the file of `bytes[0]`. */
  readonly base: number;
}

/** What was found at the end. */
export interface LogEnd {
  /** Bytes up to the end of the last good batch. */
  readonly goodBytes: number;
  readonly lastSeq: number;
  readonly tornBytes: number;
  readonly damage: Damage | null;
  /** The bytes that the link of the next batch covers first. Empty for a file that has no header yet. */
  readonly before: Buffer;
  /** Of all good bytes, where it was asked for. */
  readonly hash: WholeHash | null;
  /** Whether the file has the mark that was asked for. Where it has not, nothing that the scan yielded counts. */
  readonly isMet: boolean;
}

export interface ScanOptions {
  /** Batches before it are yielded unchecked. */
  readonly mark?: Mark | undefined;
  readonly isHashed?: boolean;
}

/** Throws `LedgerError` `newer` if the file is of a format this version does not know. */
export function* scanLog(
  disk: Disk,
  fd: number,
  path: string,
  { mark, isHashed = mark !== undefined }: ScanOptions = {},
): Generator<Batch, LogEnd> {
  const hash = isHashed ? createWholeHash() : null;
  let hashed = 0;
  let isMet = false;
  // One byte more than a small file has: the read that finds its end then needs no larger window.
  let window = Buffer.allocUnsafe(Math.min(WINDOW_BYTES, disk.size(fd) + 1));
  let base = 0;
  let filled = 0;
  let chain = 0;
  let lastSeq = 0;
  const addToHash = (): void => {
    hash?.add(window.subarray(hashed - base, at));
    hashed = base + at;
  };
  const more = (): boolean => {
    if (chain > 0) {
      addToHash();
      window.copy(window, 0, chain, filled);
      base += chain;
      filled -= chain;
      at -= chain;
      chain = 0;
    }
    if (filled === window.length) window = Buffer.concat([window], window.length * 2);
    const got = disk.read(fd, window, filled, window.length - filled, base + filled);
    filled += got;
    return got > 0;
  };
  const stop = (damage: Damage | null, size: number): LogEnd => {
    addToHash();
    return {
      goodBytes: base + at,
      lastSeq,
      tornBytes: damage === null ? size - base - at : 0,
      damage,
      before: Buffer.from(window.subarray(chain, at)),
      hash,
      isMet,
    };
  };
  const isVouchedFor = (end: number): boolean => mark !== undefined && base + end <= mark.bytes;

  let at = 0;
  const header = headerFrame();
  while (filled < header.length && more());
  if (!window.subarray(0, header.length).equals(header) || filled < header.length) {
    if (isPrefix(window.subarray(0, filled), header)) return stop(null, filled);
    refuseNewerFormat(window.subarray(0, filled), path);
    const rest = restOf(disk, fd, 0);
    const torn = rest.every((byte) => byte === 0);
    return stop(torn ? null : { offset: 0, lastGoodSeq: 0, laterRecords: countRecords(rest, 1) }, rest.length);
  }
  at = header.length;

  for (;;) {
    const walk = walkBatch(window, at, filled);
    if (walk.end === 'short' && more()) continue;
    if (
      walk.end === 'commit' &&
      (isVouchedFor(walk.at + COMMIT_BYTES) || commitFits(window, chain, walk.at, walk.facts.length, lastSeq))
    ) {
      yield { bytes: window, frames: walk.facts, firstSeq: lastSeq + 1, commit: walk.at, base };
      lastSeq += walk.facts.length;
      chain = walk.at + LINK_AT;
      at = walk.at + COMMIT_BYTES;
      if (base + at === mark?.bytes) {
        addToHash();
        isMet = lastSeq === mark.seq && hash?.mark(lastSeq).sha256 === mark.sha256;
      }
      continue;
    }
    if (at === filled && walk.end === 'short') return stop(null, base + at);
    const rest = restOf(disk, fd, base + at);
    return stop(judgeTail(rest, base + at, lastSeq), base + at + rest.length);
  }
}

function commitFits(bytes: Buffer, chain: number, commit: number, facts: number, lastSeq: number): boolean {
  const payload = commit + HEAD_BYTES;
  if (bytes.readUInt16LE(payload) !== facts || bytes.readUInt32LE(payload + 2) !== lastSeq + facts) return false;
  const link = bytes.toString('latin1', commit + LINK_AT, commit + LINK_AT + LINK_BYTES);
  return linkOver(bytes, chain, commit) === link && frameChecks(bytes, commit);
}

function isPrefix(found: Buffer, whole: Buffer): boolean {
  return found.length < whole.length && whole.subarray(0, found.length).equals(found);
}

/** Throws if `found` begins with the undamaged header of a format that is not ours. */
export function refuseNewerFormat(found: Buffer, path: string): void {
  if (found.length < FRAME_BYTES || found[1] !== HEADER) return;
  const end = HEAD_BYTES + found.readUInt32LE(2);
  if (end >= found.length || !frameChecks(found, 0)) return;
  const format = found.toString('latin1', HEAD_BYTES, end);
  if (!format.startsWith(FORMAT_NAME) || format === `${FORMAT_NAME}${FORMAT_VERSION}`) return;
  throw new LedgerError(
    'newer',
    `${path} is a ${format}; this version of Belay reads format ${FORMAT_VERSION}. Update Belay to open it`,
    { path, type: format },
  );
}

function restOf(disk: Disk, fd: number, from: number): Buffer {
  return readFully(disk, fd, from, Math.max(0, disk.size(fd) - from));
}
