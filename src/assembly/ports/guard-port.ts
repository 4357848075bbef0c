/** Stands before calls that could take work away: says what is there to lose, and keeps it for an undo. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { FactBody } from '#kernel';
import { spelledOut } from '#permission';
import type { GuardPort, Loss } from '#runtime';
import type { IgnoredFiles, Workspace } from '#workspace';
import type { World } from './world-port.ts';

/** Ignored files that are kept before one command; the limits of a checkpoint hold for their bytes. */
const ignoredMax = 2000;
/** Names in one line of the question. */
const namesMax = 8;

export function guardPort(workspace: Workspace, world: World): GuardPort {
  const { revision, root } = workspace;
  const ignoredBy = async (losses: readonly Loss[], signal: AbortSignal): Promise<IgnoredFiles> => {
    const taking = losses.filter(({ takes }) => takes.includes('ignored'));
    if (taking.length === 0 || revision.ignored === undefined) return { files: [], left: [] };
    const found = await revision.ignored({ filesMax: ignoredMax }, signal);
    const isTaken = await reach(taking, workspace);
    return { files: found.files.filter(isTaken), left: found.left.filter(isTaken) };
  };
  return {
    async tell(losses, _state, signal) {
      const [uncommitted, ignored, scan] = await Promise.all([
        revision.uncommitted?.() ?? null,
        ignoredBy(losses, signal),
        revision.scan(signal),
      ]);
      const lines: string[] = [];
      const say = async (kind: Loss['takes'][number], paths: readonly string[], what: string) => {
        const taking = losses.filter(({ takes }) => takes.includes(kind));
        if (taking.length === 0) return;
        const taken = paths.filter(await reach(taking, workspace));
        if (taken.length > 0) lines.push(`  ${counted(taken, what)}`);
      };
      for (const loss of losses) lines.push(`  ${loss.why}`, ...(await placesOf(loss, workspace)));
      if (uncommitted === null) await say('untracked', [...scan.manifest.keys()], 'file');
      else {
        await say('changes', uncommitted.changed, 'file with uncommitted changes');
        await say('untracked', uncommitted.untracked, 'file that git does not know');
        const wholly = losses.filter(({ takes, paths }) => paths !== null && takes.includes('changes'));
        const isTaken = await reach(wholly, workspace);
        const known = new Set([...uncommitted.changed, ...uncommitted.untracked]);
        const committed = wholly.length === 0 ? [] : [...scan.manifest.keys()].filter(isTaken);
        const rest = committed.filter((one) => !known.has(one) && !one.endsWith('/'));
        if (rest.length > 0) lines.push(`  ${counted(rest, 'committed file')}`);
      }
      if (ignored.files.length > 0) lines.push(`  ${counted(ignored.files, 'ignored file')}`);
      const beyond = [...new Set(losses.flatMap((loss) => (loss.beyond === null ? [] : [loss.beyond])))];
      const never = [...beyond, ...ignored.left, ...(await outsideOf(losses, workspace))];
      const kept = losses.some(({ takes }) => takes.length > 0)
        ? ['Files of the workspace are kept first: belay undo brings them back.']
        : [];
      const lost = never.length === 0 ? [] : [`Not kept, and not brought back by an undo: ${listed(never)}`];
      return ['Could be lost:', ...lines, ...kept, ...lost].join('\n');
    },
    async keep(losses, state, signal) {
      if (losses.every(({ takes }) => takes.length === 0)) return [];
      const { files } = await ignoredBy(losses, signal);
      const { revision: found, tree, changed } = await world.scan(state, signal);
      const point = (await world.keepWith?.(files, signal)) ?? null;
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

  /** Where a path of a loss leads, as a person reads it. */
  async function placesOf({ paths }: Loss, { processes }: Workspace): Promise<readonly string[]> {
    const lines: string[] = [];
    for (const one of (paths ?? []).slice(0, namesMax)) {
      const { at, unset } = await place(one, root, processes.helperEnv());
      if (at === null) lines.push(`    ${one} is known only when it runs`);
      else {
        const empty = unset.length === 0 ? '' : `, because ${unset.join(' and ')} is not set`;
        lines.push(`    ${one} is ${at}${empty}${isBelow(at, root) ? '' : ', outside the workspace'}`);
      }
    }
    return lines;
  }
}

const counted = (paths: readonly string[], what: string): string =>
  `${paths.length} ${paths.length === 1 ? what : what.replace('file', 'files')}: ${listed(paths)}`;

const listed = (names: readonly string[]): string =>
  `${names.slice(0, namesMax).join(', ')}${names.length > namesMax ? `, and ${names.length - namesMax} more` : ''}`;

/** Whether a path of the workspace lies where one of the losses reaches. */
async function reach(losses: readonly Loss[], { root, processes }: Workspace): Promise<(path: string) => boolean> {
  if (losses.some(({ paths }) => paths === null)) return () => true;
  const places = await Promise.all(
    losses.flatMap(({ paths }) => (paths ?? []).map((one) => place(one, root, processes.helperEnv()))),
  );
  if (places.some(({ at }) => at === null)) return () => true;
  const tops = places.map(({ at }) => beforePattern(at ?? '/'));
  return (one) => tops.some((top) => isBelow(path.join(root, one), top));
}

async function outsideOf(losses: readonly Loss[], { root, processes }: Workspace): Promise<readonly string[]> {
  const paths = losses.flatMap((loss) => loss.paths ?? []).slice(0, namesMax);
  const places = await Promise.all(paths.map((one) => place(one, root, processes.helperEnv())));
  return places.flatMap(({ at }) => (at === null || isBelow(at, root) ? [] : [at]));
}

/** Absolute, links of the folders on the way followed; the last name is not, because removing a link removes the link. */
async function place(
  text: string,
  folder: string,
  env: { readonly [name: string]: string | undefined },
): Promise<{ readonly at: string | null; readonly unset: readonly string[] }> {
  const { path: plain, unset } = spelledOut(text, { folder, home: env['HOME'] ?? '/', env });
  if (plain === null) return { at: null, unset };
  const around = path.dirname(plain);
  const real = await realpath(around).catch(() => around);
  return { at: plain === '/' ? '/' : path.join(real, path.basename(plain)), unset };
}

const isBelow = (one: string, folder: string): boolean =>
  one === folder || one.startsWith(folder.endsWith('/') ? folder : `${folder}/`);

function beforePattern(at: string): string {
  const segments = at.split('/');
  const first = segments.findIndex((segment) => /[*?[{]/.test(segment));
  return (first < 0 ? at : segments.slice(0, first).join('/')) || '/';
}
