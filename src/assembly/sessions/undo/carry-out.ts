/** Carries out a planned undo, from wherever it stands: also one that an earlier process left half done. */
import { type BodyOf, type Fact, type FactBody, fold, type State, seenFiles } from '#kernel';
import type { UndoReport } from '#surfaces/cli';
import { rememberScan } from '../rebase.ts';
import { itemOf } from './contents.ts';
import { type Desk, pointAfter } from './desk.ts';

/** Every path is settled for itself: what is restored already stays so, what was changed meanwhile is left alone. */
export async function carryOut(desk: Desk, planned: BodyOf<'undo.planned'>): Promise<UndoReport> {
  const { undoId, kind, scope, toSeq } = planned;
  const items = planned.files.map(itemOf);
  const left = await desk.leftFolders(undoId);
  for (const folder of left) desk.restorer.abandon(folder, items);
  const folder = desk.freshFolder(undoId);
  const { checkpoints, base } = desk.place;
  const content = async (hash: string) => checkpoints.content(hash) ?? (await base.content(hash));
  const result =
    items.length === 0 ? { restored: [], refused: [], notes: [] } : await desk.restorer.restore(items, content, folder);
  const refused = [...(planned.refused ?? []), ...result.refused];
  const notes = result.notes.length === 0 ? {} : { notes: [...result.notes] };
  const facts: FactBody[] = [];
  if (scope !== 'files') facts.push(rewound(desk.facts(), desk.state(), undoId, toSeq));
  facts.push({ type: 'undo.done', undoId, scope, restored: [...result.restored], refused, ...notes });
  await desk.append(facts);
  const paths = items.map(({ path }) => path);
  const found = paths.length === 0 ? [] : await pointAfter(desk, paths);
  await desk.append(found);
  await desk.append([{ type: 'executor.detached', executorId: desk.executorId, reason: kind }]);
  await desk.ledger.flush();
  await desk.sweep([...left, folder]);
  const last = desk.world.last();
  // Where a point was kept, it says the same.
  if (last !== null && !found.some(({ type }) => type === 'checkpoint.taken')) await rememberScan(desk.folder, last);
  const gone = new Set(items.filter(({ to }) => to === null).map(({ path }) => path));
  const removed = result.restored.filter((path) => gone.has(path));
  return { kind, scope, toSeq, restored: result.restored, removed, refused, ...notes };
}

/** The conversation as it was at a fact: what the model had seen and noted, and the mode unless the user changed it since. */
function rewound(facts: readonly Fact[], now: State, undoId: string, toSeq: number): BodyOf<'chat.rewound'> {
  const then = fold(facts.filter((fact) => fact.seq <= toSeq));
  let mode = then.settings.mode;
  for (const fact of facts) {
    if (fact.seq > toSeq && fact.type === 'settings.changed' && fact.mode !== undefined) mode = fact.mode;
  }
  return {
    type: 'chat.rewound',
    undoId,
    toSeq,
    todos: [...then.todos],
    seen: [...seenFiles(then)],
    ...(mode === now.settings.mode ? {} : { mode }),
  };
}
