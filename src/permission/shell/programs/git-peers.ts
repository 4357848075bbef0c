/**
 * The other repositories that a git command talks to. One on this machine runs its own hooks, and what its settings name,
 * as the user: a folder of the workspace could pose as one.
 */
import type { ShellWord } from '../shell-word.ts';
import { gitOptions } from './git-options.ts';
import { readOptions } from './read-options.ts';

export interface Peers {
  /** A place of this machine, or a word that may become one; null where none is certain. */
  readonly local: string | null;
  /** Names of the configuration, unless something of the name is there. */
  readonly names: readonly ShellWord[];
  /** The first option that is not understood: what stands behind it may be its value. */
  readonly strange: string | null;
}

/** Of `push` and `ls-remote`, from the words behind them. */
export function peersOf(name: 'push' | 'ls-remote', args: readonly ShellWord[]): Peers {
  const { given, operands, strange } = readOptions(args, gitOptions[name]);
  return { ...amongPeers([...(given.get('repo') ?? []), ...operands.slice(0, 1)]), strange };
}

/** Words that each name another repository. */
export function amongPeers(words: readonly ShellWord[]): Pick<Peers, 'local' | 'names'> {
  const local = words.find(isLocal);
  return { local: local?.text ?? null, names: words.filter(isName) };
}

/** What git takes for a path: it looks for a colon in front of the first slash, as in the address of a host. */
function isLocal({ kind, text }: ShellWord): boolean {
  if (kind !== 'literal' || /^file:/i.test(text)) return true;
  const scheme = /^([^/:]+):\/\//.exec(text)?.[1];
  if (scheme !== undefined) return !/^(https?|ssh|git|git\+ssh|ssh\+git|ftps?)$/.test(scheme);
  return /^[^:]*\//.test(text) || /^(~|\.{0,2}$)/.test(text);
}

const isName = (word: ShellWord): boolean => !isLocal(word) && !word.text.includes(':');
