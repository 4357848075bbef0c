/** Real shells in a fresh folder, with programs that do what those of the simulated machine do. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Processes, SpawnRequest } from '#workspace';
import { readTree } from '../../../../src/workspace/process/exec-folder.ts';
import { openProcesses } from '../../../../src/workspace/process/open-processes.ts';
import { programFinder } from '../../../../src/workspace/process/programs.ts';
import type { Stage } from './process-cases.ts';

const programs: { readonly [name: string]: string } = {
  append: 'echo "$1" >>log.txt; echo "did $1"',
  fail: 'echo "$1" >>log.txt; echo "did $1"; exit 3',
  slow: 'echo working; sleep 0.2; echo "$1" >>log.txt; echo "did $1"',
};

let attempts = 0;

export async function onStage<T>(play: (stage: Stage) => Promise<T>): Promise<T> {
  const top = mkdtempSync(join(tmpdir(), 'belay-twin-'));
  const [root, bin, exec] = ['work', 'bin', 'exec'].map((name) => join(top, name)) as [string, string, string];
  for (const folder of [root, bin, exec]) mkdirSync(folder);
  for (const [name, body] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${body}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}` };
  const opened: Processes[] = [];
  const bootId = 'this-boot';
  try {
    return await play({
      bootId,
      agent(boot = bootId) {
        const processes = openProcesses({ root, env, protectedPaths: [] }, programFinder(root, env.PATH), boot);
        opened.push(processes);
        return processes;
      },
      request(command, more) {
        const attemptId = `attempt-${process.pid}-${++attempts}`;
        const execFolder = join(exec, attemptId);
        const { signal } = new AbortController();
        return { command, cwd: root, execFolder, attemptId, actionId: 'a', timeoutMs: 15_000, signal, ...more };
      },
      hasSaid: (request, text) => isIn(join(request.execFolder, 'out'), text),
      isThere: (request, name) => existsSync(join(request.execFolder, name)),
      isReady: ({ execFolder }) => readTree(execFolder) !== null,
      freeze: (request) => signal(request, 'SIGSTOP'),
      thaw: (request) => signal(request, 'SIGCONT'),
      killShells: (request) => kill(request, (words) => words.includes('belay')),
      killAll: (request) => kill(request, () => true),
      remove: (request, name = '') => rmSync(join(request.execFolder, name), { recursive: true }),
      effects: (token) =>
        isIn(join(root, 'log.txt'), token) ? read(join(root, 'log.txt')).split(token).length - 1 : 0,
      sleep: (ms) => sleep(ms),
    });
  } finally {
    for (const processes of opened) await processes.stopLeftovers();
    rmSync(top, { recursive: true, force: true });
  }
}

const read = (path: string): string => readFileSync(path, 'latin1');
const isIn = (path: string, text: string): boolean => existsSync(path) && read(path).includes(text);

const leaderOf = (execFolder: string): number => readTree(execFolder)?.leader ?? Number.NaN;
const signal = ({ execFolder }: SpawnRequest, name: NodeJS.Signals): void =>
  void process.kill(-leaderOf(execFolder), name);

/** Kills processes of the wrapper's session by their words; all of them are stopped before one can tell of another. */
function kill(request: SpawnRequest, isMeant: (words: readonly string[]) => boolean): void {
  const leader = leaderOf(request.execFolder);
  const inSession = (pid: string): boolean => {
    try {
      return (
        Number(
          read(`/proc/${pid}/stat`)
            .replace(/^.*\) /s, '')
            .split(' ')[3],
        ) === leader
      );
    } catch {
      return false;
    }
  };
  signal(request, 'SIGSTOP');
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name) && inSession(name))) {
    if (isMeant(read(`/proc/${pid}/cmdline`).split('\0'))) process.kill(Number(pid), 'SIGKILL');
  }
  try {
    signal(request, 'SIGCONT');
  } catch {
    // Nobody is left.
  }
}
