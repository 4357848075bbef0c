import type { ToolDefinition } from '#kernel';
import type { Tool } from '../contract.ts';
import { readTool } from '../outcome.ts';

const definition: ToolDefinition = {
  name: 'EnterPlanMode',
  deferred: true,
  description: 'Before wide or risky changes: read-only until a plan is approved.',
  inputSchema: { type: 'object', properties: {} },
};

/** Entering only narrows what is permitted, so nobody is asked. */
export function createEnterPlanModeTool(): Tool {
  return readTool({
    definition,
    free: true,
    paths: () => [],
    run: async (_args, context) => {
      if (context.state().settings.mode === 'plan') {
        return { status: 'succeeded', output: 'Plan mode is on already. Read and search, then call ExitPlanMode.' };
      }
      return {
        status: 'succeeded',
        output: 'Plan mode is on: read and search, then call ExitPlanMode with the plan.',
        facts: [{ type: 'mode.changed', mode: 'plan', by: 'model' }],
      };
    },
  });
}
