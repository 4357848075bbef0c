/**
 * A file system in memory that remembers what of it is on disk.
 *
 * Contents become durable with a sync of the file, names with a sync of the folder. After a power loss a file has its
 * synced content and perhaps some of what came after: a prefix, pages that never arrived (zeros), or later pages
 * without earlier ones; a folder has its names as they were at some moment since its last sync, so of two files that
 * were made one after the other the earlier one can be there alone.
 */
import type { Prng } from '#lib';

export interface Inode {
  readonly ino: number;
  readonly kind: 'file' | 'dir';
  mode: number;
  size: number;
  data: Buffer;
  synced: Buffer;
  /** Changed by `name` alone. */
  readonly entries: ReadonlyMap<string, Inode>;
  durable: ReadonlyMap<string, Inode>;
  /** What became of names since the last sync, in order. */
  renamed: Naming[];
  links: number;
  changedMs: number;
}

/** Names that change at once, each with what it means from then on; null: it is gone. */
export type Naming = readonly (readonly [name: string, inode: Inode | null])[];

export const fault = (code: string, call: string, path: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${code}: ${call} '${path}'`), { code, syscall: call, path });

export interface PowerLoss {
  /** Whether pages of an unsynced tail may arrive out of order. */
  readonly reorder: boolean;
}

const PAGE = 512;

export class Volume {
  readonly root: Inode;
  private inodes = 1;
  private readonly now: () => number;

  constructor(now: () => number) {
    this.now = now;
    this.root = this.make('dir');
  }

  make(kind: Inode['kind'], mode = 0o600): Inode {
    return {
      ino: this.inodes++,
      kind,
      mode,
      size: 0,
      data: Buffer.alloc(0),
      synced: Buffer.alloc(0),
      entries: new Map(),
      durable: new Map(),
      renamed: [],
      links: 1,
      changedMs: this.now(),
    };
  }

  find(path: string): Inode | null {
    let at: Inode = this.root;
    for (const name of namesOf(path)) {
      if (at.kind !== 'dir') return null;
      const next = at.entries.get(name);
      if (next === undefined) return null;
      at = next;
    }
    return at;
  }

  need(path: string, call: string): Inode {
    const found = this.find(path);
    if (found === null) throw fault('ENOENT', call, path);
    return found;
  }

  parent(path: string, call: string): { folder: Inode; name: string } {
    const names = namesOf(path);
    const name = names.pop();
    if (name === undefined) throw fault('EINVAL', call, path);
    const folder = this.need(`/${names.join('/')}`, call);
    if (folder.kind !== 'dir') throw fault('ENOTDIR', call, path);
    return { folder, name };
  }

  create(path: string, kind: Inode['kind'], mode: number, call: string): Inode {
    const { folder, name } = this.parent(path, call);
    if (folder.entries.has(name)) throw fault('EEXIST', call, path);
    const inode = this.make(kind, mode);
    this.name(folder, [[name, inode]]);
    return inode;
  }

  /** Changes names of a folder. */
  name(folder: Inode, naming: Naming): void {
    apply(folder, naming);
    folder.renamed.push(naming);
  }

  makeFolders(path: string): void {
    let at = '';
    for (const name of namesOf(path)) {
      at += `/${name}`;
      if (this.find(at) === null) this.create(at, 'dir', 0o700, 'mkdir');
    }
  }

  write(inode: Inode, bytes: Uint8Array, position: number): void {
    const end = position + bytes.length;
    if (end > inode.data.length) {
      const grown = Buffer.alloc(Math.max(end, inode.data.length * 2, 256));
      inode.data.copy(grown, 0, 0, inode.size);
      inode.data = grown;
    }
    inode.data.set(bytes, position);
    inode.size = Math.max(inode.size, end);
    inode.changedMs = this.now();
  }

  truncate(inode: Inode, size: number): void {
    if (size < inode.size) inode.data.fill(0, size, inode.size);
    else this.write(inode, Buffer.alloc(size - inode.size), inode.size);
    inode.size = size;
  }

  content(inode: Inode): Buffer {
    return Buffer.from(inode.data.subarray(0, inode.size));
  }

  sync(inode: Inode): void {
    if (inode.kind === 'dir') keepNames(inode);
    else inode.synced = this.content(inode);
  }

  /** Everything as it is now is on disk: the state of the machine before the story begins. */
  syncAll(): void {
    const visit = (inode: Inode): void => {
      this.sync(inode);
      for (const child of inode.entries.values()) visit(child);
    };
    visit(this.root);
  }

  /** What a path would hold if the power went now and took everything that it can take; null: nothing. */
  durable(path: string): Buffer | null {
    let at: Inode | undefined = this.root;
    for (const name of namesOf(path)) at = at?.durable.get(name);
    return at?.kind === 'file' ? at.synced : null;
  }

  powerLoss(random: Prng, options: PowerLoss): void {
    const seen = new Set<Inode>();
    const visit = (inode: Inode): void => {
      if (seen.has(inode)) return;
      seen.add(inode);
      if (inode.kind === 'file') {
        loseTail(inode, random, options);
        return;
      }
      loseNames(inode, random);
      for (const child of [...inode.entries.values()]) visit(child);
    };
    visit(this.root);
  }
}

function apply(folder: Inode, naming: Naming): void {
  const names = folder.entries as Map<string, Inode>;
  for (const [name, inode] of naming) {
    if (inode === null) names.delete(name);
    else names.set(name, inode);
  }
}

function keepNames(folder: Inode): void {
  folder.durable = new Map(folder.entries);
  folder.renamed = [];
}

/** The names that a folder has when the power comes back: those of now, of its last sync, or of a moment between. */
function loseNames(folder: Inode, random: Prng): void {
  const { renamed } = folder;
  if (renamed.length === 0) return;
  const kept = random.next() < 0.4 ? renamed.length : random.below(renamed.length + 1);
  (folder.entries as Map<string, Inode>).clear();
  apply(folder, [...folder.durable]);
  for (const naming of renamed.slice(0, kept)) apply(folder, naming);
  keepNames(folder);
}

/** What a file holds when the power comes back. */
function loseTail(inode: Inode, random: Prng, options: PowerLoss): void {
  const now = inode.data.subarray(0, inode.size);
  const { synced } = inode;
  if (now.equals(synced)) return;
  const kept = survivor(now, synced, random, options);
  inode.data = Buffer.from(kept);
  inode.size = kept.length;
  inode.synced = Buffer.from(kept);
}

function survivor(now: Buffer, synced: Buffer, random: Prng, { reorder }: PowerLoss): Buffer {
  const appended = now.length > synced.length && now.subarray(0, synced.length).equals(synced);
  const kind = random.below(reorder ? 4 : 3);
  // What was overwritten in place is there or not; what was appended can be there in part.
  if (!appended) return kind === 0 ? now : synced;
  if (kind === 0) return synced;
  const kept = synced.length + random.below(now.length - synced.length + 1);
  if (kind === 1) return now.subarray(0, kept);
  const result = Buffer.from(now);
  const from = Math.max(synced.length, Math.ceil(kept / PAGE) * PAGE);
  // A last sector of one byte is never half there.
  if (result.length - from < 2) return now.subarray(0, kept);
  if (kind === 2) return result.fill(0, Math.min(from, result.length));
  // One page never arrived although later ones did.
  return result.fill(0, Math.min(from, result.length), Math.min(from + PAGE, result.length));
}

/** `/mount/N` in front of a path changes nothing: the same place, as another process sees it. */
export function namesOf(path: string): string[] {
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  return names[0] === 'mount' ? names.slice(2) : names;
}
