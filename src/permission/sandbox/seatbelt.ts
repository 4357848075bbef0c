/**
 * The profile for `sandbox-exec` of macOS. The last rule that fits decides, so what is protected comes last.
 *
 * It follows the same policy as bubblewrap as far as the system can: paths cannot be shown empty there, they can only
 * be refused, and there is no process namespace.
 */
import type { ConfinedWords, SandboxPolicy } from './policy.ts';

/** Words for a command under the profile. */
export const seatbeltWords = (policy: SandboxPolicy): ConfinedWords => ({
  program: '/usr/bin/env',
  // Paths stay where they are there, so the folder for temporary files is named instead of shown as /tmp.
  options: [
    ...(policy.scratch === null ? [] : [`TMPDIR=${policy.scratch}`]),
    '/usr/bin/sandbox-exec',
    '-p',
    seatbeltProfile(policy),
  ],
  optionsFrom: null,
  headTo: null,
});

export function seatbeltProfile(policy: SandboxPolicy): string {
  const places = (paths: readonly string[], kind: 'subpath' | 'literal' = 'subpath'): string =>
    paths.map((path) => `(${kind} ${quoted(path)})`).join(' ');
  const rule = (what: string, paths: readonly string[], kind?: 'subpath' | 'literal'): string[] =>
    paths.length === 0 ? [] : [`(${what} ${places(paths, kind)})`];
  const ways = (paths: readonly string[]): readonly string[] => [...new Set(paths.flatMap(foldersAbove))];
  const shown = [policy.workspace, ...policy.writable, ...policy.readable];
  return [
    '(version 1)',
    '(allow default)',
    ...(policy.network
      ? []
      : ['(deny network*)', '(allow network* (local ip "localhost:*") (remote ip "localhost:*"))']),
    '(deny file-write*)',
    ...rule('deny file-read*', policy.hidden),
    ...rule('allow file-read*', shown),
    // Without its folders' attributes no path can be walked.
    ...rule('allow file-read-metadata', ways([...shown, ...policy.hidden]), 'literal'),
    ...rule('deny file-read*', policy.masked, 'literal'),
    ...rule('allow file-write*', [policy.workspace, ...policy.writable, ...scratchOf(policy)]),
    ...rule('allow file-read*', scratchOf(policy)),
    '(allow file-write* (literal "/dev/null") (literal "/dev/tty") (literal "/dev/stdout") (literal "/dev/stderr"))',
    ...rule('deny file-write-unlink', [...policy.fixed, ...policy.frozen], 'literal'),
    ...rule('deny file-write*', policy.frozen),
    ...rule('deny file-read* file-write*', policy.hiddenInside),
    ...rule('deny file-read* file-write*', policy.maskedInside, 'literal'),
    '(deny process-info* (target others))',
    '(deny signal (target others))',
    '(allow signal (target same-sandbox))',
    '',
  ].join('\n');
}

const scratchOf = ({ scratch }: SandboxPolicy): readonly string[] => (scratch === null ? [] : [scratch]);

function foldersAbove(path: string): readonly string[] {
  const names = path.split('/').slice(1, -1);
  return ['/', ...names.map((_, i) => `/${names.slice(0, i + 1).join('/')}`)];
}

const quoted = (path: string): string => `"${path.replace(/[\\"]/g, '\\$&')}"`;
