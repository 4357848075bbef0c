/** The pages name only what exists: files, headings, commands, options and variables. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const pages = ['.', 'docs', 'src'].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: folder !== '.', encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => path.posix.join(folder, file)),
);

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
const anchorsOf = (file: string) =>
  [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

/** What is written as code: fenced blocks and inline spans. */
function codeOf(file: string): string {
  const text = read(file);
  const fenced = [...text.matchAll(/```[a-z]*\n([\s\S]*?)```/g)].map(([, code]) => code);
  const spans = [...text.replace(/```[\s\S]*?```/g, '').matchAll(/`([^`]+)`/g)].map(([, code]) => code);
  return [...fenced, ...spans].join('\n');
}

test.each(pages)('every link of %s leads to a file and a heading that exist', (page) => {
  const links = [
    ...read(page)
      .replace(/```[\s\S]*?```/g, '')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ].map(([, target = '']) => target);
  const broken = links
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [file = '', anchor] = target.split('#');
      const to = file === '' ? page : path.posix.join(path.posix.dirname(page), file);
      if (!existsSync(path.join(root, to))) return true;
      return anchor !== undefined && !anchorsOf(to).includes(anchor);
    });
  expect(broken).toEqual([]);
});

describe.each(['README.md', 'docs/guide.md', 'docs/providers.md', 'docs/exit-codes.md'])('%s', (page) => {
  const reference = read('docs/configuration.md');
  const code = codeOf(page);

  test('names only commands that the program has', () => {
    const named = [...code.matchAll(/\bbelay ([a-z]+)\b/g)].map(([, command]) => command);
    expect(named.filter((command) => !reference.includes(`### belay ${command}\n`))).toEqual([]);
  });

  test('names only options that the program has', () => {
    const named = [...code.matchAll(/(?<![\w-])--[a-z][a-z-]+/g)].map(([option]) => option);
    const known = (option: string) => new RegExp(`${option}(?![a-z-])`).test(reference);
    const ofOthers = ['--test'];
    expect([...new Set(named)].filter((option) => !known(option) && !ofOthers.includes(option))).toEqual([]);
  });

  test('names only scripts that package.json has', () => {
    const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: { readonly [name: string]: string } };
    const named = [...code.matchAll(/\bnpm run ([a-z:]+)/g)].map(([, script = '']) => script);
    const ofUsers = ['build', 'lint'];
    expect(named.filter((script) => scripts[script] === undefined && !ofUsers.includes(script))).toEqual([]);
  });
});

test('the recipes name only files that exist', () => {
  const named = [...codeOf('CONTRIBUTING.md').matchAll(/\b(?:src|test|scripts|docs|bench)\/[\w./-]*\w/g)].map(
    ([file]) => file,
  );
  expect(
    named.filter((file) => !file.startsWith('test/room/') && !existsSync(path.join(root, file.replace(/\/$/, '')))),
  ).toEqual([]);
});

test('every decision stands in the list under its title, in order', () => {
  const folder = path.join(root, 'docs/decisions');
  const pages = readdirSync(folder).filter((file) => /^\d{4}-.*\.md$/.test(file));
  const titles = pages.sort().map((file) => {
    const [, number = '', title = ''] = /^# (\d{4}): (.*)/.exec(read(`docs/decisions/${file}`)) ?? [];
    return `| [${number}](${file}) | ${title} |`;
  });
  const listed = read('docs/decisions/README.md').match(/^\| \[\d{4}\].*$/gm);
  expect(listed).toEqual(titles);
});
