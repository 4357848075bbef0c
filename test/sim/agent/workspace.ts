/** The workspace of a simulated session: the product's files and processes on the simulated machine. */
import type { Scan, Workspace } from '#workspace';
import { openFiles } from '../../../src/workspace/files/open-files.ts';
import { openProcesses } from '../../../src/workspace/process/open-processes.ts';
import { changedPaths, scanOf, treeOf } from '../../../src/workspace/revision/manifest.ts';
import { theMachine } from '../os/machine.ts';
import { theWorld, WORKSPACE } from '../world.ts';

export function openSimulatedWorkspace(bootId: string, onScan: () => void): Workspace {
  const options = { root: WORKSPACE, protectedPaths: ['/sim/home'], env: {}, lockFolder: '/sim/locks' };
  // Without setsid a wrapper is started by the agent itself, which is the process that is simulated here.
  // The keeper of limits is no process of the simulation, and without sleep there is none.
  const find = (name: string) => (['git', 'setsid', 'sleep'].includes(name) ? null : `/bin/${name}`);
  let last: Scan | null = null;
  return {
    root: WORKSPACE,
    files: openFiles(WORKSPACE, options, () => bootId),
    processes: openProcesses(options, find, bootId),
    revision: {
      async scan() {
        await theMachine().latency();
        onScan();
        last = scanOf(theWorld().manifest(), last);
        return last;
      },
      tree: treeOf,
      changed: changedPaths,
      isDirty: async () => null,
    },
  };
}
