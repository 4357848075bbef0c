import type { Pull, Session } from '#runtime';
import { CommandError, usageError } from '../command-error.ts';
import { type Drive, drive, stopOnSignals, untilOpen } from '../drive.ts';
import { openAsking } from '../open-asking.ts';
import { type SessionOptions, settingsOf } from '../options/session-options.ts';
import { sessionIdOf } from '../options/values.ts';
import type { Printer } from '../output/printer.ts';

export interface ResumeOptions extends SessionOptions {
  readonly last?: boolean;
  readonly cwd?: string;
}

/**
 * Goes on with a session. Words given with it are heard at the next model request; after a finished turn they begin a
 * new one. Without words a finished turn is told again: whoever was killed before it could be told asks for just that.
 */
export async function resume(
  args: readonly string[],
  options: ResumeOptions,
  context: Omit<Drive, 'options'>,
): Promise<number> {
  const { deps, io, printer } = context;
  const settings = await settingsOf(options, deps);
  const { sessionId, words } = await whichSession(args, options, context);
  const stopper = stopOnSignals(io, printer);
  const opening = openAsking(settings, options, context, (chosen) =>
    deps.reopen({
      sessionId,
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      settings: chosen,
      requireTrust: options.requireTrust === true,
      signal: stopper.signal,
      say: (line) => printer.note(`belay: ${line}`),
    }),
  );
  const opened = await untilOpen(opening, stopper, context);
  const fromSeq = opened.session.state.seq + 1;
  return drive(opened, stopper, fromSeq, (session) => goOn(session, words, printer), { ...context, options });
}

/** `resume ID ["more"]`, `resume --last ["more"]`; without an id the last session of this folder is meant. */
async function whichSession(
  args: readonly string[],
  options: ResumeOptions,
  { deps, io }: Omit<Drive, 'options'>,
): Promise<{ readonly sessionId: string; readonly words: string | null }> {
  const [first, second] = args;
  if (options.last === true && second !== undefined) {
    throw usageError('give either a session or --last, and the words as one quoted argument');
  }
  if (options.last !== true && first !== undefined) return { sessionId: sessionIdOf(first), words: second ?? null };
  const last = await deps.lastSession(options.cwd ?? io.cwd);
  if (!last.ok) throw new CommandError(last.error.exitCode, last.error.message);
  return { sessionId: last.value, words: first ?? null };
}

async function goOn(session: Session, words: string | null, printer: Printer): Promise<Pull | null> {
  const { turn } = session.state;
  const isOver = turn === null || turn.phase === 'done';
  if (!isOver) return session.resume(words === null ? undefined : { text: words });
  if (words !== null) return session.run(words);
  const { sessionId } = session;
  if (turn === null && session.state.totals.rounds > 0) {
    const why = `the record of what session ${sessionId} was to do is lost`;
    throw new CommandError(42, `${why}: belay resume ${sessionId} "…" goes on with what you say; nothing was done`);
  }
  if (turn === null) {
    const why = `session ${sessionId} was stopped before its first turn, and what it was to do is not recorded`;
    throw new CommandError(42, `${why}: belay resume ${sessionId} "…" begins it; nothing was done`);
  }
  printer.note(`belay: session ${sessionId} has nothing to resume; add words to begin a new turn`);
  return null;
}
