import { homedir } from 'node:os';
import type { PermissionPorts } from '#permission';
import type { Workspace } from '#workspace';

/** How the policy learns where a path really leads and what stands there. */
export function permissionPorts(
  workspace: Pick<Workspace, 'files' | 'processes'>,
  startsLater: (path: string) => boolean = () => false,
): PermissionPorts {
  const { files } = workspace;
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
  };
}
