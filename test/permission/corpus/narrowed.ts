import { createPermission } from '../../../src/permission/create-permission.ts';
import { corpusPorts } from './workspace.ts';

/** What rules that narrow say of a command that everything else allows. */
export async function narrowed(
  command: string,
  { deny = [], ask = [] }: { readonly deny?: readonly string[]; readonly ask?: readonly string[] },
) {
  const permission = createPermission(corpusPorts, [], { deny, ask });
  const { decision, reason } = await permission(
    { tool: 'Bash', args: { command }, effect: 'process', paths: null },
    { mode: 'bypassPermissions', allow: [], checks: [], workspace: '/repo', signal: new AbortController().signal },
  );
  return { decision, reason };
}
