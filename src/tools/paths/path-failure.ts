import { type Failure, makeFailure } from '#kernel';
import type { Files, PathProblem } from '#workspace';

const suggestionsMax = 3;

/** What a path problem means for the model, with the nearest thing that exists. */
export async function pathFailure(files: Files, path: string, problem: PathProblem, tool: string): Promise<Failure> {
  const named = JSON.stringify(path);
  switch (problem.code) {
    case 'missing': {
      const near = await files.suggest(path, suggestionsMax);
      const next = near.length === 0 ? 'Look for it with Glob.' : `Did you mean ${near.join(' or ')}?`;
      return makeFailure('not_found', `There is no file ${named}.`, next, { signature: `not_found: ${tool} file` });
    }
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

/** A folder where a file was meant; one file inside is named, so that the next call can be right. */
async function directoryFailure(files: Files, path: string, tool: string): Promise<Failure> {
  const names = await files.list(path, 200);
  const inside = names.filter((name) => !name.endsWith('/') && !name.startsWith('.'));
  const first = inside.find((name) => !/^readme|^__init__\.py$/i.test(name)) ?? inside[0];
  const prefix = path.replace(/^\.\/|\/+$/g, '');
  const at = (name: string) => (prefix === '' || prefix === '.' ? name : `${prefix}/${name}`);
  const folder = first === undefined ? names.find((name) => name.endsWith('/')) : undefined;
  const next =
    first !== undefined
      ? `Name a file in it, for example ${at(first)}; Glob lists more.`
      : `List it with Glob{"pattern":"**","path":${JSON.stringify(folder === undefined ? path : at(folder))}}.`;
  return makeFailure('precondition', `${JSON.stringify(path)} is a folder, and ${tool} takes a file.`, next, {
    signature: `precondition: ${tool} folder`,
  });
}
