import { type Failure, type Json, makeFailure, type ToolDefinition } from '#kernel';
import { everythingRead, type UnreadFiles } from '#permission';
import type { Workspace } from '#workspace';
import { type Arguments, readArguments } from '../arguments.ts';
import type { AttemptContext, Tool, ToolOutcome } from '../contract.ts';
import { failed, readTool } from '../outcome.ts';
import { touchedPaths } from '../paths/touched-paths.ts';
import { asRead } from '../search/as-read.ts';
import { byCodeUnits } from '../search/first-paths.ts';
import { searchForeign } from '../search/foreign-files.ts';
import { listFiles } from '../search/list-files.ts';
import { columnsMax, isCut, keyOf, matchWindows, withoutLastWord } from '../search/long-lines.ts';
import { foreignCharacters } from '../search/pattern-characters.ts';
import { type FoundLine, foundFiles, foundLines, isNext } from '../search/result-lines.ts';
import { runRipgrep } from '../search/run-ripgrep.ts';
import {
  isUnspeakable,
  leftOutNote,
  type SearchScope,
  searchScope,
  shownPath,
  unspeakableNote,
  visiblePaths,
  visibleText,
} from '../search/search-scope.ts';

const modes = ['files_with_matches', 'content', 'count'] as const;
type Mode = (typeof modes)[number];

const linesDefault = 100;
const linesMax = 2000;
/** Characters of one result. */
const lengthMax = 40_000;
/** Bytes of one search, before its lines are chosen. */
const bytesMax = 4 * 1024 * 1024;

/** Of far longer ones the machine for the search takes more memory than it may have. */
const patternBytesMax = 10_000;

const around = { type: 'integer' };

const definition: ToolDefinition = {
  name: 'Grep',
  description: 'Search file contents by regular expression (ripgrep), except ignored files.',
  inputSchema: {
    type: 'object',
    properties: {
      pattern: { type: 'string' },
      path: { type: 'string' },
      glob: { type: 'string' },
      type: { type: 'string' },
      output_mode: { type: 'string', enum: modes, description: 'default files_with_matches' },
      '-i': { type: 'boolean' },
      '-A': around,
      '-B': around,
      '-C': around,
      multiline: { type: 'boolean' },
      head_limit: { type: 'integer', minimum: 1, maximum: linesMax },
    },
    required: ['pattern'],
  },
};

export function createGrepTool(workspace: Workspace, unread: UnreadFiles = everythingRead): Tool {
  return readTool({
    definition,
    early: true,
    paths: (args) => touchedPaths(workspace, [readArguments(args).text('path') ?? '']),
    run: (args, context) => search(workspace, unread, args, context),
  });
}

const flags: { readonly [M in Mode]: readonly string[] } = {
  files_with_matches: ['--files-with-matches'],
  count: ['--count', '--with-filename'],
  content: ['--line-number', '--with-filename', '--no-heading', `--max-columns=${columnsMax}`, '--max-columns-preview'],
};

function options(given: Arguments, mode: Mode): readonly string[] {
  const context = mode === 'content' ? (['-A', '-B', '-C'] as const) : [];
  return [
    ...flags[mode],
    ...context.flatMap((name) => (given.number(name) === undefined ? [] : [`${name}${given.number(name)}`])),
    ...matching(given),
  ];
}

/** How the pattern is meant. */
const matching = (given: Arguments): readonly string[] => [
  ...(endsLines(given.text('pattern') ?? '') ? ['--crlf'] : []),
  ...(given.flag('-i') ? ['--ignore-case'] : []),
  ...(given.flag('multiline') ? ['--multiline', '--multiline-dotall'] : []),
];

function typeOf(given: Arguments): readonly string[] {
  const type = given.text('type');
  return type === undefined ? [] : [`--type=${type}`];
}

/** `$` is meant to stand before the line end, CRLF as LF; with that ripgrep takes no `\r` of the pattern's own. */
const endsLines = (pattern: string): boolean => pattern.includes('$') && !/\r|\\[rx]/.test(pattern);

async function search(
  workspace: Workspace,
  unread: UnreadFiles,
  args: Json,
  context: AttemptContext,
): Promise<ToolOutcome> {
  const given = readArguments(args);
  const mode = modes.find((known) => known === given.text('output_mode')) ?? 'files_with_matches';
  const unfit = unfitArgument(given);
  if (unfit !== null) return failed(unfit);
  const glob = given.text('glob');
  const scope = await searchScope(workspace, given.text('path'), glob, unread);
  if (!scope.ok) return failed(scope.failure);
  const targets = await targetsOf(workspace, scope, glob, given.text('type') !== undefined, context);
  if (!targets.ok) return failed(targets.failure);
  if (targets.paths.length === 0) return noFile(scope, targets.notes);
  const pattern = given.text('pattern') ?? '';
  const call = [...options(given, mode), '--null', '-e', pattern];
  const characters = foreignCharacters(pattern) ?? (scope.kind === 'file' ? '' : null);
  const narrowing = [...targets.narrowing, ...typeOf(given)];
  const [run, foreign] = await Promise.all([
    runRipgrep(workspace, [...narrowing, ...call, '--', ...targets.paths], context.signal, bytesMax),
    characters === null
      ? null
      : searchForeign(
          workspace,
          { narrowing, targets: targets.paths, call, characters, mode, matches: scope.matches },
          context.signal,
        ),
  ]);
  if (!run.ok) return failed(run.failure);
  if (foreign?.ok === false) return failed(foreign.failure);
  const lines = [
    ...(mode === 'files_with_matches' ? foundFiles(run.stdout) : foundLines(run.stdout)).filter(
      ({ path }) => foreign?.searched.has(path) !== true,
    ),
    ...(foreign?.lines ?? []),
  ]
    .filter(({ path }) => scope.matches(path))
    .toSorted((a, b) => byCodeUnits(a.path, b.path));
  const limit = given.number('head_limit') ?? linesDefault;
  if (lines.length === 0 && targets.narrowing.length > 0) {
    const files = await listFiles(workspace, scope, context.signal);
    if (files.ok && files.paths.length === 0) return noFile(scope, files.notes);
  }
  const { chosen, more, unspeakable } = await choose(lines, limit, visiblePaths(workspace));
  const shown = await show(workspace, chosen, [...flags.content, ...matching(given)], pattern, context);
  const notes: string[] = [];
  if (shown.length === 0) notes.push(await nothingIn(workspace, scope));
  if (more > 0)
    notes.push(`(${more}${run.truncated ? ' or more' : ''} further lines; narrow the search or raise head_limit)`);
  else if (run.truncated) notes.push('(there is more; narrow the search)');
  return {
    status: 'succeeded',
    output: [
      ...shown,
      ...notes,
      ...new Set([...targets.notes, ...run.notes]),
      ...(foreign?.notes ?? []),
      ...unspeakableNote(unspeakable),
      ...leftOutNote(scope),
    ].join('\n'),
  };
}

/** How much of a named file is looked at to tell why nothing was found in it. */
const lookBytes = 1024 * 1024;

/** What is said where nothing was found: of a named file also why, where its text could not be searched. */
async function nothingIn(workspace: Workspace, scope: Extract<SearchScope, { ok: true }>): Promise<string> {
  const content = scope.kind === 'file' ? await workspace.files.read(scope.path, { bytesMax: lookBytes }) : null;
  if (content === null || 'code' in content) return 'No match.';
  const path = shownPath(scope.path);
  if (content.binary) {
    return `${path} is binary data, in which only text is looked for; a Bash command (grep -a, strings) can tell more.`;
  }
  return content.encoding.startsWith('utf-32')
    ? `${path} is UTF-32 and was not searched; show it with Read.`
    : 'No match.';
}

/** What ripgrep could not be told, in words that say what to send instead. */
function unfitArgument(given: Arguments): Failure | null {
  const refuse = (what: string, next: string) => makeFailure('schema', what, next, { signature: 'schema: Grep' });
  if ([given.text('pattern'), given.text('type')].some((text) => text?.includes('\0') === true)) {
    return refuse(
      'There is a NUL character in the arguments; nothing was searched.',
      'Leave it out: no text holds one.',
    );
  }
  if (Buffer.byteLength(given.text('pattern') ?? '') > patternBytesMax) {
    return refuse(
      `The pattern is longer than ${patternBytesMax} bytes; nothing was searched.`,
      'Search for a part of it, then read the places.',
    );
  }
  const below = (['-A', '-B', '-C'] as const).find((name) => (given.number(name) ?? 0) < 0);
  return below === undefined ? null : refuse(`${below} is below 0; nothing was searched.`, 'Send 0 or more.');
}

const noFile = (scope: Extract<SearchScope, { ok: true }>, notes: readonly string[]): ToolOutcome => ({
  status: 'succeeded',
  output: ['No file matches the glob.', ...notes, ...leftOutNote(scope)].join('\n'),
});

/** The lines that are shown: as many as the limit allows. */
async function choose(
  lines: readonly FoundLine[],
  limit: number,
  visible: (path: string) => Promise<boolean>,
): Promise<{ chosen: readonly FoundLine[]; more: number; unspeakable: number }> {
  const chosen: FoundLine[] = [];
  const unspeakable = new Set<string>();
  let length = 0;
  let more = 0;
  for (const line of lines) {
    if (chosen.length >= limit || length > lengthMax) {
      more++;
      continue;
    }
    if (!(await visible(line.path))) {
      if (isUnspeakable(line.path)) unspeakable.add(line.path);
      continue;
    }
    chosen.push(line);
    length += line.path.length + line.rest.length + 2;
  }
  return { chosen, more, unspeakable: unspeakable.size };
}

/** With `--` where lines around a match leave a gap, and with the places of matches in lines that are too long. */
async function show(
  workspace: Workspace,
  chosen: readonly FoundLine[],
  options: readonly string[],
  pattern: string,
  context: AttemptContext,
): Promise<readonly string[]> {
  const windows = await matchWindows(workspace, chosen.filter(isCut), options, pattern, context);
  const lines = await asRead(workspace, chosen);
  const withContext = lines.some(({ rest }) => /^\d+-/.test(rest));
  return lines.flatMap((line, i) => {
    const before = lines[i - 1];
    const gap = withContext && before !== undefined && !isNext(before, line) ? ['--'] : [];
    const path = shownPath(line.path);
    if (line.rest === '') return [path];
    const texts = windows.get(keyOf(line)) ?? [withoutLastWord(line.rest)];
    return [...gap, ...texts.map((text) => `${path}${signOf(text)}${visibleText(text)}`)];
  });
}

/** What stands between path and number: the same as between number and text. */
const signOf = (rest: string): string => (/^\d+-/.test(rest) ? '-' : ':');

/** Above this many characters of paths the whole scope is searched and the answer filtered. */
const argumentsMax = 100_000;

type Targets =
  | {
      readonly ok: true;
      readonly paths: readonly string[];
      readonly narrowing: readonly string[];
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly failure: Failure };

/**
 * Where ripgrep looks. Its own globs would bring back ignored files: a glob that it can take as a file type goes that
 * way, for any other one the list is made first and its files are searched by name.
 */
async function targetsOf(
  workspace: Workspace,
  scope: Extract<SearchScope, { ok: true }>,
  glob: string | undefined,
  isTyped: boolean,
  context: AttemptContext,
): Promise<Targets> {
  const { path, narrowing } = scope;
  // Two types would add to one another where two filters must both hold.
  if (glob === undefined || (narrowing.length > 0 && !isTyped))
    return { ok: true, paths: [path], narrowing, notes: [] };
  const files = await listFiles(workspace, scope, context.signal);
  if (!files.ok) return files;
  const paths = files.paths.filter((one) => !isUnspeakable(one));
  const notes = [...files.notes, ...unspeakableNote(files.paths.length - paths.length)];
  const length = paths.reduce((sum, one) => sum + one.length + 1, 0);
  // A file that is named is searched whatever its type, so a type needs the whole scope too.
  const isWhole = isTyped || files.truncated || length > argumentsMax;
  return isWhole && files.paths.length > 0
    ? { ok: true, paths: [path], narrowing: [], notes: files.notes }
    : { ok: true, paths, narrowing: [], notes };
}
