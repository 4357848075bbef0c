import type { Interface } from 'node:readline/promises';
import type { CliIo } from './contract.ts';

type Input = CliIo['stdin'] & { setRawMode?(isRaw: boolean): unknown };

/**
 * Reads answers from a terminal, until `close()`. A terminal that was closed takes no mode any more; thrown at the end of
 * its input, where nobody waits, that error would end the process before the session is closed. Its end tells enough.
 */
export async function openLines({ stdin, stderr }: Pick<CliIo, 'stdin' | 'stderr'>): Promise<Interface> {
  const { createInterface } = await import('node:readline/promises');
  forgiveModes(stdin);
  return createInterface({ input: stdin, output: stderr, terminal: true });
}

function forgiveModes(input: Input): void {
  const { setRawMode } = input;
  if (setRawMode === undefined || Object.hasOwn(input, 'setRawMode')) return;
  input.setRawMode = (isRaw) => {
    try {
      setRawMode.call(input, isRaw);
    } catch {
      // It is gone.
    }
    return input;
  };
}
