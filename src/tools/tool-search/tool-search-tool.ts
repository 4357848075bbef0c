import { makeFailure, type ToolDefinition } from '#kernel';
import { readArguments } from '../arguments.ts';
import type { Tool } from '../contract.ts';
import { failed, readTool } from '../outcome.ts';
import { findTools, wordsOf } from './find-tools.ts';

/** Names that the description lists; of more tools the rest is found by words. */
const namedMax = 30;

/**
 * The given tools, and where some of them are deferred, one more that finds these. A deferred tool costs nothing in a
 * request until it was found, called, or named by what happened.
 */
export function withToolSearch(tools: readonly Tool[]): readonly Tool[] {
  const all = tools.map(({ definition }) => definition);
  const deferred = all.filter((tool) => tool.deferred === true);
  const loaded = all.filter((tool) => tool.deferred !== true).map(({ name }) => name);
  return deferred.length === 0 ? tools : [...tools, createToolSearchTool(deferred, loaded)];
}

function createToolSearchTool(deferred: readonly ToolDefinition[], loaded: readonly string[]): Tool {
  const names = deferred.map(({ name }) => name);
  const more = names.length > namedMax ? ` and ${names.length - namedMax} more` : '';
  return readTool({
    definition: {
      name: 'ToolSearch',
      description: `Get further tools, by names or words: ${names.slice(0, namedMax).join(', ')}${more}.`,
      inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
    },
    free: true,
    paths: () => [],
    run: async (args) => {
      const words = wordsOf(readArguments(args).text('query') ?? '');
      const present = loaded.filter((name) => words.includes(name.toLowerCase()));
      const found = findTools(
        deferred,
        words.filter((word) => !present.some((name) => name.toLowerCase() === word)),
      );
      const note = present.map((name) => `${name} is loaded already: call it.\n`).join('');
      if (found.length === 0 && present.length > 0) return { status: 'succeeded', output: note.trimEnd() };
      if (found.length === 0) {
        const next = `Search by other words, or take one of these: ${names.slice(0, namedMax).join(', ')}${more}.`;
        return failed(makeFailure('not_found', 'No further tool fits.', next));
      }
      const shown = found.map(({ name, description, inputSchema }) => {
        return `${name}: ${description}\n${JSON.stringify(inputSchema)}`;
      });
      return {
        status: 'succeeded',
        output: `${note}These can be called from now on:\n\n${shown.join('\n\n')}`,
        facts: [{ type: 'tools.found', names: found.map(({ name }) => name) }],
      };
    },
  });
}
