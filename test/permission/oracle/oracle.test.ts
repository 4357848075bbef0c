/**
 * An oracle that shares nothing with the analyser: real shells run thousands of generated texts, and the kernel tells
 * which programs started. Whatever started must be in the analyser's list, or the text must have been asked.
 */
import { describe, expect, it } from 'vitest';
import { createPermission } from '../../../src/permission/create-permission.ts';
import { analyse } from '../../../src/permission/shell/analyse.ts';
import type { ShellCommand } from '../../../src/permission/shell/analysis.ts';
import { programs, shellTexts, standIns } from './grammar.ts';
import { runTraced, shells } from './run-traced.ts';

const seed = Number(process.env['ORACLE_SEED'] ?? 1);
const count = Number(process.env['ORACLE_TEXTS'] ?? 2200);

const permission = createPermission({ realPath: async (path) => path, kind: async () => 'missing' });
const rulesFor = (names: readonly string[]): readonly string[] => [
  ...names.map((name) => `Bash(${name} *)`),
  'Edit(**)',
];
const everything = rulesFor([...programs, ...standIns]);
const withoutZap = rulesFor([...programs, ...standIns].filter((name) => name !== 'zap'));

const decide = async (command: string, allow: readonly string[]) =>
  permission(
    { tool: 'Bash', args: { command }, effect: 'process', paths: null },
    { mode: 'default', allow, checks: [], workspace: '/tmp/work', signal: new AbortController().signal },
  );

const names = (commands: readonly ShellCommand[]): readonly string[] =>
  commands.flatMap(({ words, inner }) => [(words[0]?.text ?? '').replace(/^.*\//s, ''), ...names(inner)]);

/** To one shell a word of its own, to another a program that only starts the next word. */
const isKeyword = (name: string): boolean => name === 'time';
/** Git's own way to another machine. */
const isTransport = (name: string, listed: ReadonlySet<string>): boolean => name === 'ssh' && listed.has('git');

describe('what really runs', () => {
  it(`is listed, or the text is asked: ${count} texts, seed ${seed}`, { timeout: 240_000 }, async () => {
    const texts = shellTexts(seed, count);
    const ran = await runTraced(texts);
    const unseen: object[] = [];
    const tally = { allowed: 0, allowedStarted: 0, started: 0, zapped: 0 };
    for (const [number, text] of texts.entries()) {
      const listed = new Set(names((await analyse(text)).commands));
      const all = (await decide(text, everything)).decision;
      const some = (await decide(text, withoutZap)).decision;
      if (all === 'allow') tally.allowed++;
      for (const shell of shells) {
        const started = ran[shell][number] ?? [];
        tally.started += started.length;
        if (all === 'allow') tally.allowedStarted += started.length;
        if (started.includes('zap')) tally.zapped++;
        const hidden =
          all === 'allow'
            ? started.filter((name) => !listed.has(name) && !isKeyword(name) && !isTransport(name, listed))
            : [];
        const zapped = some === 'allow' && started.includes('zap');
        if (hidden.length > 0 || zapped) unseen.push({ text, shell, started, listed: [...listed] });
      }
    }
    expect(unseen).toEqual([]);
    // Else the texts are so odd that nothing was shown.
    expect(tally.allowed).toBeGreaterThan(count / 50);
    expect(tally.allowedStarted).toBeGreaterThan(count / 50);
    expect(tally.zapped).toBeGreaterThan(count / 4);
    process.stdout.write(`oracle: ${JSON.stringify(tally)}\n`);
  });
});
