/** One step taken back and brought again in a large repository, to git's look at the same files. */
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { least, median } from '../measure/statistics.ts';
import type { Row, Stage } from '../row.ts';
import { endedWell, environment, homeOf, startAgent } from '../stage/agent.ts';
import { startModelServer } from '../stage/model-server.ts';
import { makeRepository } from '../stage/repository.ts';

const FILES = 10_000;
const PAIRS = 11;

/** Milliseconds from the start of a program to its end. Throws with what it printed unless it ends with 0. */
function timeToEnd(stage: Stage, cwd: string, file: string, args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const child = spawn(file, args, { cwd, env: environment(stage), stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(performance.now() - began) : reject(new Error(`${file} ended with ${code}: ${output}`)),
    );
  });
}

export const undo: Row = {
  id: 'undo',
  async run(stage) {
    const repository = path.join(stage.folder, 'repository');
    mkdirSync(repository);
    makeRepository(repository, FILES);
    const server = await startModelServer((round) =>
      round === 0 ? { calls: [{ tool: 'Bash', args: { command: 'echo changed >> README.md' } }] } : { text: 'done' },
    );
    try {
      await endedWell(startAgent(stage, { cwd: repository, env: server.env }));
    } finally {
      await server.close();
    }
    const sessionId = readdirSync(path.join(homeOf(stage), 'sessions'))[0] ?? '';
    const readme = () => readFileSync(path.join(repository, 'README.md'), 'utf8');
    const changed = readme();
    const ours: number[] = [];
    const whole: number[] = [];
    const git: number[] = [];
    for (let n = -2; n < PAIRS; n++) {
      const verb = n % 2 === 0 ? 'undo' : 'redo';
      const belay = (...args: string[]) => timeToEnd(stage, repository, stage.node, [stage.entry, ...args]);
      const status = await timeToEnd(stage, repository, 'git', ['status', '--porcelain']);
      const start = await belay('log', sessionId);
      const step = await belay(verb, sessionId);
      if ((readme() === changed) !== (verb === 'redo')) throw new Error(`${verb} did not take effect`);
      if (n < 0) continue;
      git.push(status);
      whole.push(step);
      ours.push(step - start);
    }
    return [
      {
        name: `undo or redo of a step, ${FILES} files, beyond belay log of the session, to git status`,
        unit: 'ms',
        belay: median(ours),
        baseline: median(git),
        bound: 2.5,
        note: `whole command ${median(whole).toFixed(0)} ms; least ${least(whole).toFixed(0)} and ${least(git).toFixed(1)}`,
      },
    ];
  },
};
