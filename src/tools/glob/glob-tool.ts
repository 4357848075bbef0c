import type { Json, ToolDefinition } from '#kernel';
import type { Workspace } from '#workspace';
import { readArguments } from '../arguments.ts';
import type { AttemptContext, Tool, ToolOutcome } from '../contract.ts';
import { failed, readTool } from '../outcome.ts';
import { workspacePath } from '../paths/workspace-path.ts';
import { runRipgrep } from '../search/run-ripgrep.ts';
import { plainPath, searchScope, visiblePaths } from '../search/search-scope.ts';

const pathsMax = 200;

const definition: ToolDefinition = {
  name: 'Glob',
  description: 'List files by glob, such as src/**/*.ts, except ignored files.',
  inputSchema: {
    type: 'object',
    properties: { pattern: { type: 'string' }, path: { type: 'string' } },
    required: ['pattern'],
  },
};

export function createGlobTool(workspace: Workspace): Tool {
  return readTool({
    definition,
    paths: (args) => [workspacePath(workspace.root, readArguments(args).text('path') ?? '')],
    run: (args, context) => list(workspace, args, context),
  });
}

async function list(workspace: Workspace, args: Json, context: AttemptContext): Promise<ToolOutcome> {
  const given = readArguments(args);
  const scope = await searchScope(workspace, given.text('path'), given.text('pattern'));
  if (!scope.ok) return failed(scope.failure);
  const run = await runRipgrep(workspace, ['--files', '--null', '--', scope.path], context.signal);
  if (!run.ok) return failed(run.failure);
  const visible = visiblePaths(workspace);
  const found: string[] = [];
  let more = 0;
  for (const path of run.stdout.split('\0').map(plainPath)) {
    if (path === '' || !scope.matches(path)) continue;
    if (found.length >= pathsMax) more++;
    else if (await visible(path)) found.push(path);
  }
  const notes: string[] = [];
  if (found.length === 0) notes.push('No file matches.');
  if (more > 0) notes.push(`(${more} more; narrow the pattern or the path)`);
  if (run.truncated) notes.push('(there are more files than could be listed)');
  return { status: 'succeeded', output: [...found, ...notes].join('\n') };
}
