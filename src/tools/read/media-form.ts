/**
 * Whether an image or document is whole, and how large its picture is. A provider that is sent a broken one refuses the
 * request, and with it the whole conversation; so what only begins like an image is not one.
 */

export type MediaForm =
  | { readonly whole: true; readonly width: number; readonly height: number }
  | { readonly whole: false; readonly missing: string };

const broken = (missing: string): MediaForm => ({ whole: false, missing });

/** Only the frame is looked at: pixels are not decoded. Documents have no size, which is told as 1×1. */
export function mediaForm(mediaType: string, content: Uint8Array): MediaForm {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  switch (mediaType) {
    case 'image/png':
      return png(bytes);
    case 'image/jpeg':
      return jpeg(bytes);
    case 'image/gif':
      return gif(bytes);
    case 'image/webp':
      return webp(bytes);
    default:
      return bytes.lastIndexOf('%%EOF') >= Math.max(8, bytes.length - pdfTailBytes)
        ? { whole: true, width: 1, height: 1 }
        : broken('%%EOF at its end');
  }
}

/** Readers look for the end mark of a PDF in so many of its last bytes. */
const pdfTailBytes = 1024;

const sized = (width: number, height: number): MediaForm =>
  width > 0 && height > 0 ? { whole: true, width, height } : broken('a size');

function png(bytes: Buffer): MediaForm {
  const isHeader = bytes.length >= 33 && bytes.readUInt32BE(8) === 13 && bytes.toString('latin1', 12, 16) === 'IHDR';
  if (!isHeader) return broken('the IHDR chunk');
  let hasData = false;
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const name = bytes.toString('latin1', at + 4, at + 8);
    hasData ||= name === 'IDAT';
    if (name === 'IEND') return hasData ? sized(bytes.readUInt32BE(16), bytes.readUInt32BE(20)) : broken('pixels');
  }
  return broken('the IEND chunk at its end');
}

/** Segments up to the frame that holds the size; then pixels up to the end mark, behind which cameras write more. */
function jpeg(bytes: Buffer): MediaForm {
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; ) {
    const kind = bytes[at + 1] ?? 0;
    if (kind === 0xff) at++;
    else if (isFrame(kind)) {
      const hasEnd = bytes.lastIndexOf(jpegEnd) > at;
      return hasEnd ? sized(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)) : broken('the mark of its end');
    } else at += 2 + bytes.readUInt16BE(at + 2);
  }
  return broken('the frame with its size');
}

const jpegEnd = Buffer.from([0xff, 0xd9]);
/** C4, C8 and CC lie among the frames and are none. */
const isFrame = (kind: number): boolean => kind >= 0xc0 && kind <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(kind);

function gif(bytes: Buffer): MediaForm {
  if (bytes.length < 14) return broken('its header');
  let at = 13 + tableBytes(bytes[10] ?? 0);
  let hasImage = false;
  while (at < bytes.length) {
    const kind = bytes[at];
    if (kind === 0x3b) return hasImage ? sized(bytes.readUInt16LE(6), bytes.readUInt16LE(8)) : broken('pixels');
    if (kind === 0x21) at = afterBlocks(bytes, at + 2);
    else if (kind === 0x2c) {
      hasImage = true;
      at = afterBlocks(bytes, at + 11 + tableBytes(bytes[at + 9] ?? 0));
    } else return broken('a readable sequence of blocks');
  }
  return broken('the mark of its end');
}

/** Bytes of a table of colours, by the flags before it. */
const tableBytes = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));

function afterBlocks(bytes: Buffer, from: number): number {
  let at = from;
  for (let length = bytes[at] ?? 0; length > 0; length = bytes[at] ?? 0) at += length + 1;
  return at + 1;
}

function webp(bytes: Buffer): MediaForm {
  if (bytes.length < 30 || bytes.readUInt32LE(4) + 8 > bytes.length) return broken('a part of its bytes');
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return sized(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return sized((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
    }
    case 'VP8X':
      return sized(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1);
    default:
      return broken('its pixels');
  }
}
