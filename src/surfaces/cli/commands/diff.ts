import { plain } from '#surfaces/view';
import { CommandError } from '../command-error.ts';
import type { CliDeps, CliIo } from '../contract.ts';
import { sessionIdOf } from '../options/values.ts';
import { coloured, shownDiff } from '../output/diff-text.ts';
import type { Printer } from '../output/printer.ts';
import { styleFor } from '../output/style.ts';

/** The change of this session and of nobody else. On a terminal it is coloured, in a pipe it is a plain patch. */
export async function diff(
  session: string,
  { deps, io, printer }: { readonly deps: CliDeps; readonly io: CliIo; readonly printer: Printer },
): Promise<number> {
  const record = await deps.read(sessionIdOf(session));
  if (!record.ok) throw new CommandError(record.error.exitCode, record.error.message);
  const change = await deps.changes(record.value.sessionId);
  const { damage } = record.value;
  if (!change.ok && damage !== null) throw new CommandError(56, damage);
  if (!change.ok) throw new CommandError(change.error.exitCode, change.error.message);
  const { text, isMasked, others } = change.value;
  if (text === '') printer.note('No change.');
  else printer.out(io.stdout.isTTY === true ? coloured(shownDiff(text), styleFor(io, io.stdout)) : text);
  if (isMasked) printer.note('belay: secrets are masked, so the patch cannot be applied where they stand');
  if (others.length > 0)
    printer.note(`belay: left out, because others changed it and not this session: ${named(others)}`);
  // What checks left behind is known from the facts, and some of these cannot be read.
  if (damage !== null) throw new CommandError(56, damage);
  return 0;
}

const namedMax = 20;

const named = (paths: readonly string[]): string =>
  `${paths.slice(0, namedMax).map(plain).join(', ')}${paths.length > namedMax ? ` and ${paths.length - namedMax} more` : ''}`;
