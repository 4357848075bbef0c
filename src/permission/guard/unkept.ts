/** What is asked in every mode, whatever the rules say, because no checkpoint holds it. */
import type { Loss } from '../contract.ts';
import type { Analysis } from '../shell/analysis.ts';
import type { Around } from './covered.ts';
import { outsideLosses } from './outside-losses.ts';
import { repositoryLoss } from './repository-loss.ts';

/** `text` is what was analysed. */
export async function unkeptLosses(text: string, analysis: Analysis, around: Around): Promise<readonly Loss[]> {
  const git = await repositoryLoss(text, analysis, around);
  return [...(git === null ? [] : [git]), ...(await outsideLosses(analysis, around))];
}
