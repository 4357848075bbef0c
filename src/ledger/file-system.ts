import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FileSystemInfo } from './contract.ts';

/** Magic numbers of `statfs` on Linux. Other systems number their file systems per machine and are not told apart. */
const NAMES: { readonly [magic: number]: string } = {
  61267: 'ext4',
  1481003842: 'xfs',
  2435016766: 'btrfs',
  801189825: 'zfs',
  4076150800: 'f2fs',
  827541066: 'jfs',
  3393526350: 'bcachefs',
  2035054128: 'overlay',
  19780: 'vfat',
  538032816: 'exfat',
  1397118030: 'ntfs',
  16914836: 'tmpfs',
  2240043254: 'ramfs',
  26985: 'nfs',
  20859: 'smb',
  4266872130: 'smb',
  4283649346: 'cifs',
  16914839: '9p',
  1702057286: 'fuse',
  12805120: 'ceph',
  1397113167: 'afs',
};
const UNDEPENDABLE: ReadonlySet<string> = new Set([
  'tmpfs',
  'ramfs',
  'nfs',
  'smb',
  'cifs',
  '9p',
  'fuse',
  'ceph',
  'afs',
]);

/** The file system of `path`, or of the nearest folder above it that exists. Never throws. */
export async function fileSystemOf(path: string): Promise<FileSystemInfo> {
  for (let place = path; ; place = dirname(place)) {
    try {
      const { type } = await statfs(place);
      const name = process.platform === 'linux' ? (NAMES[type >>> 0] ?? 'unknown') : 'unknown';
      return { name, dependable: !UNDEPENDABLE.has(name) };
    } catch {
      if (dirname(place) === place) return { name: 'unknown', dependable: true };
    }
  }
}
