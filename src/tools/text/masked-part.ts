/** Puts marks in the place of secrets. */
export type Mask = (text: string) => string;

/** Nothing is a secret. */
export const unmasked: Mask = (text) => text;

/** As long as the longest secret that is known by its value. */
export const contextMax = 16 * 1024;

/**
 * A part of a text as it looks in the whole text with secrets masked: of one that begins before the part or ends behind
 * it no piece is shown, but its mark. Whoever cut first and masked then would show as much of a secret as is asked for.
 */
export const maskedPart = (text: string, from: number, to: number, mask: Mask): string =>
  maskedBetween(
    text.slice(Math.max(0, from - contextMax), from),
    text.slice(from, to),
    text.slice(to, to + contextMax),
    mask,
  );

/** The same of a part whose surroundings are given. */
export function maskedBetween(before: string, part: string, after: string, mask: Mask): string {
  const whole = mask(before + part + after);
  const fromPart = mask(part + after);
  const toPart = mask(before + part);
  // What is alike behind the part's begin, and before its end, is what no cut went through.
  const from = whole.length - alikeAtEnd(whole, fromPart);
  const to = alikeAtBegin(whole, toPart);
  if (to < from) return whole.slice(to, from);
  const left =
    from > whole.length - fromPart.length ? (/\[secret:[\w.-]+\]$/.exec(whole.slice(0, from))?.[0] ?? '') : '';
  const right = to < toPart.length ? (/^\[secret:[\w.-]+\]/.exec(whole.slice(to))?.[0] ?? '') : '';
  return left + whole.slice(from, to) + right;
}

function alikeAtBegin(one: string, other: string): number {
  const max = Math.min(one.length, other.length);
  let count = 0;
  while (count < max && one.charCodeAt(count) === other.charCodeAt(count)) count++;
  return count;
}

function alikeAtEnd(one: string, other: string): number {
  const max = Math.min(one.length, other.length);
  let count = 0;
  while (count < max && one.charCodeAt(one.length - 1 - count) === other.charCodeAt(other.length - 1 - count)) count++;
  return count;
}
