import type { PermissionPorts } from '../../../src/permission/contract.ts';

const files = new Set(['src/a.ts', 'src/b.ts', 'package.json', '.env']);
const folders = new Set(['.', 'src', 'dir']);

/** A workspace with a few files, and links that lead out of it. */
export const corpusPorts: PermissionPorts = {
  realPath: async (path) => (/^(src\/)?link(\/|$)/.test(path) ? null : path),
  kind: async (path) => (files.has(path) ? 'file' : folders.has(path) ? 'directory' : 'missing'),
};
