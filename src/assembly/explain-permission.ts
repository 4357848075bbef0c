import path from 'node:path';
import { ok, type Result } from '#lib';
import { explainCommand } from '#permission';
import type { PermissionAnswer, PermissionQuestion, Problem } from '#surfaces/cli';
import { openWorkspace } from '#workspace';
import { permissionFiles } from './permission-files.ts';
import { permissionPorts } from './ports/permission-ports.ts';
import { startedLater } from './ports/started-later.ts';
import { problem } from './problem.ts';
import { realFolder } from './sessions/open-workspace-at.ts';
import { trustedParts } from './trust/trusted-parts.ts';

/** Explains a decision in a real folder, with the rules of the settings files: links are followed, and files that would be overwritten are seen. */
export async function explainPermission(
  { cwd, ...question }: PermissionQuestion,
  home: string,
  env: NodeJS.ProcessEnv,
): Promise<Result<PermissionAnswer, Problem>> {
  const root = await realFolder(path.resolve(cwd));
  if (root === null) return problem(42, `the workspace ${cwd} is not an existing folder`);
  const workspace = await openWorkspace({ root, protectedPaths: [home], env });
  const rules = await permissionFiles(root, env);
  if (!rules.ok) return rules;
  const parts = await trustedParts(root, home, false);
  if (!parts.ok) return parts;
  const { allow, narrowing, warnings } = rules.value;
  const explained = await explainCommand({
    ...question,
    allow: [...allow, ...question.allow],
    ask: [...narrowing.ask, ...question.ask],
    deny: [...narrowing.deny, ...question.deny],
    checks: [],
    workspace: root,
    ports: permissionPorts(workspace, startedLater(root, parts.value.guarded)),
  });
  return ok({ ...explained, warnings: [...new Set([...warnings, ...explained.warnings])] });
}

/** How many examples the rules of the files carry; 52 where one does not hold. */
export async function examplesOfPermission(cwd: string, env: NodeJS.ProcessEnv): Promise<Result<number, Problem>> {
  const root = await realFolder(path.resolve(cwd));
  if (root === null) return problem(42, `the workspace ${cwd} is not an existing folder`);
  const rules = await permissionFiles(root, env);
  if (!rules.ok) return rules;
  const { count, failed } = rules.value.examples;
  return failed.length > 0 ? problem(52, failed.join('; ')) : ok(count);
}
