import { readdirSync } from 'node:fs';
import path from 'node:path';

/** Git refuses everything for one file that is none: a few are enough. */
const filesMax = 200;

/**
 * Files and links at and below a folder that is shown empty, some of them. They are shown as what cannot be opened: were
 * they just not there, git would take them for deleted, and a commit of everything would delete them.
 */
export function someFilesIn(top: string): readonly string[] {
  const files: string[] = [];
  const folders = [top];
  for (let folder = folders.pop(); folder !== undefined && files.length < filesMax; folder = folders.pop()) {
    for (const entry of entriesOf(folder)) {
      const at = path.join(folder, entry.name);
      if (entry.isDirectory()) folders.push(at);
      else if (files.length < filesMax) files.push(at);
    }
  }
  return files;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
