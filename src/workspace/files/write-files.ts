/**
 * Changes files: claim, temporary files, fsync, verify, replace, fsync of the folders, marker.
 *
 * 1. Without the claim nothing in the workspace is touched.
 * 2. A file is replaced whole or not at all; its mode, owner and the links that lead to it stay.
 * 3. Only the content named as base is ever displaced. Whatever else turns up in its place is put back.
 * 4. Of several files all are changed or none: the first that cannot be takes the others back. What was displaced keeps
 *    a name until all is done, so that whoever settles the attempt after a crash can take it back, too.
 * 5. A failure leaves neither temporary files nor new empty folders behind.
 * 6. No space in the attempt's folder is thrown (`full`); it happens only before anything of the workspace is touched.
 * 7. Every change happens in the folder that was checked, whatever its path leads to meanwhile.
 */
import { accessSync, constants, type Stats, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeId, messageOf } from '#lib';
import { takeClaim } from '../claim.ts';
import type { FileChange, FilesResult, ResolvedPath, WorkspaceOptions } from '../contract.ts';
import { errorCode, isFull } from '../error-code.ts';
import { WorkspaceError } from '../workspace-error.ts';
import { type Anchor, MOVED, openAnchor } from './anchor.ts';
import { blobHash } from './blob-hash.ts';
import type { EditLock } from './edit-lock.ts';
import { dropNames, type Leftovers, leftoversOf, noteLeftovers } from './leftovers.ts';
import { isProblem, type Resolve } from './resolve-path.ts';
import { type Kept, keepFile, putFile, type Swap, takeBack } from './swap-file.ts';
import { writeFresh } from './write-fresh.ts';

export interface WritePorts {
  readonly resolve: Resolve;
  readonly lock: EditLock;
  readonly bootId: () => string;
  readonly onDisplace: WorkspaceOptions['onDisplace'];
}

/** From this size on giving a file's room back takes longer than the way to another thread. */
const LARGE_BYTES = 1024 * 1024;

type Refusal = Extract<FilesResult, { readonly ok: false }>;

interface Target {
  readonly change: FileChange;
  readonly found: ResolvedPath;
}
interface Place extends Target, Swap {
  readonly anchor: Anchor;
  /** Names as whoever settles the attempt finds them. */
  readonly noted: Leftovers;
  readonly before: Stats | null;
}

/** `execFolder` null: no attempt stands behind the change, so there is nothing to claim or to settle. */
export async function writeFilesDurably(
  ports: WritePorts,
  changes: readonly FileChange[],
  execFolder: string | null,
): Promise<FilesResult> {
  const targets = targetsOf(ports, changes);
  if ('code' in targets) return targets;
  const places: Place[] = [];
  let done = false;
  let at: Target | undefined;
  try {
    if (execFolder !== null && !(await record(execFolder, () => takeClaim(execFolder, ports.bootId())))) {
      return refuse('revoked', 'The attempt was revoked before it started; nothing was written.');
    }
    for (const { change, found } of targets) {
      if (found.kind === 'missing' && change.base !== null) return refuse('stale', `${found.path} is gone.`);
      if (found.kind === 'file') accessSync(found.absolute, constants.W_OK);
    }
    for (const target of targets) {
      at = target;
      places.push(openPlace(target));
    }
    if (execFolder !== null)
      await record(execFolder, () => noteLeftovers(execFolder, ...places.map(({ noted }) => noted)));
    for (const place of places) {
      at = place;
      const { left, bytes, before, change } = place;
      if (bytes !== null) await writeFresh(left.fresh, bytes, before, change.mode);
    }
    const problem = await ports.lock(() => swapAll(ports, places, execFolder));
    if (problem !== null) return problem;
    done = true;
    for (const { anchor } of places) await anchor.sync();
    const fingerprints = places.map(fingerprintOf);
    if (execFolder !== null) markApplied(execFolder, fingerprints.map(({ result }) => result ?? '-').join('\n'));
    return { ok: true, fingerprints, notes: places.flatMap(noteOf) };
  } catch (error) {
    if (error instanceof WorkspaceError) throw error;
    const refusal = problemWith(at === undefined ? targets : [at], error);
    if (!done) return refusal;
    return {
      ...refusal,
      stayed: places.map((place) => ({ ...fingerprintOf(place), why: 'may not be on the disk yet.' })),
    };
  } finally {
    for (const { left, before } of places) dropNames(left, before !== null && before.size >= LARGE_BYTES);
    for (const { anchor } of places.toReversed()) {
      if (!done) anchor.abandon();
      anchor.close();
    }
  }
}

function targetsOf(ports: WritePorts, changes: readonly FileChange[]): readonly Target[] | Refusal {
  const targets: Target[] = [];
  for (const change of changes) {
    const found = ports.resolve(change.path);
    if (isProblem(found)) return refuse('denied', found.message);
    if (found.gitInternal) return refuse('denied', `${found.path} belongs to git; file tools do not change it.`);
    if (found.kind === 'directory') return refuse('denied', `${found.path} is a folder.`);
    if (found.kind === 'other') return refuse('denied', `${found.path} is a device, pipe or socket.`);
    if (targets.some((other) => other.found.path === found.path)) {
      return refuse('denied', `${found.path} is named twice in one change.`);
    }
    const outer = targets.find(({ found: { path } }) => isBelow(path, found.path) || isBelow(found.path, path));
    if (outer !== undefined) {
      return refuse('denied', `Of ${outer.found.path} and ${found.path} one would be a file and a folder at once.`);
    }
    targets.push({ change, found });
  }
  return targets;
}

const isBelow = (folder: string, path: string): boolean => path.startsWith(`${folder}/`);

function openPlace({ change, found }: Target): Place {
  const noted = leftoversOf(
    found.absolute,
    makeId((bytes) => crypto.getRandomValues(bytes)),
  );
  const anchor = openAnchor(dirname(found.absolute));
  const left = {
    target: anchor.at(basename(noted.target)),
    fresh: anchor.at(basename(noted.fresh)),
    kept: anchor.at(basename(noted.kept)),
  };
  const { base } = change;
  // Asking for `bytes` may put them together, which nobody needs here where there are pieces.
  const bytes = change.pieces ?? change.bytes;
  try {
    const before = statSync(left.target, { throwIfNoEntry: false }) ?? null;
    return { change, found, anchor, noted, left, before, base, bytes, baseBytes: change.baseBytes ?? null };
  } catch (error) {
    anchor.abandon();
    anchor.close();
    throw error;
  }
}

/** Where not even the claim finds room, no outcome will either: that is the session's concern, not the model's. */
async function record<T>(folder: string | null, write: () => T | Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isFull(error)) throw error;
    const what = errorCode(error) === 'EFBIG' ? 'No file may be long enough' : 'There is no space';
    const where = folder === null ? what : `${what} in ${folder}`;
    const message = `${where} for what must be recorded before a file is changed (${errorCode(error)}); none was changed`;
    throw new WorkspaceError('full', message, { cause: error });
  }
}

/** Keeps all, announces all, then puts all; the first fault takes back what was put. */
async function swapAll(
  ports: WritePorts,
  places: readonly Place[],
  execFolder: string | null,
): Promise<Refusal | null> {
  const kept: Kept[] = [];
  for (const place of places) {
    // The folder may have become a link meanwhile; the jail is checked again right before the change.
    const again = ports.resolve(place.found.absolute);
    if (isProblem(again) || again.absolute !== place.found.absolute) return elsewhere;
    const one = keepFile(place);
    if (typeof one === 'string') return refuse('stale', `${again.path} ${one}`);
    kept.push(one);
    const before = one.bytes === null || place.base === null ? null : { hash: place.base, bytes: one.bytes };
    await record(execFolder, () => ports.onDisplace?.(again.path, before, contentOf(place.change)));
  }
  let at = 0;
  try {
    for (; at < places.length; at++) {
      const place = places[at] as Place;
      const problem = place.anchor.isInPlace() ? putFile(place, kept[at] as Kept) : 'leads elsewhere now.';
      if (problem !== null) return undone(places, kept, at, refuse('stale', `${place.found.path} ${problem}`));
    }
    return null;
  } catch (error) {
    return undone(places, kept, at, problemWith(places.slice(at, at + 1), error));
  }
}

/** The refusal, together with what of the files before it could not be taken back. */
function undone(places: readonly Place[], kept: readonly Kept[], count: number, refusal: Refusal): Refusal {
  const stayed = places.slice(0, count).flatMap((place, i) => {
    const why = takeBack(place, kept[i] as Kept);
    return why === null ? [] : [{ ...fingerprintOf(place), why }];
  });
  return stayed.length === 0 ? refusal : { ...refusal, stayed };
}

/** Says "applied" to whoever settles this attempt; without it the content decides, so a failure is no failure. */
function markApplied(execFolder: string, text: string): void {
  try {
    writeFileSync(join(execFolder, 'applied'), `${text}\n`, { flag: 'a', mode: 0o600 });
  } catch {
    // See above.
  }
}

function noteOf({ before, found, bytes, left }: Place): string[] {
  if (before === null || bytes === null) return [];
  const notes: string[] = [];
  if (before.nlink > 1) notes.push(`${found.path} had ${before.nlink} hard links; this one now has its own content.`);
  const now = statSync(left.target, { throwIfNoEntry: false }) ?? before;
  if (now.uid !== before.uid || now.gid !== before.gid) {
    notes.push(`${found.path} was of user ${before.uid}, group ${before.gid}; now it is of ${now.uid}, ${now.gid}.`);
  }
  return notes;
}

const resultOf = (change: FileChange): string | null =>
  change.result ?? (change.bytes === null ? null : blobHash(change.bytes));

const contentOf = (change: FileChange): { readonly hash: string; readonly bytes: Uint8Array } | null =>
  change.bytes === null ? null : { hash: resultOf(change) ?? '', bytes: change.bytes };

function codeOf(error: unknown): Refusal['code'] {
  if (isFull(error)) return 'full';
  if ([MOVED, 'ELOOP', 'ENOTDIR'].includes(errorCode(error))) return 'stale';
  return ['EACCES', 'EPERM', 'EROFS', 'ETXTBSY'].includes(errorCode(error)) ? 'denied' : 'io';
}

const fingerprintOf = ({ found, change }: Target) => ({
  path: found.path,
  base: change.base,
  result: resultOf(change),
});

/** A write that finds no room does not tell where; the names of temporary files tell nobody anything. */
function problemWith(targets: readonly Target[], error: unknown): Refusal {
  const names = targets.map(({ found }) => found.path).join(', ');
  if (!isFull(error)) return refuse(codeOf(error), `${names}: ${withoutPath(messageOf(error))}`);
  if (errorCode(error) === 'EFBIG')
    return refuse('full', `${names} would be longer than a file may be here (ulimit -f)`);
  const folders = [...new Set(targets.map(({ found }) => dirname(found.absolute)))].join(', ');
  return refuse('full', `there is no room for ${names} in ${folders} (${errorCode(error)})`);
}

/** What the system says, without the call and the name of ours that it was about. */
const withoutPath = (message: string): string => message.replace(/, \w+ '.*$/s, '');

const refuse = (code: Refusal['code'], message: string): Refusal => ({ ok: false, code, message });

const elsewhere = refuse('stale', 'The path leads elsewhere now.');
