import { main as runCommandLine } from '#surfaces/cli';
import { cliDeps } from './cli-deps.ts';
import { processIo } from './process-io.ts';

export { underFlagsOfStart } from './memory-settings.ts';

/** Runs the command line with the arguments after the program's name and returns the process's exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const io = processIo();
  return runCommandLine(argv, io, cliDeps(process.env, io.cwd));
}
