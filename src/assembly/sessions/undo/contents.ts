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
  const wanted = new Set(files.filter(needsContent).map(({ result }) => String(result)));
  const missing = [...wanted].filter((hash) => checkpoints.content(hash) === null);
  const lost = new Set(missing);
  for (let at = 0; at < missing.length; at += AT_ONCE) {
    const some = missing.slice(at, at + AT_ONCE);
    const known = await base.contents(some);
    for (const hash of some) {
      // Contents that are too large to be asked for together come one by one.
      const bytes = known.get(hash) ?? (await base.content(hash));
      if (bytes === null) continue;
      await checkpoints.keep(hash, bytes);
      lost.delete(hash);
    }
  }
  const isMissing = (file: Restoration) => needsContent(file) && lost.has(String(file.result));
  return {
    files: files.filter((file) => !isMissing(file)),
    refused: files.filter(isMissing).map(({ path }) => ({ path, why: 'its content is not kept' })),
  };
}

/** Contents asked for together. */
const AT_ONCE = 50;

const needsContent = ({ path, base, result }: Restoration): boolean =>
  typeof result === 'string' && result !== base && !path.endsWith('/');
