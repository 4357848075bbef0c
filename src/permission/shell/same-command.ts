import { readSimpleCommand } from './simple-command.ts';

/** Without the blanks that a shell passes over; any other white space (a non-breaking space) is part of a word. */
export const trimBlanks = (text: string): string => text.replace(/^[ \t\n]+|[ \t\n]+$/g, '');

/**
 * Whether two texts run the same command: equal bytes after trimming, in any shell syntax, or two simple commands
 * with the same words. What cannot be analysed is equal only to itself.
 */
export async function sameCommand(a: string, b: string): Promise<boolean> {
  if (trimBlanks(a) === trimBlanks(b)) return true;
  const [left, right] = await Promise.all([readSimpleCommand(a), readSimpleCommand(b)]);
  if (!left.ok || !right.ok) return false;
  const [x, y] = [left.value.words, right.value.words];
  return x.length === y.length && x.every((word, i) => word === y[i]);
}
