/**
 * What `node:child_process` is inside a simulation: `spawn` starts the supervisor's wrapper, which claims, runs its
 * command, and tells the end, step by step, whatever becomes of who started it. The command may be killed, too.
 */
import { theWorld } from '../world.ts';
import { type Command, runCommand } from './commands.ts';
import { appendFile, claimFile, markBegun, writeReceipt } from './exec-files.ts';
import { type Process, theMachine } from './machine.ts';
import { addTask, type Task } from './process-table.ts';

export * from 'node:child_process';

interface SpawnOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A wrapper with its command, for whoever plans trouble. */
export interface Running {
  readonly attemptId: string;
  readonly wrapper: Process;
  readonly command: Process;
  /** Kills the shells: the command goes on, and nobody can tell its exit code. */
  killShells(): void;
  killAll(): void;
}
const running: Running[] = [];
export const resetRunning = (): void => void running.splice(0);
export const runningCommands = (): readonly Running[] =>
  running.filter((one) => one.wrapper.alive || one.command.alive);

type Listener = (...args: never[]) => void;

/** Listeners of one of the agent's objects; they are called as the agent, and hear everything in its order. */
function emitter(agent: Process | null) {
  const listeners = new Map<string, Listener[]>();
  let lastMs = 0;
  return {
    on: (topic: string, listener: Listener) => void listeners.set(topic, [...(listeners.get(topic) ?? []), listener]),
    tell(topic: string, ...args: unknown[]) {
      const machine = theMachine();
      const call = () => {
        for (const listener of listeners.get(topic) ?? []) (listener as (...all: unknown[]) => void)(...args);
      };
      lastMs = Math.max(lastMs, machine.nowMs + machine.random.next());
      machine.after(lastMs - machine.nowMs, call, agent);
    },
  };
}

export function spawn(_file: string, args: readonly string[], options: SpawnOptions) {
  const machine = theMachine();
  const agent = machine.current;
  machine.enter('spawn', options.env['BELAY_ATTEMPT'] ?? '', true);
  const attemptId = options.env['BELAY_ATTEMPT'] ?? '';
  const [, , , folder = '', nonce = '', boot = '', , , , ...words] = args;
  const wrapper = machine.process(`wrapper:${attemptId}`);
  const command = machine.process(`command:${attemptId}`);
  const child = emitter(agent);
  const pipe = emitter(agent);
  const state = { exitCode: null as number | null, signalCode: null as string | null };
  const shell = task(wrapper, wrapper.pid, ['sh', '-c', nonce], options);
  // It is deaf to all others. One that is frozen dies of it as well.
  shell.onSignal = (signal) => {
    if (signal === 'SIGKILL') machine.kill(wrapper, signal);
  };
  const body = task(command, wrapper.pid, ['bash', ...words], options);
  body.alive = false;
  addTask(shell);
  addTask(body);

  let heard: (word: 'go' | 'end') => void = () => undefined;
  const word = new Promise<'go' | 'end'>((resolve) => {
    heard = (said) => machine.after(machine.random.next(), () => resolve(said), wrapper);
  });
  agent?.onDeath.push(() => heard('end'));

  const leave = (code: number) => {
    if (!wrapper.alive) return;
    shell.alive = false;
    wrapper.alive = false;
    state.exitCode = code;
    child.tell('exit', code);
    pipe.tell('close');
  };
  wrapper.onDeath.push(() => {
    shell.alive = false;
    state.signalCode = 'SIGKILL';
    child.tell('exit', null);
    pipe.tell('close');
  });
  const run = async (): Promise<void> => {
    pipe.tell('data', Buffer.from(`up ${nonce} 0\n`));
    if ((await word) === 'end') return leave(98);
    await machine.latency();
    const writeClaim = claimFile(folder);
    if (writeClaim === null) return leave(97);
    await machine.latency();
    writeClaim(`${wrapper.pid} ${boot}\n`);
    theWorld().claimed.add(attemptId);
    await machine.latency();
    markBegun(folder, `begun ${nonce}\n`);
    await machine.latency();
    body.alive = true;
    const text = words.at(-1) ?? '';
    const code = await obey({ command, body, attemptId, text, folder });
    await machine.latency();
    body.alive = false;
    if (text.includes('exec 2>&6')) appendFile(folder, 'err', `\n${nonce} ${code}\n`);
    appendFile(folder, 'out', `\n${nonce} ${code}\n`);
    await machine.latency();
    writeReceipt(folder, `v1 ${boot} exit ${code} ${nonce} end\n`);
    theWorld().told(attemptId);
    await machine.latency();
    pipe.tell('data', Buffer.from(`status ${nonce} ${code}\n`));
    await machine.latency();
    leave(code);
  };
  machine.as(wrapper, () => void run().catch(() => machine.kill(wrapper, 'its system calls failed')));
  running.push({
    attemptId,
    wrapper,
    command,
    killShells: () => machine.kill(wrapper, 'shells killed'),
    killAll: () => {
      machine.kill(wrapper, 'killed');
      machine.kill(command, 'killed');
      body.alive = false;
    },
  });
  return {
    pid: wrapper.pid,
    get exitCode() {
      return state.exitCode;
    },
    get signalCode() {
      return state.signalCode;
    },
    stdin: {
      on: () => undefined,
      end(text?: string) {
        if (text === 'go\n') theWorld().sent(attemptId);
        heard(text === 'go\n' ? 'go' : 'end');
      },
    },
    stdio: [null, null, null, { on: pipe.on, destroy: () => undefined }],
    on: child.on,
    unref: () => undefined,
  };
}

function task(owner: Process, session: number, words: readonly string[], { env }: SpawnOptions): Task {
  const environment = Object.entries(env).map(([name, value]) => `${name}=${value ?? ''}`);
  return {
    pid: owner.pid,
    parent: 1,
    session,
    start: owner.pid,
    words,
    environment,
    alive: true,
    stopped: false,
    onSignal: () => undefined,
  };
}

interface Obeying extends Omit<Command, 'isDeaf'> {
  readonly command: Process;
  readonly body: Task;
}

/** Runs the command as its own process; a signal can end it at any instant. Resolves with the exit code. */
function obey({ command, body, ...order }: Obeying): Promise<number> {
  const machine = theMachine();
  return new Promise((resolve) => {
    const end = (code: number) => {
      if (!command.alive) return;
      command.alive = false;
      body.alive = false;
      resolve(theWorld().exited(order.attemptId, code));
    };
    const deaf = machine.chance(0.2);
    body.onSignal = (signal) => {
      if (signal === 'SIGKILL' || (signal === 'SIGTERM' && !deaf)) end(signal === 'SIGKILL' ? 137 : 143);
    };
    machine.as(command, () => void runCommand(order).then(end, () => end(1)));
  });
}
