import type { SafetyClassifier } from '#runtime';
import { onlyReads } from '#tools';
import type { Workspace } from '#workspace';

/**
 * The classifier that is included: safe is a command that does nothing but read, inside the workspace, no secret, and
 * no git, which starts what the repository's own configuration names.
 */
export const ruleClassifier =
  (workspace: Pick<Workspace, 'files'>): SafetyClassifier =>
  async ({ tool, args, always }) => {
    const unknown = { safe: false, reason: 'only commands that read are known to be safe' };
    const command =
      typeof args === 'object' && args !== null && !Array.isArray(args) && 'command' in args ? args['command'] : null;
    // Where no narrow rule would do, something in it asks for a person: a secret, a way out, a script.
    if (tool !== 'Bash' || typeof command !== 'string' || always.length === 0) return unknown;
    if (always.some((rule) => /^\w+\(git(\s|\))/.test(rule))) return unknown;
    return (await onlyReads(workspace, command))
      ? { safe: true, reason: 'it only reads, and only inside the workspace' }
      : unknown;
  };
