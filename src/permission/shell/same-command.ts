import { readSimpleCommand } from './simple-command.ts';

/**
 * Whether two texts run the same command: equal bytes after trimming, in any shell syntax, or two simple commands
 * with the same words. What cannot be analysed is equal only to itself.
 */
export async function sameCommand(a: string, b: string): Promise<boolean> {
  if (a.trim() === b.trim()) return true;
  const [left, right] = await Promise.all([readSimpleCommand(a), readSimpleCommand(b)]);
  if (!left.ok || !right.ok) return false;
  const [x, y] = [left.value.words, right.value.words];
  return x.length === y.length && x.every((word, i) => word === y[i]);
}
