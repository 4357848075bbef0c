import { type Failure, makeFailure, type State, seenHash } from '#kernel';
import { isRepositoryInternal } from '#permission';
import type { FileContent, Workspace } from '#workspace';
import { pathFailure } from '../paths/path-failure.ts';
import { staleFailure } from './file-change.ts';

export type EditableFile =
  | { readonly ok: true; readonly file: FileContent & { readonly text: string } }
  /** Nothing is there yet; `path` is where it would be. */
  | { readonly ok: true; readonly file: null; readonly path: string }
  | { readonly ok: false; readonly failure: Failure };

/** Edits keep a whole file in memory; what is larger is not edited by text. */
const bytesMax = 32 * 1024 * 1024;

const refuse = (failure: Failure): EditableFile => ({ ok: false, failure });

/** The file that an edit or write means, if its present content is what the model was last shown. */
export async function editableFile(
  workspace: Workspace,
  state: State,
  given: string,
  tool: 'Edit' | 'Write' | 'ApplyPatch',
): Promise<EditableFile> {
  const { files } = workspace;
  const resolved = await files.resolve(given);
  if ('code' in resolved && resolved.code !== 'missing') return refuse(await pathFailure(files, given, resolved, tool));
  if (!('code' in resolved) && (resolved.gitInternal || isRepositoryInternal(resolved.path))) {
    return refuse(
      makeFailure('rejected', `${resolved.path} belongs to git and is never edited.`, 'Leave it alone.', {
        blame: 'model',
        signature: 'rejected: git directory',
      }),
    );
  }
  if ('code' in resolved || resolved.kind === 'missing') {
    if (tool !== 'Edit' && !('code' in resolved)) {
      const slip = slipOfName(resolved.path);
      return slip === null ? { ok: true, file: null, path: resolved.path } : refuse(slip);
    }
    return refuse(await pathFailure(files, given, { code: 'missing', message: 'no such file' }, tool));
  }
  const content = await files.read(resolved.path, { bytesMax, trusting: true });
  if ('code' in content) return refuse(await pathFailure(files, given, content, tool));
  return judge(content, state);
}

/** A blank or a line end around a name was hardly meant, and the file would lie beside the one that was. */
function slipOfName(path: string): Failure | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name.trim() === name && !/[\r\n]/.test(name)) return null;
  const what = /[\r\n]/.test(name) ? 'holds a line end' : 'begins or ends with a blank';
  return makeFailure(
    'precondition',
    `The name ${JSON.stringify(name)} ${what}; nothing was written.`,
    'Give the path without it. If it is really meant, make the file with a Bash command.',
    { signature: 'precondition: blank in a name' },
  );
}

function judge(content: FileContent, state: State): EditableFile {
  const { path } = content;
  const seen = seenHash(state, path);
  if (content.truncated) {
    return refuse(
      makeFailure(
        'precondition',
        `${path} has ${content.size} bytes, more than can be edited as text.`,
        'Use a Bash command.',
      ),
    );
  }
  if (seen === undefined && !content.binary) {
    return refuse(
      makeFailure('precondition', `${path} was not read in this session.`, `Read ${path} first, then edit it.`, {
        signature: 'precondition: edit before read',
      }),
    );
  }
  if (seen !== undefined && seen !== content.hash) return refuse(staleFailure(path));
  if (!isText(content)) {
    return refuse(
      makeFailure(
        'precondition',
        `${path} is binary; it cannot be edited as text.`,
        'Use a Bash command that makes it.',
      ),
    );
  }
  return { ok: true, file: content };
}

const isText = (content: FileContent): content is FileContent & { readonly text: string } => !content.binary;
