import type { Profile } from '../analysis.ts';
import type { ShellWord } from '../shell-word.ts';

const changing =
  'eval source . trap alias unalias set shopt enable hash export declare typeset readonly local unset read mapfile readarray getopts let bind complete compgen compopt fc history pushd popd dirs umask ulimit disown suspend logout caller bg fg jobs kill'.split(
    ' ',
  );

/** Commands of the shell itself; null for everything else. */
export function builtinProfile(program: string, words: readonly ShellWord[]): Profile | null {
  // Nothing but the bare name reaches the shell itself.
  if (/^(true|false|:|exit|return|break|continue)$/.test(words[0]?.text ?? '')) return { free: true, pathless: true };
  if (program === 'echo') return { pathless: true };
  if (program === 'printf') {
    // The value of -v is a name whose subscript is evaluated.
    return words[1]?.kind !== 'literal' || words[1].text.startsWith('-')
      ? { hazard: 'printf may set a variable' }
      : { pathless: true };
  }
  if (program === 'test' || program === '[') {
    return words.some(({ kind, text }) => kind === 'dynamic' || text === '-v' || text === '-R' || text === '-a')
      ? { hazard: 'a test may evaluate a subscript' }
      : {};
  }
  if (program === 'wait') return words.length > 1 ? { hazard: 'wait may set a variable' } : {};
  if (program === 'type' || program === 'which') return { pathless: true };
  if (words[0]?.text === 'set' && isStrict(words.slice(1))) return { free: true, pathless: true };
  if (!changing.includes(program)) return null;
  const literal = words.slice(1).every(({ kind }) => kind === 'literal');
  const code = words.slice(1).map(({ text }) => text);
  const scripts = !literal ? [] : program === 'eval' ? [code.join(' ')] : program === 'trap' ? code.slice(0, 1) : [];
  return {
    hazard: `${program} changes how the rest of the text is read or runs`,
    scripts: scripts.filter((text) => !text.startsWith('-')),
  };
}

/** Options with which a text only ends sooner than without them. */
function isStrict(words: readonly ShellWord[]): boolean {
  const given = words.map(({ text }) => text).join(' ');
  return /^-([eu]+|[eu]*o (pipefail|errexit|nounset))( -([eu]+|[eu]*o (pipefail|errexit|nounset)))*$/.test(given);
}
