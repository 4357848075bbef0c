/**
 * The text that starts a command confined. The wrapper stays outside, so its claim, spool and receipt are out of reach
 * of the command; what it runs replaces itself by the program that confines, so no further process stands between.
 */
import type { ConfinedStart } from '../contract.ts';
import { headPath, writeCommand, writeConfinement } from './exec-folder.ts';

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
  const isLong = Buffer.byteLength(text) >= bytesMax;
  const file = isLong ? writeCommand(execFolder, command) : null;
  const shown = file === null || start.optionsFrom === null ? [] : ['--ro-bind', file, TEXT_INSIDE];
  const options = [...start.options, ...shown];
  const place = writeConfinement(execFolder, options);
  const how = start.optionsFrom === null ? options.map(quoted).join(' ') : `${start.optionsFrom} 9 9<${quoted(place)}`;
  const head = start.headTo === null ? '' : ` ${start.headTo} 8 8>${quoted(headPath(execFolder))}`;
  const what = file === null ? `-c -- ${text}` : quoted(start.optionsFrom === null ? file : TEXT_INSIDE);
  return `exec ${quoted(start.program)} ${how}${head} -- ${quoted(shell)} ${what}`;
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
