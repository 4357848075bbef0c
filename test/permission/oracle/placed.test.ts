/**
 * What a word hides in each place is told by real shells: where a text is allowed by rules for every command that stands
 * in it, nothing may run that only its words name.
 */
import { expect, it } from 'vitest';
import { createPermission } from '../../../src/permission/create-permission.ts';
import { placedTexts } from './placed-texts.ts';
import { runNamed, shells } from './run-named.ts';

const programs =
  'm echo test [ printf read export declare local readonly typeset unset let wait getopts mapfile shift exit return set shopt trap cd pushd dirs type command builtin hash alias eval source . exec time kill umask ulimit history fc bind complete compgen caller jobs enable';
const allow = [...programs.split(' ').flatMap((program) => [`Bash(${program})`, `Bash(${program} *)`]), 'Edit(**)'];

it('nothing runs that only a word names, in any place', { timeout: 240_000 }, async () => {
  // Nothing is there yet, so what is written is no loss.
  const decide = createPermission({ realPath: async (path) => path, kind: async () => 'missing' });
  const signal = new AbortController().signal;
  const allowed: string[] = [];
  for (const text of placedTexts) {
    const { decision } = await decide(
      { tool: 'Bash', args: { command: text }, effect: 'process', paths: null },
      { mode: 'default', allow, checks: [], workspace: '/tmp/work', signal },
    );
    if (decision === 'allow') allowed.push(text);
  }
  const ran = await runNamed(placedTexts);
  const isHidden = (text: string): boolean =>
    shells.some((shell) => ran[shell][placedTexts.indexOf(text)]?.some(([name]) => name === 'z1') === true);
  expect(allowed.filter(isHidden)).toEqual([]);
  // Else nothing was shown.
  expect(allowed.length).toBeGreaterThan(placedTexts.length / 10);
  expect(placedTexts.filter(isHidden).length).toBeGreaterThan(50);
});
