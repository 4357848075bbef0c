import type { Attachment, ModelRequest } from '#kernel';
import type { ModelCallContext } from '../contract.ts';
import { acceptsMedia } from './accepted-media.ts';

/** Each attachment of a request with its bytes, or with what is told in their place. */
export type LoadedFiles = ReadonlyMap<Attachment, Uint8Array | string>;

/** Bytes of all attachments of one request, a third less than providers take once they are written as text. */
const requestBytesMax = 20 * 1024 * 1024;

/**
 * The attachments of a request that the model takes. One whose bytes are gone, and an older one for which there is no
 * room any more, are left out, and told in words: neither a lost file nor many of them may keep a session from going
 * on. Of a content that was read several times the last reading comes first: each is sent by itself and takes room.
 */
export async function loadFiles(
  request: ModelRequest,
  modelId: string,
  context: Pick<ModelCallContext, 'blob'>,
): Promise<LoadedFiles> {
  const newestFirst = request.messages
    .flatMap((message) => (message.role === 'tool' ? message.results : []))
    .flatMap((result) => result.attachments ?? [])
    .toReversed();
  const taken = newestFirst.filter(({ mediaType }) => acceptsMedia(modelId, mediaType));
  const last = taken.filter((one, i) => taken.findIndex(({ blob }) => blob === one.blob) === i);
  const earlier = taken.filter((one) => !last.includes(one));
  const files = new Map<Attachment, Uint8Array | string>(
    newestFirst.map((one) => [one, `This model is not shown ${named(one)}; ${otherWay}`]),
  );
  const contents = new Map<string, Uint8Array>();
  let room = requestBytesMax;
  for (const one of [...last, ...earlier]) {
    if (one.bytes > room) {
      files.set(one, contents.has(one.blob) ? below(one) : noRoom(one));
      continue;
    }
    const content = contents.get(one.blob) ?? (await context.blob?.(one.blob).catch(() => null)) ?? null;
    if (content === null) continue;
    contents.set(one.blob, content);
    files.set(one, content);
    room -= one.bytes;
  }
  return files;
}

const otherWay = 'a Bash command can tell what is in it.';

const named = ({ path, mediaType }: Attachment): string => `${path} (${mediaType})`;

const below = (one: Attachment): string => `${named(one)} is shown further below, where it was read again.`;

const noRoom = (one: Attachment): string =>
  `${named(one)} is not shown any more: later files took the room. Read it again to see it, or ${otherWay}`;
