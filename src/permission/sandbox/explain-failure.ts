/**
 * What the sandbox has to do with the failure of a command, as one line for the model; null where nothing shows that.
 * `failed`: by its exit code. Git changes branches and stashes all the same where it could not change a file.
 */
export function explainFailure(output: string, network: boolean, failed = true): string | null {
  const tail = output.slice(-20_000);
  if (unchanged.test(tail))
    return 'Git could not change files that the sandbox keeps as they are; where it went on, they are not as in the commit that is checked out now: do not commit them. To have them changed, call Bash with unsandboxed: true and git checkout HEAD -- FILE; the user is asked.';
  if (!failed) return null;
  if (/^bwrap: /m.test(output.slice(0, 2_000)))
    return 'A line that begins with "bwrap:" is from the sandbox: if nothing else is shown, it could not be set up and the command did not run.';
  if (noRegular.test(tail))
    return 'In the sandbox a file that rules of the user keep from being read looks like a device, so git can neither add nor stash it: name the other files.';
  if (/unable to normalize alternate object path/.test(tail))
    return 'This repository borrows objects from a folder that the sandbox does not show, so git fails in it; nothing is damaged. Call Bash with unsandboxed: true, or ask the user to name that folder in sandbox.readable of the settings.';
  const noNetwork = !network && unreachable.test(tail);
  const noWrite = readOnly.test(tail);
  if (!noNetwork && !noWrite) return null;
  const what = [
    ...(noNetwork
      ? [
          'it has no network but to hosts that settings of the user name, not even to servers of other commands: start one and what talks to it in the same command',
        ]
      : []),
    ...(noWrite ? ['it writes only the workspace (without settings, hooks) and /tmp'] : []),
  ].join(', and ');
  return `The command ran in a sandbox: ${what}. Where that is the reason and it must be done, call Bash with unsandboxed: true; the user is asked.`;
}

const unchanged = /^error: unable to unlink old '.*': (?:Read-only file system|Device or resource busy)$/m;
const noRegular = /can only add regular files|: unsupported file type/;
const readOnly =
  /Read-only file system|EROFS|Device or resource busy|EBUSY|Operation not permitted: '\/|Permission denied/i;
const unreachable =
  /Network is unreachable|ENETUNREACH|Could not resolve host|Temporary failure in name resolution|Name or service not known|EAI_AGAIN|ENOTFOUND|getaddrinfo|No route to host|EHOSTUNREACH|unable to resolve host|network error|Couldn't connect to server|Could not connect|Failed to connect|Connection refused|refused by the sandbox of Belay|CONNECT tunnel failed|tunneling socket could not be established/i;
