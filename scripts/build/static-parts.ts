/**
 * Modules that are loaded together are one file of the bundle: each file costs half a millisecond and its share of the
 * module loader's memory. What is loaded by `import()` later stays apart.
 */
interface Graph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/** A group of the bundler: the modules that `entries` reach by static imports, theirs included. */
export function staticParts(name: string, entries: readonly string[]) {
  let reached: ReadonlySet<string> | null = null;
  return {
    debugName: name,
    name(id: string, graph: Graph): string | null {
      reached ??= reachedFrom(entries, graph);
      return reached.has(id) ? name : null;
    },
  };
}

function reachedFrom(entries: readonly string[], graph: Graph): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [...entries];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const module = reached.has(id) ? null : graph.getModuleInfo(id);
    if (module === null) continue;
    reached.add(id);
    waiting.push(...module.importedIds);
  }
  for (const entry of entries) if (!reached.has(entry)) throw new Error(`${entry} is not part of the bundle`);
  return reached;
}
