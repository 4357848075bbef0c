/**
 * A command that asks to run outside the sandbox. What allows it inside does not allow it there: only a rule that says
 * so, `Bash(unsandboxed:docker ps *)`, does, and every mode asks for everything else.
 */
import type { PermissionCall, PermissionPorts } from '../contract.ts';
import type { Rule } from '../rules/rule.ts';
import type { RuleSet } from './rule-set.ts';

const mark = 'unsandboxed';

/** Where there is no sandbox, nothing is left. */
export const leavesSandbox = (call: PermissionCall, ports: PermissionPorts | null): boolean =>
  call.tool === 'Bash' &&
  ports?.isConfined?.() === true &&
  call.args !== null &&
  typeof call.args === 'object' &&
  !Array.isArray(call.args) &&
  (call.args as { readonly [name: string]: unknown })['unsandboxed'] === true;

/** The rules as they count outside: of those that allow, only the marked ones. */
export const outsideRules = (rules: RuleSet): RuleSet => ({ ...rules, allow: rules.allow.flatMap(unmarked) });

function unmarked(rule: Rule): readonly Rule[] {
  if (rule.kind !== 'command') return [];
  const [first, ...rest] = rule.words;
  if (first === mark && rest.length === 0 && rule.prefix) return [{ ...rule, words: [] }];
  if (first?.startsWith(`${mark}:`) !== true) return [];
  return [{ ...rule, words: [first.slice(mark.length + 1), ...rest] }];
}
