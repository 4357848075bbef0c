import type { Json, ToolDefinition } from '#kernel';
import { readArguments } from '../arguments.ts';
import type { Tool } from '../contract.ts';
import { failed, readTool } from '../outcome.ts';
import type { SchemaObject } from '../registry/schema-node.ts';
import { planTodos, type TodoInput } from './plan-todos.ts';

/** The schema of a list of todos, shared with the tool that leaves plan mode. */
export const todosSchema: SchemaObject = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      content: { type: 'string' },
      status: { type: 'string', enum: ['pending', 'in_progress', 'completed'] },
      activeForm: { type: 'string' },
    },
    required: ['content', 'status', 'activeForm'],
  },
};

const definition: ToolDefinition = {
  name: 'TodoWrite',
  description: 'Replace the list of todos. At most one in_progress; complete an item once its work succeeded.',
  inputSchema: {
    type: 'object',
    properties: { todos: todosSchema },
    required: ['todos'],
  },
};

/** Keeps the list; a completed item carries the actions that stand behind it. */
export function createTodoWriteTool(): Tool {
  return readTool({
    definition,
    free: true,
    paths: () => [],
    inspect: async (args, context) => {
      const { todos, sinceTodos } = context.state();
      const plan = planTodos(todosOf(args), todos, sinceTodos);
      return plan.ok ? { ok: true } : plan;
    },
    run: async (args, context) => {
      const { todos: present, sinceTodos } = context.state();
      const plan = planTodos(todosOf(args), present, sinceTodos);
      if (!plan.ok) return failed(plan.failure);
      const { todos, cleared } = plan;
      const current = todos.find((todo) => todo.status === 'in_progress');
      const open = todos.filter((todo) => todo.status !== 'completed').length;
      const now =
        current === undefined ? '' : ` Now: ${current.activeForm === '' ? current.content : current.activeForm}.`;
      return {
        status: 'succeeded',
        output: cleared ? 'All items are completed; the list is cleared.' : `List updated, ${open} open.${now}`,
        facts: [{ type: 'todo.updated', todos, ...(cleared ? { cleared } : {}) }],
      };
    },
  });
}

/** The items of checked arguments. */
export const todosOf = (args: Json): readonly TodoInput[] =>
  (readArguments(args).list('todos') ?? []) as unknown as readonly TodoInput[];
