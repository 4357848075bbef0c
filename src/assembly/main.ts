import { version } from './version.ts';

const help = `belay ${version}: a coding agent whose record of what happened can be trusted.

Usage: belay [--version] [--help]
`;

/** Runs the command line with the arguments after the program's name and returns the process's exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  if (argv.length === 0 || argv.includes('--help') || argv.includes('-h')) {
    process.stdout.write(help);
    return 0;
  }
  process.stderr.write(`belay: unknown command "${argv[0]}". See belay --help.\n`);
  return 42;
}
