import { createHash } from 'node:crypto';
import { theVolume } from './os/the-volume.ts';
import type { Inode } from './os/volume.ts';

/** Path → `mode hash` of every file below a folder, without the names of a replacement under way. */
export function scanManifest(root: string): ReadonlyMap<string, string> {
  const manifest = new Map<string, string>();
  const visit = (inode: Inode, path: string): void => {
    for (const [name, child] of [...inode.entries].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (name.startsWith('.belay-')) continue;
      const below = path === '' ? name : `${path}/${name}`;
      if (child.kind === 'dir') visit(child, below);
      else manifest.set(below, `100644 ${createHash('sha1').update(theVolume().content(child)).digest('hex')}`);
    }
  };
  const folder = theVolume().find(root);
  if (folder !== null) visit(folder, '');
  return manifest;
}
