import { setImmediate } from 'node:timers/promises';
import { type Failure, makeFailure, type ToolDefinition } from '#kernel';
import { messageOf } from '#lib';
import { everythingRead, type UnreadFiles } from '#permission';
import type { Workspace } from '#workspace';
import { readArguments } from '../arguments.ts';
import type { AttemptContext, Tool, ToolOutcome } from '../contract.ts';
import { failed, readTool } from '../outcome.ts';
import { touchedPaths } from '../paths/touched-paths.ts';
import { byCodeUnits } from '../search/first-paths.ts';
import { listFiles } from '../search/list-files.ts';
import { leftOutNote, type SearchScope, searchScope, shownPath, visiblePaths } from '../search/search-scope.ts';
import { languageOf, supported } from './languages.ts';
import { type FileSymbols, type Ranked, rank } from './rank.ts';
import { fileBytesMax, type SymbolsOf, symbolReader } from './read-symbols.ts';

/** Files of one overview, and the time it may take to parse them. */
const filesMax = 3000;
const parseMsMax = 15_000;
/** Definitions of a folder, and characters of one result. */
const rankedMax = 120;
const lengthMax = 20_000;

const definition: ToolDefinition = {
  name: 'Symbols',
  deferred: true,
  description: 'Definitions in a source file, or the most referenced ones of a folder, with lines.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
};

export function createSymbolsTool(workspace: Workspace, unread: UnreadFiles = everythingRead): Tool {
  const symbolsOf = symbolReader(workspace);
  return readTool({
    definition,
    early: true,
    paths: (args) => touchedPaths(workspace, [readArguments(args).text('path') ?? '']),
    run: async (args, context) => {
      const scope = await searchScope(workspace, readArguments(args).text('path'), undefined, unread);
      if (!scope.ok) return failed(scope.failure);
      try {
        return scope.kind === 'file'
          ? await outline(symbolsOf, scope.path)
          : await overview(workspace, symbolsOf, scope, context);
      } catch (thrown) {
        return failed(notLoaded(messageOf(thrown)));
      }
    },
  });
}

const notLoaded = (message: string): Failure =>
  makeFailure('tool', `The parser could not be loaded: ${message}`, 'Look with Grep and Read instead.', {
    blame: 'environment',
    signature: 'tool: parser not loaded',
  });

const notSupported = (path: string): Failure =>
  makeFailure(
    'precondition',
    `${path} is of no supported language (${supported.join(', ')}).`,
    'Look with Grep and Read instead.',
    { signature: 'precondition: Symbols language' },
  );

async function outline(symbolsOf: SymbolsOf, path: string): Promise<ToolOutcome> {
  if (languageOf(path) === null) return failed(notSupported(path));
  const found = await symbolsOf(path);
  if (found === 'too-large') {
    const why = `${path} is longer than ${fileBytesMax} bytes and is not parsed.`;
    return failed(makeFailure('precondition', why, 'Find what you need in it with Grep.'));
  }
  if (found === 'too-slow') {
    const why = `${path} takes too long to parse.`;
    return failed(makeFailure('precondition', why, 'Find what you need in it with Grep.'));
  }
  if (typeof found === 'string')
    return failed(makeFailure('tool', `${path} is no readable text.`, 'Use another path.'));
  const lines = found.definitions.map(
    ({ name, kind, line, lastLine, depth }) => `${'  '.repeat(depth)}${line}-${lastLine} ${kind} ${name}`,
  );
  const output = [lines.length === 0 ? 'No definition.' : cut(lines)];
  if (found.isFaulty) output.push('(the file has syntax errors; definitions near them may be missing)');
  return { status: 'succeeded', output: output.join('\n') };
}

async function overview(
  workspace: Workspace,
  symbolsOf: SymbolsOf,
  scope: Extract<SearchScope, { ok: true }>,
  { signal }: AttemptContext,
): Promise<ToolOutcome> {
  const listed = await listFiles(workspace, scope, signal);
  if (!listed.ok) return failed(listed.failure);
  const visible = visiblePaths(workspace);
  const paths = listed.paths.filter((path) => languageOf(path) !== null).toSorted(byDepth);
  if (paths.length === 0) {
    const output = `No file of a supported language (${supported.join(', ')}) is here.`;
    return { status: 'succeeded', output: [output, ...listed.notes, ...leftOutNote(scope)].join('\n') };
  }
  const files: FileSymbols[] = [];
  let left = 0;
  const began = performance.now();
  for (const path of paths) {
    if (signal.aborted) return failed(makeFailure('cancelled', 'The overview was cancelled.', 'Ask again if needed.'));
    if (files.length >= filesMax || performance.now() - began > parseMsMax) {
      left++;
      continue;
    }
    if (!(await visible(path))) continue;
    const found = await symbolsOf(path);
    if (typeof found === 'string') left++;
    else files.push(found);
    // Parsing is work of this thread: others get their turn between two files.
    await setImmediate();
  }
  const ranked = rank(files);
  const notes: string[] = [];
  if (ranked.length > rankedMax) notes.push(`(${ranked.length - rankedMax} more definitions; name a folder or a file)`);
  if (left > 0)
    notes.push(`(${left} of ${paths.length} files were not parsed: too many, too long, too slow or no text)`);
  notes.push(...listed.notes, ...leftOutNote(scope));
  const output = [cut(grouped(ranked.slice(0, rankedMax))), ...notes].join('\n');
  return { status: 'succeeded', output: ranked.length === 0 ? ['No definition.', ...notes].join('\n') : output };
}

/** Files near the top come first, where not all can be parsed. */
const byDepth = (a: string, b: string): number => a.split('/').length - b.split('/').length || byCodeUnits(a, b);

/** By file, in the order of each file's most referenced definition; in a file by line. */
function grouped(ranked: readonly Ranked[]): readonly string[] {
  const byPath = Map.groupBy(ranked, ({ path }) => path);
  return [...byPath].flatMap(([path, definitions]) => [
    shownPath(path),
    ...definitions
      .toSorted((a, b) => a.line - b.line)
      .map(({ line, kind, name, references }) => `  ${line} ${kind} ${name} (${references})`),
  ]);
}

/** Whole lines within the limit, with what is left out. */
function cut(lines: readonly string[]): string {
  let length = 0;
  const shown = lines.findIndex((line) => {
    length += line.length + 1;
    return length > lengthMax;
  });
  if (shown === -1) return lines.join('\n');
  return [...lines.slice(0, shown), `(${lines.length - shown} more lines; read the file)`].join('\n');
}
