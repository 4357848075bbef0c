/** `belay undo`, `belay redo` and `belay fork`. */
import { oneLine, plain, plainName } from '#surfaces/view';
import { CommandError, usageError } from '../command-error.ts';
import type { CliDeps, CliIo, UndoReport } from '../contract.ts';
import { codeOf, stopOnSignals } from '../drive.ts';
import { sessionIdOf } from '../options/values.ts';
import type { Printer } from '../output/printer.ts';

interface Context {
  readonly deps: CliDeps;
  readonly io: CliIo;
  readonly printer: Printer;
}
export interface UndoOptions {
  readonly to?: number;
  readonly files?: boolean;
  readonly chat?: boolean;
}
export interface ForkOptions {
  readonly at: number;
  readonly session?: string;
  readonly worktree?: string;
}

/**
 * Exits 0 when everything was brought back, 1 when something had to be left alone. A signal stops it before anything is
 * touched; later it ends with the plan.
 */
export async function undo(
  kind: 'undo' | 'redo',
  session: string,
  options: UndoOptions,
  { deps, io, printer }: Context,
): Promise<number> {
  if (kind === 'redo' && options.to !== undefined) throw usageError('redo takes back the last undo; it has no --to');
  const both = options.files === options.chat;
  const scope = both ? 'both' : options.files === true ? 'files' : 'chat';
  const sessionId = sessionIdOf(session);
  const stopper = stopOnSignals(io, printer);
  const { signal } = stopper;
  const done = await deps.undo(sessionId, { kind, scope, toSeq: options.to ?? null, signal }).finally(stopper.release);
  const received = stopper.received();
  if (!done.ok) {
    throw new CommandError(received === null ? done.error.exitCode : codeOf(received), done.error.message);
  }
  const { earlier, refused, restored, ranMs } = done.value;
  if (earlier !== undefined) tellUndo({ ...earlier, finished: true }, printer);
  tellUndo(done.value, printer);
  if (ranMs !== undefined && restored.length > 0) {
    const ran = `while a command ran (${Math.round(ranMs / 1000)} s)`;
    printer.note(`what somebody else changed in these files ${ran} went back with its changes; it is kept for a redo`);
  }
  printer.note(`${kind === 'undo' ? 'take it back: belay redo' : 'undo again: belay undo'} ${session}`);
  if (refused.some(({ passing }) => passing === true)) {
    const undone = `belay undo ${session}${options.to === undefined ? '' : ` --to ${options.to}`}${both ? '' : ` --${scope}`}`;
    const again = kind === 'redo' ? `belay redo ${session}` : `belay redo ${session}; ${undone}`;
    printer.note(`when nothing stands in the way any more, this tries again: ${again}`);
  }
  if (received !== null) return codeOf(received);
  return refused.length === 0 && (earlier?.refused ?? []).length === 0 ? 0 : 1;
}

/** What was done, one line a file; files that were left alone come with the reason. */
function tellUndo(report: UndoReport, printer: Printer): void {
  const { kind, scope, toSeq, restored, removed, refused, notes = [], finished } = report;
  const what = kind === 'undo' ? 'undone' : 'redone';
  if (finished === true) printer.note(`belay: the ${kind} that was interrupted is finished`);
  if (scope !== 'files') printer.out(`${what}: the conversation is as it was at fact ${toSeq}`);
  for (const path of restored) printer.out(`${removed.includes(path) ? 'removed' : 'restored'} ${plainName(path)}`);
  for (const { path, why } of notes) printer.out(`${plainName(path)}: ${oneLine(why, 200)}`);
  for (const { path, why } of refused) printer.out(`left alone ${plainName(path)}: ${oneLine(why, 200)}`);
  if (scope !== 'chat' && restored.length + refused.length === 0) printer.out(`${what}: no file had to change`);
}

export async function fork(session: string, options: ForkOptions, { deps, printer }: Context): Promise<number> {
  const made = await deps.fork(sessionIdOf(session), {
    at: options.at,
    sessionId: options.session ?? null,
    worktree: options.worktree ?? null,
  });
  if (!made.ok) throw new CommandError(made.error.exitCode, made.error.message);
  const { sessionId, workspace, notices } = made.value;
  for (const notice of notices) printer.note(`belay: ${plain(notice)}`);
  printer.out(sessionId);
  printer.note(`in ${plain(workspace)}; go on: belay resume ${sessionId} "what to do instead"`);
  return 0;
}
