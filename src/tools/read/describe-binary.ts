import type { FileContent } from '#workspace';
import type { ToolOutcome } from '../contract.ts';
import { fileKind, hexHead } from './file-kind.ts';

/** What providers take in one request, and what a session can afford to send again in every later one. */
const attachedBytesMax = { image: 5 * 1024 * 1024, document: 10 * 1024 * 1024 };

/**
 * A file that is no text: what it is, in a sentence that a model can act on, and the file itself where models may be
 * able to look at it. Its raw bytes are never shown as text.
 */
export function showBinary({ path, bytes, size, truncated }: FileContent): ToolOutcome {
  const { name, mediaType } = fileKind(bytes);
  const what = `${path} is ${name}, ${size} bytes`;
  const max = mediaType?.startsWith('image/') === true ? attachedBytesMax.image : attachedBytesMax.document;
  if (mediaType !== undefined && !truncated && size <= max) {
    return { status: 'succeeded', output: `${what}.`, attachments: [{ path, mediaType, content: bytes }] };
  }
  const why = mediaType === undefined ? '' : `, more than the ${max} that are shown`;
  return {
    status: 'succeeded',
    output: `${what}${why}, and is not shown as text. First bytes: ${hexHead(bytes)}. A Bash command (file, strings, xxd) can tell more.`,
  };
}
