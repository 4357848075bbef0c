/** Where a path leads, by its text alone. What is really there, links above all, is told by `PermissionPorts`. */

/** Relative to the workspace without `.` and `..`; null when it leads out of it. `folder` is where it counts from. */
export function placeOf(text: string, folder: string, workspace: string): string | null {
  const at = fullPath(text, folder, workspace);
  const root = normalPath(workspace);
  if (at === root) return '.';
  const below = root === '/' ? '/' : `${root}/`;
  return at.startsWith(below) ? at.slice(below.length) : null;
}

/** From the root of the machine, without `.` and `..`; a path in a home folder keeps its `~`. */
export function fullPath(text: string, folder: string, workspace: string): string {
  if (text.startsWith('~')) return text;
  if (text.startsWith('/')) return normalPath(text);
  return normalPath(folder.startsWith('/') ? `${folder}/${text}` : `${workspace}/${folder}/${text}`);
}

/**
 * The ways of a path from the workspace, with their `..` as written, because where those lead the world must tell.
 * There are two where the folder holds `..` itself: a shell takes a `..` of `cd` by its text, programs by their links.
 */
export function waysOf(text: string, folder: string, workspace: string): readonly string[] {
  const root = segmentsOf(workspace);
  const below = (path: string): string => {
    const segments = segmentsOf(path);
    if (!path.startsWith('/')) return segments.join('/') || '.';
    const isBelow = root.every((segment, i) => segment === segments[i]);
    return isBelow ? segments.slice(root.length).join('/') || '.' : `/${segments.join('/')}`;
  };
  if (text.startsWith('/')) return [below(text)];
  const plain = placeOf('', folder, workspace);
  return [...new Set([folder, plain ?? folder].map((one) => below(`${one}/${text}`)))];
}

const segmentsOf = (path: string): readonly string[] =>
  path.split('/').filter((segment) => segment !== '' && segment !== '.');

/** The part of a path before a `..` that follows a name: a link there leads elsewhere than its text says. */
export function beforeClimbs(text: string): readonly string[] {
  const segments = text.split('/');
  return segments.flatMap((segment, i) => {
    const before = segments.slice(0, i);
    return segment === '..' && before.some((one) => one !== '..' && one !== '.' && one !== '')
      ? [before.join('/')]
      : [];
  });
}

/** The folder before the first segment with a pattern. */
export const beforePattern = (text: string): string => {
  const segments = text.split('/');
  const at = segments.findIndex((segment) => /[*?[{~]/.test(segment));
  const before = segments.slice(0, at < 0 ? segments.length : at).join('/');
  return before === '' ? (text.startsWith('/') ? '/' : '.') : before;
};

/** An absolute path without `.` and `..`. */
export function normalPath(path: string): string {
  const out: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') out.pop();
    else if (segment !== '' && segment !== '.') out.push(segment);
  }
  return `/${out.join('/')}`;
}
