/**
 * The losses of a text as they are there to lose: without those of files that are not there, and with everything that is
 * ignored and named, because no checkpoint holds that.
 */
import type { Loss, PermissionPorts } from '../contract.ts';
import type { Analysis } from '../shell/analysis.ts';
import { literalWord } from '../shell/shell-word.ts';
import { type Around, coversOf } from './covered.ts';
import { certain, lossOf } from './losses.ts';
import { namedWords } from './named.ts';
import { written } from './operands.ts';
import { stagedLosses } from './staged.ts';
import { takingsOf } from './takings.ts';
import { unheldOf } from './unheld.ts';

/** `text`: what was analysed; without it (it only reads) no names in it count. */
export async function presentLosses(
  analysis: Analysis,
  ports: PermissionPorts | null,
  workspace: string,
  text: string | null = null,
): Promise<readonly Loss[]> {
  const { folders } = analysis;
  const around: Around = { folders, workspace, ports };
  const takings = takingsOf(analysis);
  const losses: Loss[] = [];
  for (const taking of certain(takings)) {
    const loss = spread(lossOf(taking), folders);
    if (loss.paths !== null && ports !== null && folders.length === 1 && (await areMissing(loss.paths, ports)))
      continue;
    losses.push(loss);
  }
  for (const taking of takings.filter(({ how }) => /^(edits|moves|may)$/.test(how))) {
    if ((await unheldOf(taking, 'ignored', around))?.some(isFile) !== true) continue;
    const loss: Loss = { ...spread(lossOf(taking), folders), takes: ['ignored'] };
    losses.push(taking.how === 'edits' ? loss : { ...loss, unsure: true });
  }
  losses.push(...(await stagedLosses(analysis, around)));
  const named = text === null ? null : await namedLoss(namedWords(text, analysis, takings), around);
  return named === null ? losses : [...losses, named];
}

const spread = (loss: Loss, folders: readonly string[]): Loss => ({
  ...loss,
  paths: loss.paths?.flatMap((path) => folders.map((folder) => from(folder, path))) ?? null,
});

const from = (folder: string, path: string): string =>
  folder === '.' || /^["']?[/~$]/.test(path) ? path : `${written(literalWord(folder))}/${path}`;

const isFile = (path: string): boolean => !path.endsWith('/');

/** Ignored files that are named, by words of which nobody knows what they are for. */
async function namedLoss(words: ReturnType<typeof namedWords>, around: Around): Promise<Loss | null> {
  const { ports } = around;
  if (ports?.unheld === undefined) return null;
  const places = new Set<string>();
  for (const word of words) {
    if (word.kind === 'pattern') {
      const found = await unheldOf({ words: [word] }, 'ignored', around);
      for (const file of found ?? []) places.add(file);
    } else {
      for (const { top } of await coversOf([word], around)) {
        if (top !== '.' && (await ports.kind?.(top)) !== 'missing') places.add(top);
      }
    }
  }
  if (places.size === 0) return null;
  const files = (await ports.unheld([...places], 'named')).filter(isFile);
  const paths = [...places].filter((place) => files.some((file) => file === place || file.startsWith(`${place}/`)));
  if (paths.length === 0) return null;
  const shown = paths.slice(0, 8).join(' ');
  return {
    what: shown,
    why: `the command could change what it names: ${shown}`,
    takes: ['ignored'],
    paths: paths.map((path) => written(literalWord(path))),
    beyond: null,
    unsure: true,
  };
}

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
