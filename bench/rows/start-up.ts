/** How long it takes until anything happens: the version, and the first request to the model. */
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { least, median } from '../measure/statistics.ts';
import type { Reading, Row, Stage } from '../row.ts';
import { endedWell, environment, startAgent } from '../stage/agent.ts';
import { startModelServer } from '../stage/model-server.ts';
import { makeRepository } from '../stage/repository.ts';

const PAIRS = 21;

/** Milliseconds from the start of a program to its end. Throws unless it ends with 0. */
function timeToEnd(stage: Stage, file: string, args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const child = spawn(file, args, { env: environment(stage), stdio: 'ignore' });
    child.on('error', reject);
    child.on('exit', (code) =>
      code === 0 ? resolve(performance.now() - began) : reject(new Error(`${file} ended with ${code}`)),
    );
  });
}

const bareNode = (stage: Stage): Promise<number> => timeToEnd(stage, stage.node, ['-e', '0']);

async function pairs(
  name: string,
  bound: number,
  stage: Stage,
  count: number,
  belay: () => Promise<number>,
): Promise<Reading> {
  const ours: number[] = [];
  const bare: number[] = [];
  for (let n = -1; n < count; n++) {
    const pair = [await bareNode(stage), await belay()] as const;
    // The first pair fills the page cache and the compile cache.
    if (n < 0) continue;
    bare.push(pair[0]);
    ours.push(pair[1]);
  }
  const note = `least ${least(ours).toFixed(1)} and ${least(bare).toFixed(1)}`;
  return { name, unit: 'ms', belay: median(ours), baseline: median(bare), bound, note };
}

export const version: Row = {
  id: 'version',
  run: async (stage) => [
    await pairs('installed entry --version, to node -e 0', 1.3, stage, PAIRS, () =>
      timeToEnd(stage, stage.node, [stage.entry, '--version']),
    ),
  ],
};

export const throughScript: Row = {
  id: 'script',
  run: async (stage) => [
    await pairs('./belay --version, to node -e 0', 1.6, stage, PAIRS, () =>
      timeToEnd(stage, path.join(stage.root, 'belay'), ['--version']),
    ),
  ],
};

export const firstRequest: Row = {
  id: 'start',
  async run(stage) {
    const repository = path.join(stage.folder, 'repository');
    mkdirSync(repository);
    makeRepository(repository, 30);
    const measured = await pairs('start to first model request, 30 files, to node -e 0', 5, stage, 11, async () => {
      const server = await startModelServer(() => ({ text: 'done' }));
      const agent = startAgent(stage, { cwd: repository, env: server.env });
      const asked = await Promise.race([server.firstRequest, endedWell(agent).then(() => Number.NaN)]);
      await endedWell(agent);
      await server.close();
      return asked - agent.startedAt;
    });
    return [measured];
  },
};
