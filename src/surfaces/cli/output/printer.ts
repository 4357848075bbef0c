/** The two output streams. A reader that has gone away (`belay log … | head`) is no error. */
import type { CliIo } from '../contract.ts';

export interface Printer {
  /** Standard output: only what was asked for. */
  out(text: string): void;
  /** Standard error: everything for people. */
  note(line: string): void;
  /** Standard error without a line end. */
  stream(text: string): void;
}

export function createPrinter(io: CliIo): Printer {
  const gone = new Set<NodeJS.WritableStream>();
  for (const stream of [io.stdout, io.stderr]) {
    stream.on('error', () => gone.add(stream));
  }
  const write = (stream: NodeJS.WritableStream, text: string) => {
    if (!gone.has(stream)) stream.write(text);
  };
  return {
    out: (text) => write(io.stdout, text.endsWith('\n') ? text : `${text}\n`),
    note: (line) => write(io.stderr, `${line}\n`),
    stream: (text) => write(io.stderr, text),
  };
}
