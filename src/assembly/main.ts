/** Runs the command line with the arguments after the program's name and returns the process's exit code. */
export async function main(_argv: readonly string[]): Promise<number> {
  process.stdout.write('belay: a coding-agent runtime and command line.\n');
  return 0;
}
