/**
 * Lets the product run on the simulated machine: inside `src`, the Node modules that touch the world are replaced by
 * their twins. It can also change one line of one source file: that is how a bug is planted.
 */
import { registerHooks } from 'node:module';
import type { Plant } from './plants.ts';

const twins: { readonly [module: string]: string } = {
  'node:fs': './os/fs.ts',
  'node:fs/promises': './os/fs-promises.ts',
  'node:sqlite': './os/sqlite.ts',
  'node:crypto': './os/crypto.ts',
  'node:timers/promises': './os/timers-promises.ts',
  'node:child_process': './os/child-process.ts',
};

/** Rooms that are wholly on the simulated machine, and what the composition of a session takes from the assembly. */
const inside = /\/src\/(ledger|workspace|tools|runtime|context|permission|assembly)\//;

export function install(plant: Plant | null): void {
  let planted = false;
  registerHooks({
    resolve(specifier, context, next) {
      const twin = inside.test(context.parentURL ?? '') ? twins[specifier] : undefined;
      return twin === undefined ? next(specifier, context) : next(new URL(twin, import.meta.url).href, context);
    },
    load(url, context, next) {
      const loaded = next(url, context);
      const path = url.split('?')[0] ?? '';
      if (plant === null || !path.endsWith(`/${plant.file}`)) return loaded;
      planted = true;
      const source = String(loaded.source instanceof Uint8Array ? Buffer.from(loaded.source) : loaded.source);
      return { ...loaded, source: replaceLine(source, plant) };
    },
  });
  if (plant === null) return;
  process.on('exit', () => {
    if (planted) return;
    process.stderr.write(`${plant.file} was never loaded, so ${plant.name} was not planted\n`);
    process.exitCode = 3;
  });
}

/** Throws unless exactly one line is the wanted one: a plant that misses would prove nothing. */
export function replaceLine(source: string, { file, line, becomes }: Pick<Plant, 'file' | 'line' | 'becomes'>): string {
  const lines = source.split('\n');
  const hits = lines.flatMap((text, i) => (text.trim() === line ? [i] : []));
  const [at] = hits;
  if (at === undefined || hits.length > 1) {
    throw new Error(`${file} has ${hits.length} lines ${JSON.stringify(line)}; a plant needs exactly one`);
  }
  lines[at] = becomes;
  return lines.join('\n');
}
