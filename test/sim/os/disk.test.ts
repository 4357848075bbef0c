/** The ledger file on the simulated disk keeps every promise that it keeps on a real one. */
import { promisify } from 'node:util';
import type { Disk } from '#ledger';
import { makeLedger } from '../../../src/ledger/appender.ts';
import { memoryBlobs } from '../../../src/ledger/blobs.ts';
import { codec } from '../../../src/ledger/codec.ts';
import { openLog } from '../../../src/ledger/log/open.ts';
import { recentFacts } from '../../../src/ledger/recent.ts';
import { ledgerConformance } from '../../ledger/conformance.ts';
import { runningMachine } from '../pump.ts';
import * as fs from './fs.ts';

const { volume } = runningMachine(11);

const disk: Disk = {
  open: (path, flags, mode) => fs.openSync(path, flags, mode),
  read: fs.readSync,
  write: fs.writeSync,
  size: (fd) => fs.fstatSync(fd).size,
  truncate: fs.ftruncateSync,
  datasync: promisify(fs.fdatasync),
  close: fs.closeSync,
};

ledgerConformance('log file on the simulated disk', async (sessionId) => {
  const path = `/sim/${sessionId}.log`;
  volume.makeFolders('/sim');
  volume.create(path, 'file', 0o600, 'open');
  const recent = recentFacts(1e9);
  const log = openLog(disk, path, codec, recent, []);
  return makeLedger({
    sessionId,
    folder: null,
    codec,
    recent,
    lastSeq: log.lastSeq,
    blobs: memoryBlobs(),
    now: Date.now,
    sink: log.sink,
  });
});
