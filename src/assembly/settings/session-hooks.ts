/** The hooks of a session: those of the embedding program, then the commands of the settings files. */
import path from 'node:path';
import { type CommandHook, createCommandHooks } from '#extensions';
import type { WritableLedger } from '#ledger';
import type { Masker } from '#permission';
import { createHooks, type Hooks, type Session } from '#runtime';
import type { Workspace } from '#workspace';
import { newId } from '../new-id.ts';

export interface SessionHooks {
  readonly hooks: Hooks;
  /** Must be called once, with the session that has these hooks. */
  follow(session: Session): void;
}

export function sessionHooks(
  commands: readonly CommandHook[],
  outer: Hooks | undefined,
  at: {
    readonly workspace: Workspace;
    readonly ledger: WritableLedger;
    readonly folder: string;
    readonly signal: AbortSignal;
    readonly masker: Masker;
  },
): SessionHooks {
  if (commands.length === 0) return { hooks: outer ?? createHooks(), follow: () => {} };
  const { workspace, ledger, folder, signal, masker } = at;
  const hooks = createHooks(outer);
  const own = createCommandHooks(commands, {
    processes: workspace.processes,
    root: workspace.root,
    sessionId: ledger.sessionId,
    folder: (attemptId) => path.join(folder, 'exec', attemptId),
    newId,
    mask: masker.text,
    signal,
    facts: ledger.read(turnBegan(ledger)),
  });
  own.register(hooks);
  const last = ledger.lastSeq;
  return { hooks, follow: (session) => void session.subscribe(last + 1, (fact) => own.see(fact)) };
}

/** Where the facts begin that the hooks of the present turn rest on: who drives it, the pause before it. */
function turnBegan(ledger: Pick<WritableLedger, 'find'>): number {
  let attached = 1;
  let paused = Number.POSITIVE_INFINITY;
  let from = 1;
  for (const { type, seq } of ledger.find(['session.start', 'executor.attached', 'session.pause'])) {
    if (type === 'executor.attached') attached = seq;
    else if (type === 'session.pause') paused = seq;
    else from = Math.min(attached, paused);
  }
  return from;
}
