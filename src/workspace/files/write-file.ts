import type { WriteRequest, WriteResult } from '../contract.ts';
import { type WritePorts, writeFilesDurably } from './write-files.ts';

/** Writes one file; see `write-files.ts` for what holds. */
export async function writeFileDurably(ports: WritePorts, request: WriteRequest): Promise<WriteResult> {
  const { execFolder, ...change } = request;
  const written = await writeFilesDurably(ports, [change], execFolder);
  if (!written.ok) return { ok: false, code: written.code, message: written.message };
  const fingerprint = written.fingerprints[0];
  if (fingerprint === undefined || typeof fingerprint.result !== 'string') throw new Error('a write has one result');
  return { ok: true, hash: fingerprint.result, fingerprint, notes: written.notes };
}
