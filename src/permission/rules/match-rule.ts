import type { PermissionCall } from '../contract.ts';
import type { Rule } from './rule.ts';

/** Whether the rule matches a call by its tool or its paths. Commands are matched word by word, by `matchWords`. */
export function matchRule(rule: Rule, call: PermissionCall): boolean {
  switch (rule.kind) {
    case 'tool':
      return rule.tool === call.tool || (rule.tool === 'Edit' && call.tool === 'Write');
    case 'paths':
      return (
        rule.tools.includes(call.tool) &&
        call.paths !== null &&
        call.paths.length > 0 &&
        call.paths.every((path) => isInside(path) && rule.matches(path))
      );
    case 'command':
      return false;
  }
}

/** Whether the words of one command are those of the rule, or begin with them where the rule is open at its end. */
export function matchWords(rule: Extract<Rule, { kind: 'command' }>, words: readonly string[]): boolean {
  if (rule.prefix ? words.length < rule.words.length : words.length !== rule.words.length) return false;
  return rule.words.every((word, i) => word === words[i]);
}

/** Absolute and climbing paths are outside the workspace, where no pattern of a rule reaches. */
export const isInside = (path: string): boolean => !path.startsWith('/') && path !== '..' && !path.startsWith('../');
