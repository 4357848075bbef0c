/** Stands before calls that could take work away: says what is there to lose, and keeps it for an undo. */
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import type { FactBody } from '#kernel';
import type { GuardPort, Loss } from '#runtime';
import { type IgnoredFiles, pointLimits, type Workspace } from '#workspace';
import { isBelow, placeOf, reachOf } from './loss-reach.ts';
import type { World } from './world-port.ts';

/** Ignored files that are kept before one command; the limits of a checkpoint hold for their bytes. */
const ignoredMax = 2000;
/** What is kept where no word of a command names it, the smallest files first. */
const unnamedLimits = { fileBytesMax: 8 * 1024 * 1024, bytesMax: 32 * 1024 * 1024 } as const;
/** Names in one line of the question. */
const namesMax = 8;

export function guardPort(workspace: Workspace, world: World): GuardPort {
  const { revision, root } = workspace;
  const ignoredBy = async (losses: readonly Loss[], signal: AbortSignal): Promise<IgnoredFiles> => {
    const taking = losses.filter(({ takes }) => takes.includes('ignored'));
    if (taking.length === 0 || revision.ignored === undefined) return { files: [], left: [] };
    const { tops, reaches } = await reachOf(taking, workspace);
    if (tops.length === 0) return { files: [], left: [] };
    const found = await revision.ignored({ filesMax: ignoredMax, under: tops }, signal);
    return { files: found.files.filter(reaches), left: found.left.filter((one) => one === './' || reaches(one)) };
  };
  return {
    async tell(all, _state, signal) {
      const named = all.filter(({ unnamed }) => unnamed !== true);
      const nowhere = await Promise.all(named.map(isNowhere));
      const losses = named.filter((_loss, i) => nowhere[i] !== true);
      if (losses.length === 0) return '';
      const [uncommitted, ignored, scan] = await Promise.all([
        revision.uncommitted?.() ?? null,
        ignoredBy(losses, signal),
        revision.scan(signal),
      ]);
      const lines: string[] = [];
      const kept = [...ignored.files];
      const say = async (kind: Loss['takes'][number], paths: readonly string[], what: string) => {
        const taking = losses.filter(({ takes }) => takes.includes(kind));
        if (taking.length === 0) return;
        const taken = paths.filter((await reachOf(taking, workspace)).reaches);
        if (taken.length > 0) lines.push(`  ${counted(taken, what)}`);
        kept.push(...taken);
      };
      for (const loss of losses) lines.push(`  ${loss.why}`, ...(await placesOf(loss)));
      // What lies outside the workspace is told of the commands that reach it.
      const changed = uncommitted?.changed.filter((file) => !file.startsWith('../')) ?? [];
      if (uncommitted === null) await say('untracked', [...scan.manifest.keys()], 'file');
      else {
        await say('changes', changed, 'file with uncommitted changes');
        await say('untracked', uncommitted.untracked, 'file that git does not know');
        const wholly = losses.filter(({ takes, paths }) => paths !== null && takes.includes('changes'));
        const { reaches } = await reachOf(wholly, workspace);
        const known = new Set([...changed, ...uncommitted.untracked]);
        const committed = wholly.length === 0 ? [] : [...scan.manifest.keys()].filter(reaches);
        const rest = committed.filter((one) => !known.has(one) && !one.endsWith('/'));
        if (rest.length > 0) lines.push(`  ${counted(rest, 'committed file')}`);
      }
      if (ignored.files.length > 0) lines.push(`  ${counted(ignored.files, 'ignored file')}`);
      const beyond = [...new Set(losses.flatMap((loss) => (loss.beyond === null ? [] : [loss.beyond])))];
      const large = await tooLarge(kept, root);
      const never = [...beyond, ...ignored.left, ...large, ...(await outsideOf(losses, workspace))];
      const promise = losses.some(({ takes }) => takes.length > 0)
        ? ['Files of the workspace are kept first: belay undo brings them back.']
        : [];
      const lost = never.length === 0 ? [] : [`Not kept, and not brought back by an undo: ${listed(never)}`];
      return ['Could be lost:', ...lines, ...promise, ...lost].join('\n');
    },
    async keep(losses, state, signal) {
      if (losses.every(({ takes }) => takes.length === 0)) return [];
      const named = losses.filter(({ unnamed }) => unnamed !== true);
      const { files, left } = await ignoredBy(named, signal);
      const isUnnamed = named.length < losses.length;
      const rest = isUnnamed ? await smallest((await ignoredBy(losses, signal)).files, files, root) : nothing;
      const kept = [...files, ...rest.kept];
      if (named.length === 0 && (kept.length === 0 || world.isKept?.(kept) === true)) return [];
      const { revision: found, tree, changed } = await world.scan(state, signal);
      const taken = (await world.keepWith?.(kept, signal)) ?? null;
      const unkept = left.filter((one) => one !== './');
      const missing = [...(taken?.uncovered ?? []), ...rest.left, ...unkept].slice(0, uncoveredMax);
      const point = taken === null || missing.length === 0 ? taken : { ...taken, uncovered: missing };
      const scanned: FactBody = {
        type: 'workspace.scanned',
        revision: found,
        tree,
        at: 'round',
        changed: changed.slice(0, 50),
      };
      return [...(tree === state.world.tree ? [] : [scanned]), ...(point === null ? [] : [point])];
    },
  };

  /** Whether something is overwritten where nothing is, also outside the workspace. Where a deletion leads is told all the same. */
  async function isNowhere({ why, paths, beyond }: Loss): Promise<boolean> {
    if (!/overwrit/.test(why) || paths === null || paths.length === 0 || beyond !== null) return false;
    for (const one of paths) {
      const { at } = await placeOf(one, workspace);
      const isPattern = /[*?[{]/.test(one.replace(/\\./g, ''));
      if (at === null || isPattern || !(await isMissing(at))) return false;
    }
    return true;
  }

  /** Where a path of a loss leads, as a person reads it. */
  async function placesOf({ paths, unsure }: Loss): Promise<readonly string[]> {
    const lines: string[] = [];
    if (unsure === true) return lines;
    for (const one of (paths ?? []).slice(0, namesMax)) {
      const { at, unset } = await placeOf(one, workspace);
      if (at === null) lines.push(`    ${one} is known only when it runs`);
      else {
        const empty = unset.length === 0 ? '' : `, because ${unset.join(' and ')} is not set`;
        lines.push(`    ${one} is ${at}${empty}${isBelow(at, root) ? '' : ', outside the workspace'}`);
      }
    }
    return lines;
  }
}

const isMissing = (at: string): Promise<boolean> =>
  lstat(at).then(
    () => false,
    (cause: NodeJS.ErrnoException) => cause.code === 'ENOENT' || cause.code === 'ENOTDIR',
  );

const nothing = { kept: [], left: [] } as const;
/** Paths named in one fact. */
const uncoveredMax = 20;

/** Those that are kept although no word names them, and those that would take too long. */
async function smallest(paths: readonly string[], besides: readonly string[], root: string) {
  const known = new Set(besides);
  const sized = await Promise.all(
    paths
      .filter((one) => !known.has(one))
      .map(async (one) => ({ one, size: (await lstat(path.join(root, one)).catch(() => null))?.size ?? 0 })),
  );
  const kept: string[] = [];
  const left: string[] = [];
  let bytes = 0;
  for (const { one, size } of sized.sort((a, b) => a.size - b.size)) {
    bytes += size;
    const fits = size <= unnamedLimits.fileBytesMax && bytes <= unnamedLimits.bytesMax;
    (fits ? kept : left).push(one);
  }
  return { kept: kept.sort(), left };
}

const counted = (paths: readonly string[], what: string): string =>
  `${paths.length} ${paths.length === 1 ? what : what.replace('file', 'files')}: ${listed(paths)}`;

const listed = (names: readonly string[]): string =>
  `${names.slice(0, namesMax).join(', ')}${names.length > namesMax ? `, and ${names.length - namesMax} more` : ''}`;

async function outsideOf(losses: readonly Loss[], workspace: Workspace): Promise<readonly string[]> {
  const paths = losses.flatMap((loss) => loss.paths ?? []).slice(0, namesMax);
  const places = await Promise.all(paths.map((one) => placeOf(one, workspace)));
  return places.flatMap(({ at }) => (at === null || isBelow(at, workspace.root) ? [] : [at]));
}

/** Files that are longer than what a checkpoint stores, and those for which no room is left in one. */
async function tooLarge(paths: readonly string[], root: string): Promise<readonly string[]> {
  const large: string[] = [];
  let left = pointLimits.pointBytesMax;
  for (const one of new Set(paths)) {
    const size = await lstat(path.join(root, one)).then(
      (stat) => (stat.isFile() ? stat.size : 0),
      () => 0,
    );
    if (size > Math.min(pointLimits.fileBytesMax, left)) large.push(one);
    else left -= size;
  }
  return large;
}
