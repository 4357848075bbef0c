/**
 * Loads the files of the bundle as scripts, with the compiled code of all functions that ran before.
 *
 * Node's own compile cache keeps what V8 compiles of a module before it runs, which is next to none of its functions:
 * each start compiled the same 1,200 anew, a fifth of its time to the first request. Only a script can be asked for its
 * code after it ran.
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Script } from 'node:vm';
import { type KeptCode, readCode, tidyCode, writeCode } from './kept-code.ts';

export interface Scripts {
  /** The exports of a file, which is run when it is first asked for. */
  load(name: string): unknown;
  /** Once `command` has run: keeps the code of what was loaded, where it had no part in what lies there. */
  keep(command: string): void;
  /** V8 takes code only under the flags under which it was made: `work` is done under those of the start. */
  compileWithin(underFlagsOfStart: <T>(work: () => T) => T): void;
}

export interface ScriptsOptions {
  /** The folder of the bundle. */
  readonly folder: string;
  /** Where code is kept, in a folder that exists; null: nowhere. */
  readonly cache: string | null;
  /** `import()` and `import.meta.resolve`, which a script has not. */
  readonly importModule: ((specifier: string) => Promise<unknown>) & {
    readonly resolve: (specifier: string) => string;
  };
}

const COMMANDS_MAX = 40;
/** Where the first line, a comment, names the text. */
const TEXT_AT = '// '.length;

interface Loaded {
  readonly script: Script;
  /** Which text it is, as its first line says. */
  readonly text: string;
  /** Those that had a part in the code it was made with. */
  readonly commands: readonly string[];
}

export function createScripts({ folder, cache, importModule }: ScriptsOptions): Scripts {
  const modules = new Map<string, { exports: unknown }>();
  const loaded = new Map<string, Loaded>();
  let within = <T>(work: () => T): T => work();
  const requireOther = createRequire(path.join(folder, 'belay.js'));

  const compile = (name: string, filename: string): Script => {
    const source = readFileSync(filename, 'utf8');
    const text = source.slice(TEXT_AT, source.indexOf('\n'));
    const kept: KeptCode | null = cache === null ? null : readCode(cache, name, text);
    const script = within(() => new Script(source, kept === null ? { filename } : { filename, cachedData: kept.data }));
    const isTaken = kept !== null && script.cachedDataRejected !== true;
    loaded.set(name, { script, text, commands: isTaken ? kept.commands : [] });
    return script;
  };

  const load = (name: string): unknown => {
    const known = modules.get(name);
    if (known !== undefined) return known.exports;
    const filename = path.join(folder, name);
    // The build made it a function of what it is handed here.
    const run = compile(name, filename).runInThisContext() as (...given: unknown[]) => void;
    const module = { exports: {} as unknown };
    modules.set(name, module);
    const require = (id: string): unknown => (id.startsWith('./') ? load(id.slice(2)) : requireOther(id));
    run(module.exports, require, module, filename, folder, importModule);
    return module.exports;
  };

  return {
    load,
    compileWithin: (underFlagsOfStart) => {
      within = underFlagsOfStart;
    },
    keep(command) {
      if (cache === null) return;
      const isNews = ({ commands }: Loaded) => !commands.includes(command) && commands.length < COMMANDS_MAX;
      const news = [...loaded].filter(([, one]) => isNews(one));
      if (news.length === 0) return;
      try {
        mkdirSync(cache, { mode: 0o700 });
      } catch {
        if (!existsSync(cache)) return;
      }
      for (const [name, { script, text, commands }] of news) {
        const data = within(() => script.createCachedData());
        writeCode(cache, name, text, { commands: [...commands, command], data });
      }
      tidyCode(cache);
    },
  };
}
