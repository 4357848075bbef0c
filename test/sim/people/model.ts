/** A model that answers at random, as models do: several calls, broken ones, colliding ids, nothing, failures. */
import { type AnswerPart, type Json, type ModelRequest, type ModelResult, makeFailure } from '#kernel';
import type { Machine } from '../os/machine.ts';

export interface ModelTwin {
  answer(request: ModelRequest): ModelResult;
}

export interface Temper {
  /** Answers with calls before the model says that it is done. */
  readonly rounds: number;
  readonly failures: number;
  readonly hasCheck: boolean;
  /** What it calls more often than the rest. */
  readonly favours: 'background' | 'services' | null;
}

export function modelTwin(machine: Machine, temper: Temper): ModelTwin {
  let answers = 0;
  let tokens = 0;
  const newToken = () => `T${String(++tokens).padStart(4, '0')}`;
  const call = (name: string, args: Json, malformed?: string): AnswerPart => ({
    kind: 'call',
    name,
    args,
    // Providers repeat and collide; nothing may depend on these.
    providerCallId: machine.pick(['call_0', 'call_1', '']),
    ...(malformed === undefined ? {} : { malformed }),
  });
  let task = '';
  const taskCall = (name: 'TaskOutput' | 'TaskStop') => () =>
    task === ''
      ? call('Read', { file_path: 'a.txt' })
      : call(name, { task_id: task, ...(name === 'TaskOutput' ? { timeout: machine.random.below(300) } : {}) });
  const inBackground: readonly (() => AnswerPart)[] = [
    () => call('Bash', { command: `slow ${newToken()}`, run_in_background: true }),
    () => call('Bash', { command: `append ${newToken()}`, run_in_background: true, timeout: 5000 }),
  ];
  const ofServices: readonly (() => AnswerPart)[] = [
    () => call('Post', { token: newToken() }),
    () => call('Ticket', { token: newToken() }),
    () => call('Ticket', { token: newToken() }),
    () => call('Pay', { token: newToken() }),
    () => call('Pay', { token: newToken() }),
  ];
  const makers: readonly (() => AnswerPart)[] = [
    () => call('Read', { file_path: 'a.txt' }),
    () => call('Read', { file_path: 'a.txt' }),
    () => call('Edit', edit(newToken(), machine.chance(0.6))),
    () => call('Edit', edit(newToken(), machine.chance(0.6))),
    () => newFile(),
    () => call('Bash', { command: `append ${newToken()}` }),
    () => call('Bash', { command: `append ${newToken()}` }),
    () => call('Bash', { command: `slow ${newToken()}`, ...(machine.chance(0.2) ? { timeout: 100 } : {}) }),
    () => call('Bash', { command: `fail ${newToken()}` }),
    () => call('Bash', { command: 'forever', timeout: 200 }),
    () => call('Bash', { command: `flood ${newToken()}` }),
    ...inBackground,
    taskCall('TaskOutput'),
    taskCall('TaskStop'),
    ...ofServices,
    () => call('Test', {}),
    () => call('Bash', { command: 'npm test' }),
    () => call('TodoWrite', { todos: todos() }),
    () => call('Edit', { file_path: 'a.txt' }),
    () => call('NoSuchTool', { token: newToken() }),
    () => call('Post', { token: newToken() }, 'it ends in the middle'),
  ];
  const favourites = { background: inBackground, services: ofServices };
  const wanted = () => (temper.favours !== null && machine.chance(0.4) ? favourites[temper.favours] : makers);
  const newFile = () => {
    const token = newToken();
    return call('Write', { file_path: `n-${token}.txt`, content: `${token}\n` });
  };
  const todos = (): Json => {
    const completed = machine.random.below(3);
    return ['look', 'change', 'check'].map((content, i) => ({
      content,
      status: i < completed ? 'completed' : i === completed ? 'in_progress' : 'pending',
      activeForm: content,
    }));
  };

  return {
    answer(request) {
      task = lastTask(request);
      if (machine.chance(temper.failures)) return failure(machine, temper.failures < 0.5);
      answers++;
      const usage = { inputTokens: 10 + answers, outputTokens: 5 };
      if (machine.chance(0.04)) return { ok: true, answer: { parts: [], finish: 'stop', usage } };
      const text: AnswerPart = { kind: 'text', text: 'I think so.' };
      if (answers > temper.rounds || machine.chance(0.04)) {
        return { ok: true, answer: { parts: [text], finish: 'stop', usage } };
      }
      const parts: AnswerPart[] = machine.chance(0.3) ? [text] : [];
      const count = 1 + machine.random.below(machine.chance(0.3) ? 5 : 2);
      // Both see the same end.
      if (task !== '' && machine.chance(0.2)) parts.push(taskCall('TaskOutput')(), taskCall('TaskOutput')());
      // Whoever wants to pass a check reads, mends and tests at least now and then.
      if (temper.hasCheck && machine.chance(0.25)) {
        const less = machine.chance(0.15);
        parts.push(call('Read', { file_path: 'a.txt' }), call('Edit', edit(newToken(), true, less)), call('Test', {}));
      } else for (let i = 0; i < count; i++) parts.push(machine.pick(wanted())());
      return { ok: true, answer: { parts, finish: 'tool-calls', usage } };
    },
  };
}

/** The last call that went on in the background. */
function lastTask({ messages }: ModelRequest): string {
  const parts = messages.flatMap((message) => (message.role === 'assistant' ? message.parts : []));
  const found = parts.findLast(
    (part) => part.kind === 'call' && JSON.stringify(part.args).includes('run_in_background'),
  );
  return found?.kind === 'call' ? found.callId : '';
}

const edit = (token: string, mends: boolean, makesLess = false): Json => ({
  file_path: 'a.txt',
  old_string: 'state',
  new_string: `state ${token}${mends ? ' fixed' : ''}${makesLess ? ' lite' : ''}`,
});

/** What is asked again as it is, or also what is not. */
function failure(machine: Machine, isAny: boolean): ModelResult {
  const kind = machine.pick(['transient', 'incomplete', 'incomplete', isAny ? 'overflow' : 'transient'] as const);
  return { ok: false, text: 'half an ans', failure: makeFailure(kind, `the stream was cut: ${kind}`, 'try again') };
}
