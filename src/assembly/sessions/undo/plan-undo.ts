/** What an undo or a redo is to do, worked out from the facts; nothing is changed here. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  type Change,
  changesByRound,
  type Fact,
  type FactOf,
  type FilePlan,
  hiddenRanges,
  type LeftAlone,
  lastChange,
  planFiles,
  type Restoration,
  roundAt,
  roundsOf,
  type State,
  type UndoScope,
} from '#kernel';
import { err, ok, type Result } from '#lib';
import type { UndoRequest } from '#surfaces/cli';
import type { Scan } from '#workspace';
import type { Desk } from './desk.ts';

export interface UndoPlan {
  readonly scope: UndoScope;
  readonly toSeq: number;
  readonly files: readonly Restoration[];
  readonly refused: readonly LeftAlone[];
  /** The undo that is taken back. */
  readonly reverses: string | null;
  /** How long the longest of its commands ran (ms), where that is long enough for somebody to edit a file meanwhile. */
  readonly ranMs?: number;
}

export function planUndo(desk: Desk, base: Scan | null, request: UndoRequest): Result<UndoPlan, string> {
  const facts = desk.facts();
  return request.kind === 'redo' ? planRedo(facts, desk.state(), request) : planBack(desk, facts, base, request);
}

function planBack(
  desk: Desk,
  facts: readonly Fact[],
  base: Scan | null,
  { scope, toSeq: wanted }: UndoRequest,
): Result<UndoPlan, string> {
  const state = desk.state();
  const hiddenChat = hiddenRanges(state.undo, 'chat');
  const hiddenFiles = hiddenRanges(state.undo, 'files');
  const hidden = [...(scope === 'files' ? [] : hiddenChat), ...(scope === 'chat' ? [] : hiddenFiles)];
  const rounds = roundsOf(facts, hidden);
  if (wanted !== null && wanted > state.seq) return err(`there is no fact ${wanted}; the last one is ${state.seq}`);
  const asked = wanted === null ? null : roundAt(rounds, wanted);
  if (wanted !== null && asked === null) return err(`no round lies at fact ${wanted}`);

  if (scope === 'chat') {
    const round = asked ?? rounds.findLast(({ hasEffects }) => hasEffects) ?? rounds.at(-1);
    if (round === undefined) return err('there is no round to undo');
    return ok({ scope, toSeq: round.request - 1, files: [], refused: [], reverses: null });
  }
  const forked = forkSeq(facts);
  if (asked !== null && asked.request <= forked) {
    return err(
      `fact ${wanted} was made before this session was forked; its files belong to the other session (--chat undoes the conversation alone)`,
    );
  }
  const apart = new Set(state.world.products);
  const stretches = changesByRound(facts, hiddenFiles, forked, {
    base: (path) => base?.manifest.get(path) ?? null,
    manifest: (ref) => desk.place.checkpoints.manifest(ref),
  });
  const request = asked?.request ?? lastChange(stretches, apart);
  if (request === null) {
    const gone = neverKept(facts, forked, desk.place.workspace.root).map(({ path: one }) => one);
    const lost = gone.length === 0 ? '' : ` that is kept; gone, and not kept: ${gone.join(', ')}`;
    return err(`no round that counts changed a file${lost}; --chat undoes the conversation alone`);
  }
  const plan = planFiles(stretches, request, apart);
  const told = described(plan);
  const known = new Set([...told.files, ...told.refused].map(({ path }) => path));
  const gone = neverKept(facts, plan.round, desk.place.workspace.root).filter(({ path }) => !known.has(path));
  const ran = longest(facts, plan.round);
  const ranMs = plan.isByLooks && ran >= RAN_LONG_MS ? { ranMs: ran } : {};
  const refused = [...told.refused, ...gone];
  return ok({ scope, toSeq: plan.round - 1, files: told.files, refused, reverses: null, ...ranMs });
}

/** What was there before a command, was not kept (a file too large for it, a folder that tools fill), and is gone. */
function neverKept(facts: readonly Fact[], from: number, root: string): readonly LeftAlone[] {
  const paths = new Set<string>();
  for (const fact of facts) {
    if (fact.type !== 'checkpoint.taken' || fact.seq < from) continue;
    for (const one of fact.uncovered ?? []) if (!existsSync(path.join(root, one))) paths.add(one);
  }
  return [...paths].map((one) => ({
    path: one,
    why: one.endsWith('/') ? 'it is gone, and was not kept' : 'it is gone, and was too large to be kept',
  }));
}

/** So long somebody may have edited a file by hand, and saved it, while a command ran. */
const RAN_LONG_MS = 5000;

function longest(facts: readonly Fact[], from: number): number {
  const starts = new Map<string, number>();
  let ms = 0;
  for (const fact of facts) {
    if (fact.seq < from) continue;
    if (fact.type === 'attempt.start' && fact.effect !== 'file' && fact.effect !== 'read')
      starts.set(fact.actionId, fact.ts);
    if (fact.type === 'attempt.outcome') {
      const start = starts.get(fact.actionId);
      if (start !== undefined) ms = Math.max(ms, (fact.endedMs ?? fact.ts) - start);
    }
  }
  return ms;
}

function planRedo(facts: readonly Fact[], state: State, { scope }: UndoRequest): Result<UndoPlan, string> {
  const again = retried(facts);
  if (again !== null) return ok(again);
  const last = state.undo.done.at(-1);
  if (last === undefined) return err('there is no undo to take back');
  if (scope !== 'both' && scope !== last.scope) {
    return err(`the last undo was of ${last.scope}; a redo takes it back as a whole`);
  }
  const counts = [...state.undo.reversed];
  const wentOn = facts.some(
    ({ type, seq }) =>
      seq > last.doneSeq && type === 'model.request' && !counts.some(({ from, to }) => seq >= from && seq <= to),
  );
  if (wentOn) return err('the session went on after the last undo, so it cannot be taken back');
  const is = <T extends 'undo.planned' | 'undo.done'>(type: T) =>
    facts.find((fact): fact is FactOf<T> => fact.type === type && 'undoId' in fact && fact.undoId === last.undoId);
  const restored = new Set(is('undo.done')?.restored ?? []);
  const files = (is('undo.planned')?.files ?? [])
    .filter(({ path }) => restored.has(path))
    .map(
      ({ path, base, result, baseMode, mode }): Restoration => ({
        path,
        base: result ?? null,
        result: base ?? null,
        ...(mode === undefined ? {} : { baseMode: mode }),
        ...(baseMode === undefined ? {} : { mode: baseMode }),
      }),
    );
  return ok({ scope: last.scope, toSeq: last.plannedSeq - 1, files, refused: [], reverses: last.undoId });
}

/** What the last redo could not bring back for a reason that may have passed; null where the session went on since. */
function retried(facts: readonly Fact[]): UndoPlan | null {
  const planned = facts.findLast((fact) => fact.type === 'undo.planned');
  if (planned?.kind !== 'redo' || planned.reverses === undefined) return null;
  const since = facts.filter(({ seq }) => seq > planned.seq);
  const done = since.find((fact) => fact.type === 'undo.done' && fact.undoId === planned.undoId);
  if (done?.type !== 'undo.done' || since.some(({ type }) => type === 'model.request')) return null;
  const failed = new Set(done.refused.filter(({ passing }) => passing === true).map(({ path }) => path));
  const files = planned.files.filter(({ path }) => failed.has(path));
  if (files.length === 0) return null;
  return { scope: 'files', toSeq: planned.toSeq, files, refused: [], reverses: planned.reverses };
}

/** The last fact that a fork shares with the session it came from; 0 for a session that is none. */
function forkSeq(facts: readonly Fact[]): number {
  const first = facts[0];
  return first?.type === 'session.created' ? (first.parent?.seq ?? 0) : 0;
}

function described({ changes, refused }: FilePlan): { files: readonly Restoration[]; refused: readonly LeftAlone[] } {
  const unreadable = changes.filter(({ before, after }) =>
    [before, after].some((side) => side?.includes('unreadable')),
  );
  return {
    files: changes.filter((change) => !unreadable.includes(change)).map(restorationOf),
    refused: [...refused, ...unreadable.map(({ path }) => ({ path, why: 'Belay could not read it' }))],
  };
}

function restorationOf({ path, before, after }: Change): Restoration {
  const [baseMode, base] = before?.split(' ') ?? [];
  const [mode, result] = after?.split(' ') ?? [];
  return {
    path,
    base: base ?? null,
    result: result ?? null,
    ...(baseMode === undefined ? {} : { baseMode }),
    ...(mode === undefined ? {} : { mode }),
  };
}
