import type { Processes, WorkspaceOptions } from '../contract.ts';
import { toolEnv } from './command-env.ts';
import { openLaunchers } from './launcher.ts';
import { prepareProcess } from './prepare.ts';
import { commandProcesses, groupExists, hasProcessTable, type Tree } from './process-table.ts';
import type { FindProgram } from './programs.ts';
import { settleProcess } from './settle-process.ts';
import { GRACE_MS } from './stop-on-demand.ts';
import { stopTrees } from './stop-tree.ts';

/** `bootId` names the present boot. */
export function openProcesses(options: WorkspaceOptions, find: FindProgram, bootId: string): Processes {
  const started = new Map<string, Tree>();
  const remember = (tree: Tree) => void started.set(tree.attemptId, tree);
  const launchers = openLaunchers(find, options.env);
  const ports = { find, env: options.env, bootId, launchers, onStart: remember };
  return {
    prepare: async (request) => prepareProcess(ports, request),
    settle: (request) => settleProcess(request, bootId, remember),
    bootId: async () => bootId,
    program: find,
    helperEnv: () => toolEnv(options.env),
    async stopLeftovers() {
      launchers.close();
      const trees = [...started.values()];
      started.clear();
      const isLeft = hasProcessTable()
        ? trees.length > 0 && commandProcesses(trees).length > 0
        : trees.some(({ leader }) => groupExists(leader));
      if (isLeft) await stopTrees(trees, GRACE_MS);
    },
  };
}
