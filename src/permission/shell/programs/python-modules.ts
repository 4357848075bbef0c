/** Modules of Python that are run by name: those that run code which stands in their words, and those that write files. */
import type { FileWrite, Profile } from '../analysis.ts';
import { literalWord, type ShellWord } from '../shell-word.ts';
import { grammar, readOptions } from './read-options.ts';

const running =
  /^(timeit|pdb|code|cProfile|profile|trace|runpy|http\.server|zipapp|webbrowser|pip|ensurepip|venv|ipython|IPython|idlelib|antigravity|smtpd|asyncio|dis|doctest|lib2to3|compileall|sqlite3|pickle|pickletools|gzip|uu|xmlrpc|wsgiref|test|turtledemo|scalene|memray|viztracer|bpython|ptpython|kernprof|debugpy|bdb|pudb|ipdb|pyperf|line_profiler|setuptools\.launch|marimo|multiprocessing)(\.|$)/;
const packing = grammar('l/list= e/extract= c/create= t/test= v/verbose /filter= /metadata-encoding=');
const formatting = grammar('/indent= /sort-keys /no-ensure-ascii /json-lines /tab /compact /no-indent');

/** `words` begin behind the module; `name` is the interpreter. */
export function moduleProfile(module: string, words: readonly ShellWord[], name: string): Profile {
  if (running.test(module)) return { hazard: `${name} -m ${module} runs code or installs it` };
  const write = (word: ShellWord, deep = false): FileWrite => ({ word, append: false, needsEdit: true, deep });
  if (module === 'json.tool' || module === 'json') {
    const { operands } = readOptions(words, formatting);
    return { writes: operands.slice(1).map((word) => write(word)) };
  }
  if (module !== 'tarfile' && module !== 'zipfile') return {};
  const { given, operands, strange } = readOptions(words, packing);
  const here = literalWord('.');
  if (strange !== null) return { writes: [write(here, true)] };
  // Without this filter, what is in an archive may climb out of the folder; it is the usual one since Python 3.14.
  const climbs = module === 'tarfile' && given.get('filter')?.at(-1)?.text !== 'data';
  const folder = climbs ? here : (operands[0] ?? here);
  return {
    writes: [
      ...(given.has('extract') ? [write(folder, true)] : []),
      ...(given.get('create') ?? []).map((word) => write(word)),
    ],
  };
}
