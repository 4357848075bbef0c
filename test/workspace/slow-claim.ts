/** A shell for wrappers that stops in the middle of the claim, which is made and empty then, until the gate is there. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Makes the shell in the folder; returns the search path that has it first. */
export function slowClaim(folder: string, gate: string): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'sh');
  writeFileSync(
    file,
    `#!/bin/bash
printf() {
  if [ "$1" = '%s %s\\n' ]; then until [ -e '${gate}' ]; do /bin/sleep 0.02; done; fi
  builtin printf "$@"
}
export -f printf
exec /bin/bash "$@"
`,
  );
  chmodSync(file, 0o755);
  return `${folder}:${process.env['PATH'] ?? ''}`;
}
