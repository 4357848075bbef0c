import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { testTitles } from './test-titles.ts';

/**
 * One line of docs/requirements.json. `tests` are written "test/room/file.test.ts > title"; a line without tests is
 * "not yet", or carries the reason why it needs none.
 */
interface Requirement {
  readonly id: string;
  readonly text: string;
  readonly where?: readonly string[];
  readonly tests?: readonly string[];
  readonly reason?: string;
}

interface Group {
  readonly title: string;
  readonly rows: readonly Requirement[];
}

/** Names whatever a row promises and the tree does not have; an empty list means that the page tells the truth. */
export function brokenPromises(
  groups: readonly Group[],
  titles: ReadonlyMap<string, readonly string[]>,
  root: string,
): string[] {
  const rows = groups.flatMap((group) => group.rows);
  const twice = rows.filter(({ id }, at) => rows.findIndex((other) => other.id === id) !== at);
  return [
    ...twice.map(({ id }) => `${id} stands twice`),
    ...rows.flatMap(({ id, where = [], tests = [], reason }) => [
      ...where.filter((file) => !existsSync(path.join(root, file))).map((file) => `${id}: there is no file ${file}`),
      ...tests
        .filter((name) => {
          const [file = '', ...title] = name.split(' > ');
          return !titles.get(file)?.includes(title.join(' > '));
        })
        .map((name) => `${id}: there is no test "${name}"`),
      ...(tests.length > 0 && where.length === 0 ? [`${id}: names a test but no file where it holds`] : []),
      ...(tests.length > 0 && reason !== undefined ? [`${id}: has both a test and a reason to have none`] : []),
    ]),
  ];
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function page(groups: readonly Group[]): string {
  const rows = groups.flatMap((group) => group.rows);
  const shown = rows.filter((row) => (row.tests ?? []).length > 0).length;
  const reasoned = rows.filter((row) => row.reason !== undefined).length;
  const head = [
    '# Requirements',
    '',
    'Generated from `docs/requirements.json` by `npm run docs`; do not edit this page. Every row names the files where',
    'the requirement holds and the test that shows it, or says "not yet". The check fails when a named test or file does',
    'not exist.',
    '',
    `${rows.length} rows: ${shown} shown by a test, ${reasoned} with a reason to have none, ${rows.length - shown - reasoned} not yet.`,
  ];
  const tables = groups.flatMap(({ title, rows: lines }) => [
    '',
    `## ${title}`,
    '',
    '| id | requirement | where | shown by |',
    '| --- | --- | --- | --- |',
    ...lines.map(({ id, text, where = [], tests = [], reason }) => {
      const places = where.map((file) => `\`${file}\``).join('<br>');
      const proof = tests.length > 0 ? tests.map(cell).join('<br>') : cell(reason ?? 'not yet');
      return `| ${id} | ${cell(text)} | ${places} | ${proof} |`;
    }),
  ]);
  return `${[...head, ...tables].join('\n')}\n`;
}

/** The text of docs/requirements.md. Throws, naming every row, when the data promise a test or a file that is missing. */
export function requirementsPage(root: string): string {
  const groups = JSON.parse(readFileSync(path.join(root, 'docs/requirements.json'), 'utf8')) as Group[];
  const broken = brokenPromises(groups, testTitles(root), root);
  if (broken.length > 0) throw new Error(`docs/requirements.json does not hold:\n  ${broken.join('\n  ')}`);
  return page(groups);
}
