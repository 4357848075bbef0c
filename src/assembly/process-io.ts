import type { CliIo, Signal } from '#surfaces/cli';

const signals: readonly Signal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Throws an error that carries its exit code. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    const message = 'the current folder was removed or cannot be entered; change to another one and try again';
    throw Object.assign(new Error(message, { cause }), { exitCode: 42 });
  }
}

/** This process as the command line sees it. */
export const processIo = (): CliIo => ({
  // Node makes each stream when it is first asked for; a command that does not read should not pay for it.
  get stdin() {
    return process.stdin;
  },
  get stdout() {
    return process.stdout;
  },
  get stderr() {
    return process.stderr;
  },
  env: process.env,
  cwd: currentFolder(),
  onSignal(listener) {
    const handlers = signals.map((signal) => [signal, () => listener(signal)] as const);
    for (const [signal, handler] of handlers) process.on(signal, handler);
    return () => {
      for (const [signal, handler] of handlers) process.off(signal, handler);
    };
  },
  exitNow: (code) => process.exit(code),
});
