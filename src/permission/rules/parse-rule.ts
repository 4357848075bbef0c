/**
 * Rules as users write them: `Tool`, `Bash(npm test)`, `Bash(npm run *)`, `Bash(git diff:*)`, `Bash(npm run test*)`,
 * `Edit(src/**)`, `Read(~/x)`, `Read(//x)`, `mcp__server`, `mcp__server__tool`, `WebFetch(domain:x)`. A rule that could never match is an error with a sentence for its author: a rule that is silently dead protects nobody and
 * helps nobody.
 */
import { err, ok, type Result } from '#lib';
import { readSimpleCommand } from '../shell/simple-command.ts';
import { compilePathRule } from './path-rule.ts';
import type { Rule, RuleSide } from './rule.ts';

const pathTools: { readonly [tool: string]: readonly string[] } = {
  // Whoever keeps a file from being read means every tool that shows what is in it.
  Read: ['Read', 'Grep', 'Symbols'],
  // A rule for edits covers whole-file writes and patches too: all change the file, and users mean the file.
  Edit: ['Edit', 'Write', 'ApplyPatch'],
  Write: ['Write'],
  ApplyPatch: ['ApplyPatch'],
};
const commandTools: readonly string[] = ['Bash', 'Test'];
const plainTools: readonly string[] = [
  'Grep',
  'Glob',
  'Symbols',
  'TodoWrite',
  'TaskOutput',
  'TaskStop',
  'ToolSearch',
  'EnterPlanMode',
  'Commit',
];
/** Tools of other programs of this kind, which people name in settings that they share. */
export const laterTools: readonly string[] = ['WebFetch', 'WebSearch', 'Agent', 'Task', 'NotebookEdit', 'Skill'];
const known: readonly string[] = [...Object.keys(pathTools), ...commandTools, ...plainTools];

/** Errors are sentences that name the rule and what to write instead. `own` names tools that are not ours. */
export async function parseRule(
  text: string,
  own: readonly string[] = [],
  side: RuleSide = { narrows: false },
): Promise<Result<Rule, string>> {
  const rule = text.trim();
  const fault = (why: string) => err(`rule "${rule}": ${why}`);
  const parts = /^([A-Za-z_][\w-]*\*?)(?:\((.*)\))?$/s.exec(rule);
  if (parts === null) return fault('write it as Tool or Tool(what), for example Bash(npm test) or Edit(src/**)');
  const [, tool = '', spec] = parts;
  if (tool === 'ExitPlanMode') return fault('leaving plan mode is always asked, so this rule never matches');
  if (tool.startsWith('mcp__')) {
    if (spec !== undefined) return fault('tools of servers take no brackets');
    const server = serverRule(tool, rule);
    return server === null ? fault('write mcp__SERVER, mcp__SERVER__* or mcp__SERVER__TOOL') : ok(server);
  }
  if (![...known, ...laterTools, ...own].includes(tool)) {
    return fault(`there is no tool called ${tool}; there are ${known.join(', ')}`);
  }
  if (spec === undefined) return ok({ kind: 'tool', tool, text: rule });
  if (spec.trim() === '') return fault(`the brackets are empty; write ${tool} alone to mean every call`);
  const tools = pathTools[tool];
  if (tools !== undefined) {
    const path = compilePathRule(spec, side);
    if (!path.ok) return fault(path.error);
    return ok({ kind: 'paths', tools, matches: path.matches, reaches: path.reaches, text: rule });
  }
  if (commandTools.includes(tool)) {
    const command = await parseCommandSpec(spec.trim(), side);
    return command.ok ? ok({ kind: 'command', tool, ...command.value, text: rule }) : fault(command.error);
  }
  if (tool === 'WebFetch') {
    const matches = domainTest(spec.trim());
    return matches === null
      ? fault('write WebFetch(domain:example.com) or WebFetch(domain:*.example.com)')
      : ok({ kind: 'domain', tool, matches, text: rule });
  }
  if (tool === 'Agent' || tool === 'Task' || tool === 'Skill') return ok({ kind: 'tool', tool: rule, text: rule });
  return fault(`${tool} takes no brackets; only ${[...Object.keys(pathTools), ...commandTools].join(', ')} do`);
}

/** `mcp__server` and `mcp__server__*` mean every tool of the server. */
function serverRule(tool: string, text: string): Rule | null {
  const parts = /^mcp__([A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*)(?:__(\*|[\w-]+))?$/.exec(tool);
  if (parts === null) return null;
  const [, server = '', one] = parts;
  if (one !== undefined && one !== '*') return { kind: 'tool', tool, text };
  return { kind: 'tool', tool: `mcp__${server}`, below: `mcp__${server}__`, text };
}

/** The host itself, or with `*.` every one below it. */
function domainTest(spec: string): ((host: string) => boolean) | null {
  const host = /^domain:((?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*)$/i.exec(spec)?.[1]?.toLowerCase();
  if (host === undefined) return null;
  return host.startsWith('*.') ? (one) => one.endsWith(host.slice(1)) : (one) => one === host;
}

type CommandSpec = Pick<Extract<Rule, { kind: 'command' }>, 'words' | 'prefix' | 'stem'>;

async function parseCommandSpec(spec: string, { narrows }: RuleSide): Promise<Result<CommandSpec, string>> {
  if (spec === '*') return ok({ words: [], prefix: true, stem: false });
  const open = /^(.*?)(?::\*|\s\*)$/s.exec(spec);
  const begun = open === null ? /^(.*[\w-])\*$/s.exec(spec) : null;
  const body = (open?.[1] ?? begun?.[1] ?? spec).trim();
  const reading = await readSimpleCommand(body);
  if (!reading.ok) {
    return err(`${reading.error}, and a rule allows only one simple command; declare such a text as a check instead`);
  }
  const { words } = reading.value;
  if (words.some((word) => word.startsWith('\0') && word.includes('*'))) {
    return err('a "*" stands only at the end: Bash(npm run *), Bash(npm run:*) or Bash(npm run test*)');
  }
  // A program whose name only begins like the one that is allowed is another program.
  return ok({ words, prefix: open !== null || begun !== null, stem: begun !== null && (narrows || words.length > 1) });
}
