/** What a round over a durable writing step costs: wall clock, its growth, CPU, memory and bytes of facts. */
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { cpuMs, peakRssBytes, treeRssBytes } from '../measure/processes.ts';
import { least, median } from '../measure/statistics.ts';
import type { Reading, Row, Stage } from '../row.ts';
import { type Agent, endedWell, homeOf, startAgent } from '../stage/agent.ts';
import { startBareNode, startBareSpawner } from '../stage/bare-spawner.ts';
import { gapsOf, startModelServer } from '../stage/model-server.ts';
import { makeRepository } from '../stage/repository.ts';

const ROUNDS = 220;
/** Rounds before this one are warm-up: a just-in-time compiler has not seen them yet. */
const STEADY = 20;
const SAMPLE_MS = 20;
const CONFINED = 80;
/** As the bare spawn is: what a sandbox costs is the kernel's and bubblewrap's, and has a figure of its own. */
const unconfined = ['--sandbox', 'off'] as const;

export const rounds: Row = {
  id: 'rounds',
  async run(stage) {
    const repository = path.join(stage.folder, 'rounds');
    mkdirSync(repository);
    makeRepository(repository, 2_000);
    const bare = startBareSpawner(stage);
    const baseline: number[] = [];
    const at = new Map<number, { cpu: number; bareCpu: number; bytes: number }>();
    const running: { agent: Agent | null } = { agent: null };
    const server = await startModelServer(
      (round) => (round < ROUNDS ? { calls: [echo(round)] } : { text: 'done' }),
      async (round) => {
        const pid = running.agent?.child.pid ?? 0;
        at.set(round, { cpu: cpuMs(pid), bareCpu: cpuMs(bare.pid), bytes: ledgerBytes(stage) });
        // The same command, bare, while the agent waits: both see the same moment of a noisy machine.
        if (round < ROUNDS) baseline.push(await bare.time(`echo ${round} >> bare.txt`, stage.folder));
      },
    );
    const agent = startAgent(stage, { cwd: repository, env: server.env, args: unconfined });
    running.agent = agent;
    try {
      await endedWell(agent);
    } finally {
      bare.close();
      await server.close();
    }
    const gaps = gapsOf(server.exchanges);
    const slope = (of: (point: { cpu: number; bareCpu: number; bytes: number }) => number): number => {
      const [from, to] = [at.get(STEADY), at.get(ROUNDS - 1)];
      return from === undefined || to === undefined ? Number.NaN : (of(to) - of(from)) / (ROUNDS - 1 - STEADY);
    };
    const steady = gaps.slice(STEADY);
    const bareSteady = baseline.slice(STEADY);
    const readings: Reading[] = [
      {
        name: 'gap over a durable writing step, 2,000 files, to the same spawned with pipes',
        unit: 'ms',
        belay: median(steady),
        baseline: median(bareSteady),
        bound: 3.2,
        note: `least ${least(steady).toFixed(1)} and ${least(bareSteady).toFixed(1)}: ${(least(steady) / least(bareSteady)).toFixed(2)}`,
      },
      {
        name: 'gap at round 200, to round 50',
        unit: 'ms',
        belay: median(gaps.slice(180, 220)),
        baseline: median(gaps.slice(30, 70)),
        bound: 1.2,
      },
      {
        name: 'CPU a round, to a bare spawn of bash -c (children counted)',
        unit: 'ms',
        belay: slope((point) => point.cpu),
        baseline: slope((point) => point.bareCpu),
        bound: 4,
      },
      {
        name: 'facts of such a round',
        unit: 'bytes',
        belay: slope((point) => point.bytes),
        baseline: null,
        bound: 1_600,
      },
    ];
    return [...readings, await sandboxed(stage, repository, median(steady))];
  },
};

/** The same round where the command is confined, as it is unless the user says otherwise. */
async function sandboxed(stage: Stage, cwd: string, unconfinedMs: number): Promise<Reading> {
  const server = await startModelServer((round) => (round < CONFINED ? { calls: [echo(round)] } : { text: 'done' }));
  try {
    await endedWell(startAgent(stage, { cwd, env: server.env }));
  } finally {
    await server.close();
  }
  const gaps = gapsOf(server.exchanges).slice(STEADY);
  return {
    name: 'what the sandbox adds to such a round',
    unit: 'ms',
    belay: median(gaps) - unconfinedMs,
    baseline: null,
    bound: 15,
    note: `least gap ${least(gaps).toFixed(1)}`,
  };
}

/** A run of its own: looking at every process again and again would disturb a clock. */
export const memory: Row = {
  id: 'memory',
  async run(stage) {
    const repository = path.join(stage.folder, 'memory');
    mkdirSync(repository);
    makeRepository(repository, 2_000);
    const server = await startModelServer((round) => (round < ROUNDS ? { calls: [echo(round)] } : { text: 'done' }));
    const agent = startAgent(stage, { cwd: repository, env: server.env, args: unconfined });
    let peak = 0;
    const sampler = setInterval(() => {
      peak = Math.max(peak, treeRssBytes(agent.child.pid ?? 0));
    }, SAMPLE_MS);
    try {
      await endedWell(agent);
    } finally {
      clearInterval(sampler);
      await server.close();
    }
    const baseline = (await startBareNode(stage, peakRssBytes)) / 1e6;
    const note = `sampled every ${SAMPLE_MS} ms, ${ROUNDS} rounds`;
    return [
      {
        name: 'peak memory of the process tree, to bare Node',
        unit: 'MB',
        belay: peak / 1e6,
        baseline,
        bound: 3,
        note,
      },
    ];
  },
};

const echo = (round: number) => ({ tool: 'Bash', args: { command: `echo ${round} >> log.txt` } });

/** Size of the only ledger on this stage's home so far, or of the newest of several. */
function ledgerBytes(stage: Stage): number {
  const sessions = path.join(homeOf(stage), 'sessions');
  const files = readdirSync(sessions).map((id) => statSync(path.join(sessions, id, 'ledger.log')));
  return files.sort((a, b) => b.birthtimeMs - a.birthtimeMs)[0]?.size ?? 0;
}
