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
 * Sees that every content of a plan is here and whole before anything is touched, and that nothing is taken away that is
 * held nowhere else. What only the user's repository has is copied, so that an interrupted undo can be finished whatever
 * becomes of the repository.
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
  const refused = new Map<string, string>();
  for (const file of files) {
    if (needsContent(file) && lost.has(String(file.result))) refused.set(file.path, NOT_KEPT);
    else if (!(await isSpared(file, checkpoints, base)) && file.result === null) refused.set(file.path, NOT_TAKEN);
  }
  return {
    files: files.filter(({ path }) => !refused.has(path)),
    refused: [...refused].map(([path, why]) => ({ path, why })),
  };
}

const NOT_KEPT = 'its content is not kept';
const NOT_TAKEN =
  'it is not kept anywhere else (too large, or no room for it), so it is not removed; remove it yourself';

/** Whether what the plan displaces is kept, or is by now: it may be the only copy of something. */
async function isSpared(
  { path, base: hash, result }: Restoration,
  checkpoints: Place['checkpoints'],
  base: Place['base'],
): Promise<boolean> {
  if (typeof hash !== 'string' || hash === result || path.endsWith('/')) return true;
  return (await checkpoints.keepFile(path, hash)) || (await base.content(hash)) !== null;
}

/** Contents asked for together. */
const AT_ONCE = 50;

const needsContent = ({ path, base, result }: Restoration): boolean =>
  typeof result === 'string' && result !== base && !path.endsWith('/');
