/** A session out of its parts: tools, policy, hooks and ports around a ledger and a workspace that are open. */
import { homedir } from 'node:os';
import { createProjector, type Projector } from '#context';
import type { FactBody } from '#kernel';
import { fold, initialState, type State } from '#kernel';
import type { Store, WritableLedger } from '#ledger';
import { createMasker, createPermission, type OwnPermission, unreadFiles, withOwnPermission } from '#permission';
import { createSession, type Hooks, type SafetyClassifier, type Session } from '#runtime';
import type { OpenedSession } from '#surfaces/cli';
import { type OwnTool, ownTool } from '#tools';
import { newId } from '../new-id.ts';
import { realClock } from '../ports/clock.ts';
import { withEmptyPlaces } from '../ports/empty-places.ts';
import { execPort } from '../ports/exec-port.ts';
import { guardPort } from '../ports/guard-port.ts';
import { modelPlanner } from '../ports/model-planner.ts';
import { permissionPorts } from '../ports/permission-ports.ts';
import { ruleClassifier } from '../ports/rule-classifier.ts';
import { startedLater } from '../ports/started-later.ts';
import type { World } from '../ports/world-port.ts';
import { allowAlways } from '../settings/allow-always.ts';
import { sessionHooks } from '../settings/session-hooks.ts';
import { userSettingsFile } from '../settings/user-settings.ts';
import type { RulesInForce } from '../trust/rules-in-force.ts';
import { keepState } from './kept-state.ts';
import type { ChosenModel } from './open-model-for.ts';
import type { Place } from './open-workspace-at.ts';
import { rememberScan } from './rebase.ts';
import { sessionTools } from './session-tools.ts';

export interface Surroundings {
  readonly store: Store;
  readonly env: NodeJS.ProcessEnv;
  /** Where relative paths of scripted models count from. */
  readonly cwd: string;
  readonly hooks?: Hooks;
  /** Tools of the embedding program, besides ours. */
  readonly tools?: readonly OwnTool[];
  /** Names and patterns of variables that commands get besides what the settings files pass. */
  readonly pass?: readonly string[];
  /** In the place of the policy, or around it. */
  readonly permission?: OwnPermission;
  /** Replaces the classifier by rules; null: none. */
  readonly classify?: SafetyClassifier | null;
  /** Around what loads modules of Node. */
  readonly whileLoading?: (work: () => Promise<unknown>) => Promise<void>;
  /** Replaces the identity of the machine's present run: how a restart is tried out. */
  readonly bootId?: string;
}

/** What was made of the facts of this ledger while it was opened. */
export interface Known {
  readonly state: State;
  readonly projector: Projector;
}

export async function assemble(
  ledger: WritableLedger,
  { workspace, checkpoints, unseen }: Place,
  world: World,
  { model, price }: ChosenModel,
  notices: readonly string[],
  signal: AbortSignal,
  { store, env, hooks, tools = [], classify, permission }: Surroundings,
  { narrowing, hooks: commands, guarded }: RulesInForce,
  known: Known = { state: initialState, projector: createProjector() },
): Promise<OpenedSession> {
  const own = tools.map((tool) => ownTool(tool, workspace.processes.bootId));
  const folder = folderOf(ledger);
  const masker = createMasker(env);
  const unread = await unreadFiles(narrowing, { workspace: workspace.root, home: homedir() });
  const { registry, tasks, port, mask } = sessionTools({ workspace, folder, ledger, masker, own, unread });
  const atWork = sessionHooks(commands, hooks, { workspace, ledger, folder, signal, masker });
  const policy = createPermission(
    permissionPorts(workspace, startedLater(workspace.root, guarded), checkpoints.has),
    tools.map((tool) => tool.name),
    narrowing,
  );
  const session: Session = createSession(
    {
      ledger,
      planner: modelPlanner(model, price, registry.definitions, ledger, known.projector),
      tools: withEmptyPlaces(port, { root: workspace.root, home: homedir(), ...unseen() }),
      mask,
      permission: permission === undefined ? policy : withOwnPermission(policy, permission),
      world,
      guard: guardPort(workspace, world),
      inbox: store.inbox(ledger.sessionId),
      exec: execPort(folder),
      tasks: tasks.port,
      clock: realClock,
      newId,
      bootId: await workspace.processes.bootId(),
      pid: process.pid,
      signal,
    },
    atWork.hooks,
    known.state,
  );
  atWork.follow(session);
  return {
    session,
    modelId: model.id,
    priced: price !== null,
    tools: registry.definitions.map((tool) => tool.name),
    workspace: workspace.root,
    notices,
    mask: masker,
    classify: classify === undefined ? ruleClassifier(workspace) : classify,
    rulesFile: userSettingsFile(env),
    allowAlways: (actionId, by) => allowAlways(session, userSettingsFile(env), workspace.root, actionId, by),
    abandon: () => workspace.processes.abandon(session.state.tasks.map(({ attemptId }) => attemptId)),
    async close(reason) {
      try {
        await tasks.stopFollowed();
        await workspace.processes.stopLeftovers();
        await session.close(reason);
        if (session.state.executor === null) {
          await recordLastScan(session.state, ledger, folder, world);
          await keepLastState(session.state, ledger, folder);
        }
      } finally {
        await ledger.close();
      }
    },
  };
}

/** Leaves behind how the workspace looked, so that the next opening can tell what others changed. */
async function recordLastScan(state: State, ledger: WritableLedger, folder: string, world: World): Promise<void> {
  if (state.turn === null) return;
  if (!state.world.isTreeKnown || state.world.isPointDue) {
    const { revision, tree, changed } = await world.scan(state, new AbortController().signal);
    const scanned: FactBody = { type: 'workspace.scanned', revision, tree, at: 'round', changed: changed.slice(0, 50) };
    await ledger.append([scanned, ...(await pointNow(world))]);
    await ledger.flush();
  }
  const last = world.last();
  if (last !== null) await rememberScan(folder, last);
}

/** Leaves behind what all facts come to, so that the next opening folds only what follows. */
async function keepLastState(state: State, ledger: WritableLedger, folder: string): Promise<void> {
  const mark = ledger.mark();
  if (mark !== null) await keepState(folder, { mark, state: fold(ledger.read(state.seq + 1), state) });
}

/** What the last scan found, as a point to go back to. Losing one costs only that rounds are undone together. */
export const pointNow = async (world: World): Promise<readonly FactBody[]> => {
  const point = await world.checkpoint?.(new AbortController().signal).catch(() => null);
  return point === undefined || point === null ? [] : [point];
};

/** Where a session keeps what is its own. */
export function folderOf(ledger: WritableLedger): string {
  if (ledger.folder === null) throw new Error('a session of a workspace needs a folder');
  return ledger.folder;
}
