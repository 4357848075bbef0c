import { isSettings } from '../paths/sensitive.ts';
import { isRepositoryInternal } from '../repository-internals.ts';
import { alwaysHazard, isInterpreter, isShell } from '../shell/programs/interpreters.ts';
import { profileOf, programName } from '../shell/programs/profile-of.ts';
import { isRunner } from '../shell/programs/runners.ts';
import { literalWord } from '../shell/shell-word.ts';
import { laterTools, parseRule } from './parse-rule.ts';
import type { Rule } from './rule.ts';

/**
 * What the author of a rule that allows should know, as a sentence: that it allows more than it seems to, or less.
 * Null where there is nothing to say. A text that is no rule has no warning: its fault is another question.
 */
export async function ruleWarning(text: string, own: readonly string[] = []): Promise<string | null> {
  const parsed = await parseRule(text, own);
  if (!parsed.ok) return null;
  const rule = parsed.value;
  const say = (what: string): string => `rule ${rule.text} ${what}`;
  const nothing = nothingToMatch(rule, own);
  if (nothing !== null) return nothing;
  if (rule.kind === 'tool') return rule.tool === 'Bash' || rule.tool === 'Test' ? say(everything) : null;
  if (rule.kind === 'domain') return null;
  if (rule.kind === 'paths') {
    const edits = rule.tools.includes('Read') ? null : placeOfRule(rule.text);
    if (edits !== null && isRepositoryInternal(edits)) return say('allows nothing: files of git are not edited');
    if (edits !== null && isSettings(edits)) return say('asks every time all the same: it decides what may run later');
    return /\((~|\/\/)/.test(rule.text) ? say('allows only what lies in the workspace: elsewhere is asked') : null;
  }
  if (/[^\s:]\*\)$/.test(rule.text) && rule.words.length === 1) {
    return say(`allows ${rule.words[0]} alone, and no other program whose name begins so`);
  }
  const [first, second] = rule.words;
  if (first === undefined) return say(everything);
  const program = programName(first);
  const profile = profileOf(rule.words.map(literalWord));
  if (profile.loses !== undefined) return say(`asks every time all the same: ${profile.loses}`);
  if (!rule.prefix) return null;
  if (rule.words.length === 1 && (isShell(program) || isInterpreter(program))) {
    return say('allows every script, and so everything a script can do; name the script');
  }
  if (isRunner(program) && (rule.words.length === 1 || (rule.words.length === 2 && /^run/.test(second ?? '')))) {
    return say('allows whatever the repository makes it run; name the script or package');
  }
  if (/^(timeout|nohup|nice|ionice|stdbuf|time|setsid|command|builtin|exec|env|xargs)$/.test(program)) {
    return say(`allows nothing by itself: what ${program} starts needs a rule of its own`);
  }
  // The last word of a stem is none yet.
  const hazard = hazardOf(rule.stem ? rule.words.slice(0, -1) : rule.words);
  if (hazard === null) return null;
  return say(`allows nothing: ${alwaysHazard(program) ?? hazard}, so only a rule for exactly its words counts`);
}

/** What could follow the words of a rule: behind one of these each program that has a harmless use shows one. */
const endings: readonly (readonly string[])[] = [[], ['--list'], ['list'], ['status']];

/** Why words ask whatever stands behind them; null where they do not. */
function hazardOf(words: readonly string[]): string | null {
  const hazards = endings.map((ending) => {
    const { hazard, pin = 0 } = profileOf([...words, ...ending].map(literalWord));
    return hazard ?? (pin > words.length ? 'it does not name the program that is run' : null);
  });
  return hazards.includes(null) ? null : (hazards[0] ?? null);
}

/** The sentence for a rule of any kind whose tool is not here. */
export function nothingToMatch(rule: Rule, own: readonly string[]): string | null {
  const tool = rule.kind === 'tool' || rule.kind === 'domain' ? rule.tool.replace(/\(.*$/s, '') : '';
  if (!laterTools.includes(tool) || own.includes(tool)) return null;
  return `rule ${rule.text} has nothing to match: there is no tool called ${tool} here`;
}

/** What stands in the brackets of a rule for paths. */
const placeOfRule = (text: string): string => text.slice(text.indexOf('(') + 1, -1);

const everything = 'allows every command that is understood, stays inside the workspace and loses no work';
