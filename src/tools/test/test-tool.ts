import { type Check, type Failure, type Json, makeFailure, type ToolDefinition } from '#kernel';
import { checksOfTest } from '#permission';
import type { Workspace } from '#workspace';
import { readArguments } from '../arguments.ts';
import { prepareChecks, settleChecks } from '../check-runner/check-attempt.ts';
import type { Tool, ToolContext } from '../contract.ts';

const timeoutMs = 600_000;

const definition: ToolDefinition = {
  name: 'Test',
  description:
    'Run a declared check by number or text, or all. The result is the evidence that the work is done, until a file changes.',
  inputSchema: {
    type: 'object',
    properties: { check: { type: ['string', 'integer'] } },
  },
};

type Chosen =
  | { readonly ok: true; readonly checks: readonly Check[]; readonly declared: boolean }
  | { readonly ok: false; readonly failure: Failure };

/** Runs checks and records what they prove. A text that is no declared check runs too, if allowed, but proves nothing. */
export function createTestTool(workspace: Workspace): Tool {
  return {
    definition,
    classify: () => ({ effect: 'process', paths: null }),
    inspect: async (args, context) => {
      const chosen = await choose(args, context);
      return chosen.ok ? { ok: true, preview: chosen.checks.map((check) => check.command).join('\n') } : chosen;
    },
    prepare: async (args, context) => {
      const chosen = await choose(args, context);
      if (!chosen.ok) return chosen;
      return prepareChecks(workspace, { checks: chosen.checks, declared: chosen.declared, timeoutMs }, context);
    },
    settle: async (args, base, context) => {
      const chosen = await choose(args, context);
      const todo = chosen.ok
        ? { checks: chosen.checks, declared: chosen.declared, timeoutMs }
        : { checks: [{ command: '', counts: true }], declared: false, timeoutMs };
      return settleChecks(workspace, todo, base, context);
    },
  };
}

async function choose(args: Json, context: ToolContext): Promise<Chosen> {
  const { checks } = context.state().settings;
  const found = await checksOfTest(args, checks);
  if (found !== null && found.length > 0) return { ok: true, checks: found, declared: true };
  const text = readArguments(args).text('check');
  if (text !== undefined && text.trim() !== '' && !/^\d+$/.test(text.trim())) {
    return { ok: true, checks: [{ command: text, counts: true }], declared: false };
  }
  return { ok: false, failure: checks.length === 0 ? noChecks : noSuchCheck(checks) };
}

const noChecks = makeFailure(
  'precondition',
  'No check is declared.',
  'Run the tests of the repository with Bash, and say in your answer what they showed.',
  { signature: 'precondition: no check declared' },
);

const noSuchCheck = (checks: readonly Check[]): Failure =>
  makeFailure(
    'not_found',
    'There is no such check.',
    `Declared are: ${checks.map((check, i) => `${i + 1}. ${check.command}`).join('; ')}. Leave "check" out to run all.`,
    { signature: 'not_found: check' },
  );
