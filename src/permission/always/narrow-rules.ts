/**
 * The rules behind "always": each allows exactly one command of the text, or edits of exactly one file.
 *
 * 1. None for what runs scripts or other programs' texts, loses work, sets variables, redirects, or is not understood.
 * 2. None for secrets, settings, git's own files and anything outside the workspace: there the caller finds that the
 *    rules do not allow the call, and offers none.
 */
import type { PermissionCall } from '../contract.ts';
import { sensitivity } from '../paths/sensitive.ts';
import { isRepositoryInternal } from '../repository-internals.ts';
import { parseRule } from '../rules/parse-rule.ts';
import { isInside } from '../rules/path-rule.ts';
import { ruleWarning } from '../rules/rule-warning.ts';
import type { Analysis, ShellCommand } from '../shell/analysis.ts';
import { alwaysHazard, isInterpreter, isShell } from '../shell/programs/interpreters.ts';
import { programName } from '../shell/programs/profile-of.ts';
import { isRunner } from '../shell/programs/runners.ts';

const rulesMax = 8;

/** Null where no rule is narrow enough. `analysis` is that of the call's text, where it has one. */
export async function narrowRules(call: PermissionCall, analysis: Analysis | null): Promise<readonly string[] | null> {
  const rules = analysis === null ? editRules(call) : commandRules(call.tool, analysis);
  if (rules === null || rules.length === 0 || rules.length > rulesMax) return null;
  for (const rule of rules) {
    if (!(await parseRule(rule)).ok || (await ruleWarning(rule)) !== null) return null;
  }
  return rules;
}

function editRules({ tool, paths }: PermissionCall): readonly string[] | null {
  if ((tool !== 'Edit' && tool !== 'Write') || paths === null) return null;
  const isPlain = (path: string) =>
    isInside(path) && !/[*?[\]{}()!\\]/.test(path) && !isRepositoryInternal(path) && sensitivity(path) === null;
  return paths.every(isPlain) ? [...new Set(paths)].map((path) => `Edit(${path})`) : null;
}

function commandRules(tool: string, { commands, writes, doubts, folders }: Analysis): readonly string[] | null {
  if (doubts.length > 0 || folders.length > 1 || writes.length > 0) return null;
  if (!commands.every(isNarrow)) return null;
  const exact = commands.filter(({ profile }) => profile.free !== true).map(({ words }) => words.map(quoted).join(' '));
  return [...new Set(exact)].map((words) => `${tool}(${words})`);
}

function isNarrow({ words, sets, profile, inner }: ShellCommand): boolean {
  const first = words[0]?.text ?? '';
  const program = programName(first);
  return (
    words.every(({ kind }) => kind === 'literal') &&
    sets.length === 0 &&
    profile.hazard === undefined &&
    profile.loses === undefined &&
    (profile.writes ?? []).length === 0 &&
    (profile.scripts ?? []).length === 0 &&
    !first.includes('/') &&
    !isShell(program) &&
    !isInterpreter(program) &&
    !isRunner(program) &&
    alwaysHazard(program) === null &&
    inner.every(isNarrow)
  );
}

const quoted = ({ text }: { readonly text: string }): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
