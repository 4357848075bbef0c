import type { PermissionCall } from '../contract.ts';
import type { Rule } from './rule.ts';

/** Tools that do what the named one does: they change files, or show what is in them. */
const alsoMeant: { readonly [tool: string]: readonly string[] } = {
  Edit: ['Write', 'ApplyPatch'],
  Read: ['Grep', 'Symbols'],
};

/** Whether the rule matches a call by its tool, paths or host. Commands are matched word by word, by `matchWords`. */
export function matchRule(rule: Rule, call: PermissionCall): boolean {
  switch (rule.kind) {
    case 'tool':
      return isMeant(rule, call.tool) || alsoMeant[rule.tool]?.includes(call.tool) === true;
    case 'paths':
      return (
        rule.tools.includes(call.tool) && call.paths !== null && call.paths.length > 0 && call.paths.every(rule.matches)
      );
    case 'domain': {
      const host = rule.tool === call.tool ? hostOf(call) : null;
      return host !== null && rule.matches(host);
    }
    case 'command':
      return false;
  }
}

const isMeant = ({ tool, below }: Extract<Rule, { kind: 'tool' }>, called: string): boolean =>
  tool === called || (below !== undefined && called.startsWith(below));

function hostOf({ args }: PermissionCall): string | null {
  const url = args !== null && typeof args === 'object' && 'url' in args ? args['url'] : null;
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).hostname : null;
}

/** Whether the words of one command are those of the rule, or begin with them where the rule is open at its end. */
export function matchWords(rule: Extract<Rule, { kind: 'command' }>, words: readonly string[]): boolean {
  if (rule.prefix ? words.length < rule.words.length : words.length !== rule.words.length) return false;
  const last = rule.words.length - 1;
  return rule.words.every((word, i) => word === words[i] || (rule.stem && i === last && words[i]?.startsWith(word)));
}
