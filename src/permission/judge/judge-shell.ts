/**
 * Judges a shell text: every command in it must be allowed, every file it writes must be one that may be edited, and
 * nothing it names may lie outside the workspace, hold a secret or decide what runs later.
 *
 * 1. deny beats ask beats allow, over all parts of the text: adding a command can only narrow.
 * 2. A text that is not understood is never allowed, nor is one that would lose work, whatever the rules say.
 * 3. A command with a hazard is allowed only by a rule for exactly its words.
 */
import { narrow } from '../lattice.ts';
import { judgePath, type PathPlaces } from '../paths/judge-path.ts';
import { type NamedPath, pathsOfCommand, pathsOfText } from '../paths/named-paths.ts';
import { fullPath, placeOf } from '../paths/place-of.ts';
import type { Analysis, FileWrite } from '../shell/analysis.ts';
import { everyCommand } from '../shell/every-command.ts';
import { judgeCommand, judgeGuess } from './judge-command.ts';
import { judgeNames } from './judge-names.ts';
import { judgeRecursion } from './judge-recursion.ts';
import { judgeRepositories } from './judge-repositories.ts';
import { judgeUnheld } from './judge-unheld.ts';
import { pathRule } from './rule-set.ts';
import type { Part, ShellJudgement, ShellQuestion } from './shell-question.ts';

/** Paths that one text may name; each is looked up. */
const pathsMax = 400;

export async function judgeShell(analysis: Analysis, question: ShellQuestion): Promise<ShellJudgement> {
  const where: PathPlaces = { workspace: question.workspace, folders: analysis.folders, ports: question.ports };
  const parts: Part[] = analysis.doubts.map((reason) => ({ what: 'the text', decision: 'ask', reason }));
  // Who goes to the workspace is where he was.
  const moved = analysis.folders.some((folder) => placeOf('', folder, question.workspace) !== '.');
  for (const command of analysis.commands) parts.push(...judgeCommand(command, question, moved));
  for (const words of analysis.perhaps ?? []) parts.push(...judgeGuess(words, question));
  for (const command of everyCommand(analysis.commands)) {
    const named = await judgeNames(command, where);
    if (named !== null) parts.push(named);
    const recursion = await judgeRecursion(command, question.rules, where);
    if (recursion !== null) parts.push(recursion);
  }
  const named: NamedPath[] = [
    ...analysis.reads.map(({ text }) => ({ text, pattern: false })),
    ...everyCommand(analysis.commands).flatMap(pathsOfCommand),
    ...analysis.given.flatMap(pathsOfText),
  ];
  if (named.length > pathsMax) parts.push({ what: 'the text', decision: 'ask', reason: 'it names too many files' });
  const seen = new Set<string>();
  for (const path of named.slice(0, pathsMax)) {
    const key = `${path.pattern}${path.text}`;
    if (!seen.has(key)) parts.push(...(await judgeNamed(path, where, question)));
    seen.add(key);
  }
  const writes = [
    ...analysis.writes,
    ...everyCommand(analysis.commands).flatMap(({ profile }) => profile.writes ?? []),
  ];
  for (const write of writes.slice(0, pathsMax)) parts.push(await judgeWrite(write, where, question));
  const said = sum(parts);
  if (said.decision !== 'allow') return said;
  return sum([...parts, ...(await judgeUnheld(analysis, where)), ...(await judgeRepositories(analysis, where))]);
}

function sum(parts: readonly Part[]): ShellJudgement {
  const decision = parts.map((part) => part.decision).reduce(narrow, 'allow');
  const deciding = parts.find((part) => part.decision === decision);
  if (deciding === undefined) return { decision: 'ask', reason: 'there is no command', parts };
  const { what, reason } = deciding;
  return {
    decision,
    reason: decision === 'allow' || what === 'the text' || reason.startsWith(what) ? reason : `${what}: ${reason}`,
    parts,
  };
}

/** The names under which a rule that denies may mean a path that asks anyway. */
const outside = (text: string, { folders, workspace }: PathPlaces): readonly string[] =>
  folders.flatMap((folder) => [
    placeOf(text, folder, workspace) ?? fullPath(text, folder, workspace),
    fullPath(text, folder, workspace),
  ]);

async function judgeNamed(path: NamedPath, where: PathPlaces, { rules }: ShellQuestion): Promise<readonly Part[]> {
  const judged = await judgePath(path, where);
  const places = judged.asks === undefined ? judged.places : [...outside(path.text, where), ...judged.places];
  for (const place of places) {
    const denied = pathRule(rules.deny, 'Read', place);
    if (denied !== null) return [{ what: path.text, decision: 'deny', reason: `rule ${denied.text}` }];
  }
  if (judged.asks !== undefined) return [{ what: path.text, decision: 'ask', reason: judged.asks }];
  for (const place of places) {
    const asked =
      pathRule(rules.ask, 'Read', place) ?? pathRule(rules.deny, 'Edit', place) ?? pathRule(rules.ask, 'Edit', place);
    if (asked !== null && asked.kind === 'paths') {
      return [{ what: path.text, decision: 'ask', reason: `rule ${asked.text}` }];
    }
  }
  return [];
}

async function judgeWrite(write: FileWrite, where: PathPlaces, question: ShellQuestion): Promise<Part> {
  const { word, append, needsEdit, deep = false } = write;
  const what = `${append ? 'appending to' : 'writing'} ${word.text}`;
  const ask = (reason: string): Part => ({ what, decision: 'ask', reason });
  if (word.kind !== 'literal') return ask('the file is known only when it runs');
  const judged = await judgePath({ text: word.text, pattern: false }, where);
  const { rules, ports } = question;
  const places = judged.asks === undefined ? judged.places : [...outside(word.text, where), ...judged.places];
  for (const place of places) {
    const denied = pathRule(rules.deny, 'Edit', place);
    if (denied !== null) return { what, decision: 'deny', reason: `rule ${denied.text}` };
  }
  if (judged.asks !== undefined) return ask(judged.asks);
  for (const place of places) {
    const asked = pathRule(rules.ask, 'Edit', place);
    if (asked !== null) return ask(`rule ${asked.text}`);
    const may = question.editsAccepted || pathRule(rules.allow, 'Edit', place) !== null || isFree(question);
    if (needsEdit && !may) return ask('no rule allows editing this file');
    if (append) continue;
    const kind = ports?.kind === undefined ? null : await ports.kind(place);
    if (kind === null) return ask('its present content, if any, would be lost');
    if (kind === 'file' || kind === 'other') return ask(`the present content of ${place} would be lost`);
    if (kind === 'directory' && deep) return ask(`files below ${place} may be overwritten`);
  }
  return { what, decision: 'allow', reason: 'it may be edited' };
}

const isFree = ({ rules, tool }: ShellQuestion): boolean =>
  rules.allow.some((rule) => rule.kind === 'tool' && rule.tool === tool);
