/** From the start of a program that goes on with a long session to its first request. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { peakRssBytes } from '../measure/processes.ts';
import { least, median } from '../measure/statistics.ts';
import type { Reading, Row, Stage } from '../row.ts';
import { endedWell, startAgent } from '../stage/agent.ts';
import { startBareNode } from '../stage/bare-spawner.ts';
import { type LongSession, makeLongSession } from '../stage/long-session.ts';
import { startModelServer } from '../stage/model-server.ts';

const PAIRS = 9;
const FACTS = 50_000;
const BLOBS_BYTES = 200e6;
const FACTS_A_ROUND = 11;

/** Milliseconds until the program says that it is ready on its standard output, which it must end well after. */
function timeToEnd(stage: Stage, script: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const child = spawn(stage.node, ['-e', script], { stdio: 'ignore' });
    child.on('error', reject);
    child.on('exit', (code) =>
      code === 0 ? resolve(performance.now() - began) : reject(new Error(`${script} ended with ${code}`)),
    );
  });
}

interface Resumed {
  readonly ms: number;
  readonly requestBytes: number;
  readonly peakBytes: number;
}

async function resume(stage: Stage, session: LongSession): Promise<Resumed> {
  const running: { pid: number; peakBytes: number } = { pid: 0, peakBytes: 0 };
  const server = await startModelServer(
    () => ({ text: 'done' }),
    async () => {
      running.peakBytes = peakRssBytes(running.pid);
    },
  );
  const command = ['resume', session.sessionId, 'go on'];
  const agent = startAgent(stage, { cwd: session.repository, env: server.env, command });
  running.pid = agent.child.pid ?? 0;
  const asked = await Promise.race([server.firstRequest, endedWell(agent).then(() => Number.NaN)]);
  await endedWell(agent);
  await server.close();
  return {
    ms: asked - agent.startedAt,
    requestBytes: server.exchanges[0]?.requestBytes ?? Number.NaN,
    peakBytes: running.peakBytes,
  };
}

async function pairs(stage: Stage, session: LongSession, script: string) {
  const ours: Resumed[] = [];
  const plain: number[] = [];
  for (let n = -1; n < PAIRS; n++) {
    const bare = await timeToEnd(stage, script);
    const resumed = await resume(stage, session);
    if (n < 0) continue;
    plain.push(bare);
    ours.push(resumed);
  }
  const times = ours.map(({ ms }) => ms);
  const note = `least ${least(times).toFixed(0)} and ${least(plain).toFixed(1)}`;
  return { ours, belay: median(times), baseline: median(plain), note };
}

export const resumed: Row = {
  id: 'resume',
  async run(stage) {
    const session = await makeLongSession(stage, { sessionId: 'rounds', rounds: 200, blobBytes: 0 });
    const { belay, baseline, note } = await pairs(stage, session, '0');
    return [
      {
        name: 'resume of 200 rounds to its first request, to node -e 0',
        unit: 'ms',
        belay,
        baseline,
        bound: 5.5,
        note,
      },
    ];
  },
};

export const large: Row = {
  id: 'large',
  async run(stage) {
    const rounds = Math.ceil(FACTS / FACTS_A_ROUND);
    const session = await makeLongSession(stage, {
      sessionId: 'large',
      rounds,
      blobBytes: Math.ceil(BLOBS_BYTES / rounds),
    });
    const file = path.join(stage.folder, 'facts.jsonl');
    const text = session.facts.map((fact) => JSON.stringify(fact)).join('\n');
    writeFileSync(file, text);
    const script = `require('node:fs').readFileSync(${JSON.stringify(file)}, 'utf8').split('\\n').map((line) => JSON.parse(line))`;
    const { ours, belay, baseline, note } = await pairs(stage, session, script);
    const bareBytes = await startBareNode(stage, peakRssBytes);
    const requestBytes = ours[0]?.requestBytes ?? Number.NaN;
    const mb = (bytes: number) => (bytes / 1e6).toFixed(1);
    const readings: Reading[] = [
      {
        name: `${session.facts.length} facts, 200 MB in blobs: to the first request, to Node reading and parsing them`,
        unit: 'ms',
        belay,
        baseline,
        bound: 2.5,
        note,
      },
      {
        name: 'peak memory of it beyond bare Node, to facts and request',
        unit: 'MB',
        belay: (median(ours.map(({ peakBytes }) => peakBytes)) - bareBytes) / 1e6,
        baseline: (text.length + requestBytes) / 1e6,
        bound: 3,
        note: `bare ${mb(bareBytes)}, facts ${mb(text.length)}, request ${mb(requestBytes)}`,
      },
    ];
    return readings;
  },
};
