import type { Result } from '#lib';
import { oneLine, plainName } from '#surfaces/view';
import { CommandError } from '../command-error.ts';
import type { Problem, SessionRow } from '../contract.ts';
import type { Printer } from '../output/printer.ts';

interface Context {
  readonly deps: { list(): Promise<Result<readonly SessionRow[], Problem>> };
  readonly printer: Printer;
}

/** One line per session, the last changed first. */
export async function listSessions(options: { readonly json?: boolean }, { deps, printer }: Context): Promise<number> {
  const listed = await deps.list();
  if (!listed.ok) throw new CommandError(listed.error.exitCode, listed.error.message);
  const lines = listed.value.map((row) => (options.json === true ? JSON.stringify(row) : lineOf(row)));
  if (lines.length === 0) printer.note('No sessions yet. belay run "…" starts one.');
  else printer.out(lines.join('\n'));
  return 0;
}

function lineOf(row: SessionRow): string {
  const state = row.damaged ? 'damaged' : row.state === 'new' ? 'not begun' : row.state;
  const when = new Date(row.changedMs).toISOString().slice(0, 16).replace('T', ' ');
  return `${row.sessionId}  ${when}  ${state.padEnd(10)}  ${oneLine(row.goal, 60)}  ${plainName(row.workspace)}`;
}
