/**
 * Starts programs with 0, 1, 2, … descriptors left, in fresh workspaces, and prints what became of each. Arguments: FOLDER.
 * It needs a limit of descriptors that can be filled.
 */
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { openWorkspace, runTool } from '#workspace';

const [folder = ''] = process.argv.slice(2);
const options = { cwd: '/', env: { PATH: '/usr/bin:/bin' }, timeoutMs: 10_000, outputBytesMax: 1_000 };

async function command(at: string): Promise<string> {
  const workspace = await openWorkspace({ root: at, protectedPaths: [], env: process.env });
  const { signal } = new AbortController();
  const own = {
    cwd: at,
    execFolder: `${at}-exec`,
    attemptId: at.replaceAll('/', '-'),
    actionId: 'a',
    timeoutMs: 10_000,
  };
  fill();
  try {
    return (await (await workspace.processes.prepare({ command: 'true', signal, ...own })).start()).state;
  } catch (error) {
    return String(error);
  } finally {
    empty(taken.length);
    await workspace.processes.stopLeftovers();
  }
}

const taken: number[] = [];
let left = 0;

/** Takes all descriptors but `left`. */
function fill(): void {
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'));
  } catch {
    empty(left);
  }
}

function empty(count: number): void {
  for (const fd of taken.splice(0, count)) closeSync(fd);
}

const told: object[] = [];
for (; left < 16; left++) {
  fill();
  const { exitCode } = await runTool('/bin/true', [], options);
  empty(taken.length);
  mkdirSync(`${folder}/${left}`);
  told.push({ tool: exitCode, command: await command(`${folder}/${left}`) });
}
process.stdout.write(JSON.stringify(told));
