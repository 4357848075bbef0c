/** Scripted models that speak of the commands they started: the id of a task is known only when it runs. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Fact } from '#kernel';
import type { Place } from '../e2e/belay.ts';

/** Process ids that a command tells mean something outside only without a sandbox. */
export const bypass = [
  '--permission-mode',
  'bypassPermissions',
  '--output-format',
  'json',
  '--sandbox',
  'off',
] as const;
export const background = (command: string, more: object = {}) => ({
  calls: [{ tool: 'Bash', args: { command, run_in_background: true, ...more } }],
});
export const output = (args: object = {}) => ({ calls: [{ tool: 'TaskOutput', args: { task_id: 'TASK', ...args } }] });
export const stop = { calls: [{ tool: 'TaskStop', args: { task_id: 'TASK' } }] };

/** `TASK` in the arguments stands for the first command that was started in the background, `FIRST` for the first call. */
export function taskScript(place: Place, turns: readonly object[]): string {
  const file = path.join(place.folder, 'tasks.mjs');
  const text = `
const turns = ${JSON.stringify(turns)};
export default (request, position) => {
  const calls = request.messages.flatMap((message) => (message.role === 'assistant' ? message.parts : []));
  const task = calls.find((part) => part.kind === 'call' && part.args?.run_in_background === true)?.callId ?? '';
  const turn = turns[position.turn];
  const first = calls.find((part) => part.kind === 'call')?.callId ?? '';
  return turn === undefined ? null : JSON.parse(JSON.stringify(turn).replaceAll('TASK', task).replaceAll('FIRST', first));
};
`;
  writeFileSync(file, text);
  return `scripted/${file}`;
}

export const of = <T extends Fact['type']>(facts: readonly Fact[], type: T) =>
  facts.filter((fact): fact is Extract<Fact, { type: T }> => fact.type === type);

/** Results of calls of one tool, in order. */
export function outcomes(facts: readonly Fact[], tool: string): readonly string[] {
  const calls = new Set(of(facts, 'action.intended').flatMap((fact) => (fact.tool === tool ? [fact.actionId] : [])));
  return of(facts, 'attempt.outcome').flatMap((fact) => (calls.has(fact.actionId) ? [fact.output] : []));
}

/** Zombies of a lazy first process are dead. */
export function isRunning(pid: number, read: (file: string) => string): boolean {
  try {
    const text = read(`/proc/${pid}/stat`);
    return !'ZX'.includes(text.slice(text.lastIndexOf(')') + 2)[0] ?? 'Z');
  } catch {
    return false;
  }
}
