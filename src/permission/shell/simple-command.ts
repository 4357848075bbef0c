/**
 * Reads a shell text as one simple command, or says why it is none. Everything that could run something else, write
 * somewhere, or get its meaning only when it runs makes it "none": the caller then asks a person.
 */
import type { Statement } from 'unbash';
import { loadParser } from './load-parser.ts';
import { readWord, wordKey } from './shell-word.ts';

export interface SimpleCommand {
  /**
   * The words of the command, the program first. A literal word is its decoded value; a pattern (glob, brace, tilde)
   * keeps its source text behind a NUL, which no literal word can hold, so that `*.c` and `'*.c'` never compare equal.
   */
  readonly words: readonly string[];
}
export type Reading =
  | { readonly ok: true; readonly value: SimpleCommand }
  | { readonly ok: false; readonly error: string };

const none = (error: string): Reading => ({ ok: false, error });
const textLengthMax = 100_000;

/** Never throws; the parser is loaded at the first call. */
export async function readSimpleCommand(text: string): Promise<Reading> {
  if (text.length > textLengthMax) return none('the command is too long to analyse');
  if (/[\0-\x08\x0b-\x1f\x7f]/.test(text)) return none('the command holds control characters');
  try {
    const script = (await loadParser())(text);
    if ((script.errors?.length ?? 0) > 0) return none('the command cannot be parsed');
    const [statement, ...more] = script.commands;
    if (statement === undefined) return none('there is no command');
    if (more.length > 0) return none('there is more than one command');
    return readStatement(statement);
  } catch {
    return none('the command cannot be parsed');
  }
}

function readStatement(statement: Statement): Reading {
  if (statement.background === true) return none('the command runs in the background');
  const command = statement.command;
  if (command.type !== 'Command') return none('it is not one simple command');
  // Without a name there is nothing else than that.
  if (command.prefix.length > 0 || command.name === undefined) {
    return none('it assigns or redirects before the command');
  }
  const words: string[] = [];
  for (const word of [command.name, ...command.suffix]) {
    if (word.type === 'Assignment') return none('it assigns a variable');
    if (word.type !== 'Word') return none('it redirects input or output');
    const read = readWord(word);
    if (read.kind === 'dynamic') return none(`"${word.text}" gets its value only when the command runs`);
    if (read.kind === 'pattern' && words.length === 0) return none('the command word is a pattern');
    words.push(wordKey(read));
  }
  return { ok: true, value: { words } };
}
