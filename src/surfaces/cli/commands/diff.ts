import { CommandError } from '../command-error.ts';
import type { CliDeps, CliIo } from '../contract.ts';
import { sessionIdOf } from '../options/values.ts';
import { coloured } from '../output/diff-text.ts';
import type { Printer } from '../output/printer.ts';
import { styleFor } from '../output/style.ts';

/** The change of this session and of nobody else. On a terminal it is coloured, in a pipe it is a plain patch. */
export async function diff(
  session: string,
  { deps, io, printer }: { readonly deps: CliDeps; readonly io: CliIo; readonly printer: Printer },
): Promise<number> {
  const record = await deps.read(sessionIdOf(session));
  if (!record.ok) throw new CommandError(record.error.exitCode, record.error.message);
  const text = await deps.changes(record.value.sessionId);
  if (!text.ok) throw new CommandError(text.error.exitCode, text.error.message);
  if (text.value === '') printer.note('No change.');
  else printer.out(io.stdout.isTTY === true ? coloured(text.value, styleFor(io, io.stdout)) : text.value);
  // What checks left behind is known from the facts, and some of these cannot be read.
  if (record.value.damage !== null) throw new CommandError(56, record.value.damage);
  return 0;
}
