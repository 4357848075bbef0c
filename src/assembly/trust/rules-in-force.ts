import type { Check } from '#kernel';
import { ok, type Result } from '#lib';
import type { Problem } from '#surfaces/cli';
import { type FileRules, permissionFiles } from '../permission-files.ts';
import { trustedParts } from './trusted-parts.ts';

/** The rules of all settings files, and what a trusted repository adds to what is started. */
export interface RulesInForce extends FileRules {
  /** Checks that a trusted repository declares; null where it declares none. */
  readonly checks: readonly Check[] | null;
  /** Files from which hooks of a trusted repository start, relative to it. */
  readonly guarded: readonly string[];
}

export async function rulesInForce(
  root: string,
  home: string,
  env: NodeJS.ProcessEnv,
  tools: readonly string[],
  isTrustDemanded: boolean,
): Promise<Result<RulesInForce, Problem>> {
  const rules = await permissionFiles(root, env, tools);
  if (!rules.ok) return rules;
  const parts = await trustedParts(root, home, isTrustDemanded);
  if (!parts.ok) return parts;
  const { hooks, warnings } = rules.value;
  const { checks, hooks: more, guarded, notices } = parts.value;
  return ok({ ...rules.value, hooks: [...hooks, ...more], warnings: [...warnings, ...notices], checks, guarded });
}
