import type { Rule } from '../rules/rule.ts';

/** Parsed rules: deny is asked first, then ask, then allow. */
export interface RuleSet {
  readonly deny: readonly Rule[];
  readonly ask: readonly Rule[];
  readonly allow: readonly Rule[];
}

export type CommandRule = Extract<Rule, { kind: 'command' }>;

/** Each command of a text is compared with the same rules, so they are picked once. */
const picked = new WeakMap<readonly Rule[], Map<string, readonly CommandRule[]>>();

export function commandRules(rules: readonly Rule[], tool: string): readonly CommandRule[] {
  const byTool = picked.get(rules) ?? new Map<string, readonly CommandRule[]>();
  const found =
    byTool.get(tool) ?? rules.filter((rule) => rule.kind === 'command').filter((rule) => rule.tool === tool);
  picked.set(rules, byTool.set(tool, found));
  return found;
}

export const bareRule = (rules: readonly Rule[], tool: string): Rule | null =>
  rules.find((rule) => rule.kind === 'tool' && rule.tool === tool) ?? null;

/** The rule that matches a path for a tool that reads or edits. */
export const pathRule = (rules: readonly Rule[], tool: 'Read' | 'Edit', path: string): Rule | null =>
  rules.find((rule) =>
    rule.kind === 'paths'
      ? rule.tools.includes(tool) && rule.matches(path)
      : rule.kind === 'tool' && rule.tool === tool,
  ) ?? null;
