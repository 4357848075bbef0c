import type { FileContent } from '#workspace';
import type { ToolOutcome } from '../contract.ts';
import { fileKind, hexHead } from './file-kind.ts';
import { mediaForm } from './media-form.ts';

/** What providers take in one request, and what a session can afford to send again in every later one. */
const attachedBytesMax = { image: 5 * 1024 * 1024, document: 10 * 1024 * 1024 };
/** Pixels of a side. */
const sideMax = 8000;

/** An image or document that may be handed over as it is. A text that only begins like one is a text. */
export function isMedia({ bytes, truncated, text }: FileContent): boolean {
  const { mediaType } = fileKind(bytes);
  if (mediaType === undefined) return false;
  return text === null || truncated || mediaForm(mediaType, bytes).whole;
}

/**
 * A file that is no text: what it is, in a sentence that a model can act on, and the file itself where models may be
 * able to look at it. Its raw bytes are never shown as text.
 */
export function showBinary({ path, bytes, size, truncated }: FileContent): ToolOutcome {
  const { name, mediaType } = fileKind(bytes);
  const what = `${path} is ${name}, ${size} bytes`;
  const notShown = (why: string, next: string): ToolOutcome => ({
    status: 'succeeded',
    output: `${what}${why}, and is not shown${next}`,
  });
  const asText = ` as text. First bytes: ${hexHead(bytes)}. A Bash command (file, strings, xxd) can tell more.`;
  if (mediaType === undefined) return notShown('', asText);
  const isImage = mediaType.startsWith('image/');
  const max = isImage ? attachedBytesMax.image : attachedBytesMax.document;
  if (truncated || size > max) return notShown(`, more than the ${max} that are shown`, asText);
  const form = mediaForm(mediaType, bytes);
  if (!form.whole) {
    const begins = `${path} begins like ${name}, but is not a whole one: ${form.missing} is missing`;
    return { status: 'succeeded', output: `${begins} (${size} bytes). It is not shown${asText}` };
  }
  const { width, height } = form;
  if (Math.max(width, height) > sideMax) {
    const next = ': make a smaller copy of it, or of a part, with a Bash command, and read that.';
    return notShown(`, ${width}×${height} pixels, more than the ${sideMax} a side that models take`, next);
  }
  return { status: 'succeeded', output: `${what}.`, attachments: [{ path, mediaType, content: bytes }] };
}
