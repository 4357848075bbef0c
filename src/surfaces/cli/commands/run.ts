import { CommandError, usageError } from '../command-error.ts';
import { type Drive, drive, stopOnSignals, untilOpen } from '../drive.ts';
import { openAsking } from '../open-asking.ts';
import { defaultLimits, type SessionOptions, settingsOf } from '../options/session-options.ts';
import { promptOf } from '../prompt.ts';

export interface RunOptions extends SessionOptions {
  readonly cwd?: string;
  readonly session?: string;
}

/** Starts a new session with a prompt and drives it to where control comes back. */
export async function run(
  given: string | undefined,
  options: RunOptions,
  context: Omit<Drive, 'options'>,
): Promise<number> {
  const { deps, io, printer } = context;
  const settings = await settingsOf(options, deps);
  const model = settings.model ?? io.env['BELAY_MODEL'] ?? '';
  if (model === '') {
    throw new CommandError(52, 'no model is chosen: give --model PROVIDER/MODEL or set BELAY_MODEL');
  }
  const prompt = await promptOf(given, io);
  if (prompt.trim() === '')
    throw usageError('the prompt is empty: say what to do, as an argument or on standard input');
  const stopper = stopOnSignals(io, printer);
  const opening = openAsking(settings, options, context, (chosen) =>
    deps.create({
      cwd: options.cwd ?? io.cwd,
      sessionId: options.session ?? null,
      settings: { ...chosen, model, limits: { ...defaultLimits, ...settings.limits } },
      requireTrust: options.requireTrust === true,
      signal: stopper.signal,
      say: (line) => printer.note(`belay: ${line}`),
    }),
  );
  const opened = await untilOpen(opening, stopper, context);
  return drive(opened, stopper, 1, (session) => session.run(prompt), { ...context, options });
}
