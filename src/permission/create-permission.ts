/**
 * The policy of the product, in the order in which it is asked. The first line that knows the call answers; what no
 * line knows is asked, and where nobody may be asked (`dontAsk`) it is denied.
 */
import type { Permission, PermissionCall, PermissionContext, PermissionDecision } from './contract.ts';
import { checksOfTest, commandOf, findDeclaredCheck } from './declared-check.ts';
import { isRepositoryInternal } from './repository-internals.ts';
import { isInside, matchRule } from './rules/match-rule.ts';
import { parseRule } from './rules/parse-rule.ts';
import type { Rule } from './rules/rule.ts';

/** Tools that change nothing in the world: they look, or keep the session's own notes. */
const harmless: readonly string[] = ['Read', 'Grep', 'Glob', 'TodoWrite', 'EnterPlanMode'];
const editing: readonly string[] = ['Edit', 'Write'];

const allow = (by: PermissionDecision['by'], reason: string): PermissionDecision => ({ decision: 'allow', by, reason });
const deny = (by: PermissionDecision['by'], reason: string, message: string): PermissionDecision => ({
  decision: 'deny',
  by,
  reason,
  message,
});

/** What the policy must be told of the world, because this room touches no files. */
export interface PermissionPorts {
  /** The path with its links resolved, relative to the workspace; null when it leads out of it. */
  realPath(path: string): Promise<string | null>;
}

/**
 * The policy. Rules and protected folders are matched against real paths when `ports` are given, so that a link cannot
 * carry an edit to where no rule allows it. Never throws: rules that do not parse match nothing (the command line
 * refuses them before a session starts). `own` names the tools of the embedding program.
 */
export function createPermission(ports: PermissionPorts | null = null, own: readonly string[] = []): Permission {
  const parsed = new Map<string, Promise<Rule | null>>();
  const ruleOf = (text: string): Promise<Rule | null> => {
    const rule = parsed.get(text) ?? parseRule(text, own).then((result) => (result.ok ? result.value : null));
    parsed.set(text, rule);
    return rule;
  };
  const decide = async (call: PermissionCall, context: PermissionContext): Promise<PermissionDecision> =>
    protectedPart(call) ??
    planMode(call, context) ??
    (harmless.includes(call.tool) ? allow('mode', 'it changes nothing') : null) ??
    (context.mode === 'bypassPermissions' ? allow('mode', 'mode bypassPermissions') : null) ??
    (await declaredCheck(call, context)) ??
    (await userRule(call, context, ruleOf)) ??
    acceptedEdit(call, context) ??
    unanswered(call, context);
  return async (call, context) =>
    // As named first: a link inside a protected folder does not lead out of the protection.
    protectedPart(call) ?? decide(ports === null ? call : await withRealPaths(call, ports), context);
}

async function withRealPaths(call: PermissionCall, ports: PermissionPorts): Promise<PermissionCall> {
  if (call.paths === null || !editing.includes(call.tool)) return call;
  const real = await Promise.all(call.paths.map(async (path) => (await ports.realPath(path)) ?? `/outside/${path}`));
  return { ...call, paths: real };
}

function protectedPart(call: PermissionCall): PermissionDecision | null {
  if (!editing.includes(call.tool) || !(call.paths ?? []).some(isRepositoryInternal)) return null;
  return deny(
    'policy',
    'the git directory is protected in every mode',
    'Files below .git are never edited. Use git commands through Bash if the repository itself must change.',
  );
}

function planMode(call: PermissionCall, context: PermissionContext): PermissionDecision | null {
  if (call.tool === 'ExitPlanMode') {
    if (context.mode === 'plan') return { decision: 'ask', by: 'mode', reason: 'a plan is approved by a person' };
    return deny('mode', 'not in plan mode', 'You are not in plan mode: go on with the work itself.');
  }
  if (context.mode !== 'plan' || harmless.includes(call.tool)) return null;
  return deny(
    'mode',
    'plan mode: the repository is read-only until the plan is approved',
    `Plan mode: ${call.tool} is not available until the plan is approved. Go on with Read, Grep and Glob, then call ExitPlanMode with the plan.`,
  );
}

async function declaredCheck(call: PermissionCall, context: PermissionContext): Promise<PermissionDecision | null> {
  if (call.tool === 'Test') {
    const checks = await checksOfTest(call.args, context.checks);
    return checks === null ? null : allow('check', 'the user declared this check');
  }
  const command = call.tool === 'Bash' ? commandOf(call.args) : null;
  if (command === null || (await findDeclaredCheck(command, context.checks)) === null) return null;
  return allow('check', 'the command is a check that the user declared');
}

async function userRule(
  call: PermissionCall,
  context: PermissionContext,
  ruleOf: (text: string) => Promise<Rule | null>,
): Promise<PermissionDecision | null> {
  for (const text of context.allow) {
    const rule = await ruleOf(text);
    if (rule !== null && (await matchRule(rule, call))) return allow('rule', `rule ${rule.text}`);
  }
  return null;
}

function acceptedEdit(call: PermissionCall, context: PermissionContext): PermissionDecision | null {
  if (context.mode !== 'acceptEdits' || !editing.includes(call.tool) || call.paths?.every(isInside) !== true)
    return null;
  return allow('mode', 'mode acceptEdits');
}

function unanswered(call: PermissionCall, context: PermissionContext): PermissionDecision {
  if (context.mode !== 'dontAsk') {
    return { decision: 'ask', by: 'mode', reason: `no rule allows this ${call.tool} call` };
  }
  return deny(
    'mode',
    'mode dontAsk: what no rule allows is denied',
    `No rule allows this ${call.tool} call and nobody may be asked. Reach the goal with what is allowed${
      context.allow.length > 0 ? `: ${context.allow.join(', ')}` : ''
    }, or say what is missing.`,
  );
}
