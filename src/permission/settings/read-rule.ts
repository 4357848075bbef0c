import type { Decision } from '../lattice.ts';

/** What the author of a rule expects: that this text meets this decision, with all the rules there are. */
export interface RuleExample {
  readonly rule: string;
  readonly text: string;
  readonly decision: Decision;
  readonly file: string;
  readonly from: 'user' | 'repository';
}
type Expected = Pick<RuleExample, 'rule' | 'text' | 'decision'>;

const lists: readonly (readonly [key: string, decision: Decision])[] = [
  ['allows', 'allow'],
  ['asks', 'ask'],
  ['denies', 'deny'],
];

/** One item of a list of rules: a text, or an object with examples. A string says why it is neither. */
export function readRule(item: unknown): { readonly rule: string; readonly examples: readonly Expected[] } | string {
  if (typeof item === 'string') return { rule: item, examples: [] };
  if (item === null || typeof item !== 'object' || Array.isArray(item)) return 'is no rule';
  const { rule, ...rest } = item as { readonly [key: string]: unknown };
  if (typeof rule !== 'string') return 'is no rule';
  const odd = Object.keys(rest).find((key) => !lists.some(([known]) => key === known));
  if (odd !== undefined) return `has "${odd}"; beside rule there are only allows, asks and denies`;
  const examples: Expected[] = [];
  for (const [key, decision] of lists) {
    const texts = rest[key] ?? [];
    if (!Array.isArray(texts) || !texts.every((text) => typeof text === 'string')) {
      return `has "${key}", which must be a list of command texts`;
    }
    examples.push(...texts.map((text: string) => ({ rule, text, decision })));
  }
  return { rule, examples };
}
