/**
 * The characters beyond ASCII that a regular expression names, written as they are or as a code (`\xe9`, `\u{4e2d}`,
 * `\u4e2d`). Null where it names none and no class of such characters (`\p{Han}`): then bytes that are no UTF-8 make no
 * difference to what it is meant to find.
 */
export function foreignCharacters(pattern: string): string | null {
  const coded = pattern.replace(
    /\\(?:[xuU]\{([\da-fA-F]{1,6})\}|x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8}))/g,
    decoded,
  );
  const characters = coded.match(/[^\0-\x7f]/gu)?.join('') ?? '';
  return characters === '' && !/\\[pP]/.test(pattern) ? null : characters;
}

function decoded(_whole: string, ...codes: readonly unknown[]): string {
  const hex = codes.slice(0, 4).find((code) => typeof code === 'string');
  const point = Number.parseInt(String(hex), 16);
  return point > 0x7f && point <= 0x10_ffff && !(point >= 0xd800 && point <= 0xdfff) ? String.fromCodePoint(point) : '';
}
