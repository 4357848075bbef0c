/** The simulated services keep what every tool promises. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { initialState } from '#kernel';
import { type Subject, toolKeepsItsPromises } from '../../tools/conformance.ts';
import { runningMachine } from '../pump.ts';
import { remoteTools } from './remote-tools.ts';

const { machine, world } = runningMachine(13);
const folder = mkdtempSync(join(tmpdir(), 'belay-sim-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let made = 0;
for (const tool of remoteTools()) {
  toolKeepsItsPromises(tool.definition.name, async (): Promise<Subject> => {
    const token = `T${String(++made).padStart(4, '0')}`;
    return {
      tool,
      args: { token },
      context: (attemptId) => ({
        actionId: `action-${token}`,
        attemptId: `${token}-${attemptId}`,
        execFolder: join(folder, `${token}-${attemptId}`),
        bootId: machine.bootId,
        signal: new AbortController().signal,
        state: () => initialState,
        onOutput: () => {},
      }),
      effects: () => world.count(token),
      world: () => String(world.count(token)),
    };
  });
}
