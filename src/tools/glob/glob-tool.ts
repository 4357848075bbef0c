import { posix } from 'node:path';
import type { Json, ToolDefinition } from '#kernel';
import type { Workspace } from '#workspace';
import { readArguments } from '../arguments.ts';
import type { AttemptContext, Tool, ToolOutcome } from '../contract.ts';
import { failed, readTool } from '../outcome.ts';
import { touchedPaths } from '../paths/touched-paths.ts';
import { keepFirst } from '../search/first-paths.ts';
import { eachFile } from '../search/list-files.ts';
import { isUnspeakable, searchScope, shownPath, unspeakableNote, visiblePaths } from '../search/search-scope.ts';

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
    early: true,
    paths: (args) => touchedPaths(workspace, [readArguments(args).text('path') ?? '']),
    run: (args, context) => list(workspace, args, context),
  });
}

async function list(workspace: Workspace, args: Json, context: AttemptContext): Promise<ToolOutcome> {
  const given = readArguments(args);
  const scope = await searchScope(workspace, given.text('path'), given.text('pattern'));
  if (!scope.ok) return failed(scope.failure);
  // Some of the first may not be shown, so a few more are kept in order than one answer holds.
  let kept = keepFirst(pathsMax * 2);
  const files = await eachFile(workspace, scope, context.signal, () => {
    kept = keepFirst(pathsMax * 2);
    return kept.add;
  });
  if (!files.ok) return failed(files.failure);
  const visible = visiblePaths(workspace);
  const found: string[] = [];
  let hidden = 0;
  let unspeakable = 0;
  for (const path of kept.first()) {
    if (found.length >= pathsMax) break;
    if (await visible(path)) found.push(shownPath(path));
    else {
      hidden++;
      if (isUnspeakable(path)) unspeakable++;
    }
  }
  const more = kept.count() - found.length - hidden;
  const notes: string[] = [];
  if (found.length === 0)
    notes.push(await nothingNote(workspace, given.text('path') ?? '.', given.text('pattern') ?? ''));
  if (more > 0) notes.push(`(${more} more; narrow the pattern or the path)`);
  if (files.truncated) notes.push('(there are more files than could be listed)');
  return {
    status: 'succeeded',
    output: [...found, ...notes, ...files.notes, ...unspeakableNote(unspeakable)].join('\n'),
  };
}

/** A folder is no file, and who names one without a star wants to see what is in it. */
async function nothingNote(workspace: Workspace, path: string, pattern: string): Promise<string> {
  const there = await workspace.files.resolve(posix.isAbsolute(pattern) ? pattern : posix.join(path, pattern));
  if (!('code' in there) && there.kind === 'directory') {
    return `No file matches; ${shownPath(there.path)} is a folder: give it as path, with the pattern **.`;
  }
  return 'No file matches; what is ignored is found only by naming its folder as path.';
}
