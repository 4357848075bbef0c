/** What other rooms must know of each tool by its name. */
import { expect, test } from 'vitest';
import { createPermission, parseRule } from '#permission';
import { callTitle } from '#surfaces/view';
import { createTools, withToolSearch } from '#tools';

const names = withToolSearch(createTools({ root: '/repo' } as never)).map(({ definition }) => definition.name);

test('a rule can mean each tool, and a line about a call says its name without its whole input', async () => {
  const rules = await Promise.all(names.map((name) => parseRule(name)));
  // A plan is for a person, whatever rules there are.
  expect(names.filter((_, i) => rules[i]?.ok !== true)).toEqual(['ExitPlanMode']);
  expect(names.map((name) => callTitle(name, {}).trim())).toEqual(names);
});

test('only tools that change something ask', async () => {
  const permission = createPermission();
  const context = { mode: 'default', allow: [], checks: [], workspace: '/repo' } as const;
  const { signal } = new AbortController();
  const decisions = await Promise.all(
    names.map((tool) =>
      permission({ tool, args: { check: 'undeclared' }, effect: 'opaque', paths: null }, { ...context, signal }),
    ),
  );
  const held = names.filter((_, i) => decisions[i]?.decision !== 'allow');
  expect(held).toEqual(['Edit', 'Write', 'ApplyPatch', 'Bash', 'Test', 'Commit', 'ExitPlanMode']);
});
