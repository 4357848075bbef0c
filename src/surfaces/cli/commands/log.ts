import { type Fact, fold, isActive } from '#kernel';
import { createNarrator, oneLine, plain } from '#surfaces/view';
import { CommandError } from '../command-error.ts';
import type { CliDeps, CliIo, UndoReport } from '../contract.ts';
import { sessionIdOf } from '../options/values.ts';
import { factLine } from '../output/fact-line.ts';
import type { Printer } from '../output/printer.ts';
import { styleFor } from '../output/style.ts';

/** Prints every fact with its causes. Damage is named after the facts that are good, and exits 56. */
export async function log(
  session: string,
  options: { readonly follow?: boolean; readonly json?: boolean },
  { deps, io, printer }: { readonly deps: CliDeps; readonly io: CliIo; readonly printer: Printer },
): Promise<number> {
  let record = await deps.read(sessionIdOf(session));
  if (record.ok && record.value.damage === null && fold(record.value.facts).undo.pending !== null) {
    // An undo that was interrupted is finished by whoever comes by; a session that somebody holds finishes it itself.
    const finished = await deps.finishUndo(record.value.sessionId);
    if (finished.ok) {
      if (finished.value !== null) tellFinished(finished.value, printer);
      record = await deps.read(record.value.sessionId);
    } else printer.note(`belay: an undo was interrupted and is not finished yet: ${finished.error.message}`);
  }
  if (!record.ok) throw new CommandError(record.error.exitCode, record.error.message);
  const { facts, damage, torn } = record.value;
  const narrate = createNarrator();
  const mask = await deps.secretMask();
  const style = styleFor(io, io.stdout);
  const print = (fact: Fact) => {
    // Before anything is cut: the beginning of a secret is not found as one.
    const shown = mask.json(fact);
    const told = narrate(shown);
    printer.out(options.json === true ? JSON.stringify(shown) : factLine(told, style));
  };
  facts.forEach(print);
  if (torn !== null) printer.note(`belay: ${torn}`);
  if (damage !== null) throw new CommandError(56, damage);
  if (options.follow === true) await follow(record.value.sessionId, facts, print, { deps, io });
  return 0;
}

/** Standard output is the log's own. */
function tellFinished({ kind, refused, notes = [] }: UndoReport, printer: Printer): void {
  printer.note(`belay: the ${kind} that was interrupted is finished`);
  for (const { path, why } of notes) printer.note(`belay: ${plain(path)}: ${oneLine(why, 200)}`);
  for (const { path, why } of refused) printer.note(`belay: left alone ${plain(path)}: ${oneLine(why, 200)}`);
}

/** Until the turn ends or pauses, or the reader interrupts. */
async function follow(
  sessionId: string,
  facts: readonly Fact[],
  print: (fact: Fact) => void,
  { deps, io }: { readonly deps: CliDeps; readonly io: CliIo },
): Promise<void> {
  const controller = new AbortController();
  const release = io.onSignal(() => controller.abort());
  let state = fold(facts);
  const isOver = () => state.turn !== null && !isActive(state.turn.phase) && state.executor === null;
  if (!isOver()) {
    const onFacts = (more: readonly Fact[]) => {
      more.forEach(print);
      state = fold(more, state);
      if (isOver()) controller.abort();
    };
    await deps.follow(sessionId, facts.at(-1)?.seq ?? 0, onFacts, controller.signal);
  }
  release();
}
