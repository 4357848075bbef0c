import { matchWords } from '../rules/match-rule.ts';
import type { ShellCommand } from '../shell/analysis.ts';
import { isFolderBound } from '../shell/programs/folder-bound.ts';
import { profileOf, programName } from '../shell/programs/profile-of.ts';
import { wordKey } from '../shell/shell-word.ts';
import { meaningOf } from './means-command.ts';
import { bareRule, commandRules } from './rule-set.ts';
import type { Part, ShellQuestion } from './shell-question.ts';

/** The parts of one command: itself, and what it starts. `moved`: a part of the text changes the folder. */
export function judgeCommand(command: ShellCommand, question: ShellQuestion, moved: boolean): readonly Part[] {
  return judge(command, question, moved, false);
}

/** What rules that narrow say of a command that may be none; and whether it would lose work. */
export function judgeGuess(words: ShellCommand['words'], question: ShellQuestion): readonly Part[] {
  const what = words.map(({ text }) => text).join(' ');
  const narrowing = narrowingRule([words], question);
  if (narrowing !== null) return [{ what, ...narrowing }];
  const { loses } = profileOf(words);
  return loses === undefined ? [] : [{ what, decision: 'ask', reason: loses }];
}

/** `meant`: the words of the commands that one may be. */
function narrowingRule(
  meant: readonly ShellCommand['words'][],
  { tool, rules }: ShellQuestion,
): Pick<Part, 'decision' | 'reason'> | null {
  const meanings = meant.map(meaningOf);
  const named = (list: typeof rules.deny) =>
    bareRule(list, tool) ?? commandRules(list, tool).find((rule) => meanings.some((means) => means(rule)));
  const denied = named(rules.deny);
  if (denied != null) return { decision: 'deny', reason: `rule ${denied.text}` };
  const asked = named(rules.ask);
  return asked == null ? null : { decision: 'ask', reason: `rule ${asked.text}` };
}

function judge(command: ShellCommand, question: ShellQuestion, moved: boolean, covered: boolean): readonly Part[] {
  const { tool, rules } = question;
  const { profile, inner, sets } = command;
  const asWritten = command.written === undefined ? [] : [command.written];
  const words = command.words.map(wordKey);
  const what = (command.written ?? command.words).map(({ text }) => text).join(' ');
  const part = (decision: Part['decision'], reason: string): Part => ({ what, decision, reason });
  const within = (isCovered: boolean): readonly Part[] =>
    inner.flatMap((one) => judge(one, question, moved, isCovered));

  const narrowing = narrowingRule([command.words, ...asWritten, ...(command.perhaps ?? [])], question);
  if (narrowing !== null) return [{ what, ...narrowing }, ...within(covered)];
  if (profile.loses !== undefined) return [part('ask', profile.loses), ...within(covered)];
  if (sets.length > 0) return [part('ask', `it sets ${sets.join(', ')} for the command`), ...within(covered)];

  const bare = bareRule(rules.allow, tool);
  const exactly = (some: readonly string[]) =>
    commandRules(rules.allow, tool).find((rule) => !rule.prefix && matchWords(rule, some));
  // A rule for these words names the folder as well.
  const named = asWritten.map((some) => exactly(some.map(wordKey))).find((rule) => rule !== undefined);
  if ((bare ?? named) == null && moved && isPlaceBound(words[0] ?? '')) {
    return [part('ask', 'in another folder this may be another program, script or repository'), ...within(false)];
  }
  const exact = named ?? exactly(words);
  const whole = (profile.governs === true ? null : bare) ?? exact;
  if (whole != null) return [part('allow', `rule ${whole.text}`), ...within(true)];
  // What a rule for exactly these words started is allowed with them.
  if (covered && profile.governs !== true)
    return [part('allow', 'a rule names the command that starts it'), ...within(true)];
  if (profile.free === true) return [part('allow', 'it is part of the flow of the text')];
  if (profile.transparent === true) return inner.length > 0 ? within(false) : [part('ask', 'it starts nothing')];
  const open = commandRules(rules.allow, tool).filter((rule) => rule.prefix && matchWords(rule, words));
  const rule = open.find((one) => one.words.length >= (profile.pin ?? 0));
  const own = (): Part => {
    if (profile.hazard !== undefined) return part('ask', profile.hazard);
    if (rule !== undefined) return part('allow', `rule ${rule.text}`);
    return part('ask', open.length > 0 ? 'no rule names the program that it runs' : 'no rule allows this command');
  };
  return [own(), ...within(false)];
}

const isPlaceBound = (program: string): boolean => program.includes('/') || isFolderBound(programName(program));
