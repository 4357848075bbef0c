/** The words of a text that could name files, for what nobody knows to take anything. */
import { pathsOfCommand } from '../paths/named-paths.ts';
import type { Analysis, ShellCommand } from '../shell/analysis.ts';
import { literalWord, type ShellWord } from '../shell/shell-word.ts';
import type { Taking } from './takings.ts';

const namesMax = 300;

/** Without programs, folders that are entered, and what is known to be taken. Words of code and unread text count. */
export function namedWords(text: string, analysis: Analysis, takings: readonly Taking[]): readonly ShellWord[] {
  const known = new Set(takings.flatMap(({ words }) => words ?? []).map(({ text: one }) => one));
  const seen = new Set<string>();
  const names = new Map<string, ShellWord>();
  const visit = (command: ShellCommand): void => {
    for (const { text: one } of command.words) seen.add(one);
    if (command.words[0]?.text !== 'cd') {
      for (const { text: one, pattern } of pathsOfCommand(command).slice(isNamedByPath(command) ? 1 : 0)) {
        names.set(one, pattern ? { kind: 'pattern', text: one } : literalWord(one));
      }
    }
    for (const one of command.inner) visit(one);
  };
  for (const command of analysis.commands) visit(command);
  for (const token of text.split(/[\s;|&<>()'"`=:,{}[\]\\]+/)) {
    if (!seen.has(token) && !names.has(token)) names.set(token, literalWord(token));
  }
  for (const one of known) names.delete(one);
  return [...names.values()].slice(0, namesMax);
}

const isNamedByPath = ({ words }: ShellCommand): boolean => words[0]?.text.includes('/') === true;
