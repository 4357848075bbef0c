/** The supervisor beside a bare shell: how fast output is kept, and how soon an attempt left behind is settled. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { openWorkspace, type SpawnRequest } from '#workspace';
import { median } from '../measure/statistics.ts';
import type { Reading, Row, Stage } from '../row.ts';

const BYTES = 200_000_000;
const PAIRS = 7;
const ENDS = 21;
/** By then the second agent waits for the command. */
const ATTACHED_MS = 30;

export const commands: Row = {
  id: 'commands',
  async run(stage) {
    const root = path.join(stage.folder, 'work');
    mkdirSync(root);
    const options = { root, protectedPaths: [], lockFolder: path.join(stage.folder, 'lock'), env: process.env };
    const workspace = await openWorkspace(options);
    let n = 0;
    const requestOf = (command: string): SpawnRequest => ({
      command,
      cwd: root,
      execFolder: path.join(stage.folder, 'exec', `bench-${++n}`),
      attemptId: `bench-${process.pid}-${n}`,
      actionId: `bench-${n}`,
      timeoutMs: 60_000,
      spoolBytesMax: 2 * BYTES,
      signal: new AbortController().signal,
    });
    try {
      return [await spooled(stage, workspace.processes, requestOf), ...(await settled(stage, options, requestOf))];
    } finally {
      await workspace.processes.stopLeftovers();
    }
  },
};

type Processes = Awaited<ReturnType<typeof openWorkspace>>['processes'];
type RequestOf = (command: string) => SpawnRequest;

async function spooled(stage: Stage, processes: Processes, requestOf: RequestOf): Promise<Reading> {
  const command = `yes 'a line of output as a build prints it' | head -c ${BYTES}`;
  const kept: number[] = [];
  const plain: number[] = [];
  let grownBytes = 0;
  for (let n = -1; n < PAIRS; n++) {
    const file = path.join(stage.folder, 'plain');
    const bare = await bareTime(`{ ${command}; } | cat > ${file}`);
    rmSync(file);
    const request = requestOf(command);
    const before = process.memoryUsage.rss();
    const began = performance.now();
    const result = await (await processes.prepare(request)).start();
    const took = performance.now() - began;
    if (result.outputBytes !== BYTES || statSync(result.spoolPath).size < BYTES)
      throw new Error(`${result.outputBytes} bytes were kept (${result.state})`);
    rmSync(request.execFolder, { recursive: true });
    if (n < 0) continue;
    grownBytes = Math.max(grownBytes, process.memoryUsage.rss() - before);
    kept.push(took);
    plain.push(bare);
  }
  return {
    name: `time to keep ${BYTES / 1e6} MB of output, to cmd | cat > file`,
    unit: 'ms',
    belay: median(kept),
    baseline: median(plain),
    bound: 1 / 0.8,
    note: `throughput ${(median(plain) / median(kept)).toFixed(2)}×, the agent grew by at most ${(grownBytes / 1e6).toFixed(0)} MB`,
  };
}

async function settled(
  stage: Stage,
  options: Parameters<typeof openWorkspace>[0],
  requestOf: RequestOf,
): Promise<readonly Reading[]> {
  const fifo = path.join(stage.folder, 'fifo');
  if (spawnSync('mkfifo', [fifo]).status !== 0) throw new Error('mkfifo failed');
  const command = `read word < ${fifo}`;
  const attached: number[] = [];
  const receipts: number[] = [];
  const exits: number[] = [];
  for (let n = -1; n < ENDS; n++) {
    const bare = spawn('bash', ['-c', command], { stdio: 'ignore' });
    const exit = new Promise((resolve) => bare.once('exit', resolve));
    const bareBegan = await release(await open(fifo, 'w'), 0);
    await exit;
    const bareTook = performance.now() - bareBegan;

    const [first, second] = [await openWorkspace(options), await openWorkspace(options)];
    const bootId = await first.processes.bootId();
    const request = requestOf(command);
    const running = (await first.processes.prepare(request)).start();
    // The pipe opens when the command reads from it: it has started, and cannot be revoked any more.
    const writer = await open(fifo, 'w');
    const settling = second.processes.settle({ ...request, bootId });
    const began = await release(writer, ATTACHED_MS);
    const reattached = await settling;
    const attachedTook = performance.now() - began;
    await running;
    const again = performance.now();
    const receipt = await second.processes.settle({ ...request, bootId });
    const receiptTook = performance.now() - again;
    for (const one of [first, second]) await one.processes.stopLeftovers();
    if (reattached.state !== 'exited' || receipt.provenance !== 'receipt')
      throw new Error(`settled as ${reattached.state} and by ${receipt.provenance}`);
    if (n < 0) continue;
    exits.push(bareTook);
    attached.push(attachedTook);
    receipts.push(receiptTook);
  }
  const beside = `a bare child exits after ${median(exits).toFixed(1)} ms`;
  return [
    {
      name: 'from the end of a command to the end of a wait that was attached to it again',
      unit: 'ms',
      belay: median(attached),
      baseline: null,
      bound: 25,
      note: beside,
    },
    {
      name: 'settling a command by its receipt',
      unit: 'ms',
      belay: median(receipts),
      baseline: null,
      bound: 5,
      note: beside,
    },
  ];
}

/** Lets a command that reads from a pipe end, so much later; tells when. */
async function release(writer: FileHandle, afterMs: number): Promise<number> {
  try {
    await new Promise((resolve) => setTimeout(resolve, afterMs));
    const began = performance.now();
    await writer.write('go\n');
    return began;
  } finally {
    await writer.close();
  }
}

function bareTime(command: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const child = spawn('bash', ['-c', command], { stdio: 'ignore' });
    child.on('error', reject);
    child.on('exit', () => resolve(performance.now() - began));
  });
}
