import type { Check, PermissionMode } from '#kernel';
import type { PermissionDecision, PermissionPorts } from './contract.ts';
import { createPermission } from './create-permission.ts';
import { judgeShell } from './judge/judge-shell.ts';
import type { Part } from './judge/shell-question.ts';
import { ruleReader, sidesOf } from './rules/rule-reader.ts';
import { ruleWarning } from './rules/rule-warning.ts';
import { analyse } from './shell/analyse.ts';

export interface CommandQuestion {
  readonly command: string;
  readonly mode: PermissionMode;
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
  readonly checks: readonly Check[];
  readonly workspace: string;
  readonly ports: PermissionPorts | null;
}
export interface Explanation extends PermissionDecision {
  /** What the rules say of every command and file of the text. A mode or a declared check may decide over them. */
  readonly parts: readonly Part[];
  /** What the authors of the rules should know. */
  readonly warnings: readonly string[];
}

/** Decides about a command as a session would, and says why. Runs nothing. */
export async function explainCommand(question: CommandQuestion): Promise<Explanation> {
  const { command, mode, allow, ask, deny, checks, workspace, ports } = question;
  const decision = await createPermission(ports, [], { ask, deny })(
    { tool: 'Bash', args: { command }, effect: 'process', paths: null },
    { mode, allow, checks, workspace, signal: new AbortController().signal },
  );
  const read = ruleReader([]);
  const sides = sidesOf(workspace, ports);
  const judged = await judgeShell(await analyse(command), {
    tool: 'Bash',
    rules: {
      allow: await read(allow, sides.allowing),
      ask: await read(ask, sides.narrowing),
      deny: await read(deny, sides.narrowing),
    },
    editsAccepted: mode === 'acceptEdits',
    workspace,
    ports,
  });
  const warnings = (await Promise.all(allow.map((rule) => ruleWarning(rule)))).filter((one) => one !== null);
  return { ...decision, parts: judged.parts, warnings };
}
