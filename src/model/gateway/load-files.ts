import type { ModelRequest } from '#kernel';
import type { ModelCallContext } from '../contract.ts';
import { acceptsMedia } from './accepted-media.ts';

/** Bytes of attachments by the hash of their blob. */
export type LoadedFiles = ReadonlyMap<string, Uint8Array>;

/**
 * The attachments of a request that the model takes. One whose bytes are gone is left out, and told in words like those
 * of a kind that the model does not take: no lost file may keep a session from going on.
 */
export async function loadFiles(
  request: ModelRequest,
  modelId: string,
  context: Pick<ModelCallContext, 'blob'>,
): Promise<LoadedFiles> {
  const files = new Map<string, Uint8Array>();
  for (const message of request.messages) {
    if (message.role !== 'tool') continue;
    for (const { blob, mediaType } of message.results.flatMap((result) => result.attachments ?? [])) {
      if (context.blob === undefined || files.has(blob) || !acceptsMedia(modelId, mediaType)) continue;
      const bytes = await context.blob(blob).catch(() => null);
      if (bytes !== null) files.set(blob, bytes);
    }
  }
  return files;
}
