import { writeSync } from 'node:fs';
import { listSessions } from '#ledger';
import { listOnly } from '#surfaces/cli';
import { dataHome } from './data-home.ts';
import { processIo } from './process-io.ts';
import { version } from './version.ts';

const STDOUT = 1;

/** Answers `belay sessions` with the little that it needs; null where the whole command line has to. */
export async function listAlone(argv: readonly string[]): Promise<number | null> {
  const io = processIo();
  const home = dataHome(process.env, io.cwd);
  return listOnly(argv, io, writeAtOnce, async () => {
    try {
      return await listSessions({ home, program: version });
    } catch {
      return null;
    }
  });
}

/** Writes to standard output without making a stream of it; returns what a stream has to write, and to fail with. */
function writeAtOnce(text: string): Uint8Array {
  const bytes = Buffer.from(text);
  let at = 0;
  try {
    while (at < bytes.length) at += writeSync(STDOUT, bytes, at);
  } catch {
    // A reader that is slow or gone, or a full disk.
  }
  return bytes.subarray(at);
}
