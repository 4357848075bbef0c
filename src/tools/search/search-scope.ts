import { posix } from 'node:path';
import { type Failure, makeFailure } from '#kernel';
import { compilePathGlob, everythingRead, type UnreadFiles } from '#permission';
import type { Workspace } from '#workspace';
import { pathFailure } from '../paths/path-failure.ts';

export type SearchScope =
  | {
      readonly ok: true;
      /** Relative to the root; `.` is the root. A file or a folder. */
      readonly path: string;
      readonly kind: 'file' | 'directory';
      /** Options that let ripgrep leave out what the glob does not mean anyway. */
      readonly narrowing: readonly string[];
      /** Rules that keep files below from being read: those are not searched. */
      readonly leftOut: readonly string[];
      /** Whether a path relative to the root is meant by the glob, and may be looked into. */
      matches(path: string): boolean;
    }
  | { readonly ok: false; readonly failure: Failure };

/**
 * Where a search looks. The path must lie inside the workspace; a glob is read relative to it. In a folder the `unread`
 * files are left out; a file that is named was judged by its name.
 */
export async function searchScope(
  workspace: Workspace,
  path: string | undefined,
  glob: string | undefined,
  unread: UnreadFiles = everythingRead,
): Promise<SearchScope> {
  const resolved = await workspace.files.resolve(path ?? '.');
  const fail = async (problem: Parameters<typeof pathFailure>[2]): Promise<SearchScope> => ({
    ok: false,
    failure: await pathFailure(workspace.files, path ?? '.', problem, 'search'),
  });
  if ('code' in resolved) return fail(resolved);
  if (resolved.kind === 'missing') return fail({ code: 'missing', message: 'there is no such path' });
  if (resolved.kind === 'other')
    return fail({ code: 'invalid', message: `${resolved.path} is neither a file nor a folder.` });
  const excludes = glob?.startsWith('!') === true;
  const named = excludes ? glob?.slice(1) : glob;
  if (named?.startsWith('/') === true && !named.startsWith(`${workspace.root}/`)) {
    return {
      ok: false,
      failure: globFailure(named, 'it begins outside the workspace, or says with / where it begins'),
    };
  }
  // Whoever writes the whole path of the workspace means what is in it.
  const inRoot = named?.startsWith('/') === true ? named.slice(workspace.root.length + 1) : null;
  const plain = inRoot ?? named;
  const compiled = plain === undefined ? null : compilePathGlob(plain);
  if (compiled?.ok === false) return { ok: false, failure: globFailure(plain ?? '', compiled.error) };
  if (plain !== undefined && isCostly(plain)) {
    const why = `more than ${starsMax} stars in one name, or ${treesMax} times **, take too long to match`;
    return { ok: false, failure: globFailure(plain, why) };
  }
  const leaves = resolved.kind === 'file' ? everythingRead : unread;
  const base = resolved.path === '.' || inRoot !== null ? '' : `${resolved.path}/`;
  return {
    ok: true,
    path: resolved.path,
    kind: resolved.kind,
    narrowing: plain === undefined || excludes || resolved.kind === 'file' ? [] : nameFilter(plain),
    leftOut: leaves.rulesBelow(resolved.path),
    matches: (candidate) =>
      !leaves.isUnread(candidate) &&
      (compiled === null ||
        compiled.value(candidate.startsWith(base) ? candidate.slice(base.length) : candidate) !== excludes),
  };
}

const globFailure = (glob: string, why: string): Failure =>
  makeFailure('schema', `The glob ${JSON.stringify(glob)}: ${why}.`, 'Correct the glob.', {
    signature: 'schema: glob',
  });

/** Every star multiplies the ways in which a name can be tried. */
const starsMax = 3;
const treesMax = 4;

function isCostly(glob: string): boolean {
  const stars = glob.split('/').map((name) => name.replaceAll(/^\*\*+$/g, '').match(/\*+/g)?.length ?? 0);
  return Math.max(...stars) > starsMax || (glob.match(/\*\*/g)?.length ?? 0) > treesMax;
}

/**
 * The last part of a glob as a file type of ripgrep: a type only narrows, whereas ripgrep's own globs would bring
 * ignored files back. Only signs that mean the same there are passed on; what is found is matched again by us.
 */
function nameFilter(glob: string): readonly string[] {
  const at = glob.lastIndexOf('/') + 1;
  const name = glob.slice(at);
  const isPlain = /^(?:[\w.*?-]|\{[\w.*?-]+(?:,[\w.*?-]+)*\})+$/.test(name) && !/^\*+$/.test(name);
  return isPlain && !/[{}]/.test(glob.slice(0, at)) ? [`--type-add=belay:${name}`, '--type=belay'] : [];
}

/** Paths as ripgrep prints them, without the `./` of a search in the root. */
export const plainPath = (path: string): string => (path.startsWith('./') ? path.slice(2) : path);

/** A path as a line of an answer: quoted where it would not be one line otherwise. */
export const shownPath = (path: string): string => (/[\u0000-\u001f\u007f"]/.test(path) ? JSON.stringify(path) : path);

/** A line as one that changes nothing where it is shown: control characters are written as codes. */
export const visibleText = (text: string): string =>
  text.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, (one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, '0')}`);

/** A name that is not UTF-8 cannot be written in a call, so it is counted and not shown. */
export const isUnspeakable = (path: string): boolean => path.includes('\ufffd');

/** Says the same whether or not such files are there, so that nobody learns from it what is in them. */
export const leftOutNote = ({ leftOut }: Extract<SearchScope, { ok: true }>): readonly string[] =>
  leftOut.length === 0 ? [] : [`(not searched, by the user's rules: ${leftOut.join(', ')})`];

export const unspeakableNote = (count: number): readonly string[] =>
  count === 0 ? [] : [`(${count} with names that are not UTF-8 left out)`];

/**
 * Tells which of the files that ripgrep found may be shown: none of Belay's own, none in a folder that leads elsewhere.
 * Ripgrep follows no link and lists regular files only, so one look at each folder is enough.
 */
export function visiblePaths(workspace: Workspace): (path: string) => Promise<boolean> {
  const known = new Map<string, boolean>();
  return async (path) => {
    if (isUnspeakable(path)) return false;
    const folder = posix.dirname(path);
    let visible = known.get(folder);
    if (visible === undefined) {
      const resolved = await workspace.files.resolve(folder);
      visible = !('code' in resolved) && resolved.kind === 'directory' && resolved.path === folder;
      known.set(folder, visible);
    }
    return visible;
  };
}
