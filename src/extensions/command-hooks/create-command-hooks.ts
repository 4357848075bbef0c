/** Puts command hooks at the topics of the loop. */
import type { Json } from '#kernel';
import { askPerson, HookAbort, type HookHandler, type HookReturn, type HookTopic, pause } from '#runtime';
import type { CommandHook, CommandHookPorts, CommandHooks, HookEvent } from '../contract.ts';
import { createFiringMemory } from './firing-memory.ts';
import { type HookAnswer, hookAnswer } from './hook-answer.ts';
import { matches } from './matches.ts';
import { runHook } from './run-hook.ts';

type Info = Parameters<HookHandler>[1];

type Heard = Exclude<HookAnswer, { readonly kind: 'failed' }>;

interface Step {
  readonly tool?: string;
  args?: Json;
}

export function createCommandHooks(all: readonly CommandHook[], ports: CommandHookPorts): CommandHooks {
  const memory = createFiringMemory();
  let known = 0;
  for (const fact of ports.facts) {
    memory.see(fact);
    known = fact.seq;
  }
  // Facts of the opening stand there before anything was begun.
  const source = memory.turn === null ? 'startup' : 'resume';
  const base = (event: HookEvent) => ({ session_id: ports.sessionId, cwd: ports.root, hook_event_name: event });

  /** Runs one hook and notes what it says. A failure that does not block is recorded and changes nothing. */
  const ask = async (hook: CommandHook, info: Info, actionId: string | null, input: object): Promise<Heard> => {
    const { invocationId, record, topic } = info;
    const signal = AbortSignal.any([ports.signal, info.signal]);
    const run = { hook, invocationId, record, actionId, input, signal };
    const end = await runHook(ports, run, memory.left(invocationId, hook.name));
    // The run was interrupted: nothing goes on after this, and whoever resumes asks again.
    if (end.status === 'cancelled') return { kind: 'go' };
    const answer = hookAnswer(hook.event, end);
    const call = actionId === null ? {} : { actionId };
    if (answer.kind === 'failed') {
      const message = `${hook.name}: ${answer.reason}`;
      const isWithheld = end.status === 'withheld';
      const isBlocking = hook.onFailure === 'block';
      if (!isBlocking || isWithheld) await record([{ type: 'hook.failed', topic, message, invocationId, ...call }]);
      // Whoever changed the hook is not to get past it by that.
      if (!isBlocking && !isWithheld) return { kind: 'go' };
      return { kind: 'block', reason: `a hook of the user failed (${message})` };
    }
    // A call that is over cannot be refused; the model hears instead why its result will not do.
    const isLate = hook.event === 'PostToolUse' || hook.event === 'PostToolUseFailure';
    const blame = isLate && answer.kind === 'block' ? [answer.reason] : [];
    const text = [...(answer.say === undefined ? [] : [answer.say]), ...blame].join('\n');
    if (text !== '' && !memory.isSaid(invocationId, hook.name)) {
      await record([{ type: 'hook.said', invocationId, hook: hook.name, text, ...call }]);
    }
    return answer;
  };

  const beforeCall =
    (hook: CommandHook): HookHandler =>
    async (payload, info): Promise<HookReturn> => {
      const step = payload['step'] as Step;
      if (step.tool === undefined || !matches(hook.matcher, step.tool)) return undefined;
      const actionId = actionOf(info);
      const input = { ...base('PreToolUse'), tool_name: step.tool, tool_input: step.args, tool_use_id: actionId };
      const answer = await ask(hook, info, actionId, input);
      if (answer.kind === 'block') throw new HookAbort(answer.reason);
      if (answer.kind === 'stop') return pause(answer.reason);
      if (answer.input !== undefined) step.args = answer.input;
      return answer.kind === 'ask' ? askPerson(answer.reason) : undefined;
    };

  const afterCall =
    (hook: CommandHook): HookHandler =>
    async (payload, info): Promise<HookReturn> => {
      const step = payload['step'] as Step;
      const actionId = actionOf(info);
      const outcome = memory.outcome(actionId);
      if ((outcome?.status === 'succeeded') !== (hook.event === 'PostToolUse')) return undefined;
      if (step.tool === undefined || !matches(hook.matcher, step.tool)) return undefined;
      const answer = await ask(hook, info, actionId, {
        ...base(hook.event),
        tool_name: step.tool,
        tool_input: step.args,
        tool_use_id: actionId,
        tool_response: { status: outcome?.status ?? 'rejected', output: outcome?.output ?? '' },
        ...(outcome?.durationMs === undefined ? {} : { duration_ms: outcome.durationMs }),
      });
      return answer.kind === 'stop' ? pause(answer.reason) : undefined;
    };

  /** Their topic comes before every answer of the model; `key` says what they are to be run once for. */
  const atStart = (key: () => string, more: () => object) => {
    const done = new Set<string>();
    return (hook: CommandHook): HookHandler =>
      async (_payload, info): Promise<HookReturn> => {
        if (hook.event === 'SessionStart' && !matches(hook.matcher, source)) return undefined;
        const invocationId = `${hook.event}:${key()}`;
        const once = `${invocationId} ${hook.name}`;
        if (done.has(once)) return undefined;
        const answer = await ask(hook, { ...info, invocationId }, null, { ...base(hook.event), ...more() });
        if (answer.kind === 'block') throw new HookAbort(answer.reason);
        done.add(once);
        return answer.kind === 'go' ? undefined : pause(answer.reason);
      };
  };

  /** What they answer changes nothing. */
  const observe =
    (key: () => string, more: (payload: Record<string, unknown>) => object) =>
    (hook: CommandHook): HookHandler =>
    async (payload, info): Promise<HookReturn> => {
      const invocationId = `${hook.event}:${key()}`;
      await ask(hook, { ...info, invocationId }, null, { ...base(hook.event), ...more(payload) });
      return undefined;
    };

  const turnId = () => memory.turn?.turnId ?? '';
  const plan: readonly (readonly [HookEvent, HookTopic, (hook: CommandHook) => HookHandler])[] = [
    [
      'SessionStart',
      'before_plan',
      atStart(
        () => String(known),
        () => ({ source }),
      ),
    ],
    ['UserPromptSubmit', 'before_plan', atStart(turnId, () => ({ prompt: memory.turn?.goal ?? '' }))],
    ['PreToolUse', 'before_tool_call', beforeCall],
    ['PostToolUse', 'after_tool_call', afterCall],
    ['PostToolUseFailure', 'after_tool_call', afterCall],
    ['Stop', 'on_complete', observe(turnId, ({ reason }) => ({ reason }))],
    [
      'Notification',
      'on_pause',
      observe(
        () => String(memory.pause),
        ({ reason }) => ({ message: reason }),
      ),
    ],
  ];
  return {
    see: (fact) => memory.see(fact),
    register(hooks) {
      for (const [event, topic, handler] of plan) {
        for (const hook of all) if (hook.event === event) hooks.on(topic, handler(hook), hook.name);
      }
    },
  };
}

const actionOf = ({ invocationId, topic }: Info): string => invocationId.slice(`${topic}:`.length);
