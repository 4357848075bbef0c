import { parseRule } from './parse-rule.ts';
import type { Rule } from './rule.ts';

/** Reads lists of rule texts, each text once. Texts that are no rules are left out. */
export function ruleReader(own: readonly string[]): (texts: readonly string[]) => Promise<readonly Rule[]> {
  const known = new Map<string, Rule | null>();
  return async (texts) => {
    const rules: Rule[] = [];
    for (const text of texts) {
      let rule = known.get(text);
      if (rule === undefined) {
        const parsed = await parseRule(text, own);
        rule = parsed.ok ? parsed.value : null;
        known.set(text, rule);
      }
      if (rule !== null) rules.push(rule);
    }
    return rules;
  };
}
