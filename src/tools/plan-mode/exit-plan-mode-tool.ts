import {
  type Check,
  type FactBody,
  type Failure,
  type Json,
  makeFailure,
  type State,
  type ToolDefinition,
} from '#kernel';
import { readArguments } from '../arguments.ts';
import type { Tool } from '../contract.ts';
import { failed, readTool } from '../outcome.ts';
import { argumentFaults } from '../registry/argument-faults.ts';
import { planTodos } from '../todo-write/plan-todos.ts';
import { todosOf, todosSchema } from '../todo-write/todo-write-tool.ts';

const definition: ToolDefinition = {
  name: 'ExitPlanMode',
  deferred: true,
  description: 'Ask a person to approve the plan (markdown), with todos and new check commands.',
  inputSchema: {
    type: 'object',
    properties: {
      plan: { type: 'string' },
      todos: { type: 'array', items: { type: 'object', additionalProperties: true }, description: 'as for TodoWrite' },
      checks: { type: 'array', items: { type: 'string' } },
    },
    required: ['plan'],
  },
};

/**
 * Leaving plan mode is always decided by a person, who is shown the plan and every command that approving it would
 * permit. What is approved is what is recorded: the plan, the todos and the checks.
 */
export function createExitPlanModeTool(): Tool {
  return readTool({
    definition,
    free: true,
    paths: () => [],
    inspect: async (args, context) => {
      const state = context.state();
      const fault = faultOf(args, state);
      return fault === null ? { ok: true, preview: previewOf(args, state) } : { ok: false, failure: fault };
    },
    run: async (args, context) => {
      const state = context.state();
      const fault = faultOf(args, state);
      if (fault !== null) return failed(fault);
      return { status: 'succeeded', output: 'The plan is approved. Carry it out.', facts: factsOf(args, state) };
    },
  });
}

const planOf = (args: Json): string => (readArguments(args).text('plan') ?? '').trim();

/** Proposed commands that are not declared yet, each once. */
function newChecks(args: Json, state: State): readonly Check[] {
  const proposed = (readArguments(args).list('checks') ?? []).filter((check) => typeof check === 'string');
  const commands = [...new Set(proposed.map((command) => command.trim()))].filter((command) => command !== '');
  return commands
    .filter((command) => !state.settings.checks.some((check) => check.command.trim() === command))
    .map((command) => ({ command, counts: true }));
}

function faultOf(args: Json, state: State): Failure | null {
  if (state.settings.mode !== 'plan') {
    return makeFailure('precondition', 'Plan mode is not on.', 'Go on with the work.', {
      signature: 'precondition: not in plan mode',
    });
  }
  if (planOf(args) === '') {
    return makeFailure(
      'precondition',
      'The plan is empty.',
      'Say what changes, in which files, and how it is checked.',
    );
  }
  const misshapen = argumentFaults(todosSchema, readArguments(args).list('todos') ?? [], '/todos');
  if (misshapen.length > 0) {
    const lines = misshapen.map((fault) => `- ${fault.path}: ${fault.message}`);
    return makeFailure('schema', `The todos do not fit:\n${lines.join('\n')}`, 'Send them as for TodoWrite.');
  }
  const todos = planTodos(todosOf(args), state.todos, []);
  return todos.ok ? null : todos.failure;
}

function previewOf(args: Json, state: State): string {
  const todos = todosOf(args).map((todo) => `- ${todo.content}`);
  const checks = newChecks(args, state).map((check) => `- ${check.command}`);
  return [
    planOf(args),
    ...(todos.length === 0 ? [] : ['', 'Todos:', ...todos]),
    ...(checks.length === 0 ? [] : ['', 'Approving also permits running, whenever the model asks:', ...checks]),
  ].join('\n');
}

function factsOf(args: Json, state: State): readonly FactBody[] {
  const facts: FactBody[] = [
    { type: 'mode.changed', mode: state.settings.modeBeforePlan, by: 'plan', plan: planOf(args) },
  ];
  const planned = planTodos(todosOf(args), state.todos, []);
  if (planned.ok && planned.todos.length > 0) facts.push({ type: 'todo.updated', todos: planned.todos });
  const added = newChecks(args, state);
  if (added.length > 0) {
    facts.push({ type: 'settings.changed', by: 'plan', checks: [...state.settings.checks, ...added] });
  }
  return facts;
}
