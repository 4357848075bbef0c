import type { Json } from '#kernel';
import { oneLine } from './plain-text.ts';

const titleMax = 100;

/** The argument that says what a call is about, by tool; others show their whole input. */
const telling: { readonly [tool: string]: readonly string[] } = {
  Read: ['file_path'],
  Edit: ['file_path'],
  Write: ['file_path'],
  ApplyPatch: ['patch'],
  Bash: ['command'],
  Grep: ['pattern', 'path'],
  Glob: ['pattern', 'path'],
  Symbols: ['path'],
  ToolSearch: ['query'],
  Test: ['check'],
  Commit: ['message'],
  TodoWrite: [],
  TaskOutput: ['task_id'],
  TaskStop: ['task_id'],
  EnterPlanMode: [],
  ExitPlanMode: [],
};

/** A call on one line: `Edit src/slug.js`. */
export function callTitle(tool: string, args: Json): string {
  const names = Object.hasOwn(telling, tool) ? telling[tool] : undefined;
  const fields = (typeof args === 'object' && args !== null && !Array.isArray(args) ? args : {}) as {
    readonly [name: string]: Json;
  };
  const about =
    names === undefined
      ? JSON.stringify(args)
      : names.flatMap((name) => (fields[name] === undefined ? [] : [String(fields[name])])).join(' in ');
  return oneLine(`${tool} ${tool === 'ApplyPatch' ? filesOf(about) : about}`, titleMax);
}

/** The files that a patch names, whatever its form. */
function filesOf(patch: string): string {
  const heads = patch.matchAll(/^(?:\*\*\* (?:Add|Update|Delete) File: |\+\+\+ (?:b\/)?|--- a\/)(.+)$/gm);
  return [...new Set([...heads].map(([, path = '']) => path.trim()).filter((path) => path !== '/dev/null'))].join(', ');
}
