/** Where in the workspace losses reach, with links, variables and patterns as they are now. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { compilePathGlob, spelledOut } from '#permission';
import type { Loss } from '#runtime';
import type { Workspace } from '#workspace';

export interface Reach {
  /** Relative to the root: nothing is reached but these and what lies below; `.` is everything. */
  readonly tops: readonly string[];
  reaches(path: string): boolean;
}
export interface Place {
  /** Absolute, links of the folders on the way followed; null where only the run itself tells. */
  readonly at: string | null;
  /** Variables in it that are not set. */
  readonly unset: readonly string[];
}

const whole: Reach = { tops: ['.'], reaches: () => true };
const nowhere: Reach = { tops: [], reaches: () => false };

export async function reachOf(losses: readonly Loss[], workspace: Workspace): Promise<Reach> {
  const reaches: Reach[] = [];
  for (const { paths } of losses) {
    if (paths === null) return whole;
    for (const one of new Set(paths)) reaches.push(...(await reachOfPath(one, workspace)));
  }
  const tops = [...new Set(reaches.flatMap((one) => one.tops))];
  if (tops.length === 0) return nowhere;
  return tops.includes('.') && reaches.includes(whole)
    ? whole
    : { tops, reaches: (file) => reaches.some((one) => one.reaches(file)) };
}

async function reachOfPath(text: string, workspace: Workspace): Promise<readonly Reach[]> {
  // What a variable holds by then, only the run tells: the text itself may set it.
  if (/\$(?!HOME(?!\w)|\{HOME\})/.test(text.replace(/\\./g, ''))) return [whole];
  const { at } = await placeOf(text, workspace);
  if (at === null) return [whole];
  const { root } = workspace;
  const pattern = /^[\w@%+=:,./*?[\]{}!-]*[*?[{][\w@%+=:,./*?[\]{}!-]*$/.test(text) ? relativeTo(root, at) : null;
  const glob = pattern === null ? null : compilePathGlob(`./${pattern}`);
  if (pattern !== null && glob?.ok === true) {
    const top = relativeTo(root, beforePattern(at)) ?? '.';
    return [{ tops: [top], reaches: (file) => waysTo(file).some(glob.value) }];
  }
  const top = beforePattern(at);
  // Removing a link removes the link; writing through it writes where it leads.
  const real = await realpath(top).catch(() => top);
  return [...new Set([top, real])].flatMap((one) => below(one, root));
}

function below(absolute: string, root: string): readonly Reach[] {
  if (isBelow(root, absolute)) return [whole];
  const top = relativeTo(root, absolute);
  return top === null ? [] : [{ tops: [top], reaches: (file) => file === top || file.startsWith(`${top}/`) }];
}

/** The last name is not followed, because removing a link removes the link. */
export async function placeOf(text: string, { root, processes }: Workspace): Promise<Place> {
  const env = processes.helperEnv();
  const { path: plain, unset } = spelledOut(text, { folder: root, home: env['HOME'] ?? '/', env });
  if (plain === null) return { at: null, unset };
  const around = path.dirname(plain);
  const real = await realpath(around).catch(() => around);
  return { at: plain === '/' ? '/' : path.join(real, path.basename(plain)), unset };
}

export const isBelow = (one: string, folder: string): boolean =>
  one === folder || one.startsWith(folder.endsWith('/') ? folder : `${folder}/`);

/** Null outside. */
const relativeTo = (root: string, at: string): string | null =>
  isBelow(at, root) ? path.relative(root, at) || '.' : null;

/** A path and the folders around it. */
const waysTo = (file: string): readonly string[] => {
  const segments = file.replace(/\/$/, '').split('/');
  return segments.map((_segment, i) => segments.slice(0, i + 1).join('/'));
};

function beforePattern(at: string): string {
  const segments = at.split('/');
  const first = segments.findIndex((segment) => /[*?[{]/.test(segment));
  return (first < 0 ? at : segments.slice(0, first).join('/')) || '/';
}
