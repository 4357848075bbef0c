/**
 * Rules as users write them: `Tool`, `Bash(npm test)`, `Bash(npm run *)`, `Bash(git diff:*)`, `Edit(src/**)`. A rule
 * that could never match is an error with a sentence for its author: a rule that is silently dead protects nobody and
 * helps nobody.
 */
import { err, ok, type Result } from '#lib';
import { readSimpleCommand } from '../shell/simple-command.ts';
import { compilePathGlob } from './path-glob.ts';
import type { Rule } from './rule.ts';

const pathTools: { readonly [tool: string]: readonly string[] } = {
  Read: ['Read'],
  // A rule for edits covers whole-file writes too: both change the file, and users mean the file.
  Edit: ['Edit', 'Write'],
  Write: ['Write'],
};
const commandTools: readonly string[] = ['Bash', 'Test'];
const plainTools: readonly string[] = ['Grep', 'Glob', 'TodoWrite', 'TaskOutput', 'TaskStop', 'EnterPlanMode', 'Commit'];
const known: readonly string[] = [...Object.keys(pathTools), ...commandTools, ...plainTools];

/** Errors are sentences that name the rule and what to write instead. `own` names tools that are not ours. */
export async function parseRule(text: string, own: readonly string[] = []): Promise<Result<Rule, string>> {
  const rule = text.trim();
  const fault = (why: string) => err(`rule "${rule}": ${why}`);
  const parts = /^([A-Za-z_][\w-]*)(?:\((.*)\))?$/s.exec(rule);
  if (parts === null) return fault('write it as Tool or Tool(what), for example Bash(npm test) or Edit(src/**)');
  const [, tool = '', spec] = parts;
  if (tool === 'ExitPlanMode') return fault('leaving plan mode is always asked, so this rule never matches');
  if (!known.includes(tool) && !own.includes(tool) && !tool.startsWith('mcp__')) {
    return fault(`there is no tool called ${tool}; there are ${known.join(', ')}`);
  }
  if (spec === undefined) return ok({ kind: 'tool', tool, text: rule });
  if (spec.trim() === '') return fault(`the brackets are empty; write ${tool} alone to mean every call`);
  const tools = pathTools[tool];
  if (tools !== undefined) {
    if (/^(~|\/\/)/.test(spec))
      return fault('only paths inside the workspace are ever reached; write them relative to it');
    const glob = compilePathGlob(spec);
    return glob.ok ? ok({ kind: 'paths', tools, matches: glob.value, text: rule }) : fault(glob.error);
  }
  if (commandTools.includes(tool)) {
    const command = await parseCommandSpec(spec.trim());
    return command.ok ? ok({ kind: 'command', tool, ...command.value, text: rule }) : fault(command.error);
  }
  return fault(`${tool} takes no brackets; only ${[...Object.keys(pathTools), ...commandTools].join(', ')} do`);
}

async function parseCommandSpec(spec: string): Promise<Result<{ words: readonly string[]; prefix: boolean }, string>> {
  if (spec === '*') return ok({ words: [], prefix: true });
  const open = /^(.*?)(?::\*|\s\*)$/s.exec(spec);
  const body = (open?.[1] ?? spec).trim();
  const reading = await readSimpleCommand(body);
  if (!reading.ok) {
    return err(`${reading.error}, and a rule allows only one simple command; declare such a text as a check instead`);
  }
  const { words } = reading.value;
  if (words.some((word) => word.startsWith('\0') && word.includes('*'))) {
    return err('a "*" stands only at the end, after a space or a colon: Bash(npm run *) or Bash(npm run:*)');
  }
  return ok({ words, prefix: open !== null });
}
