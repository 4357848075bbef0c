import { makeFailure, type ToolDefinition } from '#kernel';
import type { FileContent, Files, Workspace } from '#workspace';
import { readArguments } from '../arguments.ts';
import type { Tool, ToolOutcome } from '../contract.ts';
import { failed, readTool } from '../outcome.ts';
import { pathFailure } from '../paths/path-failure.ts';
import { touchedPaths } from '../paths/touched-paths.ts';
import { describeBinary } from './describe-binary.ts';
import { page, readLimits } from './page.ts';

const definition: ToolDefinition = {
  name: 'Read',
  description: 'Show a text file with line numbers, at most 2000 lines.',
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

const bytesMax = 16 * 1024 * 1024;

/** Shows a file, and records which content was shown: that is what allows an edit of it. */
export function createReadTool(workspace: Workspace): Tool {
  return readTool({
    definition,
    early: true,
    paths: (args) => touchedPaths(workspace, [readArguments(args).text('file_path') ?? '']),
    run: async (args) => {
      const given = readArguments(args);
      const path = given.text('file_path') ?? '';
      return show(workspace.files, path, given.number('offset') ?? 1, given.number('limit') ?? readLimits.lines);
    },
  });
}

async function show(files: Files, path: string, offset: number, limit: number): Promise<ToolOutcome> {
  const content = await files.read(path, { bytesMax });
  if ('code' in content) return failed(await pathFailure(files, path, content, 'Read'));
  if (content.binary || content.text === null) {
    return { status: 'succeeded', output: describeBinary(content.path, content.bytes, content.size) };
  }
  const shown = page(content.text, offset, limit);
  if (shown === null) return failed(behindTheEnd(content.path, content.text, offset));
  return {
    status: 'succeeded',
    output: [shown.text, ...notesOf(content)].join('\n'),
    seen: [{ path: content.path, hash: content.hash }],
  };
}

function behindTheEnd(path: string, text: string, offset: number) {
  const lines = page(text, 1, 1)?.lines ?? 0;
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
  if (content.encoding !== 'utf-8') notes.push(`(encoding: ${content.encoding}; edits keep it)`);
  if (content.text?.includes('\r\n') === true) notes.push('(line ends: CRLF; edits keep them)');
  return notes;
}
