/**
 * The rules of a settings file: `{"permissions": {"allow": [], "ask": [], "deny": []}}`, the form that users already
 * have. A rule may carry examples: `{"rule": "Bash(npm run *)", "allows": ["npm run build"], "asks": ["npm run $X"]}`.
 * Everything else in the file is somebody else's, or nobody's (`unknownKeys`).
 */
import { parseRule } from '../rules/parse-rule.ts';
import { nothingToMatch, ruleWarning } from '../rules/rule-warning.ts';
import { type RuleExample, readRule } from './read-rule.ts';
import { repeatedKeys } from './repeated-keys.ts';

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
  /** What the authors of the rules expect of them, to be checked when all rules are known. */
  readonly examples: readonly RuleExample[];
  /** What does not count, or counts for more than it seems to. */
  readonly warnings: readonly string[];
  /** Why the rules that narrow cannot be relied on; empty where they can. */
  readonly faults: readonly string[];
}
type Kind = 'allow' | 'ask' | 'deny';

/** Never throws. Rules that can never match are left out and named. `own` names tools of the embedding program. */
export async function readSettings(file: SettingsFile, own: readonly string[] = []): Promise<SettingsRules> {
  const { name, from } = file;
  const warnings: string[] = [];
  const faults: string[] = [];
  const examples: RuleExample[] = [];
  const warn = (text: string) => warnings.push(`${name}: ${text}`);
  const narrowFault = (text: string) => (from === 'user' ? faults : warnings).push(`${name}: ${text}`);
  const lists = listsOf(file.text);
  if (typeof lists === 'string') {
    narrowFault(lists);
    return { allow: [], ask: [], deny: [], examples, warnings, faults };
  }
  for (const key of repeatedKeys(file.text))
    narrowFault(`"${key}" stands twice in one place, and only the last one counts`);
  const take = async (kind: Kind): Promise<readonly string[]> => {
    const given = lists[kind];
    if (given === undefined) return [];
    if (!Array.isArray(given)) {
      narrowFault(`permissions.${kind} must be a list of rules`);
      return [];
    }
    if (kind === 'allow' && from === 'repository') {
      if (given.length > 0) warn('rules that allow do not count in a repository; give them with --allow');
      return [];
    }
    const rules: string[] = [];
    for (const item of given as readonly unknown[]) {
      const read = readRule(item);
      const parsed = typeof read === 'string' ? null : await parseRule(read.rule, own);
      if (typeof read === 'string' || parsed?.ok !== true) {
        const why = parsed?.ok === false ? parsed.error : `${JSON.stringify(item)} ${read}`;
        if (kind === 'allow') warn(why);
        else narrowFault(`permissions.${kind}: ${why}`);
        continue;
      }
      rules.push(read.rule);
      examples.push(...read.examples.map((one) => ({ ...one, file: name, from })));
      const warning = kind === 'allow' ? await ruleWarning(read.rule, own) : nothingToMatch(parsed.value, own);
      if (warning !== null) warn(warning);
    }
    return rules;
  };
  return { allow: await take('allow'), ask: await take('ask'), deny: await take('deny'), examples, warnings, faults };
}

/** The lists as they stand in the file, or why there are none. */
function listsOf(text: string): { readonly [K in Kind]?: unknown } | string {
  let whole: unknown;
  try {
    whole = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return 'it is not JSON, so none of its rules count; JSON has no comments, and no comma behind a last item';
  }
  if (!isObject(whole)) return 'it is no JSON object, so none of its rules count';
  const { permissions } = whole;
  if (permissions === undefined) return {};
  if (!isObject(permissions)) return 'permissions must be an object with allow, ask and deny';
  return { allow: permissions['allow'], ask: permissions['ask'], deny: permissions['deny'] };
}

const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
