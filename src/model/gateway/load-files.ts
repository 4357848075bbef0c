import type { ModelRequest } from '#kernel';
import type { ModelCallContext } from '../contract.ts';
import { acceptsMedia } from './accepted-media.ts';

/** Bytes of attachments by the hash of their blob. */
export type LoadedFiles = ReadonlyMap<string, Uint8Array>;

/** Bytes of all attachments of one request, a third less than providers take once they are written as text. */
const requestBytesMax = 20 * 1024 * 1024;

/**
 * The attachments of a request that the model takes. One whose bytes are gone, and an older one for which there is no
 * room any more, are left out, and told in words like those of a kind that the model does not take: neither a lost file
 * nor many of them may keep a session from going on.
 */
export async function loadFiles(
  request: ModelRequest,
  modelId: string,
  context: Pick<ModelCallContext, 'blob'>,
): Promise<LoadedFiles> {
  const files = new Map<string, Uint8Array>();
  const attachments = request.messages
    .flatMap((message) => (message.role === 'tool' ? message.results : []))
    .flatMap((result) => result.attachments ?? [])
    .filter(({ mediaType }) => acceptsMedia(modelId, mediaType));
  let room = requestBytesMax;
  for (const [blob, mentions] of Map.groupBy(attachments.toReversed(), ({ blob }) => blob)) {
    // Each mention is sent by itself.
    const bytes = mentions.reduce((sum, one) => sum + one.bytes, 0);
    if (context.blob === undefined || bytes > room) continue;
    const content = await context.blob(blob).catch(() => null);
    if (content === null) continue;
    files.set(blob, content);
    room -= bytes;
  }
  return files;
}
