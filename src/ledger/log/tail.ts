/**
 * Tells an interrupted append from damage, where the file stops making sense.
 *
 * What a crash can leave: appends only ever add bytes behind the last batch, so after a kill there is a *prefix* of a
 * batch, and after a power loss perhaps zeros where the disk had grown the file but not yet received the data: from
 * the last whole batch on, or from a sector boundary on, always up to the end of the file. Everything else, a complete
 * last batch with one wrong byte above all, had been told to somebody and is damage.
 */
import type { Damage } from '../contract.ts';
import {
  COMMIT,
  COMMIT_BYTES,
  COMMIT_PAYLOAD_BYTES,
  FACT,
  FRAME_BYTES,
  frameChecks,
  HEAD_BYTES,
  MARK,
  NEWLINE,
} from './frame.ts';
import { walkBatch } from './walk.ts';

const SECTOR_BYTES = 512;

/**
 * `rest` is everything from the end of the last good batch, at file offset `offset`, to the end of the file.
 * Null means: an interrupted append, safe to cut.
 */
export function judgeTail(rest: Buffer, offset: number, lastGoodSeq: number): Damage | null {
  const written = withoutZeroFill(rest, offset);
  const walk = walkBatch(rest, 0, written);
  const complete = walk.end === 'commit' ? [...walk.facts, walk.at] : walk.facts;
  const bad = complete.find((at) => !frameChecks(rest, at));
  if (bad === undefined && walk.end === 'short' && !commitBehind(rest, walk.at)) return null;
  // A whole batch whose frames all check is not the one that followed the batch before it: all of it is suspect.
  const at = bad ?? (walk.end === 'commit' ? 0 : walk.at);
  return { offset: offset + at, lastGoodSeq, laterRecords: countRecords(rest, at + 1) };
}

/** Length of `rest` without zeros that a power loss can leave. A single zero byte is not believed to be one. */
function withoutZeroFill(rest: Buffer, offset: number): number {
  let start = rest.length;
  while (start > 0 && rest[start - 1] === 0) start--;
  if (start === 0) return 0;
  const sector = start + ((SECTOR_BYTES - ((offset + start) % SECTOR_BYTES)) % SECTOR_BYTES);
  return rest.length - sector >= 2 ? sector : rest.length;
}

/** A batch ends with its commit, so a commit behind a frame that seems cut off means that its length is wrong. */
function commitBehind(rest: Buffer, from: number): boolean {
  for (let at = rest.indexOf(MARK, from + 1); at >= 0; at = rest.indexOf(MARK, at + 1)) {
    const whole = at + COMMIT_BYTES <= rest.length && rest[at + 1] === COMMIT;
    if (whole && rest.readUInt32LE(at + 2) === COMMIT_PAYLOAD_BYTES && frameChecks(rest, at)) return true;
  }
  return false;
}

/** Facts from `from` on that still check by themselves, wherever they begin. */
export function countRecords(rest: Buffer, from: number): number {
  let count = 0;
  let at = rest.indexOf(MARK, from);
  while (at >= 0) {
    const end = recordEnd(rest, at);
    if (end > 0) count++;
    at = rest.indexOf(MARK, end > 0 ? end : at + 1);
  }
  return count;
}

const OPENING_BRACKET = 0x5b;

function recordEnd(rest: Buffer, at: number): number {
  if (at + FRAME_BYTES >= rest.length || rest[at + 1] !== FACT || rest[at + HEAD_BYTES] !== OPENING_BRACKET) return 0;
  const end = at + FRAME_BYTES + rest.readUInt32LE(at + 2);
  return end <= rest.length && rest[end - 1] === NEWLINE && frameChecks(rest, at) ? end : 0;
}
