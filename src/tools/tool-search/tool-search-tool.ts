import { makeFailure, type ToolDefinition } from '#kernel';
import { readArguments } from '../arguments.ts';
import type { Tool } from '../contract.ts';
import { failed, readTool } from '../outcome.ts';

/** Names that the description lists; of more tools the rest is found by words. */
const namedMax = 30;
const foundMax = 8;

/**
 * The given tools, and where some of them are deferred, one more that finds these. A deferred tool costs nothing in a
 * request until it was found, called, or named by what happened.
 */
export function withToolSearch(tools: readonly Tool[]): readonly Tool[] {
  const deferred = tools.map(({ definition }) => definition).filter(({ deferred }) => deferred === true);
  return deferred.length === 0 ? tools : [...tools, createToolSearchTool(deferred)];
}

function createToolSearchTool(deferred: readonly ToolDefinition[]): Tool {
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
      const found = search(deferred, readArguments(args).text('query') ?? '');
      if (found.length === 0) {
        const next = `Search by other words, or take one of these: ${names.slice(0, namedMax).join(', ')}${more}.`;
        return failed(makeFailure('not_found', 'No further tool fits.', next));
      }
      const shown = found.map(({ name, description, inputSchema }) => {
        return `${name}: ${description}\n${JSON.stringify(inputSchema)}`;
      });
      return {
        status: 'succeeded',
        output: `These can be called from now on:\n\n${shown.join('\n\n')}`,
        facts: [{ type: 'tools.found', names: found.map(({ name }) => name) }],
      };
    },
  });
}

/** Tools that are named come alone; else those with most of the words, best first. */
function search(deferred: readonly ToolDefinition[], query: string): readonly ToolDefinition[] {
  const words = query
    .toLowerCase()
    .replace(/^select:/, '')
    .split(/[^\p{L}\p{N}_-]+/u)
    .filter((word) => word.length > 1);
  const named = deferred.filter(({ name }) => words.includes(name.toLowerCase()));
  if (named.length > 0) return named.slice(0, foundMax);
  const scored = deferred.map((one) => {
    const text = `${one.name} ${one.description}`.toLowerCase();
    return { one, score: words.filter((word) => text.includes(word)).length };
  });
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, foundMax)
    .map(({ one }) => one);
}
