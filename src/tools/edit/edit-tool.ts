import { type Failure, type Json, makeFailure, type ToolDefinition } from '#kernel';
import type { Workspace } from '#workspace';
import { readArguments } from '../arguments.ts';
import type { Tool, ToolContext } from '../contract.ts';
import { editableFile } from '../file-change/editable-file.ts';
import { blobHash, type FileChangePlan } from '../file-change/file-change.ts';
import { fileChangeTool } from '../file-change/file-change-tool.ts';
import type { Mask } from '../text/masked-part.ts';
import { editFailure, notFoundSignature } from './edit-faults.ts';
import { editReport } from './edit-report.ts';
import { type Changed, type Edit, type EditedFile, splice } from './splice.ts';

const one = {
  old_string: { type: 'string' },
  new_string: { type: 'string' },
  replace_all: { type: 'boolean' },
};

const definition: ToolDefinition = {
  name: 'Edit',
  description:
    'Replace old_string, literally, in a file that was read. It must occur once, unless replace_all. Leave out line numbers. Or edits, in order, all or none.',
  inputSchema: {
    type: 'object',
    properties: {
      file_path: { type: 'string' },
      ...one,
      edits: { type: 'array', items: { type: 'object', properties: one, required: ['old_string', 'new_string'] } },
    },
    required: ['file_path'],
  },
};

export function createEditTool(workspace: Workspace): Tool {
  const last: Last = { value: null };
  return fileChangeTool(workspace, definition, (args, context) => planEdit(workspace, args, context, last));
}

/** The last plan: it is asked for twice, and for a large file once is enough. */
interface Last {
  value: { readonly args: Json; readonly base: Uint8Array; readonly plan: FileChangePlan } | null;
}

const refuse = (failure: Failure): FileChangePlan => ({ ok: false, failure });

async function planEdit(workspace: Workspace, args: Json, context: ToolContext, last: Last): Promise<FileChangePlan> {
  const edits = editsOf(args);
  if (!Array.isArray(edits)) return refuse(edits as Failure);
  const target = await editableFile(workspace, context.state(), readArguments(args).text('file_path') ?? '', 'Edit');
  if (!target.ok) return target;
  if (target.file === null) return refuse(makeFailure('not_found', `There is no file ${target.path}.`, 'Use Write.'));
  const { file } = target;
  if (last.value?.args === args && last.value.base === file.bytes) return last.value.plan;
  last.value = null;
  const first = applyAll(file.path, file, edits as readonly Edit[], workspace, context.mask);
  const made = first.ok ? first : await readOtherwise(first, file, edits as readonly Edit[], workspace);
  if (!made.ok) return refuse(made.failure);
  const { changed, read } = made;
  const change = {
    path: file.path,
    // Of a large file the texts are made only if somebody asks.
    get before() {
      return read?.text ?? file.text;
    },
    get after() {
      return changed.text;
    },
    get bytes() {
      return changed.bytes;
    },
    ...(changed.pieces === undefined ? {} : { pieces: changed.pieces }),
    ...(changed.isPlain === undefined ? {} : { isPlain: changed.isPlain }),
    base: file.hash,
    baseBytes: file.bytes,
    result: blobHash(...(changed.pieces ?? [changed.bytes])),
    ...(edits.length === 1 ? { around: changed.around } : {}),
  };
  const note = read === undefined ? '' : `\n(read as ${read.encoding}: so old_string is in it)`;
  const plan = {
    ok: true,
    changes: [change],
    report: `${editReport(file.path, changed, edits.length, context.mask)}${note}`,
  } as const;
  last.value = { args, base: file.bytes, plan };
  return plan;
}

type Made =
  | {
      readonly ok: true;
      readonly changed: Changed;
      readonly read?: { readonly text: string; readonly encoding: string };
    }
  | { readonly ok: false; readonly failure: Failure };

/**
 * Of a file whose encoding was guessed: the edits in another one, where by that alone the old text is there. Where
 * several would change different bytes, none of them is known to be right.
 */
async function readOtherwise(
  first: Extract<Made, { ok: false }>,
  file: EditedFile & { readonly path: string },
  edits: readonly Edit[],
  workspace: Workspace,
): Promise<Made> {
  const isSought = edits.some(({ oldText }) => /[^\0-\x7f]/.test(oldText));
  if (file.guessed !== true || !isSought || first.failure.signature !== notFoundSignature) return first;
  const found: Extract<Made, { ok: true }>[] = [];
  for (const read of await workspace.files.readings(file.bytes)) {
    const made = applyAll(file.path, { ...read, bytes: file.bytes, bom: false }, edits, workspace, undefined);
    const isNew = (one: Made) => one.ok && made.ok && Buffer.compare(one.changed.bytes, made.changed.bytes) !== 0;
    if (made.ok && found.every(isNew)) found.push({ ...made, read });
  }
  const [only, other] = found;
  if (only !== undefined && other === undefined) return only;
  const names = found.map(({ read }) => read?.encoding).join(' or ');
  const why = `${file.path} is neither Unicode nor surely ${file.encoding}${names === '' ? '' : `; the text is in it as ${names}, with different bytes`}.`;
  const { message, suggestedAction, ...rest } = first.failure;
  const next = 'Use a Bash command that names the encoding (iconv), or change ASCII only.';
  return {
    ok: false,
    failure: { ...rest, message: `${message} ${why}`, suggestedAction: `${suggestedAction} ${next}` },
  };
}

/** Each edit sees what the one before left; the first that cannot be made leaves the file as it was. */
function applyAll(
  path: string,
  file: EditedFile,
  edits: readonly Edit[],
  workspace: Workspace,
  mask: Mask | undefined,
): Made {
  let now = file;
  let changed: Changed | null = null;
  for (const [i, edit] of edits.entries()) {
    const result = splice(now, edit, workspace.files.encode);
    const where = edits.length === 1 ? '' : `edits[${i}].`;
    if (!result.ok) return { ok: false, failure: editFailure(path, now, edit, result.fault, where, mask) };
    changed = result.changed;
    if (i + 1 < edits.length) now = nextFile(file, changed);
  }
  if (changed === null || (edits.length > 1 && Buffer.compare(changed.bytes, file.bytes) === 0)) {
    const failure = makeFailure('precondition', `The edits leave ${path} as it is.`, 'Send edits that change it.', {
      signature: 'precondition: edit without change',
    });
    return { ok: false, failure };
  }
  return { ok: true, changed };
}

const nextFile = ({ encoding, bom, guessed }: EditedFile, { bytes, text }: Changed): EditedFile => ({
  encoding,
  bom,
  bytes,
  text,
  ...(guessed === undefined ? {} : { guessed }),
});

/** A call that was cut off has no new text: that is never taken for an empty one. */
function editsOf(args: Json): readonly Edit[] | Failure {
  const given = readArguments(args);
  const list = given.list('edits');
  const single = editOf(args);
  const named = ['old_string', 'new_string'].filter((name) => given.text(name) !== undefined);
  if (list === undefined) {
    if (single !== null) return [single];
    const missing = ['old_string', 'new_string'].filter((name) => !named.includes(name));
    return argumentFailure(
      `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing; nothing was changed.`,
    );
  }
  if (named.length > 0) return argumentFailure('There are edits and old_string or new_string; nothing was changed.');
  const edits = list.flatMap((item) => editOf(item) ?? []);
  return edits.length > 0 && edits.length === list.length
    ? edits
    : argumentFailure('edits is empty; nothing was changed.');
}

function editOf(args: Json): Edit | null {
  const given = readArguments(args);
  const [oldText, newText] = [given.text('old_string'), given.text('new_string')];
  return oldText === undefined || newText === undefined ? null : { oldText, newText, all: given.flag('replace_all') };
}

const argumentFailure = (message: string): Failure =>
  makeFailure('schema', message, 'Send file_path with old_string and new_string, or with edits.', {
    signature: 'schema: Edit',
  });
