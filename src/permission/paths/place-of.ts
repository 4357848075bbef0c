/** Where a path leads, by its text alone. */

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
