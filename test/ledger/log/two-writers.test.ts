/** A lock can be lost in silence. Then there are two writers, and the one that is late must not destroy anything. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { makeLedger } from '../../../src/ledger/appender.ts';
import { memoryBlobs } from '../../../src/ledger/blobs.ts';
import { codec } from '../../../src/ledger/codec.ts';
import { realDisk } from '../../../src/ledger/log/disk.ts';
import { openLog } from '../../../src/ledger/log/open.ts';
import { recentFacts } from '../../../src/ledger/recent.ts';
import { errorOf, freshStore, logOf, waited } from '../support.ts';

it('a writer that finds facts of another one writes nothing, cuts nothing, and is finished', async () => {
  const store = freshStore();
  const late = await store.create('two');
  await late.append([waited(1)]);
  const path = logOf(store, 'two');
  const recent = recentFacts(1e6);
  const log = openLog(realDisk, path, codec, recent, []);
  const second = makeLedger({
    sessionId: 'two',
    folder: null,
    codec,
    recent,
    lastSeq: log.lastSeq,
    blobs: memoryBlobs(),
    now: Date.now,
    sink: log.sink,
  });
  await second.append([waited(2)]);
  const bytes = readFileSync(path);
  for (let tries = 0; tries < 2; tries++) {
    const error = await errorOf(() => late.append([waited(3)]));
    expect(error.message).toContain('another program changed the length');
  }
  expect(readFileSync(path).equals(bytes)).toBe(true);
  await second.append([waited(4)]);
  await second.close();
  await late.close();
  expect((await store.openReader('two')).facts.map((fact) => fact.seq)).toEqual([1, 2, 3]);
});
