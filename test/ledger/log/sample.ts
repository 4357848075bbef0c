/** A ledger of thirty facts in batches of one to five, as bytes, with the end of each batch. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Fact, FactBody } from '#kernel';
import { openStore, type Store } from '#ledger';
import { encodeBatch } from '../../../src/ledger/log/batch.ts';
import { headerFrame } from '../../../src/ledger/log/frame.ts';
import { created, logOf, said, temporaryFolder, waited } from '../support.ts';

export interface Sample {
  readonly bytes: Buffer;
  readonly facts: readonly Fact[];
  /** Offset behind each batch and the facts up to there; the first entry is the begin of the first batch. */
  readonly ends: readonly { readonly offset: number; readonly facts: number }[];
}

export async function sampleLedger(): Promise<Sample> {
  const store = openStore({ home: temporaryFolder(), now: () => 1_700_000_000_000 });
  const ledger = await store.create('sample');
  const ends = [{ offset: 0, facts: 0 }];
  for (let n = 0; ledger.lastSeq < 30; n++) {
    const bodies: FactBody[] = n === 0 ? [created('sample')] : [];
    while (bodies.length <= n % 5 && ledger.lastSeq + bodies.length < 30)
      bodies.push(bodies.length % 2 === 0 ? said(`line ${n} with ümlauts and "quotes"\n`) : waited(n));
    await ledger.append(bodies);
    ends.push({ offset: statSync(logOf(store, 'sample')).size, facts: ledger.lastSeq });
  }
  await ledger.close();
  return { bytes: readFileSync(logOf(store, 'sample')), facts: [...ledger.read()], ends };
}

/** Puts bytes where the ledger of a session lies. */
export function plant(store: Store, sessionId: string, bytes: Uint8Array): string {
  const path = logOf(store, sessionId);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  return path;
}

export const damaged = (bytes: Buffer, at: number, value: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy[at] = value;
  return copy;
};

/** A ledger of these payloads, as whole batches with right checksums. */
export function ledgerOf(batches: readonly (readonly string[])[]): Buffer {
  const parts: Buffer[] = [];
  let before = headerFrame();
  let skip = 0;
  let lastSeq = 0;
  for (const payloads of batches) {
    lastSeq += payloads.length;
    const batch = encodeBatch(payloads, lastSeq, before);
    parts.push(batch.bytes.subarray(skip));
    before = batch.tail;
    skip = batch.tail.length;
  }
  return Buffer.concat(parts);
}
