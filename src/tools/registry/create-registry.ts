import { type Failure, type Json, makeFailure } from '#kernel';
import type { Tool, ToolRegistry } from '../contract.ts';
import { cutText } from '../text/number-lines.ts';
import { argumentFaults } from './argument-faults.ts';
import { schemaFaults } from './check-schema.ts';
import { isObject } from './schema-node.ts';

/** Of a name that nobody gave. */
const nameShownMax = 100;
const namePattern = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/**
 * The registry of the given tools. Throws for a bad or repeated name and for a schema with a keyword that arguments
 * would not be checked by: such a tool is a fault of the program, found before any model sees it.
 */
export function createRegistry(tools: readonly Tool[]): ToolRegistry {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    const { name, description, inputSchema } = tool.definition;
    if (!namePattern.test(name)) throw new Error(`tool name ${JSON.stringify(name)} does not fit ${namePattern}`);
    if (byName.has(name)) throw new Error(`two tools are called ${name}`);
    if (description.trim() === '') throw new Error(`tool ${name} has no description`);
    const faults = schemaFaults(inputSchema);
    if (faults.length > 0) throw new Error(`the schema of tool ${name} is faulty: ${faults.join('; ')}`);
    byName.set(name, tool);
  }
  const definitions = Object.freeze(tools.map((tool) => tool.definition));
  return {
    definitions,
    get: (name) => byName.get(name) ?? null,
    check: (name, args) => {
      const tool = byName.get(name);
      return tool === undefined ? unknownTool(name, [...byName.keys()]) : argumentFailure(tool, args);
    },
  };
}

function unknownTool(name: string, names: readonly string[]): Failure {
  const similar = names.find((known) => known.toLowerCase() === name.toLowerCase());
  const next = similar === undefined ? `Use one of: ${names.join(', ')}.` : `The tool is called ${similar}.`;
  const shown = JSON.stringify(cutText(name, nameShownMax));
  const called = name.length > nameShownMax ? `${shown}… (${name.length} characters)` : shown;
  return makeFailure('not_found', `There is no tool called ${called}.`, next, {
    signature: 'not_found: unknown tool',
  });
}

function argumentFailure(tool: Tool, args: Json): Failure | null {
  const { name, inputSchema } = tool.definition;
  const faults = argumentFaults(isObject(inputSchema) ? inputSchema : {}, args);
  if (faults.length === 0) return null;
  const lines = faults.map((fault) => `- ${fault.path}: ${fault.message}`);
  return makeFailure(
    'schema',
    `The arguments of ${name} do not fit its schema:\n${lines.join('\n')}`,
    `Call ${name} again with all of these corrected.`,
    {
      signature: `schema: ${name} ${faults.map((fault) => `${fault.path} ${fault.keyword}`).join(', ')}`.slice(0, 120),
    },
  );
}
