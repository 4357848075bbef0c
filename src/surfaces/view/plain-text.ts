/** Text from models, tools and repositories, made safe for a terminal: control characters never reach it. */
export const plain = (text: string): string =>
  text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');

/** A name that stands in a line of its own: it cannot begin another. */
export const plainName = (name: string): string => plain(name).replace(/[\t\n]/g, '\ufffd');

/** The same for what a person decides about: characters that nobody sees are written out, as `<U+200B>`. */
export const visible = (text: string): string =>
  plain(
    text.replace(
      /\p{Cf}|\p{Default_Ignorable_Code_Point}/gu,
      (one) => `<U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`,
    ),
  );

/** One line of at most `max` characters. */
export function oneLine(text: string, max: number): string {
  const line = plain(text.replace(/\s+/g, ' ').trim());
  return line.length <= max ? line : `${line.slice(0, max - 1)}…`;
}
