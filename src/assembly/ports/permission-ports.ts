import { homedir } from 'node:os';
import type { PermissionPorts } from '#permission';
import type { Workspace } from '#workspace';

/** Ignored files that one look finds. */
const unheldMax = 2000;

/** How the policy learns where a path really leads and what stands there. */
export function permissionPorts(
  workspace: Pick<Workspace, 'files' | 'processes' | 'revision'>,
  startsLater: (path: string) => boolean = () => false,
  /** Whether a checkpoint has this content, by its git blob hash. */
  isKept: (hash: string) => boolean = () => false,
): PermissionPorts {
  const { files, revision } = workspace;
  return {
    home: homedir(),
    startsLater,
    isConfined: () => workspace.processes.isConfined(),
    async realPath(path) {
      const resolved = await files.resolve(path);
      if (!('code' in resolved)) return resolved.path;
      // Below a file, or with a slash behind a name: nothing is there, so nothing leads anywhere.
      return resolved.code === 'missing' || resolved.code === 'directory' ? path : null;
    },
    entries: (folder, max) => files.list(folder, max),
    async kind(path) {
      const resolved = await files.resolve(path);
      return 'code' in resolved ? 'missing' : resolved.kind;
    },
    async staged() {
      const staged = (await revision.stagedOnly?.()) ?? null;
      return staged?.filter(({ hash }) => !isKept(hash)).map(({ path }) => path) ?? null;
    },
    ...(revision.elsewhere === undefined ? {} : { elsewhere: revision.elsewhere }),
    async unheld(paths, which) {
      const ignored = await revision.ignored?.({ filesMax: unheldMax, under: paths, isNamed: which === 'named' });
      const found = [...(ignored?.files ?? []), ...(ignored?.left ?? [])];
      if (which !== 'all') return found;
      const isAsked = (file: string) =>
        paths.some((path) => path === '.' || file === path || file.startsWith(`${path}/`));
      const uncommitted = await revision.uncommitted?.();
      const open = uncommitted
        ? [...uncommitted.changed.filter((file) => !file.startsWith('../')), ...uncommitted.untracked]
        : [...(await revision.scan()).manifest.keys()];
      return [...found, ...open.filter(isAsked)];
    },
  };
}
