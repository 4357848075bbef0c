import { crc32, deflateSync } from 'node:zlib';

/** A PNG of one colour; `shade` makes contents that differ. */
export function pngOf(width = 2, height = 2, shade = 7): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(Math.ceil(width / 8), shade)]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** Pictures of one pixel, and a document without pages. */
export const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
export const webpLossy = Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AA/uaA', 'base64');
export const webpLossless = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64');
export const jpeg = Buffer.from(
  `ffd8ffe000104a46494600010101004800480000ffdb004300${'ff'.repeat(64)}ffc2000b080001000101011100ffc40014100100000000000000000000000000000000ffda0008010100013f10ffd9`,
  'hex',
);
export const pdf = Buffer.from('%PDF-1.7\n\0binary\n%%EOF\n');
