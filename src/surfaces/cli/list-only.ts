import { listSessions } from './commands/list-sessions.ts';
import type { CliIo, SessionRow } from './contract.ts';
import { createPrinter, finished } from './output/printer.ts';

/**
 * `belay sessions` without the rest of the command line, which takes longer to load than the list takes to make. Null
 * for any other words, and where there is no list: why is told by the whole command line. `writeAtOnce` returns what it
 * could not write.
 */
export async function listOnly(
  argv: readonly string[],
  io: CliIo,
  writeAtOnce: (text: string) => Uint8Array,
  list: () => Promise<readonly SessionRow[] | null>,
): Promise<number | null> {
  const [command, ...rest] = argv;
  const options = rest[0] === 'list' ? rest.slice(1) : rest;
  if (command !== 'sessions' || options.length > 1 || (options[0] ?? '--json') !== '--json') return null;
  const rows = await list();
  if (rows === null) return null;
  const printer = createPrinter(io);
  const out = (text: string) => {
    const left = writeAtOnce(`${text}\n`);
    if (left.length > 0) printer.out(left);
  };
  const deps = { list: async () => ({ ok: true, value: rows }) as const };
  return finished(printer, await listSessions({ json: options.length === 1 }, { deps, printer: { ...printer, out } }));
}
