/**
 * The files that a script of Node, Python, Ruby, Perl or PHP loads as code by a literal name, as paths of the repository
 * that may exist. It is no parser: a name too many is no file, and what is loaded by a name that the script computes is
 * told as that.
 */
import { isBuiltin } from 'node:module';
import { insidePath, startedByScript } from './started-by-script.ts';

export interface Loads {
  /** Relative to the repository; each may exist or not. */
  readonly files: readonly string[];
  /** What it loads that no digest covers, in words. */
  readonly beyond: readonly string[];
}

interface Language {
  readonly name: RegExp;
  readonly firstLine: RegExp;
  /** Paths, and from which folder each counts; `folder` is the script's own, with a slash behind, the root empty. */
  loads(text: string, folder: string): { readonly paths: readonly string[]; readonly beyond: readonly string[] };
}

const languages: readonly Language[] = [
  {
    name: /\.[cm]?[jt]sx?$/,
    firstLine: /\b(?:node|deno|bun|tsx|ts-node)\b/,
    loads: (text, folder) => ({
      paths: relativeModules(text).flatMap((file) => namesFor(folder + file)),
      beyond: [...computed(/\b(?:import|require)\s*\(\s*(?:[^"'`/\s)]|`[^`]*\$\{)/, text), ...packages(text)],
    }),
  },
  {
    name: /\.pyw?$/,
    firstLine: /\bpython/,
    loads: (text, folder) => ({
      paths: pythonModules(text, folder),
      beyond: computed(/\b(?:importlib|__import__|runpy|exec(?:file)?\s*\(|sys\.path)/, text),
    }),
  },
  {
    name: /\.(?:rb|p[lm]|php)$/,
    firstLine: /\b(?:ruby|perl|php)\b/,
    loads: (text, folder) => ({
      paths: [...text.matchAll(/\brequire_relative\s*\(?\s*["']([^"'\n#]+)["']/g)].flatMap(([, file = '']) => [
        folder + file,
        `${folder}${file}.rb`,
      ]),
      beyond: [],
    }),
  },
];

/** Names with one of these at their end are code, in whatever call they stand. */
const code = /\.(?:[cm]?[jt]sx?|pyw?|rb|p[lm]|php|(?:ba|z|k|da)?sh|node|wasm)$/;

export function loadedByScript(name: string, text: string): Loads {
  const started = startedByScript(name, text);
  const language = text.includes('\0') ? undefined : languageOf(name, text);
  if (language === undefined) return { files: started, beyond: [] };
  const folder = name.slice(0, name.lastIndexOf('/') + 1);
  const { paths, beyond } = language.loads(text, folder);
  const literal = [...text.matchAll(/(["'`])(\.{1,2}\/[^"'`\n\\$]+)\1/g)].map(([, , file = '']) => file);
  const called = literal.filter((file) => code.test(file)).flatMap((file) => [file, folder + file]);
  const inside = [...paths, ...called].map(insidePath).filter((at) => at !== null && at !== name);
  return { files: [...new Set([...started, ...(inside as string[])])], beyond: [...new Set(beyond)] };
}

function languageOf(name: string, text: string): Language | undefined {
  const first = /^#!.*/.exec(text)?.[0] ?? '';
  return languages.find(({ firstLine }) => firstLine.test(first)) ?? languages.find((one) => one.name.test(name));
}

const computed = (form: RegExp, text: string): readonly string[] =>
  form.test(text) ? ['code by a name that is computed'] : [];

/** What stands behind `from`, `import` and `require`, where it is a file. */
function relativeModules(text: string): readonly string[] {
  const form = /\b(?:from|import|require(?:\.resolve)?)\s*\(?\s*(["'`])(\.{1,2}(?:\/[^"'`\n\\$]*)?)\1/g;
  return [...text.matchAll(form)].map(([, , file = '']) => file);
}

const ends = 'js mjs cjs ts mts cts jsx tsx json node'.split(' ');

/** A module may be named without its end, or by the end that it has once it is compiled. */
const namesFor = (file: string): readonly string[] => [
  file,
  file.replace(/\.([cm]?)js(x?)$/, '.$1ts$2'),
  `${file}/package.json`,
  ...ends.flatMap((end) => [`${file}.${end}`, `${file}/index.${end}`]),
];

function packages(text: string): readonly string[] {
  const named = text.matchAll(/\b(?:from|import|require)\s*\(?\s*(["'])([\w@#][^"'\n\\]*)\1/g);
  return [...named].flatMap(([, , one = '']) => {
    const name = /^(?:@[^/]*\/)?[^/]*/.exec(one)?.[0] ?? '';
    return isBuiltin(one) || one.includes(':') ? [] : [`the package ${name}`];
  });
}

/**
 * Modules that a script of Python imports. With dots in front one counts from the script's folder or one above; without,
 * from the folder of whatever script was started, which is one of those above as well.
 */
function pythonModules(text: string, folder: string): readonly string[] {
  const all = above(folder);
  const form = /^[ \t]*(?:from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n#;]*)|import[ \t]+([^\n#;]*))/gm;
  return [...text.matchAll(form)].flatMap(([, dots = '', from = '', names = '', plain = '']) => {
    const modules = [from, ...listed(names).map((one) => `${from}.${one}`), ...listed(plain)];
    const bases = dots === '' ? all : all.slice(dots.length - 1, dots.length);
    return bases.flatMap((base) => ['__init__.py', ...modules.flatMap(filesOfModule)].map((file) => base + file));
  });
}

const listed = (names: string): readonly string[] => names.split(',').flatMap((one) => /[\w.]+/.exec(one)?.[0] ?? []);

/** A module as a file or a package, with the packages in which it lies. */
export function filesOfModule(name: string): readonly string[] {
  const parts = name.split('.').filter((part) => part !== '');
  return parts.flatMap((_, i) => {
    const at = parts.slice(0, i + 1).join('/');
    return [`${at}.py`, `${at}/__init__.py`, ...(i === parts.length - 1 ? [`${at}/__main__.py`] : [])];
  });
}

/** A folder, and each above it up to the root. */
function above(folder: string): readonly string[] {
  const names = folder.split('/').slice(0, -1);
  return [...names.map((_, i) => `${names.slice(0, names.length - i).join('/')}/`), ''];
}
