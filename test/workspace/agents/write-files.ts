/**
 * An agent that changes three files at once (one changed, one new, one taken away) and kills itself right after its
 * n-th step in the file system. Arguments: ROOT DATA EXEC N.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { blobHash } from '../../../src/workspace/files/blob-hash.ts';

const [root, data, execFolder, count] = process.argv.slice(2) as [string, string, string, string];
let armed = false;
let left = Number(count);
const step = <A extends readonly unknown[], R>(real: (...args: A) => R) => {
  return (...args: A): R => {
    const result = real(...args);
    if (armed && --left === 0) process.kill(process.pid, 'SIGKILL');
    return result;
  };
};
fs.linkSync = step(fs.linkSync);
fs.renameSync = step(fs.renameSync);
fs.rmSync = step(fs.rmSync);
fs.writeFileSync = step(fs.writeFileSync) as typeof fs.writeFileSync;
syncBuiltinESMExports();

const { openWorkspace } = await import('#workspace');
const { files } = await openWorkspace({ root, protectedPaths: [data], lockFolder: data, env: process.env });
const hash = (text: string) => blobHash(Buffer.from(text));
armed = true;
const written = await files.writeAll(
  [
    { path: 'f', bytes: Buffer.from('new\n'), base: hash('old\n') },
    { path: 'sub/made', bytes: Buffer.from('made\n'), base: null },
    { path: 'g', bytes: null, base: hash('gone\n') },
  ],
  execFolder,
);
process.stdout.write(written.ok ? 'done\n' : `refused ${written.message}\n`);
