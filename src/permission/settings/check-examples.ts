import { createPermission } from '../create-permission.ts';
import type { RuleExample } from './read-rule.ts';

export interface ExamplesUnder {
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
  readonly workspace: string;
}

/**
 * The examples that do not hold, each with a sentence that names the rule, the text and what it meets. Nothing of the
 * world is looked up: links are not followed, and every file counts as existing.
 */
export async function checkExamples(
  examples: readonly RuleExample[],
  { allow, ask, deny, workspace }: ExamplesUnder,
): Promise<readonly { readonly example: RuleExample; readonly fault: string }[]> {
  const permission = createPermission(null, [], { ask, deny });
  const { signal } = new AbortController();
  const failed: { example: RuleExample; fault: string }[] = [];
  for (const example of examples) {
    const { rule, text, decision, file } = example;
    const met = await permission(
      { tool: 'Bash', args: { command: text }, effect: 'process', paths: null },
      { mode: 'default', allow, checks: [], workspace, signal },
    );
    if (met.decision === decision) continue;
    const fault = `${file}: rule ${rule}: its example ${JSON.stringify(text)} should be ${decision} and is ${met.decision} (${met.reason})`;
    failed.push({ example, fault });
  }
  return failed;
}
