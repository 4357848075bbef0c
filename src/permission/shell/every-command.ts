import type { ShellCommand } from './analysis.ts';

/** With those that they start. */
export const everyCommand = (commands: readonly ShellCommand[]): readonly ShellCommand[] =>
  commands.flatMap((command) => [command, ...everyCommand(command.inner)]);
