/**
 * `belay replay`: the state of a session rebuilt from its facts alone. There is no model, no tool and no workspace in
 * this file, so nothing can be asked and nothing can be done.
 */
import { decide, evolve, initialState } from '#kernel';
import { standingOf } from '#surfaces/view';
import { CommandError, usageError } from '../command-error.ts';
import type { CliDeps } from '../contract.ts';
import { sessionIdOf } from '../options/values.ts';
import type { Printer } from '../output/printer.ts';

export async function replay(
  session: string,
  options: { readonly at?: number },
  { deps, printer }: { readonly deps: CliDeps; readonly printer: Printer },
): Promise<number> {
  const record = await deps.read(sessionIdOf(session));
  if (!record.ok) throw new CommandError(record.error.exitCode, record.error.message);
  const { facts, damage, torn } = record.value;
  const lastSeq = facts.at(-1)?.seq ?? 0;
  const at = options.at ?? lastSeq;
  if (at > lastSeq)
    throw usageError(`session ${record.value.sessionId} has ${lastSeq} facts; --at ${at} is beyond them`);
  let state = initialState;
  for (const fact of facts) {
    if (fact.seq > at) break;
    state = evolve(state, fact);
  }
  const { exitCode, reason, verified } = standingOf(state);
  const shown = { at, next: decide(state), standing: { exitCode, reason, verified }, state };
  printer.out(JSON.stringify((await deps.secretMask()).json(shown), null, 2));
  if (torn !== null) printer.note(`belay: ${torn}`);
  if (damage !== null) throw new CommandError(56, damage);
  return 0;
}
