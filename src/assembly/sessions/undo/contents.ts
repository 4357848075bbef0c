import type { LeftAlone, Restoration } from '#kernel';
import type { RestoreItem } from '#workspace';
import type { Place } from '../open-workspace-at.ts';

/** A path of the plan as the workspace takes it. */
export const itemOf = ({ path, base, result, baseMode, mode }: Restoration): RestoreItem => ({
  path,
  from: typeof base === 'string' ? `${baseMode ?? '?'} ${base}` : null,
  to: typeof result === 'string' ? `${mode ?? '?'} ${result}` : null,
});

/**
 * Sees that every content of a plan is here and whole before anything is touched. What only the user's repository has
 * is copied, so that an interrupted undo can be finished whatever becomes of the repository.
 */
export async function secureContents(
  files: readonly Restoration[],
  { base, checkpoints }: Place,
): Promise<{ readonly files: readonly Restoration[]; readonly refused: readonly LeftAlone[] }> {
  const missing = new Set<string>();
  for (const hash of new Set(files.filter(needsContent).map(({ result }) => result as string))) {
    if (checkpoints.content(hash) !== null) continue;
    const bytes = await base.content(hash);
    if (bytes === null) missing.add(hash);
    else await checkpoints.keep(hash, bytes);
  }
  const isMissing = (file: Restoration) => needsContent(file) && missing.has(String(file.result));
  return {
    files: files.filter((file) => !isMissing(file)),
    refused: files.filter(isMissing).map(({ path }) => ({ path, why: 'its content is not kept' })),
  };
}

const needsContent = ({ path, base, result }: Restoration): boolean =>
  typeof result === 'string' && result !== base && !path.endsWith('/');
