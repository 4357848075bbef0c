/**
 * Which tools a model is shown: those that every request carries, then the deferred ones that it has come across, in
 * that order. What was shown once stays, so the part of a request before the conversation changes seldom and only grows.
 */
import type { Fact, ToolDefinition } from '#kernel';

export interface ShownTools {
  see(fact: Fact): void;
  /** The tools there are, in the place of those before. */
  offer(tools: readonly ToolDefinition[]): void;
  /** The same list as long as nothing was added. */
  list(): readonly ToolDefinition[];
}

/** Tools whose names results tell when they are of use: a cut output, a command in the background. */
const namedByResults = ['TaskOutput', 'TaskStop'];

export function shownTools(): ShownTools {
  let tools: readonly ToolDefinition[] = [];
  /** Names that came up, in their order, whatever tools there are. */
  const named = new Set<string>();
  let shown: readonly ToolDefinition[] | null = null;
  const show = (names: readonly string[]) => {
    for (const name of names) {
      if (named.has(name)) continue;
      named.add(name);
      if (tools.some((tool) => tool.name === name && tool.deferred === true)) shown = null;
    }
  };
  return {
    offer(all) {
      tools = all;
      shown = null;
    },
    list() {
      const deferred = (name: string) => tools.filter((tool) => tool.deferred === true && tool.name === name).slice(-1);
      shown ??= [...tools.filter((tool) => tool.deferred !== true), ...[...named].flatMap(deferred)];
      return shown;
    },
    see(fact) {
      switch (fact.type) {
        case 'tools.found':
          show(fact.names);
          break;
        case 'action.intended':
          show([fact.tool]);
          break;
        case 'attempt.outcome':
          show(namedByResults.filter((name) => !named.has(name) && fact.output.includes(name)));
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
