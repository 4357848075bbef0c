/**
 * The text that starts a command confined where no launcher does it. The wrapper stays outside, so its claim, spool and
 * receipt are out of reach of the command; the shell replaces itself by the program that confines.
 */
import type { ConfinedStart } from '../contract.ts';
import { confinementPath, filterPath, headPath, writeCommand } from './exec-folder.ts';
import { askedOf } from './wrapper.ts';

/** Inside, a folder in memory: nothing of it is left behind. */
const TEXT_INSIDE = '/dev/command';

/** `shell` runs the command inside. A text that is too long for an argument of `bytesMax` bytes is read from a file. */
export function confinedCommand(
  start: ConfinedStart,
  execFolder: string,
  shell: string,
  command: string,
  bytesMax: number,
): string {
  const text = quoted(command);
  const file = Buffer.byteLength(text) < bytesMax ? null : writeCommand(execFolder, command);
  const words = [quoted(start.program)];
  if (start.optionsFrom === null) words.push(...start.options.map(quoted));
  else words.push(start.optionsFrom, '9', `9<${quoted(confinementPath(execFolder))}`);
  if (start.headTo !== null) words.push(start.headTo, '8', `8>${quoted(headPath(execFolder))}`);
  if (start.filter !== undefined) words.push(start.filter.option, '5', `5<${quoted(filterPath(execFolder))}`);
  const isShown = file !== null && start.optionsFrom !== null;
  if (isShown) words.push('--ro-bind', quoted(file), TEXT_INSIDE);
  const what = file === null ? `-c -- ${text}` : quoted(isShown ? TEXT_INSIDE : file);
  return `exec ${words.join(' ')} -- ${quoted(shell)} ${what}${file === null ? '' : askedOf(command)}`;
}

export const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
