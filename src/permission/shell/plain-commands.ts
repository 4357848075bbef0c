/**
 * Reads a shell text as a row of plain commands: simple commands with literal words, joined by pipes, `&&`, `||`, `;`
 * or line ends. Null where it is anything else, so that whoever knows each of the commands knows the whole text.
 */
import type { Command, Statement } from 'unbash';
import { analyse } from './analyse.ts';
import { loadParser } from './load-parser.ts';
import { profileOf } from './programs/profile-of.ts';
import { readWord, type ShellWord, wordKey } from './shell-word.ts';

export interface PlainCommand {
  /** Decoded; the program first. */
  readonly words: readonly string[];
  /** Positions of words that are no paths, such as the pattern of `grep`. */
  readonly notPaths: readonly number[];
  /** Nothing is known of it that makes a rule for its first words too little: no hazard, no loss, no inner command. */
  readonly isPlain: boolean;
}

const textLengthMax = 4000;
const commandsMax = 20;

/** Never throws; the parser is loaded at the first call. */
export async function readPlainCommands(text: string): Promise<readonly PlainCommand[] | null> {
  // To shells that do not know this quote it ends elsewhere.
  if (text.includes("$'") || text.includes('$"')) return null;
  if (text.length > textLengthMax) return null;
  // What cannot be read whole is doubted there: faults of the parser, signs that nobody sees, texts without a command.
  const { doubts, writes } = await analyse(text);
  if (doubts.length > 0 || writes.length > 0) return null;
  const found: PlainCommand[] = [];
  const { commands } = (await loadParser())(text);
  return commands.every((statement) => takeStatement(statement, found)) && found.length <= commandsMax ? found : null;
}

const takeStatement = (statement: Statement, found: PlainCommand[]): boolean =>
  statement.background !== true && takeNode(statement.command, found);

function takeNode(node: Statement['command'] | Statement, found: PlainCommand[]): boolean {
  switch (node.type) {
    case 'Statement':
      return takeStatement(node, found);
    case 'AndOr':
      return node.commands.every((one) => takeNode(one, found));
    case 'Pipeline':
      return node.commands.every((one) => takeNode(one, found));
    case 'Command':
      return takeCommand(node, found);
    default:
      return false;
  }
}

function takeCommand(node: Command, found: PlainCommand[]): boolean {
  if (node.name === undefined || node.prefix.length > 0) return false;
  const words: ShellWord[] = [];
  for (const part of [node.name, ...node.suffix]) {
    if (part.type === 'Word') words.push(readWord(part));
    else if (!isHarmless(part)) return false;
  }
  if (words.some(({ kind }) => kind !== 'literal')) return false;
  const { hazard, loses, losesIfThere, starts, scripts, writes, notPaths } = profileOf(words);
  const nothing = [starts, scripts, writes].every((list) => list === undefined || list.length === 0);
  found.push({
    words: words.map(({ text }) => text),
    notPaths: notPaths ?? [],
    isPlain: hazard === undefined && (loses ?? losesIfThere) === undefined && nothing,
  });
  return true;
}

/** Output that is thrown away, and one stream that goes where the other goes. */
function isHarmless(node: Command['suffix'][number]): boolean {
  if (node.type !== 'Redirect' || node.target === undefined) return false;
  const target = wordKey(readWord(node.target));
  if (node.operator === '>&') return target === '1' || target === '2';
  return (node.operator === '>' || node.operator === '>>') && target === '/dev/null';
}
