/**
 * Tells the model where a command in the sandbox named a place that is shown empty to it, such as the home. Nothing fails
 * there: a program writes into a folder in memory, says so, and what it wrote is gone when the command ends.
 */
import { lstatSync } from 'node:fs';
import path from 'node:path';
import type { Json } from '#kernel';
import type { ToolResult, ToolsPort } from '#runtime';

/** What commands do not see. */
export interface Unseen {
  /** Whether nothing of what lies there. */
  isShownEmpty(place: string): boolean;
  /** Links at the top of the workspace that lead to such places, and where. */
  readonly links: readonly { readonly name: string; readonly target: string }[];
}
export interface EmptyPlaces extends Unseen {
  /** Real path of the workspace. */
  readonly root: string;
  readonly home: string;
}

export function withEmptyPlaces(tools: ToolsPort, places: EmptyPlaces): ToolsPort {
  const told = async (tool: string, args: Json, cwd: string, result: ToolResult): Promise<ToolResult> => {
    const line = result.status === 'cancelled' ? null : await lineFor(tool, args, cwd, result.output);
    return line === null ? result : { ...result, output: `${result.output}\n${line}` };
  };
  const lineFor = async (tool: string, args: Json, cwd: string, output: string): Promise<string | null> => {
    const { command, unsandboxed, cwd: named } = (args ?? {}) as { readonly [name: string]: unknown };
    if (tool !== 'Bash' || typeof command !== 'string' || unsandboxed === true) return null;
    const folder = path.resolve(places.root, typeof named === 'string' ? named : cwd);
    const link =
      places.links.find(({ name }) => isNamed(name, command)) ?? (misses.test(output) ? places.links[0] : null);
    if (link) return `${link.name} is a link to ${link.target}, of which the sandbox shows nothing. ${wayOut}`;
    const word = emptyWord(command, folder, places);
    if (word === null) return null;
    // A search for a text that looks like a path is none for the path.
    if (!isThere(word.place) && (await tools.profile(tool, args)).effect === 'read') return null;
    return `${word.text}: the sandbox shows this place empty, so nothing that is there was seen, and what was written there is gone. ${wayOut}`;
  };
  return {
    ...tools,
    async prepare(tool, args, context) {
      const { cwd } = context.state();
      const prepared = await tools.prepare(tool, args, context);
      if (!prepared.ok) return prepared;
      const { attempt } = prepared;
      return { ok: true, attempt: { ...attempt, run: async () => told(tool, args, cwd, await attempt.run()) } };
    },
    async settle(tool, args, base, context) {
      const { cwd } = context.state();
      const settled = await tools.settle(tool, args, base, context);
      if (settled.state !== 'settled') return settled;
      return { ...settled, outcome: await told(tool, args, cwd, settled.outcome) };
    },
  };
}

const wayOut = 'If it must be reached, call Bash with unsandboxed: true; the user is asked.';
/** What programs say of a broken link. */
const misses = /No such file or directory|ENOENT|Cannot find (?:module|package)|ModuleNotFoundError|File exists|EEXIST/;

const isNamed = (name: string, command: string): boolean =>
  command.split(/[\s"'=:;|&()<>]+/).some((word) => word.replace(/^(?:\.\/)+/, '').split('/')[0] === name);

const words = /(?:^|[\s=:(<>|;&])((?:~|\$\{?HOME\}?|\/|\.\.)(?:[^\s;|&<>()]*))/g;
/** Behind one of these a relative path counts from another folder. */
const elsewhere = /(?:^|[\s;&|(])(?:cd|pushd|-C|--prefix|--cwd|--directory)\b/;

/** The first word that names such a place: from the home, from the root, or out of the folder. */
function emptyWord(command: string, folder: string, { home, isShownEmpty }: EmptyPlaces) {
  const plain = command.replaceAll(/["']/g, '');
  for (const [, text = ''] of plain.matchAll(words)) {
    if (text.startsWith('..') && (elsewhere.test(plain) || !/^\.\.(?:\/|$)/.test(text))) continue;
    const place = path.resolve(folder, text.replace(/^(?:~|\$\{?HOME\}?)(?=\/|$)/, home));
    if (isShownEmpty(place)) return { text, place };
  }
  return null;
}

function isThere(place: string): boolean {
  try {
    return lstatSync(place, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
