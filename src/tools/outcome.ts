/** Outcomes and whole tools in their two plainest forms, so that every tool words them alike. */
import type { Failure, Json, ToolDefinition } from '#kernel';
import type { AttemptContext, CallProfile, Inspection, Tool, ToolContext, ToolOutcome } from './contract.ts';

/** A failed outcome; the model is shown the message and what to do next. */
export const failed = (failure: Failure): ToolOutcome => ({
  status: 'failed',
  output: failure.suggestedAction === '' ? failure.message : `${failure.message}\n${failure.suggestedAction}`,
  failure,
});

/**
 * A tool of class `read`: it leaves no trace in the world, needs no preparation, and an attempt left behind is simply
 * run again.
 */
export function readTool(tool: {
  readonly definition: ToolDefinition;
  readonly free?: boolean;
  /** It leaves nothing behind and its result carries no facts, so it may begin before its answer is complete. */
  readonly early?: boolean;
  paths(args: Json): readonly string[] | null | Promise<readonly string[] | null>;
  inspect?(args: Json, context: ToolContext): Promise<Inspection>;
  run(args: Json, context: AttemptContext): Promise<ToolOutcome>;
}): Tool {
  return {
    definition: tool.definition,
    classify: async (args): Promise<CallProfile> => ({
      effect: 'read',
      paths: await tool.paths(args),
      ...(tool.free === true ? { free: true } : {}),
      ...(tool.early === true ? { early: true } : {}),
    }),
    inspect: async (args, context) => (tool.inspect === undefined ? { ok: true } : tool.inspect(args, context)),
    prepare: async (args, context) => ({
      ok: true,
      attempt: { run: () => tool.run(args, context), discard: async () => {} },
    }),
    settle: async () => ({ state: 'not-started' }),
  };
}
