import { usageError } from './command-error.ts';
import type { CliIo } from './contract.ts';

/** A prompt longer than this is a mistake, such as a binary file on standard input. */
const promptBytesMax = 4 * 1024 * 1024;

/** The prompt: the argument, or standard input where there is none or it is `-`. */
export async function promptOf(given: string | undefined, io: CliIo): Promise<string> {
  if (given !== undefined && given !== '-') return given;
  if (io.stdin.isTTY === true) throw usageError('no prompt: belay run "what to do", or give it on standard input');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of io.stdin) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    size += bytes.length;
    if (size > promptBytesMax) throw usageError('the prompt on standard input is longer than 4 MiB');
    chunks.push(bytes);
  }
  return textOf(Buffer.concat(chunks));
}

/** What is no text is refused: a model that is shown replacement characters would be told what nobody wrote. */
function textOf(bytes: Buffer): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Falls through to the refusal.
  }
  throw usageError('the prompt on standard input is no UTF-8 text');
}
