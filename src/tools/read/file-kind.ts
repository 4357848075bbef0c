/** What bytes are, by their first ones; never by the name of the file. */
export interface FileKind {
  readonly name: string;
  /** Set for what models may look at as it is. */
  readonly mediaType?: string;
}

const signatures: readonly (readonly [hex: string, kind: FileKind])[] = [
  ['89504e470d0a1a0a', { name: 'a PNG image', mediaType: 'image/png' }],
  ['ffd8ff', { name: 'a JPEG image', mediaType: 'image/jpeg' }],
  ['474946383761', { name: 'a GIF image', mediaType: 'image/gif' }],
  ['474946383961', { name: 'a GIF image', mediaType: 'image/gif' }],
  ['255044462d', { name: 'a PDF document', mediaType: 'application/pdf' }],
  ['504b0304', { name: 'a ZIP archive (also: jar, docx, xlsx, wheel)' }],
  ['1f8b', { name: 'gzip-compressed data' }],
  ['7f454c46', { name: 'an ELF program or library' }],
  ['cffaedfe', { name: 'a Mach-O program or library' }],
  ['53514c69746520666f726d6174203300', { name: 'an SQLite database' }],
  ['0061736d', { name: 'a WebAssembly module' }],
];

export function fileKind(bytes: Uint8Array): FileKind {
  const head = hexHead(bytes);
  if (head.startsWith('52494646') && head.slice(16, 24) === '57454250') {
    return { name: 'a WebP image', mediaType: 'image/webp' };
  }
  return signatures.find(([hex]) => head.startsWith(hex))?.[1] ?? { name: 'binary data' };
}

export const hexHead = (bytes: Uint8Array): string => Buffer.from(bytes.subarray(0, 16)).toString('hex');
