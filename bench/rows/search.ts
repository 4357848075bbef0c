/** Searching a large tree, reading many files at once and starting a command, each beside the bare thing. */
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { initialState, type Json } from '#kernel';
import { createTools, type Tool } from '#tools';
import { openWorkspace, ripgrepProgram, type Workspace } from '#workspace';
import { least, median } from '../measure/statistics.ts';
import type { Reading, Row, Stage } from '../row.ts';
import { endedWell, startAgent } from '../stage/agent.ts';
import { gapsOf, startModelServer } from '../stage/model-server.ts';

const FILES = 50_000;
const FOLDERS = 500;
const PAIRS = 15;
const READS = 20;
const READ_ROUNDS = 90;
const STARTS = 41;

export const search: Row = {
  id: 'search',
  async run(stage) {
    const root = makeTree(path.join(stage.folder, 'tree'), FILES);
    makeTree(path.join(stage.folder, 'few'), FOLDERS);
    const workspace = await openWorkspace({ root, protectedPaths: [], env: process.env });
    const rg = await ripgrepProgram(workspace.processes);
    if (rg === null) throw new Error('ripgrep is not installed');
    const tools = callerOf(stage, workspace);
    try {
      return [
        await beside(
          `Grep over ${FILES} files, to rg -l`,
          () => tools('Grep', { pattern: 'needle', head_limit: 2000 }),
          () => bare(rg, ['-l', 'needle', '.'], root),
        ),
        await beside(
          `Grep with lines and a glob over ${FILES} files, to rg -n -g`,
          () => tools('Grep', { pattern: 'needle', glob: 'src/**/*.ts', output_mode: 'content' }),
          () => bare(rg, ['-n', '-g', 'src/**/*.ts', 'needle', '.'], root),
        ),
        await globs(tools, rg, root),
        await reads(stage, path.join(stage.folder, 'few')),
        await starts(tools, root),
      ];
    } finally {
      await workspace.processes.stopLeftovers();
    }
  },
};

/** Source files of a few kilobytes in nested folders; one in five hundred holds the word that is looked for. */
function makeTree(root: string, files: number): string {
  mkdirSync(path.join(root, '.git'), { recursive: true });
  writeFileSync(path.join(root, '.gitignore'), 'node_modules/\n*.log\n');
  for (let n = 0; n < files; n++) {
    const folder = path.join(root, 'src', `part-${n % 25}`, `room-${n % FOLDERS}`);
    if (n < FOLDERS) mkdirSync(folder, { recursive: true });
    const lines = Array.from({ length: 30 }, (_, i) => `export const value${n}x${i} = compute(${i}, 'text ${n}');`);
    if (n % 500 === 0) lines.push('// the needle is here');
    writeFileSync(path.join(folder, `file-${n}.${n % 2 === 0 ? 'ts' : 'js'}`), `${lines.join('\n')}\n`);
  }
  return root;
}

type Call = (name: string, args: Json) => Promise<void>;

function callerOf(stage: Stage, workspace: Workspace): Call {
  const tools = new Map<string, Tool>(createTools(workspace).map((tool) => [tool.definition.name, tool]));
  let n = 0;
  return async (name, args) => {
    const attemptId = `search-${process.pid}-${++n}`;
    const prepared = await tools.get(name)?.prepare(args, {
      actionId: attemptId,
      attemptId,
      execFolder: path.join(stage.folder, 'exec', attemptId),
      bootId: await workspace.processes.bootId(),
      signal: new AbortController().signal,
      state: () => initialState,
      onOutput: () => {},
    });
    if (prepared?.ok !== true) throw new Error(`${name} could not be prepared`);
    const outcome = await prepared.attempt.run();
    if (outcome.status !== 'succeeded') throw new Error(`${name}: ${outcome.output}`);
  };
}

async function beside(
  name: string,
  ours: () => Promise<void>,
  plain: () => Promise<void>,
  bound = 1.3,
  pairs = PAIRS,
): Promise<Reading> {
  const belay: number[] = [];
  const baseline: number[] = [];
  for (let n = -2; n < pairs; n++) {
    const [a, b] = [await timed(plain), await timed(ours)];
    if (n < 0) continue;
    baseline.push(a);
    belay.push(b);
  }
  const note = `least ${least(belay).toFixed(1)} and ${least(baseline).toFixed(1)}`;
  return { name, unit: 'ms', belay: median(belay), baseline: median(baseline), bound, note };
}

/** Beside the plain list, and told beside the one that ripgrep's own glob narrows: that glob forgets ignore rules. */
async function globs(tools: Call, rg: string, root: string): Promise<Reading> {
  const ours = () => tools('Glob', { pattern: 'src/**/*.ts' });
  const plain = await beside(`Glob over ${FILES} files, to rg --files`, ours, () => bare(rg, ['--files', '.'], root));
  const narrowed = await beside('', ours, () => bare(rg, ['--files', '-g', 'src/**/*.ts', '.'], root));
  const ratio = (narrowed.belay / (narrowed.baseline ?? Number.NaN)).toFixed(2);
  return { ...plain, note: `${plain.note}; to rg --files -g, which brings ignored files back, ${ratio}×` };
}

async function timed(run: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await run();
  return performance.now() - began;
}

/** As the tool starts it: pipes, and the whole answer collected. */
function bare(file: string, args: readonly string[], cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, stdio: 'pipe' });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stdin.end();
    child.on('error', reject);
    child.on('close', () =>
      Buffer.concat(chunks).length > 0 ? resolve() : reject(new Error(`${args.join(' ')} found nothing`)),
    );
  });
}

/** Rounds with one read and with many take turns in one run of an agent. */
async function reads(stage: Stage, root: string): Promise<Reading> {
  const read = (round: number, i: number) => {
    const n = (round * READS + i) % FOLDERS;
    const file_path = `src/part-${n % 25}/room-${n}/file-${n}.${n % 2 === 0 ? 'ts' : 'js'}`;
    return { tool: 'Read', args: { file_path } };
  };
  const server = await startModelServer((round) =>
    round === READ_ROUNDS
      ? { text: 'done' }
      : { calls: Array.from({ length: round % 2 === 0 ? 1 : READS }, (_, i) => read(round, i)) },
  );
  try {
    await endedWell(startAgent(stage, { cwd: root, env: server.env }));
  } finally {
    await server.close();
  }
  const steady = gapsOf(server.exchanges).slice(10);
  const one = steady.filter((_, i) => i % 2 === 0);
  const many = steady.filter((_, i) => i % 2 === 1);
  return {
    name: `gap over a round of ${READS} reads, to a round of one`,
    unit: 'ms',
    belay: median(many),
    baseline: median(one),
    bound: 3,
    note: `least ${least(many).toFixed(1)} and ${least(one).toFixed(1)}`,
  };
}

function starts(tools: Call, root: string): Promise<Reading> {
  return beside(
    'Bash true, to a plain spawn of bash -c true',
    () => tools('Bash', { command: 'true' }),
    () =>
      new Promise((resolve, reject) => {
        const child = spawn('bash', ['-c', 'true'], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
        child.on('error', reject);
        child.on('close', () => resolve());
      }),
    2.5,
    STARTS,
  );
}
