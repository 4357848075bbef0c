import type { Json } from '#kernel';
import type { PermissionCall } from '../contract.ts';
import { commandOf } from '../declared-check.ts';
import { readSimpleCommand } from '../shell/simple-command.ts';
import type { Rule } from './rule.ts';

/** Whether the rule allows the call. A command that is not one simple command is matched by no command rule. */
export async function matchRule(rule: Rule, call: PermissionCall): Promise<boolean> {
  switch (rule.kind) {
    case 'tool':
      return rule.tool === call.tool || (rule.tool === 'Edit' && call.tool === 'Write');
    case 'paths':
      return (
        rule.tools.includes(call.tool) &&
        call.paths !== null &&
        call.paths.length > 0 &&
        call.paths.every((path) => isInside(path) && rule.matches(path))
      );
    case 'command':
      return rule.tool === call.tool && matchCommand(rule, call.args);
  }
}

/** Absolute and climbing paths are outside the workspace, where no pattern of a rule reaches. */
export const isInside = (path: string): boolean => !path.startsWith('/') && path !== '..' && !path.startsWith('../');

async function matchCommand(rule: Extract<Rule, { kind: 'command' }>, args: Json): Promise<boolean> {
  const command = commandOf(args);
  if (command === null) return false;
  const reading = await readSimpleCommand(command);
  if (!reading.ok) return false;
  const { words } = reading.value;
  if (rule.prefix ? words.length < rule.words.length : words.length !== rule.words.length) return false;
  return rule.words.every((word, i) => word === words[i]);
}
