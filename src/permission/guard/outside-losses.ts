/**
 * What commands of git would take away outside the workspace, where that is a folder of a larger repository: no
 * checkpoint holds it. What lies where is looked up only for commands that could reach it.
 */
import type { Loss, PermissionPorts } from '../contract.ts';
import { beforePattern, fullPath, placeOf, waysOf } from '../paths/place-of.ts';
import type { Analysis } from '../shell/analysis.ts';
import { everyCommand } from '../shell/every-command.ts';
import type { ShellWord } from '../shell/shell-word.ts';
import type { Around } from './covered.ts';
import { listed } from './staged.ts';
import { sweptBy } from './swept.ts';
import { wanders } from './takings.ts';

/** Empty where nobody looks. */
export async function outsideLosses(analysis: Analysis, around: Around): Promise<readonly Loss[]> {
  const look = around.ports?.elsewhere;
  if (look === undefined) return [];
  const losses: Loss[] = [];
  for (const command of everyCommand(analysis.commands)) {
    const swept = sweptBy(command);
    if (swept === null) continue;
    const reaches = swept.words === null || wanders(analysis) ? [anywhere] : await reachesOf(swept.words, around);
    if (reaches.length === 0) continue;
    const found = await look(swept.takes);
    const files = found?.files.filter((file) => reaches.some((reach) => reach(file, found.top)));
    if (files?.length === 0) continue;
    const shown = files === undefined ? 'files (git did not say which)' : listed(files);
    losses.push({
      what: command.words.map(({ text }) => text).join(' '),
      why: `what no commit holds outside the workspace would be taken away: ${shown}`,
      takes: [],
      paths: [],
      beyond: shown,
    });
  }
  return losses;
}

/** Whether it is a file outside; both from the workspace, as the top of the repository. */
type Reach = (file: string, top: string) => boolean;
const anywhere: Reach = () => true;

async function reachesOf(words: readonly ShellWord[], around: Around): Promise<readonly Reach[]> {
  const reaches: Reach[] = [];
  for (const word of words) {
    for (const folder of around.folders) {
      const reach = await reachOf(word, folder, around);
      if (reach !== null) reaches.push(reach);
    }
  }
  return reaches;
}

/** Null inside the workspace. */
async function reachOf({ kind, text }: ShellWord, folder: string, around: Around): Promise<Reach | null> {
  const { workspace, ports } = around;
  const isUnread = kind === 'dynamic' || (kind === 'pattern' && /[{"'\\]/.test(text));
  if (isUnread || text.startsWith('~')) return anywhere;
  // With other signs git leaves files out, or reads the rest in another way.
  const fromTop = /^:(?:\/|\(top\))([^!^]*)$/.exec(text)?.[1];
  if (text.startsWith(':') && fromTop === undefined) return anywhere;
  const path = fromTop ?? text;
  const before = beforePattern(path);
  // A pattern may lead up again.
  if (path.slice(before.length).includes('..')) return anywhere;
  const full = (one: string, from = ''): string => fullPath(one, from, workspace);
  const meets = (named: string, file: string): boolean =>
    isBelow(full(file), named) || (file.endsWith('/') && isBelow(named, full(file)));
  if (fromTop !== undefined) return (file, top) => meets(full(before, top), file);
  if (await isInside(waysOf(before, folder, workspace), ports)) return null;
  // What seems to lie inside is led out by a link, and what seems to lie elsewhere may be led to the repository.
  if (placeOf(before, folder, workspace) !== null) return anywhere;
  const named = full(before, folder);
  return (file, top) => meets(named, file) || !isBelow(named, full(top));
}

const isBelow = (path: string, folder: string): boolean => `${path}/`.startsWith(`${folder}/`);

async function isInside(ways: readonly string[], ports: PermissionPorts | null): Promise<boolean> {
  for (const way of ways) if ((await ports?.realPath(way)) === null) return false;
  return true;
}
