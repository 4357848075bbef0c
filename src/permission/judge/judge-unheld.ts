/** A rule for a command is no leave to lose what no commit holds. */
import type { Around } from '../guard/covered.ts';
import { stagedLosses } from '../guard/staged.ts';
import { takingsOf } from '../guard/takings.ts';
import { unheldOf } from '../guard/unheld.ts';
import type { Analysis } from '../shell/analysis.ts';
import type { Part } from './shell-question.ts';

/** Questions for files that would be removed or replaced, and of those that are edited, the ignored ones. */
export async function judgeUnheld(analysis: Analysis, around: Around): Promise<readonly Part[]> {
  const parts: Part[] = [];
  for (const taking of takingsOf(analysis)) {
    const { how, what, why } = taking;
    // What is written over is judged by its path, whatever lies there.
    if (!/^(removes|overwrites|edits)$/.test(how)) continue;
    const [first, ...more] = (await unheldOf(taking, how === 'edits' ? 'ignored' : 'all', around)) ?? [];
    if (first === undefined) continue;
    const rest = more.length === 0 ? '' : ` and ${more.length} more`;
    parts.push({ what, decision: 'ask', reason: `${why}: no commit holds ${first}${rest}` });
  }
  for (const { what, why } of await stagedLosses(analysis, around)) parts.push({ what, decision: 'ask', reason: why });
  return parts;
}
