import type { Analysis, FileWrite, ShellCommand } from './analysis.ts';
import { profileOf } from './programs/profile-of.ts';
import type { ShellWord } from './shell-word.ts';

/** Takes what a walk over a text finds, within limits. */
export interface Collector {
  doubt(why: string): void;
  command(words: readonly ShellWord[], sets: readonly string[], depth: number, repeated: boolean): void;
  write(write: FileWrite): void;
  read(word: ShellWord): void;
  result(): Analysis;
}

const commandsMax = 300;
const foldersMax = 8;
const depthMax = 24;

/** `readText` reads the text of a shell that a command starts, into the same collector. */
export function createCollector(readText: (text: string, depth: number) => void): Collector {
  const commands: ShellCommand[] = [];
  const writes: FileWrite[] = [];
  const reads: ShellWord[] = [];
  const folders = ['.'];
  const doubts = new Set<string>();
  let count = 0;

  const doubt = (why: string): void => {
    if (doubts.size < 20) doubts.add(why);
  };
  const build = (words: readonly ShellWord[], sets: readonly string[], depth: number): ShellCommand | null => {
    const name = words[0];
    if (++count > commandsMax) doubt('it runs more commands than can be judged');
    else if (depth > depthMax) doubt('commands are nested too deeply');
    else if (name === undefined || name.kind !== 'literal') {
      doubt(`the command word ${name?.text ?? ''} gets its value only when it runs`);
    } else if (name.text === '') doubt('the command word is empty');
    else {
      const profile = profileOf(words);
      const inner = (profile.starts ?? [])
        .map((started) => build(started, [], depth + 1))
        .filter((one) => one !== null);
      for (const script of profile.scripts ?? []) readText(script, depth + 1);
      return { words, sets, profile, inner };
    }
    return null;
  };
  const enter = (target: ShellWord | undefined, repeated: boolean): void => {
    if (target === undefined || target.kind !== 'literal' || target.text.startsWith('-') || repeated) {
      doubt('it changes to a folder that is not known before it runs');
    } else if (folders.length >= foldersMax) doubt('it changes the folder too often');
    else
      folders.push(
        ...folders.map((folder) => (target.text.startsWith('/') ? target.text : `${folder}/${target.text}`)),
      );
  };
  return {
    doubt,
    command(words, sets, depth, repeated) {
      const built = build(words, sets, depth);
      if (built === null) return;
      commands.push(built);
      const folder = folderOf(built);
      if (folder !== null) enter(folder.at(folder[0]?.text === '--' ? 1 : 0), repeated);
    },
    write: (write) => void writes.push(write),
    read: (word) => void reads.push(word),
    result: () => ({ commands, writes, reads, folders: [...new Set(folders)], doubts: [...doubts] }),
  };
}

/** The words behind `cd`, also where `command` or `builtin` stands before it; null for other commands. */
function folderOf({ words, inner }: ShellCommand): readonly ShellWord[] | null {
  if (words[0]?.text === 'cd') return words.slice(1);
  const started = words[0]?.text === 'command' || words[0]?.text === 'builtin' ? inner[0] : undefined;
  return started === undefined ? null : folderOf(started);
}
