import type {
  ConfinedStart,
  PreparedProcess,
  Processes,
  ProcessResult,
  SpawnRequest,
  WorkspaceOptions,
} from '../contract.ts';
import { toolEnv } from './command-env.ts';
import { markEnded, wasConfined } from './exec-folder.ts';
import { openKeeper } from './keeper.ts';
import { openLaunchers } from './launcher.ts';
import { prepareProcess } from './prepare.ts';
import { commandProcesses, groupExists, hasProcessTable, type Tree } from './process-table.ts';
import type { FindProgram } from './programs.ts';
import { settleProcess } from './settle-process.ts';
import { GRACE_MS } from './stop-on-demand.ts';
import { killNow, stopTrees } from './stop-tree.ts';

/** `bootId` names the present boot. */
export function openProcesses(options: WorkspaceOptions, find: FindProgram, bootId: string): Processes {
  const started = new Map<string, Tree>();
  const folders = new Map<string, string>();
  const remember = (tree: Tree) => void started.set(tree.attemptId, tree);
  const launchers = openLaunchers(find, options.env);
  const keeper = openKeeper(find, options.env);
  const onStart = (tree: Tree, { execFolder, timeoutMs }: SpawnRequest) => {
    remember(tree);
    folders.set(tree.attemptId, execFolder);
    keeper.watch(tree, execFolder, options.whenKilled === 'end' ? 0 : timeoutMs);
  };
  const ports = { find, env: options.env, bootId, launchers, onStart };
  const ready = (request: SpawnRequest, start: ConfinedStart | null): PreparedProcess => {
    const prepared = prepareProcess(ports, request, start);
    // While the wrapper comes up, so that the command does not wait for its keeper.
    keeper.open();
    return prepared;
  };
  const { confinement } = options;
  const treeOf = (attemptId: string): Tree => started.get(attemptId) ?? taggedTree(attemptId);
  const tidied = (result: ProcessResult): ProcessResult =>
    result.state === 'not-started' || confinement === undefined
      ? result
      : { ...result, confined: { network: confinement.hasNetwork(), putAway: confinement.tidy() } };
  return {
    async prepare(request): Promise<PreparedProcess> {
      if (confinement === undefined || request.unconfined === true) return ready(request, null);
      const start = await confinement.confine(request.cwd);
      const prepared = ready(request, start);
      if (start === null) return prepared;
      return { ...prepared, start: async () => tidied(await prepared.start()) };
    },
    async settle(request) {
      const result = await settleProcess(request, bootId, remember);
      return wasConfined(request.execFolder) ? tidied(result) : result;
    },
    isConfined: () => confinement?.isOn() ?? false,
    takeOver(attemptIds) {
      if (!hasProcessTable() || attemptIds.length === 0) return [];
      const trees = attemptIds.map(taggedTree);
      const found = commandProcesses(trees);
      if (found.length > 0) for (const tree of trees) if (!started.has(tree.attemptId)) remember(tree);
      return found.map(({ pid }) => pid);
    },
    async stopLeft(attemptIds) {
      const trees = attemptIds.map(treeOf);
      const found = hasProcessTable() ? commandProcesses(trees) : [];
      if (found.length > 0) await stopTrees(trees, GRACE_MS);
      return found.map(({ pid }) => pid);
    },
    abandon(attemptIds) {
      for (const folder of folders.values()) markEnded(folder);
      const others = attemptIds.filter((attemptId) => !started.has(attemptId));
      return killNow([...started.values(), ...others.map(treeOf)]);
    },
    bootId: async () => bootId,
    program: find,
    helperEnv: () => toolEnv(options.env),
    async stopLeftovers() {
      launchers.close();
      keeper.close();
      const trees = [...started.values()];
      started.clear();
      folders.clear();
      const isLeft = hasProcessTable()
        ? trees.length > 0 && commandProcesses(trees).length > 0
        : trees.some(({ leader }) => groupExists(leader));
      if (isLeft) await stopTrees(trees, GRACE_MS);
      // Nothing is left that could still write.
      confinement?.close?.();
    },
  };
}

/** Its wrapper is long gone, so only the tag in the environment names what is left of it. */
const taggedTree = (attemptId: string): Tree => ({ attemptId, leader: -1, leaderStart: null, nonce: '\0' });
