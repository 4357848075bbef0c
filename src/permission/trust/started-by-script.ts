/**
 * The files that a shell script starts, or reads as code, by a literal path. It is no parser: what it takes for a
 * command too many is no file of the repository, and what it misses is not covered.
 */

const before = new Set('if then elif else while until do ! time exec env command builtin nohup'.split(' '));
const readers = /^(?:\.|source|(?:.*\/)?(?:(?:ba|da|z|k|a)?sh|node|deno|bun|python[\d.]*|perl|ruby))$/;
/** A variable or a substitution, with nothing of the kind inside. */
const expansion = /\$(?:\(([^()]*)\)|\{[^{}]*\}|\w+|[@*#?!-])/g;
const depthMax = 5;

/**
 * Relative to the repository, without any that lead out of it by their text. From which folder a path counts is not
 * known, so it is taken both from the root and from the script's own; so is one that begins with a variable.
 */
export function startedByScript(name: string, text: string): readonly string[] {
  if (!isShell(name, text)) return [];
  const folder = name.slice(0, name.lastIndexOf('/') + 1);
  const found = new Set<string>();
  for (const path of commandsIn(text).map(fileOf)) {
    if (path === null) continue;
    for (const from of ['', folder]) {
      const at = insidePath(from + path);
      if (at !== null && at !== name) found.add(at);
    }
  }
  return [...found];
}

/** By its first line, or its name; a script that has neither is read by `sh`. */
function isShell(name: string, text: string): boolean {
  if (text.includes('\0')) return false;
  const first = /^#!.*/.exec(text)?.[0];
  if (first !== undefined) return /\b(?:ba|da|z|k|a)?sh\b/.test(first);
  return /\.(?:ba|da|z|k|a)?sh$/.test(name) || !/\.\w+$/.test(name);
}

/** The words of each command. What stands for a variable or a substitution is left as `$`. */
function commandsIn(text: string): readonly (readonly string[])[] {
  let plain = text.replaceAll(/^[ \t]*#.*$/gm, '');
  const texts: string[] = [];
  for (let depth = 0; depth < depthMax; depth++) {
    for (const [, inner] of plain.matchAll(expansion)) if (inner !== undefined) texts.push(inner);
    plain = plain.replaceAll(expansion, '$');
  }
  const parts = [plain, ...texts].flatMap((one) => one.split(/[\n;|&(){}`]+/));
  return parts.map((part) => part.replaceAll(/["']/g, '').split(/\s+/).filter(Boolean));
}

function fileOf(words: readonly string[]): string | null {
  const rest = words.slice(words.findIndex((word) => !before.has(word) && !/^\w+=/.test(word)));
  const [program = ''] = rest;
  const isReader = readers.test(program);
  const file = isReader ? rest.slice(1).find((word) => !word.startsWith('-')) : program;
  if (file === undefined || (!isReader && !file.includes('/'))) return null;
  const path = file.replace(/^\$\/?/, '');
  return path === '' || path.startsWith('/') || /[$*?<>~]/.test(path) ? null : path;
}

/** A path of the repository without `.` and `..`; null for what leads out of it, and for its root. */
export function insidePath(path: string): string | null {
  const out: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..' && out.pop() === undefined) return null;
    if (segment !== '' && segment !== '.' && segment !== '..') out.push(segment);
  }
  return out.length === 0 ? null : out.join('/');
}
