/** What the sandbox adds to the start of a command, beside a plain spawn and the command without it. */
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { openWorkspace, type Processes, programFinder } from '#workspace';
import { openSandbox } from '../../src/assembly/sandbox/open-sandbox.ts';
import { median } from '../measure/statistics.ts';
import type { Reading, Row } from '../row.ts';

const STARTS = 60;

export const sandbox: Row = {
  id: 'sandbox',
  async run(stage) {
    const root = path.join(stage.folder, 'work');
    const data = path.join(stage.folder, 'data');
    for (const folder of [root, data]) mkdirSync(folder);
    const opened = await openSandbox({
      mode: 'required',
      network: false,
      settings: { readable: [], writable: [] },
      deny: [],
      workspace: root,
      dataFolder: data,
      sessionFolder: data,
      memory: null,
      find: programFinder(root, process.env['PATH']),
      env: process.env,
      bootId: 'bench',
    });
    if (!opened.ok || opened.value.confinement === null) throw new Error('there is no sandbox on this machine');
    const options = { root, protectedPaths: [data], env: process.env, confinement: opened.value.confinement };
    const { processes } = await openWorkspace(options);
    const confined: number[] = [];
    const bare: number[] = [];
    const plain: number[] = [];
    try {
      for (let n = -5; n < STARTS; n++) {
        const taken = [
          await plainTime(root),
          await time(processes, root, data, n, false),
          await time(processes, root, data, n, true),
        ];
        if (n < 0) continue;
        plain.push(taken[0] as number);
        bare.push(taken[1] as number);
        confined.push(taken[2] as number);
      }
    } finally {
      await processes.stopLeftovers();
    }
    const reading = (name: string, belay: readonly number[], bound: number): Reading => ({
      name,
      unit: 'ms',
      belay: median(belay),
      baseline: median(plain),
      bound,
    });
    return [
      reading('a supervised command, to a plain spawn of bash -c true', bare, 2.5),
      reading('a command in the sandbox, to a plain spawn of bash -c true', confined, 4),
    ];
  },
};

/** From the wish to the known end; the flush of the ledger, which overlaps with it in a session, is left out. */
async function time(processes: Processes, root: string, data: string, n: number, isConfined: boolean): Promise<number> {
  const id = `bench-${process.pid}-${n}-${isConfined}`;
  const execFolder = path.join(data, 'exec', id);
  const began = performance.now();
  const prepared = await processes.prepare({
    command: 'true',
    cwd: root,
    execFolder,
    attemptId: id,
    actionId: id,
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    unconfined: !isConfined,
  });
  const result = await prepared.start();
  const took = performance.now() - began;
  if (result.exitCode !== 0) throw new Error(`the command ended with ${result.exitCode}`);
  rmSync(execFolder, { recursive: true });
  return took;
}

function plainTime(cwd: string): Promise<number> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', 'true'], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    child.on('error', reject);
    child.on('close', () => resolve(performance.now() - began));
  });
}
