/** The two output streams. A reader that has gone away (`belay log … | head`) is no error, a full disk is one. */
import type { CliIo } from '../contract.ts';

export interface Printer {
  /** Standard output: only what was asked for. */
  out(text: string): void;
  /** Standard error: everything for people. */
  note(line: string): void;
  /** Standard error without a line end. */
  stream(text: string): void;
  /** Why standard output could not be written whole; null when it was. Call it when nothing more is to be written. */
  outFailure(): Promise<string | null>;
}

export function createPrinter(io: CliIo): Printer {
  const gone = new Set<NodeJS.WritableStream>();
  let failure: string | null = null;
  io.stderr.on('error', () => gone.add(io.stderr));
  io.stdout.on('error', (error: NodeJS.ErrnoException) => {
    gone.add(io.stdout);
    if (error.code !== 'EPIPE') failure ??= error.message;
  });
  const write = (stream: NodeJS.WritableStream, text: string) => {
    if (!gone.has(stream)) stream.write(text);
  };
  return {
    out: (text) => write(io.stdout, text.endsWith('\n') ? text : `${text}\n`),
    note: (line) => write(io.stderr, `${line}\n`),
    stream: (text) => write(io.stderr, text),
    async outFailure() {
      // A failed write is reported in a later tick.
      await new Promise((resolve) => setImmediate(resolve));
      return failure;
    },
  };
}
