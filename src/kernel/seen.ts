/**
 * What the model was shown last of each file. It grows with the session, so it is kept in two parts: a path that is new
 * goes to the small one, which is emptied into the large one when it is full. One more path never copies them all.
 */
import type { State } from './state.ts';

/** Paths in the small part. */
const LATELY_MAX = 64;

interface SeenFile {
  readonly path: string;
  readonly hash: string;
}

/** Content hash last shown to the model; undefined for a file that it was never shown. */
export function seenHash({ seen, seenLately }: Pick<State, 'seen' | 'seenLately'>, path: string): string | undefined {
  if (Object.hasOwn(seenLately, path)) return seenLately[path];
  return Object.hasOwn(seen, path) ? seen[path] : undefined;
}

/** All files that the model was shown. */
export const seenFiles = ({ seen, seenLately }: State): readonly SeenFile[] =>
  Object.entries({ ...seen, ...seenLately }).map(([path, hash]) => ({ path, hash }));

/** The state after these were shown. */
export function withSeen(state: State, files: readonly SeenFile[]): State {
  if (files.every(({ path, hash }) => seenHash(state, path) === hash)) return state;
  const lately = { ...state.seenLately, ...byPath(files) };
  return Object.keys(lately).length <= LATELY_MAX
    ? { ...state, seenLately: lately }
    : { ...state, seen: { ...state.seen, ...lately }, seenLately: {} };
}

/** The state in which the model was shown these and nothing else. */
export const withOnlySeen = (state: State, files: readonly SeenFile[]): State => ({
  ...state,
  seen: byPath(files),
  seenLately: {},
});

const byPath = (files: readonly SeenFile[]): State['seen'] =>
  Object.fromEntries(files.map(({ path, hash }) => [path, hash]));
