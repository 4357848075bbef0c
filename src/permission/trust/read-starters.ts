/**
 * What the configuration of a repository would start, if it were obeyed. Hooks, servers and checks are found in the
 * files where tools look for them; what is not understood is taken for something that starts, by its text.
 */
import type { Check } from '#kernel';
import { filesOfModule } from './loaded-by-script.ts';
import { insidePath } from './started-by-script.ts';

export interface ConfigFile {
  /** Relative to the repository. */
  readonly name: string;
  readonly text: string;
}
export interface Starter {
  readonly file: string;
  readonly kind: 'hook' | 'server' | 'check';
  /** The event of a hook, the name of a server; empty for a check. */
  readonly name: string;
  /** For people and for finding the files that it names. */
  readonly command: string;
}

/** Files of a repository that may start something. */
export const starterFiles: readonly string[] = [
  '.belay/settings.json',
  '.belay/settings.local.json',
  '.mcp.json',
  '.claude/settings.json',
  '.claude/settings.local.json',
];

/** Never throws. */
export function readStarters(files: readonly ConfigFile[]): readonly Starter[] {
  return files.flatMap(({ name: file, text }) => {
    const whole = objectOf(text);
    if (whole === null) return [];
    const hooks = Object.entries(objectIn(whole, 'hooks')).flatMap(([name, entries]) =>
      commandsIn(entries).map((command): Starter => ({ file, kind: 'hook', name, command })),
    );
    const servers = Object.entries(objectIn(whole, 'mcpServers')).map(
      ([name, server]): Starter => ({ file, kind: 'server', name, command: serverText(server) }),
    );
    const checks = file.startsWith('.belay/')
      ? readChecks(text).map(({ command }): Starter => ({ file, kind: 'check', name: '', command }))
      : [];
    return [...hooks, ...servers, ...checks];
  });
}

/** `"checks": ["npm test", {"command": "npm run lint", "counts": false}]` */
export function readChecks(text: string): readonly Check[] {
  const checks = objectOf(text)?.['checks'];
  if (!Array.isArray(checks)) return [];
  return (checks as readonly unknown[]).flatMap((check): Check[] => {
    if (typeof check === 'string' && check.trim() !== '') return [{ command: check.trim(), counts: true }];
    if (!isObject(check) || typeof check['command'] !== 'string' || check['command'].trim() === '') return [];
    return [{ command: check['command'].trim(), counts: check['counts'] !== false }];
  });
}

/**
 * A file that a command writes: its log, say, which would revoke the trust in the very command. Where the command starts
 * that file as well, it names it once more.
 */
const written = /(>>?[|&]?|\|\s*tee(?:\s+-\w+)*\s)\s*["']*[\w@.+/][\w@.+/-]*/g;

/**
 * Words of commands that may be files of the repository, relative to it. `root`: its absolute path, where a command may
 * name a file by that.
 */
export function namedFiles(starters: readonly Starter[], root: string | null = null): readonly string[] {
  const paths = new Set<string>();
  for (const { command } of starters) {
    const plain = command
      .replaceAll(/\$\{?[A-Z_]*(?:PROJECT_DIR|workspaceFolder|PWD)\}?["']?\//g, '')
      .replaceAll(written, '$1 ');
    const words = plain.split(/[\s"'`;|&<>()=,]+/).map((word) => belowRoot(word, root));
    // Behind `cd` a path counts from elsewhere.
    const folders = ['', ...words.filter((_, i) => words[i - 1] === 'cd').map((folder) => `${folder}/`)];
    for (const word of words.filter((one) => !one.startsWith('/'))) {
      for (const folder of folders) {
        const at = insidePath(folder + word);
        if (at !== null && /^[\w@.+-][\w@.+/-]*$/.test(at)) paths.add(at);
      }
    }
    for (const [, module = ''] of plain.matchAll(/(?:^|\s)-m\s*["']?([\w.]+)/g)) {
      for (const folder of folders) for (const file of filesOfModule(module)) paths.add(folder + file);
    }
  }
  return [...paths].sort();
}

const runners =
  /(?:^|[\s"'`;|&(/])(npm|pnpm|yarn|npx|pnpx|bunx|make|gmake|just|task|rake|cargo|go|gradlew?|mvnw?|docker|podman|uv|uvx|pipx|poetry|(?:bun|deno)(?= (?:run|task|x)\b))(?=[\s"'`;|&)]|$)/g;

/** Programs in a command that start what other files say than those that it names. */
export const runnersIn = (command: string): readonly string[] => [
  ...new Set([...command.matchAll(runners)].map(([, name = '']) => name)),
];

const belowRoot = (word: string, root: string | null): string =>
  root !== null && word.startsWith(`${root}/`) ? word.slice(root.length + 1) : word;

type Fields = { readonly [name: string]: unknown };
const isObject = (value: unknown): value is Fields =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

function objectOf(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function objectIn(whole: Fields, name: string): Fields {
  const value = whole[name];
  return isObject(value) ? value : {};
}

/** Every command below an event, however deep it stands; an entry without one is shown as it is. */
function commandsIn(entries: unknown): readonly string[] {
  if (Array.isArray(entries)) return entries.flatMap(commandsIn);
  if (!isObject(entries)) return [String(entries)];
  if (entries['hooks'] !== undefined) return commandsIn(entries['hooks']);
  const { command, args } = entries;
  if (typeof command !== 'string') return [JSON.stringify(entries)];
  return [[command, ...(Array.isArray(args) ? args.map(String) : [])].join(' ')];
}

function serverText(server: unknown): string {
  if (!isObject(server)) return JSON.stringify(server);
  const { command, args, url } = server;
  if (typeof command === 'string') return [command, ...(Array.isArray(args) ? args.map(String) : [])].join(' ');
  return typeof url === 'string' ? url : JSON.stringify(server);
}
