/**
 * Whether a command text does nothing but read, so that it may run beside other reads, run again after a crash, and
 * needs no receipt.
 *
 * 1. Every command in it is a program of the list, with options of the list, on paths inside the workspace.
 * 2. Everything else is not known to read only. A mistake to that side costs speed; one to the other side would cost truth.
 * 3. Nothing is run. Programs are taken for what their names say, as the user's `PATH` finds them; helpers that the
 *    user's own git configuration names count as part of git.
 */
import { type PlainCommand, readPlainCommands } from '#permission';
import type { Workspace } from '#workspace';
import { readsByWords } from './programs.ts';

/** The files that are looked at decide with: what is neither a file nor a folder gives up what is read from it. */
export async function onlyReads(workspace: Pick<Workspace, 'files'>, command: string): Promise<boolean> {
  const commands = await readPlainCommands(command);
  if (commands === null || !commands.every(readsInside)) return false;
  for (const command of commands) {
    for (const path of new Set(pathsOf(command))) {
      const found = await workspace.files.resolve(path);
      if ('code' in found ? found.code !== 'missing' && found.code !== 'invalid' : found.kind === 'other') return false;
      // It compares what is in folders, and follows the links there.
      if (command.words[0] === 'diff' && !('code' in found) && found.kind === 'directory') return false;
    }
  }
  return true;
}

/** By its words alone. */
const readsInside = (command: PlainCommand): boolean =>
  command.isPlain && readsByWords(command.words) && command.words.every((_word, i) => i === 0 || isInside(command, i));

/** No absolute path, no home, no way up, also not behind an option or in a list. */
function isInside({ words, notPaths }: PlainCommand, at: number): boolean {
  const word = words[at] ?? '';
  return notPaths.includes(at) || !/(^|[=:,@\s]|^-[A-Za-z]+)[/~]|(^|[/=:,@]|^-[A-Za-z]+)\.\.(\/|$)/.test(word);
}

/** Also the value of an option, as far as it is attached to it. */
const pathsOf = ({ words, notPaths }: PlainCommand): readonly string[] =>
  words.flatMap((word, i) => {
    if (i === 0 || notPaths.includes(i) || word === '') return [];
    const value = word.startsWith('--') ? /=(.+)$/s.exec(word)?.[1] : word.startsWith('-') ? word.slice(2) : word;
    return value === undefined || value === '' ? [] : [value];
  });
