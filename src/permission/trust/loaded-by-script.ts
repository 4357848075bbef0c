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

type Language = 'node' | 'python' | 'other';

const byName: readonly (readonly [RegExp, Language])[] = [
  [/\.[cm]?[jt]sx?$/, 'node'],
  [/\.pyw?$/, 'python'],
  [/\.(?:rb|p[lm]|php)$/, 'other'],
];
const byFirstLine: readonly (readonly [RegExp, Language])[] = [
  [/\b(?:node|deno|bun|tsx|ts-node)\b/, 'node'],
  [/\bpython[\d.]*\b/, 'python'],
  [/\b(?:ruby|perl|php)\b/, 'other'],
];

const nodeEnds = ['', ...['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.jsx', '.tsx', '.json', '.node']];
const nodeNames = [...nodeEnds, ...nodeEnds.slice(1).map((end) => `/index${end}`), '/package.json'];
/** Names with one of these at their end are code, in whatever call they stand. */
const code = /\.(?:[cm]?[jt]sx?|pyw?|rb|p[lm]|php|(?:ba|z|k|da)?sh|node|wasm)$/;

export function loadedByScript(name: string, text: string): Loads {
  const language = text.includes('\0') ? null : languageOf(name, text);
  const folder = name.slice(0, name.lastIndexOf('/') + 1);
  const found = new Set<string>(startedByScript(name, text));
  const beyond = new Set<string>();
  const add = (from: string, paths: readonly string[]): void => {
    for (const path of paths) {
      const at = insidePath(from + path);
      if (at !== null && at !== name) found.add(at);
    }
  };
  if (language === 'node') {
    for (const { file, whole } of specifiers(text)) {
      if (whole) add(folder, namesFor(file));
      else beyond.add('code by a name that is computed');
    }
    for (const one of packages(text)) beyond.add(`the package ${one}`);
  }
  if (language === 'python') {
    for (const { up, paths } of modules(text)) {
      // Without dots a module counts from the folder of whatever script was started: one of those above.
      for (const from of up === 0 ? above(folder) : [climbed(folder, up - 1)]) if (from !== null) add(from, paths);
    }
    if (/\b(?:importlib|__import__|runpy|exec(?:file)?\s*\(|sys\.path)/.test(text)) {
      beyond.add('code by a name that is computed');
    }
  }
  if (language !== null) {
    for (const [, , file = ''] of text.matchAll(/(["'`])(\.{1,2}\/[^"'`\n\\$]+)\1/g)) {
      if (code.test(file)) for (const from of ['', folder]) add(from, [file]);
    }
    for (const [, file = ''] of text.matchAll(/\brequire_relative\s*\(?\s*["']([^"'\n#]+)["']/g)) {
      add(folder, [file, `${file}.rb`]);
    }
  }
  return { files: [...found], beyond: [...beyond] };
}

function languageOf(name: string, text: string): Language | null {
  const first = /^#!.*/.exec(text)?.[0];
  const known = first === undefined ? undefined : byFirstLine.find(([form]) => form.test(first));
  return known?.[1] ?? byName.find(([form]) => form.test(name))?.[1] ?? null;
}

/** What stands behind `from`, `import` and `require`, where it is a file; `whole`: it is there as it is. */
function specifiers(text: string): readonly { readonly file: string; readonly whole: boolean }[] {
  const found: { file: string; whole: boolean }[] = [];
  for (const [, , file = ''] of text.matchAll(
    /\b(?:from|import|require(?:\.resolve)?)\s*\(?\s*(["'`])(\.{1,2}(?:\/[^"'`\n\\]*)?)\1/g,
  )) {
    found.push({ file, whole: !file.includes('${') });
  }
  if (
    /\b(?:import|require)\s*\(\s*(?!["'`/])[^\s)]/.test(text) ||
    /\b(?:import|require)\s*\(\s*`[^`]*\$\{/.test(text)
  ) {
    found.push({ file: '', whole: false });
  }
  return found;
}

/** A module may be named without its end, and by the end that it has once it is compiled. */
function namesFor(file: string): readonly string[] {
  const bare = file.replace(/\.([cm]?)js(x?)$/, '.$1ts$2');
  return [...nodeNames.map((end) => file + end), ...(bare === file ? [] : [bare])];
}

function packages(text: string): readonly string[] {
  const named = text.matchAll(/\b(?:from|import|require)\s*\(?\s*(["'])([\w@#][^"'\n\\]*)\1/g);
  return [...named].flatMap(([, , one = '']) => {
    const name = one
      .split('/')
      .slice(0, one.startsWith('@') ? 2 : 1)
      .join('/');
    return isBuiltin(one) || one.includes(':') ? [] : [name];
  });
}

interface Module {
  /** Dots in front. */
  readonly up: number;
  readonly paths: readonly string[];
}

function modules(text: string): readonly Module[] {
  const found: Module[] = [];
  const form = /^[ \t]*(?:from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n#;]*)|import[ \t]+([^\n#;]*))/gm;
  for (const [, dots = '', from = '', names = '', plain] of text.matchAll(form)) {
    if (plain !== undefined) for (const one of listed(plain)) found.push({ up: 0, paths: filesOfModule(one) });
    else {
      const inner = listed(names).map((one) => (from === '' ? one : `${from}.${one}`));
      const own = from === '' ? ['__init__.py'] : filesOfModule(from);
      found.push({ up: dots.length, paths: [...own, ...inner.flatMap(filesOfModule)] });
    }
  }
  return found;
}

const listed = (names: string): readonly string[] =>
  names
    .replaceAll(/[()\\]/g, ' ')
    .split(',')
    .flatMap((one) => /^[\w.]+/.exec(one.trim())?.[0] ?? []);

/** A module as a file or a package, with the packages in which it lies. */
export function filesOfModule(name: string): readonly string[] {
  const parts = name.split('.').filter((part) => part !== '');
  return parts.flatMap((_, i) => {
    const at = parts.slice(0, i + 1).join('/');
    return [`${at}.py`, `${at}/__init__.py`, ...(i === parts.length - 1 ? [`${at}/__main__.py`] : [])];
  });
}

/** A folder, and each above it up to the root; with a slash behind, the root empty. */
function above(folder: string): readonly string[] {
  const names = folder.split('/').slice(0, -1);
  return [...names.map((_, i) => `${names.slice(0, names.length - i).join('/')}/`), ''];
}

const climbed = (folder: string, count: number): string | null => above(folder)[count] ?? null;
