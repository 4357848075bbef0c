/** System calls of a program and its children, counted by strace. */
import { readFileSync } from 'node:fs';

export const syncCalls = ['fsync', 'fdatasync'] as const;

/** Arguments that run a command under strace, with the paths of the descriptors synced; output goes to `file`. */
export const strace = (file: string): readonly string[] => [
  'strace',
  '-f',
  '-y',
  '--seccomp-bpf',
  '-e',
  `trace=${syncCalls.join(',')}`,
  '-o',
  file,
];

/** Paths that were synced, in order, each as often as it was. */
export function syncedPaths(file: string): readonly string[] {
  return [...readFileSync(file, 'utf8').matchAll(/\b(?:fsync|fdatasync)\(\d+<([^>]*)>/g)].map(
    (found) => found[1] ?? '',
  );
}
