/** `cmake -E`: small programs that behave alike on all systems. */
import type { Profile } from '../analysis.ts';
import type { ShellWord } from '../shell-word.ts';

/** Null for other uses of `cmake`. */
export function cmakeToolProfile(words: readonly ShellWord[]): Profile | null {
  if (words[1]?.text !== '-E') return null;
  const tool = words[2]?.text ?? '';
  if (
    /^(capabilities|compare_files|echo|echo_append|environment|false|true|sleep|(md5|sha\d+)sum|make_directory)$/.test(
      tool,
    )
  )
    return {};
  if (/^(time|env)$/.test(tool)) {
    const behind = words.slice(3);
    return {
      hazard: `cmake -E ${tool} starts a program`,
      starts: [behind.slice(behind.findIndex(({ text }) => !/^-|=/.test(text)))],
    };
  }
  return { loses: `cmake -E ${tool} deletes or replaces files` };
}
