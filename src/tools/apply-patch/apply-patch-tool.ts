import { posix } from 'node:path';
import { type Failure, type Json, makeFailure, type State, type ToolDefinition } from '#kernel';
import type { Workspace } from '#workspace';
import { readArguments } from '../arguments.ts';
import type { Tool, ToolContext } from '../contract.ts';
import { editFailure } from '../edit/edit-faults.ts';
import { nearestLines } from '../edit/nearest-lines.ts';
import { splicePlaces } from '../edit/splice.ts';
import { editableFile } from '../file-change/editable-file.ts';
import { blobHash, type FileChange, type FileChangePlan } from '../file-change/file-change.ts';
import { fileChangeTool } from '../file-change/file-change-tool.ts';
import { workspacePath } from '../paths/workspace-path.ts';
import type { Mask } from '../text/masked-part.ts';
import { parsePatch } from './parse-patch.ts';
import { type FilePatch, type Hunk, pathsOf } from './patch.ts';
import { type Placing, placeHunks } from './place-hunks.ts';

const definition: ToolDefinition = {
  name: 'ApplyPatch',
  deferred: true,
  description:
    'Change several files, all or none: *** Begin Patch, sections *** Update File: (parts after @@, lines with space, - or +), *** Add File:, *** Delete File:, *** End Patch. Or a unified diff.',
  inputSchema: { type: 'object', properties: { patch: { type: 'string' } }, required: ['patch'] },
};

export function createApplyPatchTool(workspace: Workspace): Tool {
  const parsed = (args: Json) => parsePatch(readArguments(args).text('patch') ?? '');
  return fileChangeTool(
    workspace,
    definition,
    (args, context) => planPatch(workspace, parsed(args), context),
    (args) => {
      const patch = parsed(args);
      return patch.ok ? [...new Set(pathsOf(patch.files))] : null;
    },
  );
}

interface Step {
  readonly changes: readonly FileChange[];
  readonly report: string;
}
type Planned = ({ readonly ok: true } & Step) | { readonly ok: false; readonly failure: Failure };

async function planPatch(
  workspace: Workspace,
  patch: ReturnType<typeof parsePatch>,
  context: ToolContext,
): Promise<FileChangePlan> {
  if (!patch.ok) {
    return refuse(
      `The patch cannot be read, line ${patch.line}: ${patch.why}. Nothing was changed.`,
      'Mend that and send the whole patch again.',
      'patch form',
    );
  }
  const steps: Step[] = [];
  const faults: Failure[] = [];
  for (const file of patch.files) {
    const planned = await planFile(workspace, context.state(), file, context.mask);
    if (planned.ok) steps.push(planned);
    else faults.push(planned.failure);
  }
  const changes = steps.flatMap((step) => step.changes);
  const twice = changes.find(({ path }, i) => changes.findIndex((other) => other.path === path) !== i);
  if (twice !== undefined) {
    return refuse(
      `${twice.path} is named twice. Nothing was changed.`,
      'Put its parts into one section.',
      'patch twice',
    );
  }
  if (faults.length > 0) return { ok: false, failure: together(faults, steps) };
  const folder = changes.find(({ path }) => changes.some((other) => other.path.startsWith(`${path}/`)));
  if (folder !== undefined) {
    const inside = changes.find(({ path }) => path.startsWith(`${folder.path}/`))?.path;
    return refuse(
      `The patch has ${folder.path} as a file, and ${inside} needs a folder of that name. Nothing was changed.`,
      'Give one of them another name.',
      'patch of file and folder',
    );
  }
  return { ok: true, changes, report: steps.map(({ report }) => report).join('\n') };
}

/** All faults at once, and which files would have been right, so that the next patch can be. */
function together(faults: readonly Failure[], steps: readonly Step[]): Failure {
  const [first] = faults as [Failure];
  const rest =
    steps.length === 0 ? '' : `\n${steps.length} other file${steps.length === 1 ? '' : 's'} of the patch would fit.`;
  const words = ({ message, suggestedAction }: Failure) =>
    `${message}${message.includes('\n') ? '\n' : ' '}${suggestedAction}`;
  const message = `${faults.map(words).join('\n')}${rest}\nNothing was changed.`;
  return { ...first, message, suggestedAction: 'Mend this and send the whole patch again.' };
}

async function planFile(
  workspace: Workspace,
  state: State,
  patch: FilePatch,
  mask: Mask | undefined,
): Promise<Planned> {
  if (patch.kind === 'add') return planAdd(workspace, state, patch);
  const target = await editableFile(workspace, state, patch.path, 'Edit');
  if (!target.ok) return target;
  if (target.file === null) return refuse(`There is no file ${target.path}.`, 'Use *** Add File.', 'patch no file');
  const { file } = target;
  if (patch.kind === 'delete' || patch.to !== null) {
    const link = await linkFailure(workspace, patch.path, file.path);
    if (link !== null) return { ok: false, failure: link };
  }
  const gone = {
    path: file.path,
    before: file.text,
    after: null,
    bytes: null,
    base: file.hash,
    baseBytes: file.bytes,
    result: null,
  };
  if (patch.kind === 'delete') return { ok: true, changes: [gone], report: `Deleted ${file.path}` };
  const placing = placeHunks(file.text, patch.hunks);
  if (!placing.ok) return { ok: false, failure: placingFailure(file.path, file.text, placing, patch.hunks, mask) };
  let changed: { readonly bytes: Uint8Array; readonly text: string } = file;
  if (placing.places.length > 0) {
    const edit = { ...textsOf(patch.hunks), all: false };
    const spliced = splicePlaces(file, edit, placing.places, workspace.files.encode);
    if (!spliced.ok) return { ok: false, failure: editFailure(file.path, file, edit, spliced.fault, 'patch: ') };
    changed = spliced.changed;
  }
  const lines = placing.places.map(({ line }) => line).join(', ');
  const recounted = recountedNote(patch.hunks);
  const result = blobHash(changed.bytes);
  if (patch.to === null) {
    if (result === file.hash)
      return refuse(`The patch leaves ${file.path} as it is.`, 'Leave it out.', 'patch without change');
    const change = { ...gone, after: changed.text, bytes: changed.bytes, result };
    return { ok: true, changes: [change], report: `Updated ${file.path} (from line ${lines})${recounted}` };
  }
  const free = await freePath(workspace, state, patch.to);
  if (!free.ok) return free;
  const moved = {
    path: free.path,
    before: null,
    after: changed.text,
    bytes: changed.bytes,
    base: null,
    result,
    mode: file.mode,
  };
  return { ok: true, changes: [gone, moved], report: `Moved ${file.path} to ${free.path}${recounted}` };
}

/** What was not taken as it was written is told. */
function recountedNote(hunks: readonly Hunk[]): string {
  const numbers = hunks.flatMap(({ recounted }, i) => (recounted === true ? [i + 1] : []));
  if (numbers.length === 0) return '';
  const which = numbers.length === 1 ? `part ${numbers[0]}` : `parts ${numbers.join(', ')}`;
  return `; the @@ counts of ${which} did not fit its lines, and the lines were taken`;
}

/**
 * Content is changed through a link; but who says that a link goes does not mean the file to which it leads. Letters
 * that differ only in case are one name on some systems.
 */
async function linkFailure(workspace: Workspace, given: string, path: string): Promise<Failure | null> {
  const named = workspacePath(workspace.root, given);
  const folder = await workspace.files.resolve(posix.dirname(named));
  const alike = (text: string) => posix.normalize(text).normalize('NFC').toLowerCase();
  if ('code' in folder || alike(posix.join(folder.path, posix.basename(named))) === alike(path)) return null;
  return failure(
    `${given} is a link to ${path}, and a patch neither deletes nor moves links.`,
    'Name the file itself, or use rm or mv in Bash for the link.',
    'patch of a link',
  );
}

async function planAdd(
  workspace: Workspace,
  state: State,
  patch: Extract<FilePatch, { kind: 'add' }>,
): Promise<Planned> {
  const free = await freePath(workspace, state, patch.path);
  if (!free.ok) return free;
  const text = patch.lines.join('\n') + (patch.lines.length === 0 || patch.endsOpen ? '' : '\n');
  const bytes = workspace.files.encode(text, { encoding: 'utf-8', bom: false });
  if (bytes === null)
    return refuse(`${free.path} would hold half of a character.`, 'Send whole characters.', 'encoding');
  const change = {
    path: free.path,
    before: null,
    after: text,
    bytes,
    base: null,
    result: blobHash(bytes),
    ...(patch.executable === true ? { mode: 0o755 } : {}),
  };
  const lines = patch.lines.length === 1 ? '1 line' : `${patch.lines.length} lines`;
  return { ok: true, changes: [change], report: `Added ${free.path} (${lines})` };
}

/** A path at which a new file may be made. */
async function freePath(
  workspace: Workspace,
  state: State,
  path: string,
): Promise<{ readonly ok: true; readonly path: string } | { readonly ok: false; readonly failure: Failure }> {
  const there = await editableFile(workspace, state, path, 'ApplyPatch');
  if (there.ok && there.file === null) return { ok: true, path: there.path };
  if (!there.ok && there.failure.kind !== 'precondition' && there.failure.kind !== 'stale') return there;
  const found = await workspace.files.resolve(path);
  if (!('code' in found) && found.kind === 'directory') {
    return refuse(`${path} is a folder.`, 'Name a file in it, or give the file another name.', 'patch of a folder');
  }
  return refuse(`${path} exists already.`, 'Read it and use *** Update File.', 'patch of a present file');
}

function textsOf(hunks: readonly Hunk[]): { oldText: string; newText: string } {
  const side = (sign: '-' | '+') =>
    hunks.flatMap(({ lines }) =>
      lines.filter((line) => line.sign === ' ' || line.sign === sign).map(({ text }) => text),
    );
  return { oldText: side('-').join('\n'), newText: side('+').join('\n') };
}

function placingFailure(
  path: string,
  content: string,
  placing: Exclude<Placing, { ok: true }>,
  hunks: readonly Hunk[],
  mask: Mask | undefined,
): Failure {
  const part = `Part ${placing.hunk} for ${path}`;
  const wasRecounted = hunks[placing.hunk - 1]?.recounted === true;
  switch (placing.why) {
    case 'ambiguous':
      return failure(
        `${part} fits at lines ${placing.lines.join(', ')}${wasRecounted ? '; the counts of its head are wrong, so its line number is not believed either' : ''}.`,
        'Add lines of context, or a @@ line that stands above the place.',
        'patch ambiguous',
      );
    case 'above':
      return failure(
        `${part} fits at line${placing.lines.length === 1 ? '' : 's'} ${placing.lines.join(', ')} only, above the part before it.`,
        'Put the parts in the order in which they stand in the file.',
        'patch order',
      );
    case 'not-at-end':
      return failure(
        `${part} is marked as the end of the file, and fits at line${placing.lines.length === 1 ? '' : 's'} ${placing.lines.join(', ')}, which is before it.`,
        'Leave the mark out, or add the lines that follow there.',
        'patch end',
      );
    case 'empty':
      return failure(
        `${part} has only new lines and does not say where.`,
        'Add lines of context.',
        'patch without context',
      );
    case 'no-head':
      return failure(
        `${part}: there is no line ${JSON.stringify(placing.wanted)} below the part before.`,
        'Copy it exactly.',
        'patch context',
      );
    case 'missing': {
      const near = nearestLines(content, placing.wanted, mask);
      const where = near === null ? '' : ` The nearest lines are:\n${near.excerpt}`;
      return failure(
        `${part} does not fit: its old lines do not stand there one after another.${where}`,
        'Copy the old lines exactly.',
        'patch context',
      );
    }
  }
}

const failure = (message: string, next: string, signature: string): Failure =>
  makeFailure('precondition', message, next, { signature: `precondition: ${signature}` });

const refuse = (
  message: string,
  next: string,
  signature: string,
): { readonly ok: false; readonly failure: Failure } => ({
  ok: false,
  failure: failure(message, next, signature),
});
