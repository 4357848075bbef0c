import type { ShellWord } from '../shell-word.ts';
import { isOption } from './options.ts';

/** What a command of `gh` would lose: to follow a branch that was rewritten it resets the files to it. */
export function ghLoss(words: readonly ShellWord[]): string | null {
  const args = words.slice(1);
  const has = (name: string): boolean => args.some(({ text }) => text === name);
  const isTaking = has('checkout') || has('co') || (has('repo') && has('sync'));
  const isForced = args.some(({ text }) => isOption(text, { long: ['--force'], short: 'f' }));
  return isTaking && isForced ? 'gh resets the files and the branch: uncommitted changes would be lost' : null;
}
