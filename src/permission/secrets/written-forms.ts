/**
 * The ways in which programs write a secret: as it is, in an address, in JSON (also in ASCII alone, as Python does, and
 * with slashes escaped, as PHP does), as hexadecimal digits, and in Base64, also as a part of something longer
 * (`user:TOKEN` in a header), which begins at any of three places of its groups.
 */
export function writtenForms(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  const json = JSON.stringify(value).slice(1, -1);
  const ascii = json.replace(/[^\0-\x7f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const base64 = [0, 1, 2].map((before) => base64Inside(bytes, before));
  return [
    ...new Set([
      value,
      encodeURIComponent(value.toWellFormed()),
      ...[json, ascii].flatMap((one) => [one, one.replaceAll('/', '\\/')]),
      bytes.toString('hex'),
      bytes.toString('hex').toUpperCase(),
      ...base64,
      ...base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
    ]),
  ];
}

/** The signs that these bytes alone decide, behind so many others. */
function base64Inside(bytes: Buffer, before: number): string {
  const whole = Buffer.concat([Buffer.alloc(before), bytes]);
  return whole.toString('base64').slice(Math.ceil((before * 8) / 6), Math.floor((whole.length * 8) / 6));
}
