/** What the list of many sessions costs. */
import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { openStore } from '#ledger';
import { version } from '../../src/assembly/version.ts';
import { least, median } from '../measure/statistics.ts';
import type { Row, Stage } from '../row.ts';
import { environment, homeOf } from '../stage/agent.ts';
import { makeLongSession } from '../stage/long-session.ts';

const SESSIONS = 300;
const PAIRS = 11;

function timeToEnd(stage: Stage, args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const child = spawn(stage.node, args, { env: environment(stage), stdio: 'ignore' });
    child.on('error', reject);
    child.on('exit', (code) =>
      code === 0 ? resolve(performance.now() - began) : reject(new Error(`${args.join(' ')} ended with ${code}`)),
    );
  });
}

export const listing: Row = {
  id: 'list',
  async run(stage) {
    const { sessionId } = await makeLongSession(stage, { sessionId: 'first', rounds: 60, blobBytes: 0 });
    const sessions = path.join(homeOf(stage), 'sessions');
    const ledger = path.join(sessions, sessionId, 'ledger.log');
    for (let n = 0; n < SESSIONS - 2; n++) {
      const folder = path.join(sessions, `copy-${n}`);
      mkdirSync(folder);
      copyFileSync(ledger, path.join(folder, 'ledger.log'));
    }
    const store = openStore({ home: homeOf(stage), program: version });
    const whole: number[] = [];
    const inside: number[] = [];
    const bare: number[] = [];
    for (let n = -1; n < PAIRS; n++) {
      const node = await timeToEnd(stage, ['-e', '0']);
      const command = await timeToEnd(stage, [stage.entry, 'sessions']);
      const began = performance.now();
      const listed = await store.list();
      const took = performance.now() - began;
      if (listed.length !== SESSIONS) throw new Error(`${listed.length} sessions are listed`);
      if (n < 0) continue;
      bare.push(node);
      whole.push(command);
      inside.push(took);
    }
    const kilobytes = (statSync(ledger).size / 1000).toFixed(0);
    return [
      {
        name: `belay sessions, ${SESSIONS} of ${kilobytes} kB each, to node -e 0`,
        unit: 'ms',
        belay: median(whole),
        baseline: median(bare),
        bound: 1.5,
        note: `least ${least(whole).toFixed(0)} and ${least(bare).toFixed(1)}; the list alone ${median(inside).toFixed(1)} ms`,
      },
    ];
  },
};
