/**
 * Which tools a model is shown: those that every request carries, then the deferred ones that it has come across, in
 * that order. What was shown once stays, so the part of a request before the conversation changes seldom and only grows.
 */
import type { Fact, ToolDefinition } from '#kernel';

export interface ShownTools {
  see(fact: Fact): void;
  /** The same list as long as nothing was added. */
  list(): readonly ToolDefinition[];
}

/** Tools whose names results tell when they are of use: a cut output, a command in the background. */
const namedByResults = ['TaskOutput', 'TaskStop'];

export function shownTools(tools: readonly ToolDefinition[]): ShownTools {
  const waiting = new Map(tools.filter(({ deferred }) => deferred === true).map((tool) => [tool.name, tool]));
  let shown: readonly ToolDefinition[] = tools.filter(({ deferred }) => deferred !== true);
  const show = (names: readonly string[]) => {
    for (const name of names) {
      const tool = waiting.get(name);
      if (tool === undefined) continue;
      waiting.delete(name);
      shown = [...shown, tool];
    }
  };
  return {
    list: () => shown,
    see(fact) {
      if (waiting.size === 0) return;
      switch (fact.type) {
        case 'tools.found':
          show(fact.names);
          break;
        case 'action.intended':
          show([fact.tool]);
          break;
        case 'attempt.outcome':
          show(namedByResults.filter((name) => fact.output.includes(name)));
          break;
        case 'task.started':
          show(namedByResults);
          break;
        case 'mode.changed':
        case 'settings.changed':
          if (fact.mode === 'plan') show(['ExitPlanMode']);
          break;
      }
    },
  };
}
