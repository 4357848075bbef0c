import { expect, test } from 'vitest';
import { type Tool, withToolSearch } from '#tools';
import { readTool } from '../../../src/tools/outcome.ts';

const made = (name: string, description: string, deferred = false): Tool =>
  readTool({
    definition: { name, description, inputSchema: { type: 'object' }, deferred },
    paths: () => [],
    run: async () => ({ status: 'succeeded', output: '' }),
  });
const tools = [
  made('Read', 'Show a file.'),
  made('Symbols', 'Outline of definitions.', true),
  made('ApplyPatch', 'Change several files.', true),
  made('mcp__files__move', 'Move a file to another folder.', true),
  made('EnterPlanMode', 'Begin to plan: read-only until the user agrees, already with an outline.', true),
  made('TaskStop', 'Stop what runs in the background.', true),
];

async function search(query: string) {
  const tool = withToolSearch(tools).at(-1) as Tool;
  const prepared = await tool.prepare({ query }, {} as never);
  if (!prepared.ok) throw new Error('not ready');
  return prepared.attempt.run();
}

test.each([
  ['Symbols', ['Symbols']],
  ['select:Symbols,ApplyPatch', ['Symbols', 'ApplyPatch']],
  ['applypatch please', ['ApplyPatch']],
  ['mcp__files__move', ['mcp__files__move']],
  ['change files', ['ApplyPatch', 'mcp__files__move']],
  ['outlines', ['Symbols', 'EnterPlanMode']],
  ['plan mode', ['EnterPlanMode']],
  // By its name first, then by what is said of it.
  ['mode, definitions', ['EnterPlanMode', 'Symbols']],
  // "task" and "stop" are words of the name.
  ['stop the task', ['TaskStop']],
  // Letters inside of another word only where nothing better was found.
  ['move', ['mcp__files__move']],
  ['fold', ['mcp__files__move']],
  ['fold, plan', ['EnterPlanMode']],
])('%j finds %j', async (query, names) => {
  const { output, facts } = await search(query);
  expect(facts).toEqual([{ type: 'tools.found', names }]);
  for (const name of names) expect(output).toContain(`${name}: `);
  expect(output).toContain('{"type":"object"}');
});

test.each(['', 'zebra', 'the'])('%j finds nothing, and the names are told', async (query) => {
  const { status, failure, facts } = await search(query);
  expect([status, facts]).toEqual(['failed', undefined]);
  expect(failure?.suggestedAction).toContain('Symbols, ApplyPatch, mcp__files__move');
});

test.each<[string, readonly string[] | null]>([
  ['Read', null],
  ['select:Read', null],
  ['read, zebra', null],
  ['Read,Symbols', ['Symbols']],
  ['read definitions', ['Symbols']],
])('%j: what is loaded is said to be, and nothing is offered in its place', async (query, names) => {
  const { status, output, facts } = await search(query);
  expect(status).toBe('succeeded');
  expect(output).toContain('Read is loaded already: call it.');
  expect(facts).toEqual(names === null ? undefined : [{ type: 'tools.found', names }]);
});

test('without a deferred tool there is nothing to search; a search touches nothing and is free', async () => {
  expect(withToolSearch(tools.slice(0, 1))).toHaveLength(1);
  const tool = withToolSearch(tools).at(-1) as Tool;
  expect(await tool.classify({ query: 'x' })).toEqual({ effect: 'read', paths: [], free: true });
});
