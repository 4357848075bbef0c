import type { Loss, PermissionPorts } from '../contract.ts';
import type { Analysis } from '../shell/analysis.ts';
import { lossesOf } from './losses.ts';

/** The losses of a text without those of files that are not there. */
export async function presentLosses(analysis: Analysis, ports: PermissionPorts | null): Promise<readonly Loss[]> {
  const { folders } = analysis;
  const losses: Loss[] = [];
  for (const loss of lossesOf(analysis)) {
    const paths = loss.paths?.flatMap((path) => folders.map((folder) => from(folder, path))) ?? null;
    if (paths !== null && ports !== null && folders.length === 1 && (await areMissing(paths, ports))) continue;
    losses.push({ ...loss, paths });
  }
  return losses;
}

const from = (folder: string, path: string): string =>
  folder === '.' || /^["']?[/~$]/.test(path) ? path : `${folder}/${path}`;

/** Only plain names are looked up: a pattern or a variable may stand for anything. */
async function areMissing(paths: readonly string[], { kind, realPath }: PermissionPorts): Promise<boolean> {
  if (kind === undefined) return false;
  for (const path of paths) {
    if (!/^[\w@%+=:,./-]+$/.test(path) || path.startsWith('/') || path.split('/').includes('..')) return false;
    // Of what leads out of the workspace nobody says whether it is there.
    if ((await realPath(path)) === null || (await kind(path)) !== 'missing') return false;
  }
  return true;
}
