/** What of git's index a text would lose: contents that are neither committed nor in their files, and in no checkpoint. */
import type { Loss } from '../contract.ts';
import type { Analysis } from '../shell/analysis.ts';
import { everyCommand } from '../shell/every-command.ts';
import { type Restaged, restagedBy } from '../shell/programs/git-index.ts';
import { programName } from '../shell/programs/profile-of.ts';
import { type Around, coversOf } from './covered.ts';

const namesMax = 8;

/** Empty where nobody looks. */
export async function stagedLosses({ commands }: Analysis, around: Around): Promise<readonly Loss[]> {
  const { ports } = around;
  if (ports?.staged === undefined) return [];
  const losses: Loss[] = [];
  let staged: readonly string[] | null | undefined;
  for (const { words } of everyCommand(commands)) {
    const restaged = programName(words[0]?.text ?? '') === 'git' ? restagedBy(words) : null;
    if (restaged === null) continue;
    staged ??= await ports.staged();
    const files = staged === null ? null : await among(staged, restaged, around);
    if (files?.length === 0) continue;
    const shown = files === null ? 'files (git did not say of which)' : listed(files);
    losses.push({
      what: words.map(({ text }) => text).join(' '),
      why: `what is staged of ${shown} would be lost: no commit and no file holds it`,
      takes: [],
      paths: [],
      beyond: `what is staged of ${shown} (git fsck --lost-found finds it for some time)`,
    });
  }
  return losses;
}

async function among(staged: readonly string[], { words, mayBeCommit }: Restaged, around: Around) {
  const covers = await coversOf(words, around);
  const files = staged.filter((file) => covers.some((cover) => cover.covers(file)));
  if (files.length > 0 || !mayBeCommit) return files;
  for (const { top } of covers) if ((await around.ports?.kind?.(top)) !== 'missing') return [];
  return staged;
}

export const listed = (names: readonly string[]): string =>
  `${names.slice(0, namesMax).join(', ')}${names.length > namesMax ? ` and ${names.length - namesMax} more` : ''}`;
