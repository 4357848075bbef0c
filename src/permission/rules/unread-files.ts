import type { NarrowingRules } from '../contract.ts';
import type { Rule } from './rule.ts';
import { ruleReader } from './rule-reader.ts';

/** Which files a search must leave out, because a rule of the user keeps them from being read without a question. */
export interface UnreadFiles {
  /** Whether the content of a file, by its path from the workspace, stays unread. */
  isUnread(path: string): boolean;
  /** The rules, as written, that may mean something below a folder. They are told whether or not they meet a file. */
  rulesBelow(folder: string): readonly string[];
}

export const everythingRead: UnreadFiles = { isUnread: () => false, rulesBelow: () => [] };

/** Of the rules `Read(…)` that deny or ask. Texts that are no rules keep nothing unread. */
export async function unreadFiles(
  { deny, ask }: NarrowingRules,
  place: { readonly workspace: string; readonly home?: string },
): Promise<UnreadFiles> {
  const rules = (await ruleReader([])([...deny, ...ask], { narrows: true, ...place }))
    .filter((rule): rule is Extract<Rule, { kind: 'paths' }> => rule.kind === 'paths')
    .filter(({ tools }) => tools.includes('Read'));
  return {
    isUnread: (path) => rules.some((rule) => rule.matches(path)),
    rulesBelow: (folder) => rules.filter((rule) => rule.reaches(folder)).map(({ text }) => text),
  };
}
