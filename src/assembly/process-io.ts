import type { CliIo, Signal } from '#surfaces/cli';

const signals: readonly Signal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

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
  cwd: process.cwd(),
  onSignal(listener) {
    const handlers = signals.map((signal) => [signal, () => listener(signal)] as const);
    for (const [signal, handler] of handlers) process.on(signal, handler);
    return () => {
      for (const [signal, handler] of handlers) process.off(signal, handler);
    };
  },
  exitNow: (code) => process.exit(code),
});
