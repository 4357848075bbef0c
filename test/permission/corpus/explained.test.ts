/**
 * What is said of each text of the corpus, word for word, so that a change of one verdict's reason is seen by whoever
 * makes it. After a change that is meant: `EXPLAINED=write npx vitest run test/permission/corpus/explained.test.ts`,
 * and read the difference.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { broadAllowed, broadAsked, broadRules } from './broad-policy.ts';
import { explain, type Policy } from './explained.ts';
import { fieldAllowed, fieldAsked, fieldRules } from './field-policy.ts';
import { programAllowed, programAsked } from './program-policy.ts';
import { corpusPorts } from './workspace.ts';

const policies: readonly Policy[] = [
  { name: 'few', allow: fieldRules },
  {
    name: 'many',
    allow: broadRules,
    ask: ['Bash(git commit *)', 'Edit(src/b.ts)', 'Read(test/**)'],
    deny: ['Bash(git push *)', 'Bash(rm *)', 'Read(src/c/**)', 'Edit(dist/**)'],
  },
];
const textLengthMax = 300;
const texts = [
  ...new Set([...fieldAllowed, ...fieldAsked, ...broadAllowed, ...broadAsked, ...programAllowed, ...programAsked]),
].filter((text) => text.length <= textLengthMax);

const file = fileURLToPath(new URL('explained.txt', import.meta.url));
const explained = async (text: string): Promise<string> =>
  `$ ${JSON.stringify(text)}\n${(await explain(text, policies, corpusPorts)).map((line) => `  ${line}\n`).join('')}`;

if (process.env['EXPLAINED'] === 'write') {
  writeFileSync(file, (await Promise.all(texts.map(explained))).join(''));
}
const known = new Map(
  readFileSync(file, 'utf8')
    .split(/^(?=\$ )/m)
    .map((block) => [block.slice(0, block.indexOf('\n')), block]),
);

it.each(texts)('is explained as before: %j', async (text) => {
  expect(await explained(text)).toBe(known.get(`$ ${JSON.stringify(text)}`));
});
it('nothing else is kept', () => {
  expect(known.size).toBe(texts.length);
});
