/**
 * What quotes hide is told by real shells: each runs many generated texts, dense with quotes, and whatever it ran
 * must be in the analyser's list, word for word where the list has the whole words, or the text must have been doubted.
 */
import { expect, it } from 'vitest';
import { analyse } from '../../../src/permission/shell/analyse.ts';
import type { ShellCommand } from '../../../src/permission/shell/analysis.ts';
import { quotedTexts } from './quoted-texts.ts';
import { runNamed, shells } from './run-named.ts';

const seed = Number(process.env['ORACLE_SEED'] ?? 1);
const count = Number(process.env['ORACLE_TEXTS'] ?? 1000);

const listed = (commands: readonly ShellCommand[]): readonly ShellCommand[] =>
  commands.flatMap((one) => [one, ...listed(one.inner)]);

/** A shell that does not know this test looks for a program of its name. */
const isTest = (name: string | undefined): boolean => name === '[[';

/** A name of several lines is told in quotes. */
const plain = (name: string): string =>
  /^\$'(.*)'$/s.exec(name)?.[1]?.replace(/\\(.)/gs, (_all, sign: string) => ({ n: '\n', t: '\t' })[sign] ?? sign) ??
  name;

function isListed([told = '', ...words]: readonly string[], commands: readonly ShellCommand[]): boolean {
  const name = plain(told);
  const same = commands.filter(({ words: [first] }) => first?.text === name);
  // Of what was not found, only the name is known.
  if (!/^(m|z\d+)$/.test(name)) return same.length > 0;
  return same.some(
    ({ words: [, ...said] }) =>
      said.some(({ kind }) => kind !== 'literal') ||
      (said.length === words.length && said.every(({ text }, i) => text === words[i])),
  );
}

it(`what quotes seem to hide is listed or doubted: ${count} texts, seed ${seed}`, { timeout: 240_000 }, async () => {
  const texts = quotedTexts(seed, count);
  const ran = await runNamed(texts);
  const unseen: object[] = [];
  const tally = { understood: 0, understoodRan: 0, ran: 0 };
  for (const [number, text] of texts.entries()) {
    const { commands, doubts } = await analyse(text);
    if (doubts.length === 0) tally.understood++;
    for (const shell of shells) {
      const started = ran[shell][number] ?? [];
      tally.ran += started.length;
      if (doubts.length > 0) continue;
      tally.understoodRan += started.length;
      const all = listed(commands);
      const hidden = started.filter((words) => !isTest(words[0]) && !isListed(words, all));
      if (hidden.length > 0) unseen.push({ text, shell, hidden });
    }
  }
  expect(unseen).toEqual([]);
  // Else the texts are so odd that nothing was shown.
  expect(tally.understood).toBeGreaterThan(count / 5);
  expect(tally.understoodRan).toBeGreaterThan(count / 2);
  expect(tally.ran).toBeGreaterThan(count);
});
