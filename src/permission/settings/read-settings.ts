/**
 * The rules of a settings file: `{"permissions": {"allow": [], "ask": [], "deny": []}}`, the form that users already
 * have. Everything else in the file is somebody else's.
 */
import { parseRule } from '../rules/parse-rule.ts';
import { ruleWarning } from '../rules/rule-warning.ts';

export interface SettingsFile {
  /** For people: how they name the file. */
  readonly name: string;
  readonly text: string;
  /** `user`: it may allow, and a fault in it stops the start. `repository`: it only narrows. */
  readonly from: 'user' | 'repository';
}
export interface SettingsRules {
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
  /** What does not count, or counts for more than it seems to. */
  readonly warnings: readonly string[];
  /** Why the rules that narrow cannot be relied on; empty where they can. */
  readonly faults: readonly string[];
}

/** Never throws. Rules that can never match are left out and named. `own` names tools of the embedding program. */
export async function readSettings(file: SettingsFile, own: readonly string[] = []): Promise<SettingsRules> {
  const { name, from } = file;
  const warnings: string[] = [];
  const faults: string[] = [];
  const narrowFault = (text: string) => (from === 'user' ? faults : warnings).push(`${name}: ${text}`);
  const lists = listsOf(file.text);
  if (typeof lists === 'string') {
    narrowFault(lists);
    return { allow: [], ask: [], deny: [], warnings, faults };
  }
  const take = async (kind: 'allow' | 'ask' | 'deny'): Promise<readonly string[]> => {
    const given = lists[kind];
    if (given === undefined) return [];
    if (!Array.isArray(given)) {
      narrowFault(`permissions.${kind} must be a list of rules`);
      return [];
    }
    if (kind === 'allow' && from === 'repository') {
      if (given.length > 0)
        warnings.push(`${name}: rules that allow do not count in a repository; give them with --allow`);
      return [];
    }
    const rules: string[] = [];
    for (const rule of given as readonly unknown[]) {
      const parsed = typeof rule === 'string' ? await parseRule(rule, own) : null;
      if (typeof rule === 'string' && parsed?.ok === true) {
        rules.push(rule);
        const warning = kind === 'allow' ? await ruleWarning(rule, own) : null;
        if (warning !== null) warnings.push(`${name}: ${warning}`);
        continue;
      }
      const why = parsed?.ok === false ? parsed.error : `${JSON.stringify(rule)} is no rule`;
      if (kind === 'allow') warnings.push(`${name}: ${why}`);
      else narrowFault(`permissions.${kind}: ${why}`);
    }
    return rules;
  };
  return { allow: await take('allow'), ask: await take('ask'), deny: await take('deny'), warnings, faults };
}

/** The lists as they stand in the file, or why there are none. */
function listsOf(text: string): { readonly [K in 'allow' | 'ask' | 'deny']?: unknown } | string {
  let whole: unknown;
  try {
    whole = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return 'it is not JSON, so none of its rules count';
  }
  if (!isObject(whole)) return 'it is no JSON object, so none of its rules count';
  const { permissions } = whole;
  if (permissions === undefined) return {};
  if (!isObject(permissions)) return 'permissions must be an object with allow, ask and deny';
  return { allow: permissions['allow'], ask: permissions['ask'], deny: permissions['deny'] };
}

const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
