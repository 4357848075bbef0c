/**
 * Drives one opened session to where control comes back: reports, asks approvals on a terminal, and turns signals
 * into an orderly stop. Whatever happens, the session is closed and can be resumed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Result } from '#lib';
import type { Pull, Session } from '#runtime';
import type { Ending } from '#surfaces/view';
import { answerApproval } from './answer-approval.ts';
import { canAsk } from './ask-approval.ts';
import { CommandError } from './command-error.ts';
import type { CliDeps, CliIo, OpenedSession, Problem, Signal } from './contract.ts';
import type { SessionOptions } from './options/session-options.ts';
import type { Printer } from './output/printer.ts';
import { report } from './output/reporter.ts';

export interface Drive {
  readonly deps: CliDeps;
  readonly io: CliIo;
  readonly printer: Printer;
  readonly options: SessionOptions;
}

/** The signals of this process while a session is open. */
export interface Stopper {
  readonly signal: AbortSignal;
  readonly received: () => Signal | null;
  /** Ctrl-C that came as a key, not as a signal. */
  interrupt(): void;
  /** From now on a second signal ends what runs of this session, too. */
  holds(opened: OpenedSession): void;
  release(): void;
}

/** The exit code of a process that a signal ended in order. */
export const codeOf = (signal: Signal) => (signal === 'SIGINT' ? 130 : 143);

/** The first signal stops the work in order; a second one ends the process at once. The ledger stays valid either way. */
export function stopOnSignals(io: CliIo, printer: Printer): Stopper {
  const controller = new AbortController();
  let received: Signal | null = null;
  let held: OpenedSession | null = null;
  const stop = (signal: Signal) => {
    if (received !== null) {
      if (held !== null) printer.note(abandoned(held));
      return io.exitNow(codeOf(signal));
    }
    received = signal;
    printer.note('belay: stopping; once more ends at once');
    controller.abort();
  };
  const release = io.onSignal(stop);
  return {
    signal: controller.signal,
    received: () => received,
    interrupt: () => stop('SIGINT'),
    holds: (opened) => {
      held = opened;
    },
    release,
  };
}

/** How long the start of a session may take to hear a signal. */
const OPENING_STOP_MS = 700;

/**
 * The session, once it is open. A signal meanwhile ends the start in order, or, where something in it does not hear, the
 * process. Throws `CommandError`.
 */
export async function untilOpen(
  opening: Promise<Result<OpenedSession, Problem>>,
  stopper: Stopper,
  { io }: Pick<Drive, 'io'>,
): Promise<OpenedSession> {
  const over = opening.then(
    () => true,
    () => true,
  );
  const onSignal = async () => {
    const isOver = await Promise.race([over, sleep(OPENING_STOP_MS, false, { ref: false })]);
    if (!isOver) io.exitNow(codeOf(stopper.received() ?? 'SIGINT'));
  };
  stopper.signal.addEventListener('abort', onSignal, { once: true });
  const opened = await opening;
  stopper.signal.removeEventListener('abort', onSignal);
  if (opened.ok) return opened.value;
  stopper.release();
  const received = stopper.received();
  if (received !== null) throw new CommandError(codeOf(received), 'stopped while the session was being opened');
  throw new CommandError(opened.error.exitCode, opened.error.message);
}

function abandoned({ session, abandon }: OpenedSession): string {
  const pids = abandon();
  const killed = pids.length === 0 ? '' : `; killed what still ran: ${pids.join(', ')}`;
  return `belay: ended at once${killed}; resume: belay resume ${session.sessionId}`;
}

/** `start` begins or resumes the turn; null where it found nothing to do. Returns the exit code. */
export async function drive(
  opened: OpenedSession,
  stopper: Stopper,
  fromSeq: number,
  start: (session: Session) => Promise<Pull | null>,
  { deps, io, printer, options }: Drive,
): Promise<number> {
  const reporter = report(opened, fromSeq, {
    format: options.outputFormat,
    verbose: options.verbose === true,
    version: deps.version,
    io,
    printer,
  });
  stopper.holds(opened);
  let problem: Problem | null = null;
  try {
    let pull = await start(opened.session);
    const asks = options.outputFormat === 'text' && options.headless !== true && canAsk(io);
    const classifies = options.classifier !== 'off';
    while (pull?.kind === 'approval' && asks && !stopper.signal.aborted) {
      const next = await answerApproval(pull, opened, { io, printer, classifies }, stopper.signal);
      if (next === 'interrupt') stopper.interrupt();
      if (next !== 'go-on') break;
      pull = await opened.session.resume();
    }
  } catch (thrown) {
    problem = deps.problemOf(thrown);
  }
  const closing = await close(opened, stopper, deps);
  const received = stopper.received();
  const failed = problem ?? closing;
  const ending: Ending = {
    ...(received === null ? {} : { signal: received }),
    ...(failed === null ? {} : { problem: failed }),
  };
  if (failed !== null) printer.note(`belay: ${failed.message}`);
  stopper.release();
  return reporter.finish(ending);
}

async function close(opened: OpenedSession, stopper: Stopper, deps: CliDeps): Promise<Problem | null> {
  try {
    await opened.close(stopper.received() ?? 'returned');
    return null;
  } catch (thrown) {
    return deps.problemOf(thrown);
  }
}
