import { isAbsolute, posix } from 'node:path';
import { type Failure, makeFailure } from '#kernel';
import type { Files, PathProblem } from '#workspace';

const suggestionsMax = 3;

/** What a path problem means for the model, with the nearest thing that exists. */
export async function pathFailure(files: Files, path: string, problem: PathProblem, tool: string): Promise<Failure> {
  switch (problem.code) {
    case 'missing':
      return missingFailure(files, path, tool);
    case 'directory':
      return directoryFailure(files, path, tool);
    case 'outside':
      return makeFailure('rejected', problem.message, 'Use a path inside the workspace.', {
        blame: 'model',
        signature: 'rejected: path outside',
      });
    case 'protected':
      return makeFailure('rejected', problem.message, 'Leave it alone.', {
        blame: 'model',
        signature: 'rejected: path protected',
      });
    case 'invalid':
      return makeFailure('tool', problem.message, 'Use another path.', {
        blame: 'model',
      });
  }
}

/** Nothing is there; or the path leads, by a link, to where nothing is. */
async function missingFailure(files: Files, path: string, tool: string): Promise<Failure> {
  const signature = `not_found: ${tool} file`;
  const named = JSON.stringify(path);
  if (tool === 'Write' && path.endsWith('/')) {
    return makeFailure('not_found', `${named} names a folder, and Write makes files.`, 'Name the file, too.', {
      signature,
    });
  }
  const found = await files.resolve(path);
  const target = 'code' in found ? null : isAbsolute(path) ? found.absolute : found.path;
  if (target !== null && posix.normalize(target) !== posix.normalize(path)) {
    const next = 'Write makes that file; a Bash command (ls -l, ln) shows or mends the link.';
    return makeFailure('not_found', `${named} leads to ${JSON.stringify(target)}, where no file is.`, next, {
      signature,
    });
  }
  if (path.includes('\u{fffd}')) {
    const next = 'Use a Bash command with a pattern, for example *, in the place of such bytes.';
    return makeFailure(
      'not_found',
      `There is no file ${named}; names with bytes that are no UTF-8 cannot be written here.`,
      next,
      {
        signature,
      },
    );
  }
  const near = await files.suggest(path, suggestionsMax);
  const next = near.length === 0 ? 'Look for it with Glob.' : `Did you mean ${near.join(' or ')}?`;
  return makeFailure('not_found', `There is no file ${named}.`, next, { signature });
}

/** A folder where a file was meant; one file inside is named, so that the next call can be right. */
async function directoryFailure(files: Files, path: string, tool: string): Promise<Failure> {
  const names = await files.list(path, 200);
  const inside = names.filter((name) => !name.endsWith('/') && !name.startsWith('.'));
  const first = inside.find((name) => !/^readme|^__init__\.py$/i.test(name)) ?? inside[0];
  const prefix = path.replace(/^\.\/|\/+$/g, '');
  const at = (name: string) => (prefix === '' || prefix === '.' ? name : `${prefix}/${name}`);
  const folder = first === undefined ? names.find((name) => /^[^.].*\/$/.test(name)) : undefined;
  const next =
    first !== undefined
      ? `Name a file in it, for example ${at(first)}; Glob lists more.`
      : `List it with Glob{"pattern":"**","path":${JSON.stringify(folder === undefined ? path || '.' : at(folder))}}.`;
  return makeFailure('precondition', `${JSON.stringify(path)} is a folder, and ${tool} takes a file.`, next, {
    signature: `precondition: ${tool} folder`,
  });
}
