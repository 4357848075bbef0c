import type { CliDeps, CliIo } from '../contract.ts';
import type { Printer } from '../output/printer.ts';
import { styleFor } from '../output/style.ts';

/** Says what Belay found on this machine. Exits 54 when something it needs is missing. */
export async function doctor({
  deps,
  io,
  printer,
}: {
  readonly deps: CliDeps;
  readonly io: CliIo;
  readonly printer: Printer;
}): Promise<number> {
  const found = await deps.checkUp();
  const style = styleFor(io, io.stdout);
  for (const { name, ok, detail } of found) {
    printer.out(`${ok ? style.green('ok     ') : style.red('missing')}  ${name.padEnd(14)} ${detail}`);
  }
  return found.every((item) => item.ok) ? 0 : 54;
}
