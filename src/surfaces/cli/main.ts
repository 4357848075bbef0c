import { CommanderError } from 'commander';
import { CommandError } from './command-error.ts';
import type { CliDeps, CliIo } from './contract.ts';
import { createPrinter, finished } from './output/printer.ts';
import { buildProgram, exitCodeOfCommander } from './program.ts';

/** Runs one command line (without the program's name) and returns the exit code of the process. Never throws. */
export async function main(argv: readonly string[], io: CliIo, deps: CliDeps): Promise<number> {
  const printer = createPrinter(io);
  let exitCode = 0;
  const program = buildProgram({ deps, io, printer }, (code) => {
    exitCode = code;
  });
  if (argv.length === 0) {
    program.outputHelp();
    return 0;
  }
  try {
    await program.parseAsync(withAlias(argv), { from: 'user' });
    return await finished(printer, exitCode);
  } catch (thrown) {
    if (thrown instanceof CommanderError) {
      const code = exitCodeOfCommander(thrown);
      if (thrown.code === 'commander.unknownOption' && takesWords(argv))
        printer.note('(words that begin with a dash go behind --)');
      const message = thrown.message.replace(/^error: /, '');
      if (code !== 0 && wantsJson(argv)) printer.out(JSON.stringify(failureResult(code, message)));
      return code;
    }
    const problem = thrown instanceof CommandError ? thrown : deps.problemOf(thrown);
    printer.note(`belay: ${problem.message}`);
    if (wantsJson(argv)) printer.out(JSON.stringify(failureResult(problem.exitCode, problem.message)));
    return problem.exitCode;
  }
}

/** `belay -p "…"` is `belay run "…"`. */
const withAlias = (argv: readonly string[]): string[] =>
  argv[0] === '-p' || argv[0] === '--print' ? ['run', ...argv.slice(1)] : [...argv];

const takesWords = (argv: readonly string[]): boolean => ['run', 'resume'].includes(withAlias(argv)[0] ?? '');

function wantsJson(argv: readonly string[]): boolean {
  return argv.some(
    (arg, i) =>
      /^--output-format=(stream-)?json$/.test(arg) ||
      (arg === '--output-format' && /^(stream-)?json$/.test(argv[i + 1] ?? '')),
  );
}

/** A program that asked for JSON gets its result object even where no session came to be. */
const failureResult = (exitCode: number, message: string) => ({
  type: 'result',
  subtype: 'error',
  is_error: true,
  session_id: null,
  exit_code: exitCode,
  reason: 'not_started',
  message,
  verified: null,
  result: '',
  num_turns: 0,
  usage: { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0, requests_without_usage: 0 },
  cost_usd: 0,
  pending: [],
  unknown: [],
});
