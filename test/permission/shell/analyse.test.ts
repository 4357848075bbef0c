import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { analyse } from '../../../src/permission/shell/analyse.ts';
import type { Analysis, ShellCommand } from '../../../src/permission/shell/analysis.ts';

const flat = (commands: readonly ShellCommand[]): readonly string[] =>
  commands.flatMap(({ words, inner }) => [words.map(({ text }) => text).join(' '), ...flat(inner)]);
const namesIn = (analysis: Analysis): readonly string[] => flat(analysis.commands);

describe('analyse', () => {
  const table: readonly (readonly [text: string, commands: readonly string[]])[] = [
    ['a && b || c; d | e & f', ['a', 'b', 'c', 'd', 'e', 'f']],
    ['(a; { b; })', ['a', 'b']],
    ['if a; then b; elif c; then d; else e; fi', ['a', 'b', 'e', 'c', 'd']],
    ['while a; do b; done', ['a', 'b']],
    ['for x in $(a); do b; done', ['a', 'b']],
    ['case $(a) in $(b)) c;; esac', ['a', 'b', 'c']],
    ['a "$(b `c`)" <(d) >(e)', ['b `c`', 'c', 'd', 'e', 'a $(b `c`) <(d) >(e)']],
    ['a <<X\n$(b)\nX', ['b', 'a']],
    ["a <<'X'\n$(b)\nX", ['a']],
    ['a <<< "$(b)"', ['b', 'a']],
    ['X=$(a) b', ['a', 'b']],
    ['X=$(a)', ['a']],
    ['X=($(a) `b`)', ['a', 'b']],
    ['a > $(b)', ['b', 'a']],
    ['echo ${x#$(a)}', ['a', 'echo ${x#$(a)}']],
    ['echo ${x^^$(a)}', ['a', 'echo ${x^^$(a)}']],
    ['echo ${x/$(a)/$(b)}', ['a', 'b', 'echo ${x/$(a)/$(b)}']],
    ['echo ${x:$(a):$(b)}', ['a', 'b', 'echo ${x:$(a):$(b)}']],
    ['echo ${x:-$(a)}', ['a', 'echo ${x:-$(a)}']],
    ['echo ${x[$(a)]}', ['a', 'echo ${x[$(a)]}']],
    ['case a in $(a)) b;; (c) d;; esac', ['a', 'b', 'd']],
    ['until a; do b; done', ['a', 'b']],
    ['for ((;;)); do a; done', ['a']],
    ['select x in y; do a; done', ['a']],
    ['[[ $(a) = $(b) ]]', ['a', 'b']],
    ['[[ ! ( $(a) = x && -n $(b) ) ]]', ['a', 'b']],
    ['echo $(( 1 + $(a) ? $(b) : -$(c) ))', ['a', 'b', 'c', 'echo $(( 1 + $(a) ? $(b) : -$(c) ))']],
    ['{ a; } > $(b)', ['b', 'a']],
    ['> $(a) b', ['a', 'b']],
    ['a &', ['a']],
    ['a |& b', ['a', 'b']],
    ['if a; then b; fi > $(c)', ['c', 'a', 'b']],
    ['x[$(a)]=1 b', ['a', 'b']],
    ['timeout 5 nice env a x', ['timeout 5 nice env a x', 'nice env a x', 'env a x', 'a x']],
    ['find . -exec a {} \\; -ok b +', ['find . -exec a {} ; -ok b +', 'a …', 'b +']],
    ["bash -c 'a; b'", ['a', 'b', 'bash -c a; b']],
    ['eval a b', ['a b', 'eval a b']],
    ["trap 'a' EXIT", ['a', 'trap a EXIT']],
    ['f() { a; }; f', ['a', 'f']],
    ['coproc a', ['a']],
    ['! time a', ['a']],
    ['[[ -n $(a) ]]', ['a']],
    ['echo $(( $(a) + 1 ))', ['a', 'echo $(( $(a) + 1 ))']],
  ];
  it.each(table)('%j', async (text, commands) => {
    const found = namesIn(await analyse(text));
    if (text.startsWith('a "$(b')) expect(found.length).toBe(commands.length);
    else expect([...found].sort()).toEqual([...commands].sort());
  });

  it('tells files that redirections read and write', async () => {
    const { reads, writes } = await analyse('a < in > out 2>> err &> all 2>&1 >&- > /dev/null');
    expect(reads.map(({ text }) => text)).toEqual(['in']);
    expect(writes.map(({ word, append }) => [word.text, append])).toEqual([
      ['out', false],
      ['err', true],
      ['all', false],
    ]);
  });

  it('tells every folder in which a part may run', async () => {
    expect((await analyse('cd a && b; cd c')).folders).toEqual(['.', './a', './c', './a/c']);
  });
});

/** Pieces of which shells are made, in any order: mostly nonsense, sometimes not. */
const piece = fc.constantFrom(
  ...'ls echo rm git $( ) ` " \' \\ ; & && | || < > >> << <<< ( { } ${ } $(( )) [[ ]] if then fi for in do done while case esac ;; function time coproc eval # ~ * ? [ ] ! = x=1 $x $\' $" @( EOF \n \t \0 \u00a0 é {a,b} -c --'.split(
    ' ',
  ),
  ' ',
  '\n',
);
const shellText = fc
  .array(fc.oneof({ weight: 4, arbitrary: piece }, { weight: 1, arbitrary: fc.string() }), { maxLength: 40 })
  .map((parts) => parts.join(fc.sample(fc.constantFrom('', ' '), { numRuns: 1, seed: parts.length })[0]));

describe('any text', () => {
  test.prop([shellText], { numRuns: 10_000 })('is read without an exception', async (text) => {
    const { commands, writes, doubts } = await analyse(text);
    expect(commands.length + writes.length + doubts.length).toBeGreaterThanOrEqual(0);
  });

  const growing: readonly (readonly [name: string, text: (n: number) => string])[] = [
    ['lists', (n) => 'ls; '.repeat(n)],
    ['words', (n) => `ls ${'a '.repeat(n)}`],
    ['nested substitutions', (n) => `echo ${'$('.repeat(n)}x${')'.repeat(n)}`],
    ['nested quotes', (n) => `echo ${'"$('.repeat(n)}x${')"'.repeat(n)}`],
    ['nested expansions', (n) => `echo ${'$'}${'{x:-$'.repeat(n)}x${'}'.repeat(n)}`],
    ['open brackets', (n) => '('.repeat(n)],
    ['open braces', (n) => '{ '.repeat(n)],
    ['wrappers', (n) => `${'env '.repeat(n)}ls`],
    ['wrappers that are not followed', (n) => `${'nice -x '.repeat(n)}ls`],
    ['commands that may be started', (n) => `${'sudo -u a '.repeat(n)}ls`],
    ['texts that may be run', (n) => `${"ssh a 'b c' ".repeat(n)}ls`],
    ['what a shell reads', (n) => `${'echo a b; '.repeat(n)} | sh`],
    ['backquotes', (n) => '`'.repeat(n)],
    ['here-documents', (n) => `cat ${'<<A '.repeat(n)}\n${'A\n'.repeat(n)}`],
    ['assignments', (n) => `${'x=1 '.repeat(n)}ls`],
    ['one long word', (n) => `ls ${'a'.repeat(n)}`],
    ['paths', (n) => `ls ${'a/'.repeat(n)}`],
    ['scripts in scripts', (n) => `eval ${'eval '.repeat(n)}ls`],
    ['sed', (n) => `sed ${'s/a/b/;'.repeat(n)}p`],
    ['folders', (n) => 'cd a; '.repeat(n)],
  ];
  it.each(growing)('takes time that grows with its length: %s', async (_name, text) => {
    const spent = async (n: number): Promise<number> => {
      const runs: number[] = [];
      for (let i = 0; i < 5; i++) {
        const before = process.cpuUsage();
        await analyse(text(n));
        const { user, system } = process.cpuUsage(before);
        runs.push(user + system);
      }
      return Math.min(...runs);
    };
    await spent(200);
    const [small, large] = [await spent(300), await spent(2400)];
    // Eight times the text; a quadratic walk would take sixty-four times as long. Below a few ms nothing is measured.
    expect(large).toBeLessThan(Math.max(small, 1500) * 24);
  });
  it('reads what a search starts once, however many searches start one another', async () => {
    const held = async (n: number): Promise<number> =>
      namesIn(await analyse(`${'find . -exec '.repeat(n)}ls {} \\;`))
        .join(' ')
        .split(' ').length;
    expect(await held(1)).toBe(8);
    expect(await held(10)).toBeLessThan(10 * 40);
    expect(await held(400)).toBeLessThan(400 * 3 * 25);
  });
});
