/** What an undo works with: the ledger of a session that this process holds, its workspace, and what was kept of it. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { evolve, type Fact, type FactBody, fold, type State } from '#kernel';
import type { WritableLedger } from '#ledger';
import { openRestorer, type Restorer } from '#workspace';
import { newId } from '../../new-id.ts';
import { effectsSince } from '../../ports/effects-since.ts';
import { execPort } from '../../ports/exec-port.ts';
import { everGuarded } from '../../ports/guarded-paths.ts';
import { undoFolderOf } from '../../ports/undo-folder.ts';
import { type World, worldPort } from '../../ports/world-port.ts';
import type { Place } from '../open-workspace-at.ts';

export interface Desk {
  readonly ledger: WritableLedger;
  /** Folder of the session. */
  readonly folder: string;
  readonly place: Place;
  readonly world: World;
  readonly restorer: Restorer;
  readonly executorId: string;
  readonly bootId: string;
  readonly env: NodeJS.ProcessEnv;
  /** Aborted while nothing is planned yet: nothing is undone. A plan is carried out all the same. */
  readonly signal: AbortSignal;
  state(): State;
  facts(): readonly Fact[];
  append(bodies: readonly FactBody[]): Promise<void>;
  /** Folders that earlier runs of an undo left behind. */
  leftFolders(undoId: string): Promise<readonly string[]>;
  freshFolder(undoId: string): string;
  sweep(folders: readonly string[]): Promise<void>;
}

const never = new AbortController().signal;

export async function openDesk(
  ledger: WritableLedger,
  folder: string,
  place: Place,
  home: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal = never,
): Promise<Desk> {
  const { workspace } = place;
  const bootId = await workspace.processes.bootId();
  const exec = execPort(folder);
  // An undo looks at everything, several times: what was read stays at hand.
  const facts = [...ledger.read()];
  let state = fold(facts);
  return {
    ledger,
    folder,
    place,
    world: worldPort(workspace, null, {
      ...place,
      keepsStart: false,
      effectsSince: effectsSince(ledger),
      written: () => facts.flatMap((fact) => (fact.type === 'attempt.outcome' ? (fact.files ?? []) : [])).map(pathOf),
      // All of them: looks that belong to a round taken back do not count, so what a round before it took is seen anew.
      guarded: () => [...everGuarded(ledger.find(['checkpoint.taken']), place.checkpoints)],
    }),
    restorer: openRestorer({
      root: workspace.root,
      protectedPaths: [home],
      lockFolder: place.shared,
      bootId,
      folderMode: place.checkpoints.folderMode,
    }),
    executorId: newId(),
    bootId,
    env,
    signal,
    state: () => state,
    facts: () => facts,
    async append(bodies) {
      for (const fact of await ledger.append(bodies)) {
        facts.push(fact);
        state = evolve(state, fact);
      }
    },
    async leftFolders(undoId) {
      const names = await readdir(path.join(folder, 'exec')).catch((): string[] => []);
      return names.filter((name) => undoFolderOf(name) === undoId).map((name) => exec.folder(name));
    },
    freshFolder: (undoId) => exec.folder(`undo-${undoId}-${newId().slice(0, 6)}`),
    sweep: (folders) => exec.sweep(folders.map((one) => path.basename(one))),
  };
}

/** Looks at the workspace now, and keeps what it finds as a point to go back to. */
export async function pointHere(desk: Desk, signal: AbortSignal = never): Promise<readonly FactBody[]> {
  const { tree, revision, changed } = await desk.world.scan(desk.state(), signal);
  return foundFacts(desk, revision, tree, changed, signal);
}

/** The same right after an undo: only the paths of its plan, and the folders around them, can have changed. */
export async function pointAfter(desk: Desk, paths: readonly string[]): Promise<readonly FactBody[]> {
  const before = desk.world.last();
  const { revision } = desk.place.workspace;
  if (before === null || revision.amend === undefined) return pointHere(desk);
  const apart = everGuarded(desk.ledger.find(['checkpoint.taken']), desk.place.checkpoints);
  // Whether a scan tells of them may depend on what was restored.
  if (paths.some((one) => apart.has(one) || path.basename(one) === '.gitignore')) return pointHere(desk);
  const seen = new Set(paths.flatMap((one) => [one, ...foldersAround(one)]));
  const now = revision.amend(before, new Map([...seen].map((one) => [one, desk.restorer.look(one)])));
  desk.world.know(now);
  const changed = revision.changed(before, now);
  return foundFacts(desk, now.revision, revision.tree(now, desk.state().world.products), changed);
}

const pathOf = ({ path: one }: { readonly path: string }) => one;

function foldersAround(one: string): readonly string[] {
  const names = one.replace(/\/$/, '').split('/');
  return names.slice(1).map((_name, i) => `${names.slice(0, i + 1).join('/')}/`);
}

async function foundFacts(
  desk: Desk,
  revision: string,
  tree: string,
  changed: readonly string[],
  signal: AbortSignal = never,
): Promise<readonly FactBody[]> {
  const point = (await desk.world.checkpoint?.(signal)) ?? null;
  const scanned: FactBody = { type: 'workspace.scanned', revision, tree, at: 'round', changed: changed.slice(0, 50) };
  return [...(tree === desk.state().world.tree ? [] : [scanned]), ...(point === null ? [] : [point])];
}
