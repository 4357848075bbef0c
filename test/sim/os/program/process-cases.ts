/**
 * What can become of a command, as one list of cases for two machines: `node process-cases.ts real` runs them with real
 * shells, `simulated` on the simulated machine. Both print what the product says of each case, as JSON.
 */
import type { Processes, ProcessResult, SpawnRequest } from '#workspace';
import { install } from '../../loader.ts';

/** A machine on which commands are run. Its programs are those of `commands.ts`. */
interface Stage {
  /** The processes as another agent has them. */
  agent(bootId?: string): Processes;
  readonly bootId: string;
  request(command: string, more?: Partial<SpawnRequest>): SpawnRequest;
  /** Whether the command of the attempt has written this. */
  hasSaid(request: SpawnRequest, text: string): boolean;
  isThere(request: SpawnRequest, name: string): boolean;
  /** Whether its shells wait for the go line. */
  isReady(request: SpawnRequest): boolean;
  killShells(request: SpawnRequest): void;
  killAll(request: SpawnRequest): void;
  /** Stops the shells of an attempt, and lets them go on. */
  freeze(request: SpawnRequest): void;
  thaw(request: SpawnRequest): void;
  /** Removes a file of the attempt; without a name, its whole folder. */
  remove(request: SpawnRequest, name?: string): void;
  /** How often the effect of this name happened. */
  effects(token: string): number;
  sleep(ms: number): Promise<void>;
}

type Said = readonly (string | number | null | boolean)[];
const says = ({ state, exitCode, provenance, consistent }: ProcessResult): Said => [
  state,
  exitCode,
  provenance,
  consistent,
];
const textOf = ({ output }: ProcessResult): string => Buffer.from(output).toString('latin1');

async function until(stage: Stage, holds: () => boolean): Promise<void> {
  for (let n = 0; !holds(); n++) {
    if (n > 5_000) throw new Error('it never came');
    await stage.sleep(2);
  }
}

const settle = (stage: Stage, request: SpawnRequest, more: object = {}): Promise<ProcessResult> =>
  stage.agent().settle({ ...request, bootId: stage.bootId, ...more });

/** Starts a command that is still at work; its agent is not heard any more. */
async function atWork(stage: Stage, token: string, more: Partial<SpawnRequest> = {}): Promise<SpawnRequest> {
  const request = stage.request(`slow ${token}`, more);
  const prepared = await stage.agent().prepare(request);
  void prepared.start().catch(() => undefined);
  await until(stage, () => stage.hasSaid(request, 'working'));
  return request;
}

async function ended(stage: Stage, command: string): Promise<SpawnRequest> {
  const request = stage.request(command);
  await (await stage.agent().prepare(request)).start();
  return request;
}

interface Cases {
  readonly [name: string]: (stage: Stage, token: string) => Promise<unknown>;
}

const cases: Cases = {
  'a command that ends well': async (stage, token) => {
    const end = await (await stage.agent().prepare(stage.request(`append ${token}`))).start();
    return [says(end), textOf(end)];
  },
  'a command that fails': async (stage, token) => {
    const end = await (await stage.agent().prepare(stage.request(`fail ${token}`))).start();
    return [says(end), textOf(end)];
  },
  'a command that is not there': async (stage) =>
    says(await (await stage.agent().prepare(stage.request('nowhere'))).start()),
  'the receipt tells an ended command, twice': async (stage, token) => {
    const request = await ended(stage, `fail ${token}`);
    const first = await settle(stage, request);
    return [says(first), textOf(first), says(await settle(stage, request))];
  },
  'a command at work is waited for': async (stage, token) => {
    const end = await settle(stage, await atWork(stage, token));
    return [says(end), textOf(end)];
  },
  'nobody says go': async (stage, token) => {
    const request = stage.request(`append ${token}`);
    const prepared = await stage.agent().prepare(request);
    const settled = [says(await settle(stage, request)), says(await settle(stage, request))];
    await prepared.discard();
    return settled;
  },
  'what was revoked does not run when go comes after all': async (stage, token) => {
    const request = stage.request(`append ${token}`);
    const prepared = await stage.agent().prepare(request);
    const settled = await settle(stage, request);
    return [says(settled), (await prepared.start()).state];
  },
  'it is frozen before its claim, and thawed after it was revoked': async (stage, token) => {
    const request = stage.request(`append ${token}`);
    const prepared = await stage.agent().prepare(request);
    await until(stage, () => stage.isReady(request));
    stage.freeze(request);
    const running = prepared.start();
    const settled = await settle(stage, request);
    stage.thaw(request);
    return [says(settled), says(await running)];
  },
  'what was made ready is discarded': async (stage, token) => {
    const request = stage.request(`append ${token}`);
    await (await stage.agent().prepare(request)).discard();
    return [stage.isThere(request, 'claim'), says(await settle(stage, request, { isOptional: true }))];
  },
  'its shells are killed and it goes on': async (stage, token) => {
    const request = await atWork(stage, token);
    stage.killShells(request);
    return says(await settle(stage, request));
  },
  'everything of it is killed': async (stage, token) => {
    const request = await atWork(stage, token);
    stage.killAll(request);
    // What dies is still alive for a moment.
    await stage.sleep(100);
    const end = await settle(stage, request);
    return [says(end), textOf(end)];
  },
  'another boot, with a receipt': async (stage, token) => {
    const request = await ended(stage, `append ${token}`);
    return says(await stage.agent('another-boot').settle({ ...request, bootId: stage.bootId }));
  },
  'its claim was removed after it ended': async (stage, token) => {
    const request = await ended(stage, `append ${token}`);
    stage.remove(request, 'claim');
    return says(await settle(stage, request));
  },
  'its receipt was removed after it ended': async (stage, token) => {
    const request = await ended(stage, `append ${token}`);
    stage.remove(request, 'rc');
    return says(await settle(stage, request));
  },
  'its folder was removed after it ended': async (stage, token) => {
    const request = await ended(stage, `append ${token}`);
    stage.remove(request);
    return says(await settle(stage, request));
  },
};

/** A command that is deaf to the first signal may still come to its effect. */
const stopped: Cases = {
  'a deadline': async (stage, token) => {
    const request = stage.request(`slow ${token}`, { timeoutMs: 10 });
    const end = await (await stage.agent().prepare(request)).start();
    return [end.state, end.leftAlive];
  },
  'a cancellation': async (stage, token) => {
    const abort = new AbortController();
    const request = stage.request(`slow ${token}`, { signal: abort.signal });
    const running = (await stage.agent().prepare(request)).start();
    await until(stage, () => stage.hasSaid(request, 'working'));
    abort.abort();
    const end = await running;
    return [end.state, end.leftAlive];
  },
};

const kind = process.argv[2];
if (kind === 'simulated') install(null);
const { onStage } = kind === 'simulated' ? await import('./simulated-stage.ts') : await import('./real-stage.ts');
const told: { [name: string]: unknown } = {};
let n = 0;
for (const [name, play] of [...Object.entries(cases), ...Object.entries(stopped)]) {
  const token = `T${String(++n).padStart(4, '0')}`;
  told[name] = await onStage(async (stage: Stage) => {
    const said = await play(stage, token);
    return name in stopped ? said : { said, effects: stage.effects(token) };
  });
}
process.stdout.write(JSON.stringify(told));

export type { Stage };
