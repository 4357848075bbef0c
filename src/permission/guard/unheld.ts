import type { PermissionPorts } from '../contract.ts';
import { type Around, type Cover, coversOf } from './covered.ts';
import type { Taking } from './takings.ts';

/** Of what a command takes, the files that no commit holds, or only those that are ignored; null where nobody looks. */
export async function unheldOf(
  taking: Pick<Taking, 'words'> & Partial<Pick<Taking, 'deep'>>,
  which: 'all' | 'ignored',
  around: Around,
): Promise<readonly string[] | null> {
  const { ports } = around;
  if (ports?.unheld === undefined) return null;
  const covers: Cover[] = [];
  for (const cover of await coversOf(taking.words, around)) {
    const isOpen = taking.deep || taking.words?.every(({ kind }) => kind === 'literal') !== true;
    if (isOpen || !(await isFolder(cover.top, ports))) covers.push(cover);
  }
  if (covers.length === 0) return [];
  const tops = [...new Set(covers.map(({ top }) => top))];
  const files = await ports.unheld(tops, which);
  return files.filter((file) => file === './' || covers.some((cover) => cover.covers(file)));
}

const isFolder = async (path: string, { kind }: PermissionPorts): Promise<boolean> =>
  kind !== undefined && (await kind(path)) === 'directory';
