import { constants } from 'node:fs';
import { lstat, open } from 'node:fs/promises';

/** A larger file holds no rules that anybody wrote. */
export const settingsBytesMax = 256 * 1024;

export type SettingsText = { readonly text: string } | { readonly unreadable: string };

/** Null where there is no such file. What is there and cannot be read is a broken file: it may hold a `deny`. */
export async function readSettingsText(at: string): Promise<SettingsText | null> {
  try {
    const file = await open(at, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = await file.stat();
      if (!stat.isFile()) return { unreadable: 'it is no regular file' };
      if (stat.size > settingsBytesMax) {
        return { unreadable: `it is too large, ${stat.size} bytes of at most ${settingsBytesMax} (256 KiB)` };
      }
      return { text: await file.readFile('utf8') };
    } finally {
      await file.close();
    }
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
    if (code === 'ENOENT' && (await isLink(at))) return { unreadable: 'it is a link that leads nowhere' };
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    return { unreadable: `it cannot be read (${code === '' ? String(thrown) : code})` };
  }
}

const isLink = async (at: string): Promise<boolean> => (await lstat(at).catch(() => null))?.isSymbolicLink() === true;
