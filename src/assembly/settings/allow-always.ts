import { ok, type Result } from '#lib';
import type { Session } from '#runtime';
import type { Problem } from '#surfaces/cli';
import { problem } from '../problem.ts';
import { storeRules } from './store-rules.ts';

/** Stores the rules of a question, first on disk and then in the session, and approves the call. */
export async function allowAlways(
  session: Session,
  file: string,
  root: string,
  actionId: string,
  by: string,
): Promise<Result<readonly string[], Problem>> {
  let rules: readonly string[] = [];
  for (const fact of session.find(['approval.requested'])) {
    if (fact.actionId === actionId) rules = fact.always ?? [];
  }
  const asked = session.state.turn?.open.find((open) => open.actionId === actionId);
  if (asked?.status !== 'asked') return problem(42, `no approval is open for ${actionId}`);
  if (rules.length === 0) return problem(42, 'no rule is narrow enough for this call; approve it once');
  const stored = await storeRules(file, root, rules);
  if (!stored.ok) return stored;
  const { allow } = session.state.settings;
  await session.configure({ allow: [...allow, ...rules.filter((rule) => !allow.includes(rule))] }, by);
  await session.approve(actionId, 'approve', by);
  return ok(rules);
}
