import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import type { Mutant } from './find-mutants.ts';
import type { Room } from './permission-room.ts';
import type { Told } from './worker.ts';

export interface Result {
  readonly mutant: Mutant;
  /** The test that found it, or why it cannot have gone on; null: it survived. */
  readonly killer: string | null;
}

/** Loaded modules are never forgotten, so a process that has loaded so many rooms makes place for the next one. */
const perProcessMax = 400;
/** So long a process may say nothing. It does so from test to test, however long all of them take. */
const hangMs = 60_000;

/** Runs the tests against every fault, in `jobs` processes. Rejects where the tests fail without any fault. */
export async function runMutants(
  room: Room,
  mutants: readonly Mutant[],
  { jobs, onResult }: { readonly jobs: number; readonly onResult: (result: Result) => void },
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const waiting = mutants.map((_mutant, number) => number);
  let told = false;
  const tell = ({ tests, slow }: Extract<Told, { ready: true }>): void => {
    if (!told) process.stdout.write(`${mutants.length} faults, ${tests} tests\n`);
    if (!told) for (const name of slow) process.stdout.write(`left out, slow: ${name}\n`);
    told = true;
  };
  const work = async (): Promise<void> => {
    while (waiting.length > 0) {
      const worker = await startWorker(room);
      tell(worker.ready);
      for (let count = 0; count < perProcessMax; count++) {
        const number = waiting.shift();
        const mutant = number === undefined ? undefined : mutants[number];
        if (number === undefined || mutant === undefined) break;
        const answer = await worker.ask({ number, mutant });
        const result = { mutant, killer: answer === null ? 'it does not end' : answer.killer };
        results.push(result);
        onResult(result);
        if (results.length % 250 === 0) process.stdout.write(`… ${results.length}\n`);
        if (answer === null) break;
      }
      worker.end();
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return results;
}

interface Worker {
  readonly ready: Extract<Told, { ready: true }>;
  ask(question: object): Promise<Extract<Told, { done: number }> | null>;
  end(): void;
}

async function startWorker({ tests, anew }: Room): Promise<Worker> {
  const child = fork(path.join(import.meta.dirname, 'worker.ts'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const end = (): void => void child.kill('SIGKILL');
  child.send({ tests, anew });
  const ready = await answerOf(child);
  if (ready === null || !('ready' in ready)) {
    end();
    throw new Error('the tests do not end');
  }
  if (ready.failed.length > 0) {
    end();
    throw new Error(`tests fail without any fault: ${ready.failed.join('; ')}`);
  }
  return {
    ready,
    end,
    async ask(question) {
      child.send(question);
      const answer = await answerOf(child);
      return answer !== null && 'done' in answer ? answer : null;
    },
  };
}

type Answer = Exclude<Told, { alive: true }>;

/** The next answer; null where nothing comes in time or the process ends. */
function answerOf(child: ChildProcess): Promise<Answer | null> {
  return new Promise((resolve) => {
    const settle = (told: Told | null): void => {
      if (told !== null && 'alive' in told) {
        timer.refresh();
        return;
      }
      clearTimeout(timer);
      child.off('message', settle);
      child.off('exit', gone);
      resolve(told);
    };
    const gone = (): void => settle(null);
    const timer = setTimeout(gone, hangMs);
    child.on('message', settle);
    child.on('exit', gone);
  });
}
