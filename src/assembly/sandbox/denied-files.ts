/** The files of a workspace that rules of the user keep from being read or edited, as they stand there now. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { parseRule, type Rule } from '#permission';
import { WorkspaceError } from '#workspace';
import { kindOf, realOf } from './real-paths.ts';
import { someFilesIn } from './some-files-in.ts';

type PathRule = Extract<Rule, { kind: 'paths' }>;

export interface DeniedFiles {
  readonly unreadable: readonly string[];
  readonly unreadableFolders: readonly string[];
  /** Files of those folders, some of them. */
  readonly insideFolders: readonly string[];
  readonly unwritable: readonly string[];
}

const entriesMax = 200_000;
const filesMax = 1_000;

export type FindDenied = (workspace: string) => DeniedFiles;

/** `deny`: the rules that deny, as texts. Null where none is about files. */
export async function deniedFinder(deny: readonly string[]): Promise<FindDenied | null> {
  const parsed = await Promise.all(deny.map((text) => parseRule(text)));
  const rules = parsed.flatMap((rule) => (rule.ok && rule.value.kind === 'paths' ? [rule.value] : []));
  return rules.length === 0 ? null : (workspace) => find(workspace, rules);
}

function find(workspace: string, rules: readonly PathRule[]): DeniedFiles {
  const unreadable = new Set<string>();
  const unreadableFolders = new Set<string>();
  const unwritable = new Set<string>();
  const add = (rule: PathRule, file: string): void => {
    if (rule.tools.includes('Read')) unreadable.add(file);
    else unwritable.add(file);
    if (unreadable.size + unwritable.size > filesMax) throw tooMany(rule.text, `more than ${filesMax} files`);
  };
  const wide: PathRule[] = [];
  for (const rule of rules) {
    const spec = /^[^(]*\((.*)\)$/s.exec(rule.text)?.[1] ?? '';
    const named = spec.replace(/^(\.\/)+|^\/+/, '');
    // The same question as the pattern asks: without a slash it means a name at any depth.
    const isBound = spec.slice(0, -1).includes('/');
    const at = realOf(path.join(workspace, named.replace(/\/(\*\*)?$/, '')));
    const isPlain = !/[*?[\]{}\\]/.test(named.replace(/\/\*\*$/, ''));
    if (!isPlain || !isBound) wide.push(rule);
    else if (at === null) continue;
    else if (kindOf(at) === 'file') add(rule, at);
    else if (kindOf(at) === 'folder' && /\/(\*\*)?$/.test(named)) {
      if (rule.tools.includes('Read')) unreadableFolders.add(at);
      else unwritable.add(at);
    }
  }
  if (wide.length > 0) {
    walk(workspace, (file, name) => {
      for (const rule of wide) {
        const real = rule.matches(name) ? realOf(file) : null;
        if (real !== null && kindOf(real) === 'file') add(rule, real);
      }
    });
  }
  return {
    unreadable: [...unreadable],
    unreadableFolders: [...unreadableFolders],
    insideFolders: [...unreadableFolders].flatMap(someFilesIn),
    unwritable: [...unwritable],
  };
}

/** Every file and link but those of git and of installed packages. */
function walk(workspace: string, visit: (file: string, name: string) => void): void {
  const folders = [''];
  let entries = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of entriesOf(path.join(workspace, folder))) {
      if (++entries > entriesMax) throw tooMany('for paths', `more than ${entriesMax} files`);
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isFile() || entry.isSymbolicLink()) visit(path.join(workspace, name), name);
      else if (entry.isDirectory() && entry.name !== '.git' && entry.name !== 'node_modules') folders.push(name);
    }
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** A rule is never kept for a part of its files only. */
const tooMany = (rule: string, what: string): WorkspaceError =>
  new WorkspaceError(
    'unsupported',
    `The rule ${rule} cannot be kept in the sandbox: there are ${what}. Name a folder in it (Read(secrets/**)), or use --sandbox off.`,
  );
