import type { ToolsPort } from '#runtime';
import type { Tool, ToolRegistry } from '#tools';

/** The registry as the runtime calls it. Only calls that passed `profile` without a problem get further. */
export function toolsPort(registry: ToolRegistry): ToolsPort {
  const known = (name: string): Tool => {
    const tool = registry.get(name);
    if (tool === null) throw new Error(`there is no tool ${name}`);
    return tool;
  };
  return {
    async profile(name, args) {
      const problem = registry.check(name, args);
      const tool = registry.get(name);
      if (problem !== null || tool === null) return { effect: 'read', paths: null, free: false, problem };
      const { effect, paths, free, early } = await tool.classify(args);
      return { effect, paths, free: free === true, problem: null, early: early === true };
    },
    inspect: (name, args, context) => known(name).inspect(args, context),
    prepare: (name, args, context) => known(name).prepare(args, context),
    settle: (name, args, base, context) => known(name).settle(args, base, context),
  };
}
