import type { ShellCommand } from './analysis.ts';

/** With those that they start. */
export function everyCommand(commands: readonly ShellCommand[]): readonly ShellCommand[] {
  const all: ShellCommand[] = [];
  for (const command of commands) all.push(command, ...everyCommand(command.inner));
  return all;
}
