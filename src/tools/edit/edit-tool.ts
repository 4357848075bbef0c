import { type Failure, type Json, makeFailure, type ToolDefinition } from '#kernel';
import type { Workspace } from '#workspace';
import { readArguments } from '../arguments.ts';
import type { Tool, ToolContext } from '../contract.ts';
import { editableFile } from '../file-change/editable-file.ts';
import { blobHash, type FileChangePlan } from '../file-change/file-change.ts';
import { fileChangeTool } from '../file-change/file-change-tool.ts';
import { cutText, numberLines, splitLines } from '../text/number-lines.ts';
import { nearestLines } from './nearest-lines.ts';
import { type Splice, spliceText } from './splice-text.ts';

const definition: ToolDefinition = {
  name: 'Edit',
  description:
    'Replace old_string, literally, in a file that was read. It must occur once, unless replace_all. Leave out line numbers.',
  inputSchema: {
    type: 'object',
    properties: {
      file_path: { type: 'string' },
      old_string: { type: 'string' },
      new_string: { type: 'string' },
      replace_all: { type: 'boolean' },
    },
    required: ['file_path', 'old_string', 'new_string'],
  },
};

export const createEditTool = (workspace: Workspace): Tool =>
  fileChangeTool(workspace, definition, (args, context) => planEdit(workspace, args, context));

const refuse = (failure: Failure): FileChangePlan => ({ ok: false, failure });

async function planEdit(workspace: Workspace, args: Json, context: ToolContext): Promise<FileChangePlan> {
  const given = readArguments(args);
  const [oldText, newText] = [given.text('old_string') ?? '', given.text('new_string') ?? ''];
  const target = await editableFile(workspace, context.state(), given.text('file_path') ?? '', 'Edit');
  if (!target.ok) return target;
  if (target.file === null) return refuse(makeFailure('not_found', `There is no file ${target.path}.`, 'Use Write.'));
  const { file } = target;
  if (oldText === '') return refuse(emptyText(file.path));
  if (oldText === newText) return refuse(noChange(file.path));
  const spliced = spliceText(file.text, oldText, newText, given.flag('replace_all'));
  if (!spliced.ok) {
    if (spliced.code === 'ambiguous') return refuse(ambiguous(file.path, spliced.lines));
    return refuse(spliced.code === 'not-found' ? notFound(file.path, file.text, oldText) : noChange(file.path));
  }
  const unchanged = workspace.files.encode(file.text, file);
  const bytes = workspace.files.encode(spliced.text, file);
  if (bytes === null || unchanged === null || Buffer.compare(unchanged, file.bytes) !== 0) {
    return refuse(encodingFailure(file.path, file.encoding, bytes === null));
  }
  const change = {
    path: file.path,
    before: file.text,
    after: spliced.text,
    bytes,
    base: file.hash,
    result: blobHash(bytes),
    report: report(file.path, spliced),
  };
  return { ok: true, change };
}

const contextLines = 2;
const excerptLinesMax = 12;
const excerptLineLength = 160;

/** The changed place as it is now, short: the model knows what it sent. */
function report(path: string, { text, count, firstLine, lastLine }: Splice): string {
  const lines = splitLines(text);
  const from = Math.max(1, firstLine - contextLines);
  const to = Math.min(lines.length, lastLine + contextLines, from + excerptLinesMax - 1);
  const excerpt = numberLines(
    lines.slice(from - 1, to).map((line) => cutText(line, excerptLineLength)),
    from,
  );
  const places = count === 1 ? '' : ` at ${count} places; the first:`;
  return `Edited ${path}${places}\n${excerpt}`;
}

const emptyText = (path: string): Failure =>
  makeFailure(
    'precondition',
    `old_string is empty; ${path} was not changed.`,
    'Send the text that is to be replaced.',
    {
      signature: 'precondition: edit of nothing',
    },
  );

const noChange = (path: string): Failure =>
  makeFailure(
    'precondition',
    `old_string and new_string are equal; ${path} would not change.`,
    'Send the text that is to be there instead.',
    {
      signature: 'precondition: edit without change',
    },
  );

function ambiguous(path: string, lines: readonly number[]): Failure {
  const more = lines.length >= 20 ? ' and more' : '';
  return makeFailure(
    'precondition',
    `old_string occurs ${lines.length}${more} times in ${path}, at lines ${lines.join(', ')}${more}.`,
    'Add lines around it until it is the only one, or set replace_all.',
    { signature: 'precondition: edit ambiguous' },
  );
}

function notFound(path: string, content: string, wanted: string): Failure {
  const numbered = /^\s*\d+\t/m.test(wanted) ? ' It seems to hold line numbers of Read: leave them out.' : '';
  const near = nearestLines(content, wanted.replaceAll(/^\s*\d+\t/gm, ''));
  const where =
    near === null
      ? ''
      : near.whiteSpaceOnly
        ? ` Line ${near.line} differs in white space only:\n${near.excerpt}`
        : ` The nearest lines are:\n${near.excerpt}`;
  return makeFailure(
    'precondition',
    `old_string was not found in ${path}.${numbered}${where}`,
    near === null ? `Read ${path} again and copy the text exactly.` : 'Copy the text from there exactly.',
    { signature: 'precondition: edit text not found' },
  );
}

const encodingFailure = (path: string, encoding: string, inexpressible: boolean): Failure =>
  makeFailure(
    'precondition',
    inexpressible
      ? `${path} is encoded as ${encoding}, which has no form for a character of new_string.`
      : `${path} (${encoding}) cannot be rewritten without touching bytes outside the edit.`,
    inexpressible ? 'Use characters that it has.' : 'Change it with a Bash command.',
    { signature: 'precondition: encoding' },
  );
