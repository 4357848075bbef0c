/**
 * Encodings that are neither UTF-8 nor told by a byte order mark, by the names that ripgrep, the platform and our own
 * reading share. The likelier one comes first: a text that fits several is taken for the first.
 */
const names = [
  'gb18030',
  'big5',
  'shift_jis',
  'euc-jp',
  'euc-kr',
  'windows-1252',
  'windows-1251',
  'windows-1250',
  'iso-8859-2',
  'koi8-r',
  'iso-8859-5',
  'iso-8859-6',
  'iso-8859-8',
  'windows-1253',
  'iso-8859-7',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-1258',
  'windows-874',
] as const;

/** Encodings in which all these characters can be written. */
export async function encodingsFor(text: string): Promise<readonly string[]> {
  const iconv = (await import('iconv-lite')).default;
  return names.filter((name) => iconv.decode(iconv.encode(text, name), name) === text);
}
