/**
 * The words for bubblewrap.
 *
 * 1. No capability is left, also for root, and no further namespace can be made, so nothing that is mounted here can be
 *    mounted otherwise.
 * 2. Everything is read-only but the workspace, `/tmp` and what the user named. What is hidden comes before what is
 *    shown again in it; what is protected in the workspace comes after the workspace. `/proc` is read-only as a whole:
 *    its owner is root, and root needs no capability to write the machine's settings there.
 * 3. Processes, shared memory, host name and (unless allowed) network are its own: nothing outside can be signalled,
 *    traced or talked to. Sockets with a path lie in folders that are hidden.
 * 4. A mount cannot be renamed or removed: that keeps `.git` in its place.
 *
 * There is no `--new-session`, because the supervisor has none to share: no terminal is there to be typed into, and its
 * session is how a command is found again. There is no `--die-with-parent`, because a command outlives its agent, and
 * children in the background outlive their shell.
 */
import type { ConfinedWords, SandboxPolicy } from './policy.ts';

/** A folder in memory is not to fill the machine. */
const MEMORY_BYTES_MAX = 2 * 1024 ** 3;

/** `cwd` lies in the workspace; `program` is bubblewrap itself. */
export function bubblewrapWords(policy: SandboxPolicy, program: string, cwd: string): ConfinedWords {
  const empty = (folder: string): string[] => ['--size', String(MEMORY_BYTES_MAX), '--tmpfs', folder];
  const same = (option: string) => (path: string) => [option, path, path];
  const closed = (file: string): string[] => ['--ro-bind', '/dev/null', file];
  return {
    program,
    optionsFrom: '--args',
    headTo: '--info-fd',
    options: [
      '--unshare-user',
      ...(policy.forbidNested ? ['--disable-userns'] : []),
      ...['--cap-drop', 'ALL'],
      ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
      ...(policy.network ? [] : ['--unshare-net']),
      ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--remount-ro', '/proc'],
      ...(policy.scratch === null ? empty('/tmp') : ['--bind', policy.scratch, '/tmp']),
      ...policy.hidden.flatMap(empty),
      ...(policy.home === null ? [] : ['--dir', policy.home]),
      ...policy.readable.flatMap(same('--ro-bind-try')),
      ...policy.masked.flatMap(closed),
      ...[policy.workspace, ...policy.writable].flatMap(same('--bind')),
      // A folder before what lies in it, or its mount would cover those.
      ...[...policy.fixed].sort().flatMap(same('--bind-try')),
      ...policy.frozen.flatMap(same('--ro-bind-try')),
      ...policy.hiddenInside.flatMap(empty),
      ...policy.maskedInside.flatMap(closed),
      ...['--setenv', 'TMPDIR', '/tmp', '--unsetenv', 'XDG_RUNTIME_DIR'],
      ...['--chdir', cwd],
    ],
  };
}
