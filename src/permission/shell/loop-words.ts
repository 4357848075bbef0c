/**
 * Words that hold nothing unknown but the variable of a loop around them: `wc -l "$f"` in `for f in src/*.ts`. What they
 * become is told by the words of the loop, so that they count as those do.
 */
import type { ShellWord } from './shell-word.ts';

/** The variables of the loops around a command, of which every word is known. */
export type Loops = ReadonlySet<string>;

/** Builtins that may set a variable, or run what does. */
const setting =
  /^(read|mapfile|readarray|getopts|printf|declare|typeset|local|export|readonly|unset|let|eval|source|\.|set|trap|alias|wait)$/;

/** Whether a command could give a variable another value: those that the shell itself runs, and that are not harmless. */
export const maySet = (name: string, isHarmless: boolean): boolean => setting.test(name) && !isHarmless;

/** The variables of loops in a word that holds nothing else unknown; null where it does, or could become several words. */
export function loopVariables(
  { kind, single, pieces = [], spelled = [] }: ShellWord,
  loops: Loops,
): readonly string[] | null {
  if (kind !== 'dynamic' || loops.size === 0) return null;
  const variables: string[] = [];
  for (const piece of pieces) {
    if (piece.kind === 'text') continue;
    const name = (piece.kind === 'unknown' ? piece.variable : null) ?? '';
    if (!loops.has(name)) return null;
    variables.push(name);
  }
  const isOne = single === true || spelled.every(({ text, pattern }) => !pattern && /^[\w./@%+=:,-]+$/.test(text));
  return isOne ? variables : null;
}
