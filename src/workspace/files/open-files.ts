import type { Files, WorkspaceOptions } from '../contract.ts';
import { editLock } from './edit-lock.ts';
import { listFolder } from './list-folder.ts';
import { lookAlike } from './look-alike.ts';
import { hashPath, type LastContent, noteWritten, readFileContent } from './read-file.ts';
import { pathResolver } from './resolve-path.ts';
import { settleFiles } from './settle-file.ts';
import { suggestPaths } from './suggest-paths.ts';
import { encodeText, textReadings } from './text-encoding.ts';
import { writeFileDurably } from './write-file.ts';
import { writeFilesDurably } from './write-files.ts';

/** `root` is a real path; `bootId` names the present boot. */
export function openFiles(root: string, options: WorkspaceOptions, bootId: () => string): Files {
  const resolve = pathResolver(root, options.protectedPaths, 'alike');
  const lock = editLock(options.lockFolder ?? null);
  const last: LastContent = { content: null, stamp: null };
  const ports = { resolve, lock, bootId, onDisplace: options.onDisplace };
  return {
    resolve: async (path) => resolve(path),
    read: (path, limits) => readFileContent(resolve, path, limits, last),
    hash: (path) => hashPath(resolve, path),
    encode: encodeText,
    readings: textReadings,
    write: (request) => writeFileDurably(ports, request),
    async writeAll(changes, execFolder) {
      const written = await writeFilesDurably(ports, changes, execFolder);
      noteWritten(resolve, last, changes, written);
      return written;
    },
    lookAlike: async (path) => lookAlike(resolve, path),
    settle: (execFolder, files, attemptBoot = bootId()) =>
      settleFiles(resolve, execFolder, files, attemptBoot === bootId()),
    list: async (path, max) => listFolder(resolve, path, max),
    suggest: async (path, max) => suggestPaths(root, path, max),
  };
}
