/** Hooks of a user, some of which throw. What they throw is noted, so that it can be looked for in the ledger. */
import type { CommandHook } from '#extensions';
import { createHooks, HookAbort, type Hooks, hookTopics, pause, skip } from '#runtime';
import type { Oracle } from '../check/oracle.ts';
import type { Machine } from '../os/machine.ts';

export function hooksTwin(machine: Machine, active: boolean): (oracle: Oracle) => Hooks {
  const topics = hookTopics.filter(() => active && machine.chance(0.4));
  return (oracle) => {
    const hooks = createHooks();
    for (const topic of topics) {
      hooks.on(topic, async (_payload, { invocationId }) => {
        await machine.latency();
        const kind = machine.random.next();
        if (kind < 0.03) {
          oracle.thrown.set(invocationId, topic);
          throw new Error(`hook ${topic} broke`);
        }
        if (kind < 0.05) throw new HookAbort('policy');
        if (kind < 0.07 && (topic === 'before_step' || topic === 'before_tool_call')) return skip();
        if (kind < 0.08) return pause('look at this');
        return undefined;
      });
    }
    return hooks;
  };
}

/** Hooks of a settings file, which are programs of the simulated machine. */
export function commandHooks(machine: Machine, active: boolean): readonly CommandHook[] {
  const events = (['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'Stop'] as const).filter(
    () => active && machine.chance(0.6),
  );
  return events.map((event) => ({
    event,
    matcher: machine.pick([null, 'Bash', 'Edit|Write|Post']),
    command: 'hook',
    timeoutMs: machine.pick([100, 10_000]),
    onFailure: machine.pick(['warn', 'block'] as const),
    name: `settings.json ${event}[0][0]`,
  }));
}
