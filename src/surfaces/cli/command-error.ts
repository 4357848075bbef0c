/** A problem that ends a command: one sentence for people and the exit code that says the same to programs. */
export class CommandError extends Error {
  readonly exitCode: number;

  constructor(exitCode: number, message: string) {
    super(message);
    this.name = 'CommandError';
    this.exitCode = exitCode;
  }
}

/** Wrong use of the command line: exit 42. */
export const usageError = (message: string): CommandError => new CommandError(42, message);
