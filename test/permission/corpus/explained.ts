/** What the analyser and the rules say of one text, as lines for people. */
import type { PermissionPorts } from '../../../src/permission/contract.ts';
import { judgeShell } from '../../../src/permission/judge/judge-shell.ts';
import { ruleReader } from '../../../src/permission/rules/rule-reader.ts';
import { analyse } from '../../../src/permission/shell/analyse.ts';
import type { FileWrite, Profile, ShellCommand } from '../../../src/permission/shell/analysis.ts';
import { type ShellWord, wordKey } from '../../../src/permission/shell/shell-word.ts';

const shown = (word: ShellWord): string => wordKey(word).replaceAll('\0', '~');
const shownWords = (words: readonly ShellWord[]): string => words.map(shown).join(' ');
const written = ({ word, append, needsEdit }: FileWrite): string =>
  `${append ? 'appends to' : 'writes'} ${shown(word)}${needsEdit ? ', if it may be edited' : ''}`;

function ofProfile({ hazard, loses, transparent, free, pathless, notPaths, values, pin, writes }: Profile) {
  return [
    hazard !== undefined && `hazard: ${hazard}`,
    loses !== undefined && `loses: ${loses}`,
    transparent === true && 'transparent',
    free === true && 'free',
    pathless === true && 'pathless',
    notPaths !== undefined && `no paths: ${notPaths.join(' ')}`,
    values !== undefined && values.length > 0 && `values: ${values.join(' ')}`,
    pin !== undefined && `pin ${pin}`,
    ...(writes ?? []).map(written),
  ].filter((one) => one !== false);
}

function ofCommand({ words, sets, profile, inner }: ShellCommand, depth: number): readonly string[] {
  const facts = [sets.length > 0 ? `sets ${sets.join(' ')}` : '', ...ofProfile(profile)].filter((one) => one !== '');
  return [
    `${'  '.repeat(depth)}runs ${shownWords(words)}${facts.map((fact) => ` | ${fact}`).join('')}`,
    ...inner.flatMap((one) => ofCommand(one, depth + 1)),
  ];
}

export interface Policy {
  readonly name: string;
  readonly allow: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
}

const read = ruleReader([]);

export async function explain(
  text: string,
  policies: readonly Policy[],
  ports: PermissionPorts,
): Promise<readonly string[]> {
  const analysis = await analyse(text);
  const lines = [
    ...analysis.commands.flatMap((command) => ofCommand(command, 0)),
    ...analysis.writes.map(written),
    ...analysis.reads.map((word) => `reads ${shown(word)}`),
    ...(analysis.folders.length > 1 ? [`folders ${analysis.folders.join(' ')}`] : []),
    ...analysis.doubts.map((why) => `doubt: ${why}`),
  ];
  for (const { name, allow, ask = [], deny = [] } of policies) {
    const rules = {
      allow: await read(allow, { narrows: false, workspace: '/repo' }),
      ask: await read(ask, { narrows: true, workspace: '/repo' }),
      deny: await read(deny, { narrows: true, workspace: '/repo' }),
    };
    const judged = await judgeShell(analysis, {
      tool: 'Bash',
      rules,
      editsAccepted: false,
      workspace: '/repo',
      ports,
    });
    lines.push(`${name}: ${judged.decision}, ${judged.reason}`);
    const doubts = new Set(analysis.doubts);
    const parts = judged.parts.filter(({ reason }) => !doubts.has(reason));
    if (parts.length < 2) continue;
    lines.push(...parts.map(({ what, decision, reason }) => `  ${decision} ${what}: ${reason}`));
  }
  return lines.map((line) =>
    line.replace(
      /[\0-\x1f\x7f-\x9f\u00a0\u200b-\u206f\u{e0000}-\u{e007f}]/gu,
      (char) => `<${char.codePointAt(0)?.toString(16)}>`,
    ),
  );
}
