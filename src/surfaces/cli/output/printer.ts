/** The two output streams. A reader that has gone away (`belay log … | head`) is no error, a full disk is one. */
import type { CliIo } from '../contract.ts';

export interface Printer {
  /** Standard output: only what was asked for. A text gets the line end that it lacks. */
  out(text: string | Uint8Array): void;
  /** Standard error: everything for people. */
  note(line: string): void;
  /** Standard error without a line end. */
  stream(text: string): void;
  /** Why standard output could not be written whole; null when it was. Call it when nothing more is to be written. */
  outFailure(): Promise<string | null>;
}

export function createPrinter(io: CliIo): Printer {
  const known = new Set<NodeJS.WritableStream>();
  const gone = new Set<NodeJS.WritableStream>();
  let failure: string | null = null;
  // A stream is touched when it is first written: Node makes it then, which takes a millisecond.
  const write = (stream: NodeJS.WritableStream, text: string | Uint8Array) => {
    if (!known.has(stream)) {
      known.add(stream);
      stream.on('error', (error: NodeJS.ErrnoException) => {
        gone.add(stream);
        if (stream === io.stdout && error.code !== 'EPIPE') failure ??= error.message;
      });
    }
    if (!gone.has(stream)) stream.write(text);
  };
  return {
    out: (text) => write(io.stdout, typeof text === 'string' && !text.endsWith('\n') ? `${text}\n` : text),
    note: (line) => write(io.stderr, `${line}\n`),
    stream: (text) => write(io.stderr, text),
    async outFailure() {
      // A failed write is reported in a later tick.
      await new Promise((resolve) => setImmediate(resolve));
      return failure;
    },
  };
}

/** The exit code of a command that ended with `exitCode`, once it is known whether its output was written. */
export async function finished(printer: Printer, exitCode: number): Promise<number> {
  const failure = await printer.outFailure();
  if (failure === null) return exitCode;
  printer.note(`belay: standard output could not be written: ${failure}`);
  return exitCode === 0 ? 1 : exitCode;
}
