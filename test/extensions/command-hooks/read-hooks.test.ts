import { expect, test } from 'vitest';
import { readHooks } from '#extensions';

const read = (hooks: unknown) => readHooks({ name: 'settings.json', text: JSON.stringify({ hooks }) });
const command = (more: object = {}) => ({ type: 'command', command: 'true', ...more });
const group = (hook: object, more: object = {}) => ({ PreToolUse: [{ ...more, hooks: [hook] }] });

test.each([
  ['a plain one', group(command()), { event: 'PreToolUse', matcher: null, timeoutMs: 60_000, onFailure: 'warn' }],
  ['a matcher', group(command(), { matcher: 'Edit|Write' }), { matcher: 'Edit|Write' }],
  ['a star', group(command(), { matcher: '*' }), { matcher: null }],
  ['an empty matcher', group(command(), { matcher: '' }), { matcher: null }],
  ['a time limit in seconds', group(command({ timeout: 0.5 })), { timeoutMs: 500 }],
  ['one that fails closed', group(command({ onFailure: 'block' })), { onFailure: 'block' }],
  ['a message for its progress', group(command({ statusMessage: 'looking' })), { command: 'true' }],
])('%s is taken', (_name, hooks, expected) => {
  expect(read(hooks)).toMatchObject({ hooks: [expected], warnings: [] });
});

test.each([
  ['an event that is not served', { PreCompact: [] }, 'hooks.PreCompact: this event is not served'],
  ['a hook of another kind', group({ type: 'prompt', prompt: 'x' }), '.hooks[0]: only hooks of type "command"'],
  ['no command', group(command({ command: ' ' })), 'command must be a text'],
  ['a time limit that is none', group(command({ timeout: -1 })), 'timeout must be seconds'],
  ['a condition', group(command({ if: 'Bash(git *)' })), 'if: not understood, so this hook is left out'],
  ['a broken matcher', group(command(), { matcher: '(' }), 'is no regular expression'],
  ['a matcher that is no text', group(command(), { matcher: 1 }), 'matcher must be a text'],
  ['another word for failing', group(command({ onFailure: 'allow' })), 'onFailure must be'],
  ['no lists', { PreToolUse: {} }, 'it must be a list'],
  ['no objects', { PreToolUse: [1] }, 'it must be an object'],
  ['no object at all', [], 'hooks: it must be an object'],
])('%s is left out and named', (_name, hooks, warning) => {
  const told = read(hooks);
  expect(told.hooks).toEqual([]);
  expect(told.warnings).toEqual([expect.stringContaining(warning)]);
});

test.each([
  ['bash', 1],
  ['edit|write', 1],
  ['bash | Edit', 0],
  ['mcp__a', 0],
])('a matcher %j in small letters means no tool of ours, which is told', (matcher, count) => {
  const { hooks, warnings } = read(group(command(), { matcher }));
  expect(hooks).toMatchObject([{ matcher }]);
  expect(warnings).toHaveLength(count);
  const atStart = read({ SessionStart: [{ matcher, hooks: [command()] }] });
  expect(atStart).toMatchObject({ hooks: [{ matcher }], warnings: [] });
});

test.each(['', 'no json', '[]', '{}', '{"hooks":null}'])('a file %j without hooks has none', (text) => {
  expect(readHooks({ name: 'x', text }).hooks).toEqual([]);
});
