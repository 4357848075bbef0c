/** The simulated machine of one case, with time that goes on by itself. */
import { readTree } from '../../../../src/workspace/process/exec-folder.ts';
import { openProcesses } from '../../../../src/workspace/process/open-processes.ts';
import { WORKSPACE, World } from '../../world.ts';
import { type Running, runningCommands } from '../child-process.ts';
import { takeGlobals } from '../globals.ts';
import { Machine, type Process } from '../machine.ts';
import { begin, end } from '../reset.ts';
import { Volume } from '../volume.ts';
import type { Stage } from './process-cases.ts';

let seed = Number(process.argv[3] ?? 0);

export async function onStage<T>(play: (stage: Stage) => Promise<T>): Promise<T> {
  const machine = new Machine(++seed);
  const volume = new Volume(() => Math.floor(machine.nowMs));
  const world = new World();
  begin(machine, volume, world);
  const giveBack = takeGlobals();
  for (const folder of [WORKSPACE, '/sim/exec']) volume.makeFolders(folder);
  const find = (name: string) => (['git', 'setsid', 'sleep'].includes(name) ? null : `/bin/${name}`);
  const commandOf = (attemptId: string): Running | undefined =>
    runningCommands().find((one) => one.attemptId === attemptId);
  const frozen = (attemptId: string, change: (wrapper: Process) => void): void => {
    const wrapper = commandOf(attemptId)?.wrapper;
    if (wrapper !== undefined) change(wrapper);
  };
  let attempts = 0;
  const stage: Stage = {
    bootId: machine.bootId,
    agent: (bootId = machine.bootId) => openProcesses({ root: WORKSPACE, env: {}, protectedPaths: [] }, find, bootId),
    request(command, more) {
      const attemptId = `attempt-${++attempts}`;
      const execFolder = `/sim/exec/${attemptId}`;
      const { signal } = new AbortController();
      return { command, cwd: WORKSPACE, execFolder, attemptId, actionId: 'a', timeoutMs: 15_000, signal, ...more };
    },
    hasSaid(request, text) {
      const inode = volume.find(`${request.execFolder}/out`);
      return inode !== null && volume.content(inode).toString('latin1').includes(text);
    },
    isThere: (request, name) => volume.find(`${request.execFolder}/${name}`) !== null,
    isReady: ({ execFolder }) => readTree(execFolder) !== null,
    freeze: ({ attemptId }) => frozen(attemptId, (wrapper) => machine.freeze(wrapper)),
    thaw: ({ attemptId }) => frozen(attemptId, (wrapper) => machine.thaw(wrapper)),
    killShells: ({ attemptId }) => commandOf(attemptId)?.killShells(),
    killAll: ({ attemptId }) => commandOf(attemptId)?.killAll(),
    remove({ execFolder }, file) {
      const { folder, name } = volume.parent(file === undefined ? execFolder : `${execFolder}/${file}`, 'rm');
      volume.name(folder, [[name, null]]);
    },
    effects: (token) => world.count(token),
    sleep: (ms) => machine.wait(ms),
  };
  let over = false;
  const agent = machine.process('agent');
  const told = machine
    .as(agent, () => play(stage))
    .finally(() => {
      over = true;
    });
  try {
    await machine.runUntil(() => over, 1_000_000);
    return await told;
  } finally {
    giveBack();
    end();
  }
}
