import type { Failure, Json, ToolDefinition } from '#kernel';
import type { Workspace } from '#workspace';
import { readArguments } from '../arguments.ts';
import type { AttemptContext, Tool, ToolOutcome } from '../contract.ts';
import { failed, readTool } from '../outcome.ts';
import { workspacePath } from '../paths/workspace-path.ts';
import { runRipgrep } from '../search/run-ripgrep.ts';
import { plainPath, type SearchScope, searchScope, visiblePaths } from '../search/search-scope.ts';

const modes = ['files_with_matches', 'content', 'count'] as const;
type Mode = (typeof modes)[number];

const linesDefault = 100;
const linesMax = 2000;
const columnsMax = 400;
/** Characters of one result. */
const lengthMax = 40_000;

const definition: ToolDefinition = {
  name: 'Grep',
  description: 'Search file contents by regular expression (ripgrep), except ignored files.',
  inputSchema: {
    type: 'object',
    properties: {
      pattern: { type: 'string' },
      path: { type: 'string' },
      glob: { type: 'string' },
      output_mode: { type: 'string', enum: modes, description: 'default files_with_matches' },
      head_limit: { type: 'integer', minimum: 1, maximum: linesMax },
    },
    required: ['pattern'],
  },
};

export function createGrepTool(workspace: Workspace): Tool {
  return readTool({
    definition,
    paths: (args) => [workspacePath(workspace.root, readArguments(args).text('path') ?? '')],
    run: (args, context) => search(workspace, args, context),
  });
}

const flags: { readonly [M in Mode]: readonly string[] } = {
  files_with_matches: ['--files-with-matches'],
  count: ['--count', '--with-filename'],
  content: ['--line-number', '--with-filename', '--no-heading', `--max-columns=${columnsMax}`, '--max-columns-preview'],
};

async function search(workspace: Workspace, args: Json, context: AttemptContext): Promise<ToolOutcome> {
  const given = readArguments(args);
  const mode = modes.find((known) => known === given.text('output_mode')) ?? 'files_with_matches';
  const glob = given.text('glob');
  const scope = await searchScope(workspace, given.text('path'), glob);
  if (!scope.ok) return failed(scope.failure);
  const targets =
    glob === undefined ? { ok: true as const, paths: [scope.path] } : await globbed(workspace, scope, context);
  if (!targets.ok) return failed(targets.failure);
  if (targets.paths.length === 0) return { status: 'succeeded', output: 'No file matches the glob.' };
  const call = [...flags[mode], '--null', '-e', given.text('pattern') ?? '', '--', ...targets.paths];
  const run = await runRipgrep(workspace, call, context.signal);
  if (!run.ok) return failed(run.failure);
  const visible = visiblePaths(workspace);
  const limit = given.number('head_limit') ?? linesDefault;
  const shown: string[] = [];
  let length = 0;
  let more = 0;
  for (const [path, line] of resultLines(run.stdout, mode)) {
    if (!scope.matches(path)) continue;
    if (shown.length >= limit || length > lengthMax) more++;
    else if (await visible(path)) {
      shown.push(line);
      length += line.length + 1;
    }
  }
  const notes: string[] = [];
  if (shown.length === 0) notes.push('No match.');
  if (more > 0)
    notes.push(`(${more}${run.truncated ? ' or more' : ''} further lines; narrow the search or raise head_limit)`);
  else if (run.truncated) notes.push('(there is more; narrow the search)');
  if (run.complaints !== '') notes.push(`(not everything could be searched: ${run.complaints.slice(0, 300)})`);
  return { status: 'succeeded', output: [...shown, ...notes].join('\n') };
}

/** Above this many characters of paths the whole scope is searched and the answer filtered. */
const argumentsMax = 100_000;

/**
 * The files that the glob means. Ripgrep's own globs would also bring back ignored files, so the list is made first and
 * its files are searched by name.
 */
async function globbed(
  workspace: Workspace,
  scope: Extract<SearchScope, { ok: true }>,
  context: AttemptContext,
): Promise<
  { readonly ok: true; readonly paths: readonly string[] } | { readonly ok: false; readonly failure: Failure }
> {
  const run = await runRipgrep(workspace, ['--files', '--null', '--', scope.path], context.signal);
  if (!run.ok) return run;
  const paths = run.stdout
    .split('\0')
    .map(plainPath)
    .filter((path) => path !== '' && scope.matches(path));
  const length = paths.reduce((sum, path) => sum + path.length + 1, 0);
  return { ok: true, paths: run.truncated || length > argumentsMax ? [scope.path] : paths };
}

/** Each line of the answer with the path it belongs to. */
function resultLines(stdout: string, mode: Mode): (readonly [path: string, line: string])[] {
  if (mode === 'files_with_matches') {
    return stdout
      .split('\0')
      .map(plainPath)
      .filter((path) => path !== '')
      .map((path) => [path, path] as const);
  }
  return stdout.split('\n').flatMap((line) => {
    const end = line.indexOf('\0');
    if (end === -1) return [];
    const path = plainPath(line.slice(0, end));
    return [[path, `${path}:${line.slice(end + 1).replace(/\r$/, '')}`] as const];
  });
}
