/** One line about a session, from the first and the last 32 KiB of its ledger. */
import { dirname } from 'node:path';
import type { Fact } from '#kernel';
import { type Codec, type Decoded, codec as ownCodec } from './codec.ts';
import type { SessionState, SessionSummary } from './contract.ts';
import { emptiedDamage } from './emptied.ts';
import { type Disk, readFully } from './log/disk.ts';
import { COMMIT, COMMIT_BYTES, COMMIT_PAYLOAD_BYTES, frameChecks, HEAD_BYTES, headerFrame, MARK } from './log/frame.ts';
import { refuseNewerFormat } from './log/scan.ts';
import { judgeTail } from './log/tail.ts';
import { walkBatch } from './log/walk.ts';
import { notedEnd } from './shortened.ts';

const PART_BYTES = 32 * 1024;

/**
 * `fileMs` is the time of the last change of the file, which copies and backups change as well: it counts only where no
 * fact tells a time. Throws what the system reports.
 */
export function summarize(
  disk: Disk,
  path: string,
  sessionId: string,
  fileMs: number,
  codec: Codec = ownCodec,
): SessionSummary {
  const fd = disk.open(path, 'r');
  try {
    const size = disk.size(fd);
    const head = readFully(disk, fd, 0, Math.min(size, PART_BYTES));
    const tailAt = Math.max(0, size - PART_BYTES);
    const tail = tailAt === 0 ? head : readFully(disk, fd, tailAt, size - tailAt);
    refuseNewerFormat(head, path);
    const first = readHead(head, size);
    const last = tailAt === 0 ? first : readTail(tail, tailAt);
    return {
      sessionId,
      ...beginningOf(first, codec, fileMs),
      ...endOf(last, codec, fileMs, tailAt === 0),
      lastSeq: last.lastSeq,
      damaged:
        first.damaged ||
        last.damaged ||
        isOdd(first, codec) ||
        (tailAt > 0 && isOdd(last, codec)) ||
        ((tailAt === 0 || last.lastSeq > 0) && isShortened(last, dirname(path), codec) && disk.size(fd) === size) ||
        (size === 0 && emptiedDamage(dirname(path)) !== null),
    };
  } finally {
    disk.close(fd);
  }
}

interface Part {
  readonly bytes: Buffer;
  /** Offsets of the checked fact frames in `bytes`, by batch. */
  readonly batches: readonly (readonly number[])[];
  readonly lastSeq: number;
  readonly damaged: boolean;
}

/** Facts are decoded from either end only until enough is known: of hundreds of sessions that is what takes the time. */
function beginningOf(part: Part, codec: Codec, fileMs: number) {
  let createdMs: number | null = null;
  let workspace: string | null = null;
  let goal: string | null = null;
  for (const batch of part.batches) {
    for (const fact of factsIn(part.bytes, batch, codec)) {
      createdMs ??= timeOf(fact) ?? fileMs;
      if (fact.type === 'session.created') workspace ??= fact.workspace;
      if (fact.type === 'session.start') goal ??= fact.goal;
    }
    if (workspace !== null && goal !== null) break;
  }
  return { createdMs: createdMs ?? fileMs, workspace: workspace ?? '', goal: goal ?? '' };
}

function endOf(part: Part, codec: Codec, fileMs: number, whole: boolean) {
  let changedMs: number | null = null;
  let state: SessionState | null = null;
  for (const batch of part.batches.toReversed()) {
    for (const fact of factsIn(part.bytes, batch, codec).reverse()) {
      changedMs ??= timeOf(fact) ?? fileMs;
      state ??= stateBy(fact);
    }
    if (state !== null) break;
  }
  // Without a fact that says so, a turn that has only its later facts in the part read is under way.
  const otherwise: SessionState = whole ? 'new' : changedMs === null ? 'unknown' : 'open';
  return { changedMs: changedMs ?? fileMs, state: state ?? otherwise };
}

function stateBy(fact: Fact): SessionState | null {
  if (fact.type === 'session.complete') return 'done';
  if (fact.type === 'session.pause') return 'paused';
  return fact.type === 'session.start' || fact.type === 'session.resume' ? 'open' : null;
}

function readHead(head: Buffer, size: number): Part {
  const header = headerFrame();
  if (head.length < header.length)
    return { bytes: head, batches: [], lastSeq: 0, damaged: !header.subarray(0, head.length).equals(head) };
  if (!head.subarray(0, header.length).equals(header))
    return { bytes: head, batches: [], lastSeq: 0, damaged: head.some((byte) => byte !== 0) };
  return readBatches(head, header.length, 0, size, 0);
}

/** The part begins somewhere inside a batch: the first commit that checks is where reading can begin. */
function readTail(tail: Buffer, base: number): Part {
  for (let at = tail.indexOf(MARK); at >= 0; at = tail.indexOf(MARK, at + 1)) {
    if (!isCommit(tail, at)) continue;
    const lastSeq = tail.readUInt32LE(at + HEAD_BYTES + 2);
    return readBatches(tail, at + COMMIT_BYTES, base, base + tail.length, lastSeq);
  }
  // One batch, or an interrupted append, is larger than the part: only reading the whole file can tell more.
  return { bytes: tail, batches: [], lastSeq: 0, damaged: false };
}

function readBatches(bytes: Buffer, from: number, base: number, size: number, before: number): Part {
  const batches: (readonly number[])[] = [];
  let lastSeq = before;
  let at = from;
  for (;;) {
    const walk = walkBatch(bytes, at, bytes.length);
    const whole = walk.end === 'commit' && [...walk.facts, walk.at].every((frame) => frameChecks(bytes, frame));
    if (!whole) {
      // Behind the part the file goes on, so a batch that is cut off here says nothing.
      const atEnd = base + bytes.length === size;
      const damaged = atEnd ? judgeTail(bytes.subarray(at), base + at, lastSeq) !== null : walk.end !== 'short';
      if (!atEnd) batches.push(walk.facts.filter((frame) => frameChecks(bytes, frame)));
      return { bytes, batches, lastSeq, damaged };
    }
    batches.push(walk.facts);
    lastSeq = bytes.readUInt32LE(walk.at + HEAD_BYTES + 2);
    at = walk.at + COMMIT_BYTES;
  }
}

/** Whether a whole record holds something that is no fact. */
const isOdd = ({ bytes, batches }: Part, codec: Codec): boolean =>
  batches.some((batch) => batch.some((at) => factAt(bytes, at, codec, 0) === null));

/** A ledger that was left in order needs no second look; one that grew meanwhile may be noted to be longer than it was. */
function isShortened({ bytes, batches, lastSeq }: Part, folder: string, codec: Codec): boolean {
  const last = batches.at(-1)?.at(-1);
  const decoded = last === undefined ? null : factAt(bytes, last, codec, 0);
  const isInOrder = decoded !== null && 'fact' in decoded && decoded.fact.type === 'executor.detached';
  return !isInOrder && notedEnd(folder) > lastSeq;
}

/** Null for what is no fact. */
function factAt(bytes: Buffer, at: number, codec: Codec, batchTs: number): Decoded | null {
  const start = at + HEAD_BYTES;
  try {
    return codec.decode(bytes.toString('utf8', start, start + bytes.readUInt32LE(at + 2)), batchTs);
  } catch {
    return null;
  }
}

/** The facts of one batch, which holds its time only once: in its first fact. */
function factsIn(bytes: Buffer, frames: readonly number[], codec: Codec): Fact[] {
  let batchTs = 0;
  return frames.flatMap((at) => {
    const decoded = factAt(bytes, at, codec, batchTs);
    if (decoded === null) return [];
    if (batchTs === 0) batchTs = 'fact' in decoded ? decoded.fact.ts : decoded.ts;
    return 'fact' in decoded ? [decoded.fact] : [];
  });
}

const isCommit = (bytes: Buffer, at: number): boolean =>
  at + COMMIT_BYTES <= bytes.length &&
  bytes[at + 1] === COMMIT &&
  bytes.readUInt32LE(at + 2) === COMMIT_PAYLOAD_BYTES &&
  frameChecks(bytes, at);

/** Null where the fact that holds the time of its batch is damaged. */
const timeOf = (fact: Fact | undefined): number | null => (fact === undefined || fact.ts === 0 ? null : fact.ts);
