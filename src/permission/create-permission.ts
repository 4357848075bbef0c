/**
 * The policy of the product, in the order in which it is asked. The first line that knows the call answers; what no
 * line knows is asked, and where nobody may be asked (`dontAsk`) it is denied.
 */
import { narrowRules } from './always/narrow-rules.ts';
import type {
  Loss,
  NarrowingRules,
  Permission,
  PermissionCall,
  PermissionContext,
  PermissionDecision,
  PermissionPorts,
} from './contract.ts';
import { checksOfTest, commandOf, findDeclaredCheck } from './declared-check.ts';
import { folderOf, startedIn } from './folder-of.ts';
import { presentLosses } from './guard/present-losses.ts';
import { unkeptLosses } from './guard/unkept.ts';
import { unseenLoss } from './guard/unseen.ts';
import { leavesSandbox, outsideRules } from './judge/escalation.ts';
import { judgeShell } from './judge/judge-shell.ts';
import type { RuleSet } from './judge/rule-set.ts';
import type { ShellJudgement } from './judge/shell-question.ts';
import { lookFor, repositoryWith } from './paths/bare-repository.ts';
import { isSettings } from './paths/sensitive.ts';
import { isRepositoryInternal } from './repository-internals.ts';
import { matchRule } from './rules/match-rule.ts';
import { isInside } from './rules/path-rule.ts';
import { ruleReader, sidesOf } from './rules/rule-reader.ts';
import { analyse } from './shell/analyse.ts';
import type { Analysis } from './shell/analysis.ts';

/** Tools that change nothing in the world: they look, or keep the session's own notes. */
const harmless: readonly string[] =
  'Read Grep Glob Symbols ToolSearch TodoWrite TaskOutput TaskStop EnterPlanMode'.split(' ');
const editing: readonly string[] = ['Edit', 'Write', 'ApplyPatch'];
const running: readonly string[] = ['Bash', 'Test'];

type By = PermissionDecision['by'];
const allow = (by: By, reason: string): PermissionDecision => ({ decision: 'allow', by, reason });
const ask = (by: By, reason: string): PermissionDecision => ({ decision: 'ask', by, reason });
const deny = (by: By, reason: string, message: string): PermissionDecision => ({
  decision: 'deny',
  by,
  reason,
  message,
});

/**
 * The policy. Rules and protected folders are matched against real paths when `ports` are given, so that a link cannot
 * carry an edit to where no rule allows it. Never throws: rules that do not parse match nothing (whoever loads them
 * says so before a session starts). `own` names the tools of the embedding program.
 */
export function createPermission(
  ports: PermissionPorts | null = null,
  own: readonly string[] = [],
  narrowing: NarrowingRules = { deny: [], ask: [] },
): Permission {
  const read = ruleReader(own);
  return async (named, context) => {
    // As named first: a link inside a protected folder does not lead out of the protection.
    const early = protectedPart(named);
    if (early !== null) return early;
    const call = ports === null ? named : await withRealPaths(named, ports);
    const sides = sidesOf(context.workspace, ports);
    const rules: RuleSet = {
      deny: await read(narrowing.deny, sides.narrowing),
      ask: await read(narrowing.ask, sides.narrowing),
      allow: await read(context.allow, sides.allowing),
    };
    const text = running.includes(call.tool) ? commandOf(call.args) : null;
    const analysis = text === null ? null : startedIn(await analyse(text), folderOf(call, context), context.workspace);
    const unkept =
      text === null || analysis === null
        ? []
        : await unkeptLosses(text, analysis, { folders: analysis.folders, workspace: context.workspace, ports });
    // As named and as it is: where a protected name is a link, what it leads to has another one.
    const starting =
      settingsEdit(named, ports) ?? settingsEdit(call, ports) ?? (await repositoryEdit(named, call, ports));
    const decided = await decide(call, context, rules, ports, analysis, unkept, starting);
    const decision = headless(decided, call, context);
    if (decision.decision === 'deny') return decision;
    const names = call.effect === 'read' ? null : text;
    const known =
      analysis === null || decision.by === 'check'
        ? []
        : await presentLosses(analysis, ports, context.workspace, names);
    const unseen =
      names === null || analysis === null || decision.by === 'check' || ports?.unheld === undefined
        ? null
        : unseenLoss(names, analysis);
    const told = [...unkept, ...known, ...(unseen === null ? [] : [unseen])];
    const losses = told.length === 0 ? {} : { losses: told };
    // What a rule of the user asks about is asked each time.
    if (decision.decision === 'allow' || decision.by === 'rule') return { ...decision, ...losses };
    const always =
      unkept.length > 0 || starting !== null ? null : await alwaysRules(call, context, rules, ports, analysis, read);
    return { ...decision, ...losses, ...(always === null ? {} : { always }) };
  };
}

/** Rules that are narrow, and with which nothing would have to be asked. */
async function alwaysRules(
  call: PermissionCall,
  context: PermissionContext,
  rules: RuleSet,
  ports: PermissionPorts | null,
  analysis: Analysis | null,
  read: ReturnType<typeof ruleReader>,
): Promise<readonly string[] | null> {
  const narrow = await narrowRules(call, analysis);
  if (narrow === null) return null;
  const allowing = {
    ...rules,
    allow: [...rules.allow, ...(await read(narrow, sidesOf(context.workspace, ports).allowing))],
  };
  const then = await decide(call, context, allowing, ports, analysis, [], null);
  return then.decision === 'allow' ? narrow : null;
}

async function decide(
  call: PermissionCall,
  context: PermissionContext,
  rules: RuleSet,
  ports: PermissionPorts | null,
  analysis: Analysis | null,
  [unkept]: readonly Loss[],
  starting: PermissionDecision | null,
): Promise<PermissionDecision> {
  const leaves = leavesSandbox(call, ports);
  const counting = leaves ? outsideRules(rules) : rules;
  const shell = analysis === null ? null : await shellJudgement(call, context, counting, ports, analysis);
  return (
    protectedPart(call) ??
    deniedByRule(call, rules, shell) ??
    planMode(call, context) ??
    askedByRule(call, rules, shell) ??
    (unkept === undefined ? null : { ...ask('policy', `${unkept.what}: ${unkept.why}`), personOnly: true }) ??
    (leaves ? outside(shell) : null) ??
    (harmless.includes(call.tool) ? allow('mode', 'it changes nothing') : null) ??
    (context.mode === 'bypassPermissions' ? allow('mode', 'mode bypassPermissions') : null) ??
    (await declaredCheck(call, context)) ??
    starting ??
    (shell === null ? userRule(call, rules) : ofShell(shell)) ??
    acceptedEdit(call, context) ??
    ask('mode', `no rule allows this ${call.tool} call`)
  );
}

/** What the text of a call is worth under the rules. */
const shellJudgement = (
  call: PermissionCall,
  context: PermissionContext,
  rules: RuleSet,
  ports: PermissionPorts | null,
  analysis: Analysis,
): Promise<ShellJudgement> =>
  judgeShell(analysis, {
    tool: call.tool,
    rules,
    editsAccepted: context.mode === 'acceptEdits',
    workspace: context.workspace,
    ports,
  });

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

/** A rule that denies one of several paths denies the call. */
const anyPath = (call: PermissionCall): readonly PermissionCall[] =>
  (call.paths ?? []).length > 1 ? (call.paths ?? []).map((path) => ({ ...call, paths: [path] })) : [call];

function deniedByRule(
  call: PermissionCall,
  { deny: denied }: RuleSet,
  shell: ShellJudgement | null,
): PermissionDecision | null {
  const rule = denied.find((one) => anyPath(call).some((part) => matchRule(one, part)));
  if (rule === undefined && shell?.decision !== 'deny') return null;
  const reason = rule === undefined ? (shell?.reason ?? '') : `rule ${rule.text}`;
  return deny(
    'rule',
    reason,
    `Denied by a rule of the user (${reason}). Do not try it another way; say what you need.`,
  );
}

function askedByRule(
  call: PermissionCall,
  { ask: asked }: RuleSet,
  shell: ShellJudgement | null,
): PermissionDecision | null {
  const rule = asked.find((one) => anyPath(call).some((part) => matchRule(one, part)));
  if (rule !== undefined) return ask('rule', `rule ${rule.text}`);
  const part = shell?.parts.find(({ decision, reason }) => decision === 'ask' && reason.startsWith('rule '));
  return part === undefined ? null : ask('rule', `${part.what}: ${part.reason}`);
}

function planMode(call: PermissionCall, context: PermissionContext): PermissionDecision | null {
  if (call.tool === 'ExitPlanMode') {
    if (context.mode === 'plan') return { ...ask('mode', 'a plan is approved by a person'), personOnly: true };
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
  const command = call.tool === 'Bash' && folderOf(call, context) === '.' ? commandOf(call.args) : null;
  if (command === null || (await findDeclaredCheck(command, context.checks)) === null) return null;
  return allow('check', 'the command is a check that the user declared');
}

/** What later decides what may run is edited only after a question, whatever the rules say. */
const settingsEdit = (call: PermissionCall, ports: PermissionPorts | null): PermissionDecision | null =>
  editing.includes(call.tool) && (call.paths ?? []).some((path) => isSettings(path) || ports?.startsLater?.(path))
    ? { ...ask('policy', 'the file decides what may run later'), personOnly: true }
    : null;

/** Nor what git would take for a part of a repository: its settings and hooks run programs. */
async function repositoryEdit(
  named: PermissionCall,
  real: PermissionCall,
  ports: PermissionPorts | null,
): Promise<PermissionDecision | null> {
  const look = editing.includes(real.tool) ? lookFor(ports) : null;
  if (look === null) return null;
  const folder = await repositoryWith([...(named.paths ?? []), ...(real.paths ?? [])], [], look);
  if (folder === null) return null;
  return {
    ...ask('policy', `with it ${folder} is a repository for git, which runs what its settings and hooks say`),
    personOnly: true,
  };
}

const ofShell = (shell: ShellJudgement): PermissionDecision =>
  shell.decision === 'allow' ? allow('rule', shell.reason) : ask('policy', shell.reason);

/** No mode and no declared check carries a command out of the sandbox. */
const outside = (shell: ShellJudgement | null): PermissionDecision =>
  shell?.decision === 'allow'
    ? allow('rule', shell.reason)
    : ask('policy', `it would run outside the sandbox${shell === null ? '' : `: ${shell.reason}`}`);

function userRule(call: PermissionCall, rules: RuleSet): PermissionDecision | null {
  const rule = rules.allow.find((one) => matchRule(one, call));
  return rule === undefined ? null : allow('rule', `rule ${rule.text}`);
}

function acceptedEdit(call: PermissionCall, context: PermissionContext): PermissionDecision | null {
  if (context.mode !== 'acceptEdits' || !editing.includes(call.tool) || call.paths?.every(isInside) !== true)
    return null;
  return allow('mode', 'mode acceptEdits');
}

/** Where nobody may be asked, what would ask is denied. */
function headless(decision: PermissionDecision, call: PermissionCall, context: PermissionContext): PermissionDecision {
  if (context.mode !== 'dontAsk' || decision.decision !== 'ask') return decision;
  return deny(
    'mode',
    `mode dontAsk: what would be asked is denied (${decision.reason})`,
    `No rule allows this ${call.tool} call (${decision.reason}) and nobody may be asked. Reach the goal with what is allowed${
      context.allow.length > 0 ? `: ${context.allow.join(', ')}` : ''
    }, or say what is missing.`,
  );
}
