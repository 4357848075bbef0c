import { makeFailure, type ToolDefinition } from '#kernel';
import type { FileContent, Files, PathProblem, ResolvedPath, Workspace } from '#workspace';
import { readArguments } from '../arguments.ts';
import type { Tool, ToolOutcome } from '../contract.ts';
import { failed, readTool } from '../outcome.ts';
import { pathFailure } from '../paths/path-failure.ts';
import { touchedBy, touchedPaths } from '../paths/touched-paths.ts';
import type { Mask } from '../text/masked-part.ts';
import { endsWithCr } from '../text/number-lines.ts';
import { isMedia, showBinary } from './describe-binary.ts';
import { page, readLimits } from './page.ts';

const definition: ToolDefinition = {
  name: 'Read',
  description: 'Show a text file with line numbers, at most 2000 lines; or an image or PDF.',
  inputSchema: {
    type: 'object',
    properties: {
      file_path: { type: 'string' },
      offset: { type: 'integer', minimum: 1, description: 'first line' },
      limit: { type: 'integer', minimum: 1 },
    },
    required: ['file_path'],
  },
};

/** As much as can be edited: what is shown whole can be changed. */
const bytesMax = 32 * 1024 * 1024;

/** Shows a file, and records which content was shown: that is what allows an edit of it. */
export function createReadTool(workspace: Workspace): Tool {
  return readTool({
    definition,
    early: true,
    paths: async (args) => {
      const given = readArguments(args).text('file_path') ?? '';
      const found = await workspace.files.resolve(given);
      if (isThere(found)) return touchedBy(workspace.root, given, found);
      // Of a file that is read in the place of a missing one, the rules must hear both names.
      const { path } = await meant(workspace.files, given);
      return touchedPaths(workspace, [...new Set([given, path])]);
    },
    run: async (args, context) => {
      const given = readArguments(args);
      const path = given.text('file_path') ?? '';
      const lines = { offset: given.number('offset') ?? 1, limit: given.number('limit') ?? readLimits.lines };
      return show(workspace.files, path, lines, context.mask);
    },
  });
}

async function show(
  files: Files,
  given: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
  mask: Mask | undefined,
): Promise<ToolOutcome> {
  let path = given;
  let note: readonly string[] = [];
  let content = await files.read(given, { bytesMax });
  if ('code' in content && content.code === 'missing') {
    ({ path, note } = await meant(files, given));
    if (path !== given) content = await files.read(path, { bytesMax });
  } else if (!('code' in content) && isSpelledOtherwise(given, content.path)) note = [noteOf(given, content.path)];
  if ('code' in content) return failed(await pathFailure(files, path, content, 'Read'));
  if (content.text === null) return noted(showBinary(content), note);
  // A PDF may be written in letters only; what it shows is still not its text.
  if (isMedia(content)) {
    const shown = showBinary(content);
    return noted({ ...shown, seen: [{ path: content.path, hash: content.hash }] }, note);
  }
  // The window of the file that was read may end before the line that is asked for.
  const shown = page(content.text, offset, limit, mask);
  if (shown === null) return failed(behindTheEnd(content, content.text, offset));
  return {
    status: 'succeeded',
    output: [...note, shown.text, ...notesOf(content)].join('\n'),
    seen: [{ path: content.path, hash: content.hash }],
  };
}

/** Also a path that is refused: nothing is read in its place. */
const isThere = (found: ResolvedPath | PathProblem): boolean => 'code' in found || found.kind !== 'missing';

/** The path as given where it exists; else the one file that it can only mean. */
async function meant(
  files: Files,
  given: string,
): Promise<{ readonly path: string; readonly note: readonly string[] }> {
  const exists = async (path: string) => isThere(await files.resolve(path));
  if (await exists(given)) return { path: given, note: [] };
  // Listings quote a name that would break their lines, and it is read as it was listed.
  const unquoted = unquote(given);
  if (unquoted !== null && (await exists(unquoted))) return { path: unquoted, note: [] };
  const alike = await files.lookAlike(given);
  if (alike === null) return { path: given, note: [] };
  return { path: alike, note: [noteOf(given, alike)] };
}

/** A command that is given the name as it was written here would not find the file. */
const isSpelledOtherwise = (given: string, path: string): boolean =>
  basename(given) !== basename(path) && basename(given).normalize('NFC') === basename(path).normalize('NFC');

const basename = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const noteOf = (given: string, path: string): string =>
  `(there is no ${JSON.stringify(given)}; this is ${spelled(path)})`;

function unquote(text: string): string | null {
  if (!/^".*"$/s.test(text)) return null;
  try {
    const path: unknown = JSON.parse(text);
    return typeof path === 'string' ? path : null;
  } catch {
    return null;
  }
}

/** A name with every character visible that looks like another one. */
const spelled = (path: string): string =>
  JSON.stringify(path).replace(/[^\x20-\x7e]/gu, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`);

const noted = (outcome: ToolOutcome, note: readonly string[]): ToolOutcome =>
  note.length === 0 ? outcome : { ...outcome, output: [...note, outcome.output].join('\n') };

function behindTheEnd({ path, size, truncated, bytes }: FileContent, text: string, offset: number) {
  const lines = page(text, 1, 1)?.lines ?? 0;
  if (truncated) {
    return makeFailure(
      'precondition',
      `${path} has ${size} bytes, of which the first ${bytes.length} can be read by line; line ${offset} lies behind them.`,
      `Use sed -n '${offset},+200p' in Bash, or find the place with Grep.`,
    );
  }
  return makeFailure(
    'precondition',
    `${path} has ${lines} lines; line ${offset} is behind its end.`,
    `Read it with an offset from 1 to ${lines}.`,
  );
}

/** What the numbered lines cannot show and an edit should know. */
function notesOf(content: FileContent): string[] {
  const notes: string[] = [];
  if (content.truncated) notes.push(`(only the first ${content.bytes.length} of ${content.size} bytes were read)`);
  if (content.encoding !== 'utf-8') {
    const guess = content.guessed === true ? ' most likely, not surely' : '';
    const bare = content.encoding.startsWith('utf-16') && !content.bom ? ' without a byte order mark' : '';
    notes.push(`(encoding: ${content.encoding}${bare}${guess}; edits keep it)`);
  }
  const text = content.text ?? '';
  if (text.includes('\r\n')) {
    const mixed = /(^|[^\r])\n/.test(text) ? 'CRLF and LF' : 'CRLF';
    notes.push(`(line ends: ${mixed}; edits keep them)`);
  }
  if (endsWithCr(text)) notes.push('(line ends: CR; edits keep them)');
  return notes;
}
