import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Makes a folder with so many small source files, fifty in each subfolder, and a page of text. Returns its path. */
export function makeRepository(folder: string, files: number): string {
  for (let n = 0; n < files - 1; n++) {
    const place = path.join(folder, 'src', `part-${Math.floor(n / 50)}`);
    if (n % 50 === 0) mkdirSync(place, { recursive: true });
    writeFileSync(path.join(place, `file-${n}.js`), `export const value${n} = ${n};\n${'// text\n'.repeat(20)}`);
  }
  writeFileSync(path.join(folder, 'README.md'), '# A repository for measuring\n');
  return folder;
}
