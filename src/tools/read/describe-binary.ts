const signatures: readonly (readonly [hex: string, name: string])[] = [
  ['89504e470d0a1a0a', 'a PNG image'],
  ['ffd8ff', 'a JPEG image'],
  ['47494638', 'a GIF image'],
  ['25504446', 'a PDF document'],
  ['504b0304', 'a ZIP archive (also: jar, docx, xlsx, wheel)'],
  ['1f8b', 'gzip-compressed data'],
  ['7f454c46', 'an ELF program or library'],
  ['cffaedfe', 'a Mach-O program or library'],
  ['53514c69746520666f726d6174203300', 'an SQLite database'],
  ['0061736d', 'a WebAssembly module'],
];

/** What a binary file is, in a sentence that a model can act on. `size` is in bytes. */
export function describeBinary(path: string, bytes: Uint8Array, size: number): string {
  const head = Buffer.from(bytes.subarray(0, 16)).toString('hex');
  const name = signatures.find(([hex]) => head.startsWith(hex))?.[1] ?? 'binary data';
  return `${path} is ${name}, ${size} bytes, and is not shown as text. First bytes: ${head}. A Bash command (file, strings, xxd) can tell more.`;
}
