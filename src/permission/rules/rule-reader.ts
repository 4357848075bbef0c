import type { PermissionPorts } from '../contract.ts';
import { parseRule } from './parse-rule.ts';
import type { Rule, RuleSide } from './rule.ts';

/** Reads lists of rule texts, each text once. Texts that are no rules are left out. */
export function ruleReader(
  own: readonly string[],
): (texts: readonly string[], side: RuleSide) => Promise<readonly Rule[]> {
  const known = new Map<string, Rule | null>();
  return async (texts, side) => {
    const place = `${side.narrows}\0${side.workspace}\0${side.home}\0`;
    const rules: Rule[] = [];
    for (const text of texts) {
      let rule = known.get(place + text);
      if (rule === undefined) {
        const parsed = await parseRule(text, own, side);
        rule = parsed.ok ? parsed.value : null;
        known.set(place + text, rule);
      }
      if (rule !== null) rules.push(rule);
    }
    return rules;
  };
}

/** How rules count in a workspace. */
export function sidesOf(
  workspace: string,
  ports: PermissionPorts | null,
): { readonly narrowing: RuleSide; readonly allowing: RuleSide } {
  const place = { workspace, ...(ports?.home === undefined ? {} : { home: ports.home }) };
  return { narrowing: { narrows: true, ...place }, allowing: { narrows: false, ...place } };
}
