import { isAbsolute, posix, relative } from 'node:path';

/**
 * The path of an argument relative to the root, by its text alone: absolute paths inside the root, `./x` and `a/../b`
 * come out equal for equal texts. A path that leaves the root comes out absolute or climbing, which no rule matches;
 * links are followed later, when the file is looked at.
 */
export function workspacePath(root: string, path: string): string {
  if (path === '') return '.';
  const inside = isAbsolute(path) ? relative(root, path) : path;
  const normal = posix.normalize(inside).replace(/\/+$/, '');
  if (normal === '' || normal === '.') return '.';
  return normal.startsWith('../') || normal === '..' ? posix.normalize(posix.join(root, normal)) : normal;
}
