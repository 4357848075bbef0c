import { type Failure, type Json, makeFailure, type ToolDefinition } from '#kernel';
import type { Workspace } from '#workspace';
import { readArguments } from '../arguments.ts';
import type { Tool, ToolContext } from '../contract.ts';
import { editableFile } from '../file-change/editable-file.ts';
import { blobHash, type FileChangePlan } from '../file-change/file-change.ts';
import { fileChangeTool } from '../file-change/file-change-tool.ts';
import { endsWithCr, splitLines } from '../text/number-lines.ts';

const definition: ToolDefinition = {
  name: 'Write',
  description: 'Create a file, or replace a whole file that was read. Prefer Edit.',
  inputSchema: {
    type: 'object',
    properties: { file_path: { type: 'string' }, content: { type: 'string' } },
    required: ['file_path', 'content'],
  },
};

export const createWriteTool = (workspace: Workspace): Tool =>
  fileChangeTool(workspace, definition, (args, context) => planWrite(workspace, args, context));

async function planWrite(workspace: Workspace, args: Json, context: ToolContext): Promise<FileChangePlan> {
  const given = readArguments(args);
  const sent = given.text('content') ?? '';
  const target = await editableFile(workspace, context.state(), given.text('file_path') ?? '', 'Write');
  if (!target.ok) return target;
  if (target.file === null) {
    const bytes = workspace.files.encode(sent, { encoding: 'utf-8', bom: false });
    if (bytes === null) return { ok: false, failure: notEncoded(target.path, 'utf-8') };
    const report = `Created ${target.path} (${count(sent)}).`;
    return { ok: true, changes: [{ ...whole(target.path, null, sent, bytes), base: null }], report };
  }
  const { file } = target;
  // The mark of a file is not shown, and stays without being sent.
  const content = file.bom ? sent.replace(/^\ufeff/, '') : sent;
  const after = keepLineEnds(file.text, content);
  if (file.guessed === true && !holdsOnly(after, file.text)) {
    return { ok: false, failure: notSure(file.path, file.encoding) };
  }
  const bytes = workspace.files.encode(after, file);
  if (bytes === null) {
    return { ok: false, failure: notEncoded(file.path, file.encoding) };
  }
  if (blobHash(bytes) === file.hash) {
    const failure = makeFailure('precondition', `${file.path} already has exactly this content.`, 'Go on.', {
      signature: 'precondition: write without change',
    });
    return { ok: false, failure };
  }
  const note = after === content ? '' : ` Its ${endsWithCr(file.text) ? 'CR' : 'CRLF'} line ends were kept.`;
  // Whoever was shown a part of the file only is told that more of it is gone than was meant.
  const was = count(file.text) === count(after) ? '' : `; before ${count(file.text)}`;
  const report = `Replaced ${file.path} (${count(after)}${was}).${note}`;
  const change = { ...whole(file.path, file.text, after, bytes), base: file.hash, baseBytes: file.bytes };
  return { ok: true, changes: [change], report };
}

/** Unicode has all characters, and lacks only what is half of one. */
const notEncoded = (path: string, encoding: string): Failure =>
  encoding.startsWith('utf-')
    ? makeFailure('precondition', `The content for ${path} holds half of a character.`, 'Send whole characters.')
    : makeFailure(
        'precondition',
        `${path} is encoded as ${encoding}, which has no form for a character of the content.`,
        'Use characters that it has.',
      );

/** Whether all characters that are not ASCII are in the other text already. */
function holdsOnly(text: string, other: string): boolean {
  const there = new Set(other);
  for (const one of text) if (one > '\x7f' && !there.has(one)) return false;
  return true;
}

/** A character that is new there would be written as the guess has it, and may read as another one. */
const notSure = (path: string, encoding: string): Failure =>
  makeFailure(
    'precondition',
    `${path} is neither Unicode nor surely ${encoding}; content has a character that may mean another one there.`,
    'Use only ASCII and characters that it has, or a Bash command that names the encoding (iconv).',
    { signature: 'precondition: encoding' },
  );

const whole = (path: string, before: string | null, after: string, bytes: Uint8Array) => ({
  path,
  before,
  after,
  bytes,
  result: blobHash(bytes),
});

/** A model is shown lines, not line ends: where the file has only CRLF or CR, and the content only LF, the file's are kept. */
function keepLineEnds(before: string, content: string): string {
  if (endsWithCr(before) && !content.includes('\r')) return content.replaceAll('\n', '\r');
  const onlyCrlf = before.includes('\r\n') && !/(^|[^\r])\n/.test(before);
  return onlyCrlf && !content.includes('\r') ? content.replaceAll('\n', '\r\n') : content;
}

function count(content: string): string {
  const lines = splitLines(content).length;
  return lines === 1 ? '1 line' : `${lines} lines`;
}
