import { type ChildProcess, spawn } from 'node:child_process';
import { messageOf } from '#lib';
import { endWithAgent, kill } from './end-with-agent.ts';
import { ownMemoryOf } from './process-table.ts';

export interface ToolOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
  readonly timeoutMs: number;
  /** Per stream. Standard output above it ends the program; of standard error the head is kept. */
  readonly outputBytesMax: number;
  readonly signal?: AbortSignal;
  /** Memory of its own that ends the program, where the system tells of it. */
  readonly memoryBytesMax?: number;
  /** Told of standard output as it comes, which is then not kept. */
  readonly onOutput?: (chunk: Uint8Array) => void;
  /** It starts no other program. Then it needs no session of its own, in which the system would run it behind others. */
  readonly isAlone?: boolean;
}
export interface ToolResult {
  /** Null when the program did not start or died of a signal. */
  readonly exitCode: number | null;
  readonly stdout: Uint8Array;
  readonly stderr: string;
  readonly timedOut: boolean;
  /** Standard output was longer than `outputBytesMax`. */
  readonly truncated: boolean;
  /** It took more memory than `memoryBytesMax`. */
  readonly tookTooMuch?: boolean;
}

/**
 * Runs a helper program of our own (never a command of the model) and collects its output. It has no claim and no
 * receipt, so it must not change anything; it ends with this process. Never throws; a program that cannot start has exit
 * code null and says why in `stderr`.
 */
export function runTool(file: string, args: readonly string[], options: ToolOptions): Promise<ToolResult> {
  return new Promise((resolve) => {
    const stdout = collector(options.outputBytesMax, options.onOutput);
    const stderr = collector(options.outputBytesMax);
    let timedOut = false;
    let failure = '';
    const detached = options.isAlone !== true;
    let child: ChildProcess;
    try {
      child = spawn(file, args, { cwd: options.cwd, env: { ...options.env }, stdio: 'pipe', detached });
    } catch (error) {
      // Arguments that the system does not take, for example.
      resolve({ exitCode: null, stdout: new Uint8Array(), stderr: messageOf(error), timedOut, truncated: false });
      return;
    }
    const target = child.pid === undefined ? null : detached ? -child.pid : child.pid;
    const ended = target === null ? undefined : endWithAgent(target);
    const stop = () => {
      if (target !== null) kill(target);
      // A grandchild in another group could hold the pipes open for ever. Where nothing started there may be none.
      child.stdout?.destroy();
      child.stderr?.destroy();
    };
    const timer = setTimeout(() => {
      timedOut = true;
      stop();
    }, options.timeoutMs);
    let tookTooMuch = false;
    const memory = watchMemory(child.pid, options.memoryBytesMax, () => {
      tookTooMuch = true;
      stop();
    });
    options.signal?.addEventListener('abort', stop, { once: true });
    child.stdout?.on('data', (chunk: Buffer) => {
      if (!stdout.add(chunk)) stop();
    });
    child.stderr?.on('data', stderr.add);
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(options.input ?? '');
    child.on('error', (error) => {
      failure = error.message;
      if (child.pid === undefined) finish(null);
    });
    child.on('close', finish);
    if (options.signal?.aborted) stop();

    function finish(exitCode: number | null): void {
      clearTimeout(timer);
      clearInterval(memory);
      ended?.();
      options.signal?.removeEventListener('abort', stop);
      const complaint = stderr.bytes().toString('utf8') || failure;
      const own = tookTooMuch ? { tookTooMuch } : {};
      resolve({ exitCode, stdout: stdout.bytes(), stderr: complaint, timedOut, truncated: stdout.isFull(), ...own });
    }
  });
}

const MEMORY_LOOK_MS = 50;

function watchMemory(pid: number | undefined, bytesMax: number | undefined, onTooMuch: () => void) {
  if (pid === undefined || bytesMax === undefined) return undefined;
  return setInterval(() => {
    if (ownMemoryOf(pid) > bytesMax) onTooMuch();
  }, MEMORY_LOOK_MS);
}

function collector(max: number, onOutput?: (chunk: Uint8Array) => void) {
  const chunks: Buffer[] = [];
  const take = onOutput ?? ((chunk: Buffer) => void chunks.push(chunk));
  let size = 0;
  return {
    /** False once bytes had to be left out. */
    add: (chunk: Buffer): boolean => {
      if (size < max) take(chunk.subarray(0, max - size));
      size += chunk.byteLength;
      return size <= max;
    },
    bytes: () => Buffer.concat(chunks),
    isFull: () => size > max,
  };
}
