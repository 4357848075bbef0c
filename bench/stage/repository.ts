import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Makes a git repository with so many small committed files, fifty in each folder. Returns its path. */
export function makeRepository(folder: string, files: number): string {
  for (let n = 0; n < files - 1; n++) {
    const place = path.join(folder, 'src', `part-${Math.floor(n / 50)}`);
    if (n % 50 === 0) mkdirSync(place, { recursive: true });
    writeFileSync(path.join(place, `file-${n}.js`), `export const value${n} = ${n};\n${'// text\n'.repeat(20)}`);
  }
  writeFileSync(path.join(folder, 'README.md'), '# A repository for measuring\n');
  const git = (...args: string[]) => {
    const identity = ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost'];
    const { status, stderr } = spawnSync('git', [...identity, ...args], { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(`git ${args[0]}: ${stderr}`);
  };
  git('init', '-q');
  git('add', '-A');
  git('commit', '-q', '-m', 'as found');
  return folder;
}
