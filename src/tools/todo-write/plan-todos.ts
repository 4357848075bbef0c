import { type Failure, makeFailure, type Todo } from '#kernel';

export type TodoPlan =
  | { readonly ok: true; readonly todos: readonly Todo[]; readonly cleared: boolean }
  | { readonly ok: false; readonly failure: Failure };

export type TodoInput = Pick<Todo, 'content' | 'status' | 'activeForm'>;

const refuse = (message: string, next: string, signature: string): TodoPlan => ({
  ok: false,
  failure: makeFailure('precondition', message, next, { signature: `precondition: todos ${signature}` }),
});

/**
 * The new list, or why it is refused. At most one item is in progress; an item is completed only with at least one
 * successful action since the list last changed, which then stands behind it as evidence. A list of which everything is
 * completed is cleared.
 */
export function planTodos(
  wanted: readonly TodoInput[],
  present: readonly Todo[],
  successes: readonly string[],
): TodoPlan {
  const items = wanted.map((item) => ({ ...item, content: item.content.trim(), activeForm: item.activeForm.trim() }));
  const empty = items.findIndex((item) => item.content === '');
  if (empty !== -1) return refuse(`Item ${empty + 1} has no content.`, 'Say what is to be done.', 'content');
  const running = items.filter((item) => item.status === 'in_progress');
  if (running.length > 1) {
    const names = running.map((item) => JSON.stringify(item.content)).join(', ');
    return refuse(
      `${running.length} items are in progress: ${names}.`,
      'Leave one in progress, the others pending.',
      'progress',
    );
  }
  const todos: Todo[] = [];
  for (const item of items) {
    const before = present.find((todo) => todo.content === item.content);
    if (item.status !== 'completed') todos.push(item);
    else if (before?.status === 'completed') todos.push({ ...item, ...evidenceOf(before.evidence ?? []) });
    else if (successes.length === 0) return unproven(item.content);
    else todos.push({ ...item, ...evidenceOf(successes) });
  }
  return { ok: true, todos, cleared: todos.length > 0 && todos.every((todo) => todo.status === 'completed') };
}

const evidenceOf = (actions: readonly string[]): Pick<Todo, 'evidence'> =>
  actions.length === 0 ? {} : { evidence: actions };

const unproven = (content: string): TodoPlan =>
  refuse(
    `Nothing was done successfully since the list last changed, so ${JSON.stringify(content)} cannot be completed. A failing test is not a successful step.`,
    'Do the work first, then mark the item.',
    'unproven',
  );
