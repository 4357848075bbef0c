import type { Confinement } from '../confinement.ts';
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
import { carry } from './passed-variables.ts';
import { prepareProcess } from './prepare.ts';
import { commandProcesses, groupExists, hasProcessTable, type Tree, taggedTree } from './process-table.ts';
import type { FindProgram } from './programs.ts';
import { settleProcess } from './settle-process.ts';
import { hasBegun } from './settle-start.ts';
import { GRACE_MS } from './stop-on-demand.ts';
import { killNow, stopTrees } from './stop-tree.ts';

/** `bootId` names the present boot. */
export function openProcesses(options: WorkspaceOptions, find: FindProgram, bootId: string): Processes {
  const started = new Map<string, Tree>();
  const folders = new Map<string, string>();
  const remember = (tree: Tree) => void started.set(tree.attemptId, tree);
  const carried = () => carry(options.passed?.() ?? {});
  const launchers = openLaunchers(find, options.env, () => carried().env);
  const keeper = openKeeper(find, options.env);
  const onStart = (tree: Tree, { execFolder, timeoutMs }: SpawnRequest) => {
    remember(tree);
    folders.set(tree.attemptId, execFolder);
    keeper.watch(tree, execFolder, options.whenKilled === 'end' ? 0 : timeoutMs);
  };
  const ports = { find, env: options.env, bootId, launchers, carried, onStart };
  const ready = (request: SpawnRequest, start: ConfinedStart | null): PreparedProcess => {
    const prepared = prepareProcess(ports, request, start);
    // While the wrapper comes up, so that the command does not wait for its keeper.
    keeper.open();
    return prepared;
  };
  const { confinement } = options;
  const treeOf = (attemptId: string): Tree => started.get(attemptId) ?? taggedTree(attemptId);
  let confined = 0;
  let mayLinger = false;
  /** Nothing confined is ready or runs. Whether something outlives its shell is looked up only where something did. */
  const isQuiet = (): boolean => {
    if (confined > 0) return false;
    if (mayLinger) mayLinger = !hasProcessTable() || commandProcesses([...started.values()]).length > 0;
    return !mayLinger;
  };
  const tidied = (result: ProcessResult): ProcessResult => {
    if (result.state === 'not-started' || confinement === undefined) return result;
    mayLinger ||= result.leftAlive.length > 0;
    return { ...result, confined: { network: confinement.hasNetwork(), putAway: confinement.tidy(isQuiet()) } };
  };
  /** From here on until its end, or until it is known never to start, a command counts. */
  const prepareConfined = async (request: SpawnRequest, by: Confinement): Promise<PreparedProcess> => {
    let counts = true;
    const isOver = () => {
      if (counts) confined--;
      counts = false;
    };
    confined++;
    try {
      const start = await by.confine(request.cwd);
      const prepared = ready(request, start);
      if (start === null) {
        isOver();
        return prepared;
      }
      return {
        start: async () => {
          try {
            const result = await prepared.start();
            isOver();
            return tidied(result);
          } finally {
            isOver();
          }
        },
        discard: () => prepared.discard().finally(isOver),
      };
    } catch (thrown) {
      isOver();
      throw thrown;
    }
  };
  return {
    async prepare(request): Promise<PreparedProcess> {
      if (confinement === undefined || request.unconfined === true) return ready(request, null);
      return prepareConfined(request, confinement);
    },
    async settle(request) {
      const result = await settleProcess(request, bootId, remember);
      return wasConfined(request.execFolder) ? tidied(result) : result;
    },
    settleStart: (request) => hasBegun(request, bootId),
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
