/** The parts of the bundle: `main.cjs` and all that it loads are scripts. */
import { cacheFolder } from '../cache-folder.ts';
import type { Parts } from '../parts.ts';
import { createScripts, type Scripts } from './scripts.ts';

/** The exit code of a command line that names no command of ours. */
const USAGE = 42;

let scripts: Scripts | null = null;

export const parts: Parts = {
  async main() {
    scripts = createScripts({
      folder: import.meta.dirname,
      cache: cacheFolder(),
      importModule: Object.assign((specifier: string) => import(specifier), { resolve: import.meta.resolve }),
    });
    const main = scripts.load('main.cjs') as typeof import('../main.ts');
    scripts.compileWithin(main.underFlagsOfStart);
    return main;
  },
  ended(command, exitCode) {
    if (exitCode !== USAGE) scripts?.keep(/^[a-z]{2,16}$/.test(command) ? command : 'none');
  },
};
