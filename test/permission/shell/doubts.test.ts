import { describe, expect, it } from 'vitest';
import { analyse } from '../../../src/permission/shell/analyse.ts';

const doubtsOf = async (text: string): Promise<readonly string[]> => (await analyse(text)).doubts;

describe('why a text is not understood', () => {
  const otherReading = 'not every shell reads its quotes and substitutions alike';
  const twoBrackets = '(( may begin arithmetic, or a group in a group';
  const otherEnd = 'not every shell ends its here-document alike';
  const splitSign = 'a line goes on in the middle of a sign';
  const endingTest = 'a test holds signs that end a command';
  const splitTest = 'a test goes over several lines';
  const unknownFolder = 'it changes to a folder that is not known before it runs';
  const table: readonly (readonly [text: string, ...doubts: string[]])[] = [
    ['ls "', 'the command cannot be parsed'],
    ['echo ${', 'the command cannot be parsed'],
    ['$[1]', 'it evaluates arithmetic in an old form'],
    ['ls <(a) #', 'a process substitution stands beside a #'],
    ['ls >(a) #', 'a process substitution stands beside a #'],
    ['ls <(a)'],
    ['ls #'],
    ['ls \u0001', 'the command holds control characters'],
    ['ls\r', 'the command holds control characters'],
    ['ls\u000b', 'the command holds control characters'],
    ['ls\u007f', 'the command holds control characters'],
    ['ls\t\nls'],
    ['ls \u200b', 'the command holds invisible characters'],
    ['ls \ud800', 'the command holds invisible characters'],
    ['', 'there is no command'],
    ['# x', 'there is no command'],
    ['> x'],
    ['select x in a; do ls; done', 'it loops in a way that is not followed'],
    ['for ((;;)); do ls; done', 'it loops in a way that is not followed'],
    ['coproc ls', 'it starts a coprocess'],
    ['f() { ls; }', 'it defines a function'],
    ['((1))', 'it evaluates arithmetic as a command'],
    ['[[ a && b ]]; ls', 'a test holds && or ||'],
    ['[[ -v x ]]; ls', 'a test evaluates a subscript'],
    ['[[ -R x ]]; ls', 'a test evaluates a subscript'],
    ['[[ 1 -eq 2 ]]; ls', 'a test evaluates arithmetic'],
    ['[[ a < b ]]; ls', 'a test evaluates arithmetic'],
    ['[[ -n x ]]; ls'],
    ['[[ a = b ]]; ls'],
    ['[[ a == b ]]; ls'],
    ['[[ a != b ]]; ls'],
    ['[[ a =~ b ]]; ls'],
    ['[[ a -nt b ]]; ls'],
    ['[[ ! -n x ]]; ls'],
    ['[[ ( -n x ) ]]; ls'],
    ['[[ ! ( 1 -eq 2 ) ]]; ls', 'a test evaluates arithmetic'],
    ['[[ a && 1 -eq 2 ]]; ls', 'a test holds && or ||', 'a test evaluates arithmetic'],
    ['{fd}> x ls', 'it opens a file under a number it chooses'],
    ['ls > $x', 'it redirects to $x, which is known only when it runs'],
    ['ls > *', 'it redirects to *, which is known only when it runs'],
    ['ls <&x', 'it redirects from x'],
    ['ls &> x y', 'words stand behind &>'],
    ['ls &>> x y', 'words stand behind &>'],
    ['ls &> x X=1', 'words stand behind &>'],
    ['&> x X=1 ls', 'words stand behind &>'],
    ['X=1 ls &> x'],
    ['X=1 &> x ls', 'words stand behind &>'],
    ['ls &> x'],
    ['ls &> x 2>&1'],
    ['ls y &> x'],
    ['ls > x y'],
    ['X=1', 'it sets X for what follows'],
    ['X=1 Y=2', 'it sets X for what follows', 'it sets Y for what follows'],
    ['CI=1', 'there is no command'],
    ['CI=1; ls'],
    ['X=1 ls'],
    ['for x in a; do ls; done'],
    ['for x; do ls; done'],
    ['shopt -s dotglob', 'it changes what patterns find'],
    ['echo "$(cd a; ls)"'],
    ['for PATH in a; do ls; done', 'the loop sets PATH'],
    ['for npm_x in a; do ls; done', 'the loop sets npm_x'],
    ['for http_proxy in a; do ls; done', 'the loop sets http_proxy'],
    ['echo ${!x}', '${!x} expands what a variable names'],
    ['echo ${x[y]}', '${x[y]} evaluates a subscript'],
    ['echo ${x[1]}'],
    ['echo ${x[@]}'],
    ['echo ${x[*]}'],
    ['echo ${x=y}', 'an expansion sets a variable'],
    ['echo ${x:=y}', 'an expansion sets a variable'],
    ['echo ${x:-y}'],
    ['echo ${x:+y}'],
    ['echo ${x:1}', 'an expansion evaluates arithmetic'],
    ['echo ${x:1:2}', 'an expansion evaluates arithmetic'],
    ['echo ${x@P}', 'an expansion evaluates what a variable holds'],
    ['echo ${x^^}'],
    ['echo ${x/a/b}'],
    ['echo ${x#a}'],
    ['echo ${#x}'],
    ['echo ${!x*}', '${!x*} expands what a variable names'],
    ['&>x A=1', 'words stand behind &>', 'it sets A for what follows'],
    ['&>x CI=1', 'words stand behind &>'],
    ['export &>x A=1', 'words stand behind &>'],
    ['ls <&3'],
    ['ls <&-'],
    ['ls <&a', 'it redirects from a'],
    ['echo ${x!}', 'an expansion is not understood'],
    ['echo ${x;$(rm y)}', otherReading, 'an expansion is not understood'],
    ['echo ${x&y}', 'an expansion is not understood'],
    ['echo $(( ))', 'arithmetic cannot be parsed'],
    ['echo $((x))', 'arithmetic evaluates a variable'],
    ['echo $((1 + 2))'],
    ['echo $((-1))'],
    ['echo $((-x))', 'arithmetic evaluates a variable'],
    ['echo $((1 ? 2 : 3))'],
    ['echo $((1 ? 2 : x))', 'arithmetic evaluates a variable'],
    ['echo $((1 ? x : 3))', 'arithmetic evaluates a variable'],
    ['echo $((x ? 2 : 3))', 'arithmetic evaluates a variable'],
    ['echo $((1 + x))', 'arithmetic evaluates a variable'],
    ['echo $((x + 1))', 'arithmetic evaluates a variable'],
    ['echo $(((x)))', 'arithmetic evaluates a variable'],
    ['echo $((x = 1))', 'arithmetic evaluates a variable'],
    ['echo $(( $(ls) ))', 'arithmetic evaluates what a command prints'],
    ['echo {a,b}', '{a,b} becomes several words'],
    ['echo @(a)', '@(a) is a pattern that not every shell reads alike'],
    ["echo $'a'", 'it uses quotes that not every shell reads alike'],
    ['echo $"a"', 'it uses quotes that not every shell reads alike'],
    ['echo *'],
    ['$x', 'the command word $x gets its value only when it runs'],
    ['*', 'the command word * gets its value only when it runs'],
    ["''", 'the command word is empty'],
    ['cd', unknownFolder],
    ['cd -', unknownFolder],
    ['cd --', unknownFolder],
    ['cd $x', unknownFolder],
    ['cd *', unknownFolder],
    ['cd a'],
    ['cd -- a'],
    ['command cd a'],
    ['builtin cd a'],
    ['env cd $x'],
    ['while true; do cd a; done', unknownFolder],
    ['until true; do cd a; done', unknownFolder],
    ['for x in a; do cd a; done', unknownFolder],
    ['while cd a; do ls; done', unknownFolder],
    ['if true; then cd a; fi'],
    // Quotes within an expansion: in some places they mean themselves.
    ["ls <<E\n${x:-'$(id)'}\nE", otherReading],
    ['ls <<E\n`ls \\"a`\nE', otherReading],
    ['ls <<E\n${x:-`ls \\"a`}\nE', otherReading],
    ['ls <<E\n`ls "a"`\nE'],
    ['echo "`ls \\"a\\"`"'],
    // A quoted here-document in it is substituted by bash.
    ['((ls); ls)', twoBrackets],
    ['! ((ls) | ls)', twoBrackets],
    ['((ls) && ls) > x', twoBrackets],
    ['((ls) > x; ls)', twoBrackets],
    ['( (ls); ls)'],
    ['(ls; (ls))'],
    ['{ (ls); }'],
    ['(! (ls))'],
    ['echo $((ls); ls)', otherReading],
    ['echo $( (ls); ls)'],
    // Some shells read on behind the end of the document, for the end of the expansion.
    ['ls <<E\n$(ls\nE\n', otherReading],
    ['ls <<E\n${x:-a\nE\n', otherReading],
    ['ls <<E\na\n$(ls)\nE\n'],
    ['ls <<E\n$(ls)$x\nE'],
    ['ls <<E\na', otherEnd],
    ["ls <<'E'\na", otherEnd],
    ['ls <<A <<B\na\nA\nb', otherEnd],
    // It starts nothing, but whoever takes the signs for one another would see a beginning.
    ['ls <<E\n$\\$(\nE', otherReading],
    ['ls <<E\n$x $\\$(\nE', otherReading],
    ['echo "$\\$("', otherReading],
    ["ls <<E\n${x:+'`id`'}\nE", otherReading],
    ["ls <<-E\n\t${x-'a'$y}\n\tE", otherReading],
    ["echo $(cat <<E\n${x+${y:-'$(id)'}}\nE\n)", otherReading],
    ["ls <<E\n${x:-'a b'}\nE"],
    ["ls <<E\n${x:-'a\nb'}\nE", otherReading],
    ['ls <<E\n${x:-"$(id) a"}\nE'],
    ['ls <<E\n${x:-"}"}\nE', otherReading],
    ['ls <<E\n${x:-\\"a}\nE', otherReading],
    ['ls <<E\n${x:-\\a\\ b}\nE'],
    ["ls <<'E'\n${x:-'$(id)'}\nE"],
    ["ls <<\\E\n${x:-'$(id)'}\nE"],
    ['ls <<E\n\\$(id) \\`id\\` <(id)\nE'],
    ['ls <<E\n$x \\$(id) \\`id\\` <(id)\nE'],
    ["ls <<E\n$(cat 'a\\\nb')\nE", otherReading],
    ['ls <<E\na\\\nb $x\nE'],
    ['ls <<E"F"\na\nEF', otherEnd],
    ['ls <<E`; id\n\nE', otherEnd],
    ['ls <<"E F"\na\nE F'],
    ["ls <<'E-1'\na\nE-1"],
    ["ls `cat 'a\\\nb'`", otherReading],
    ["ls $(cat 'a\\\nb')"],
    ["echo ${x:-'a b'}"],
    ['echo ${x:-a<b} ${x:-a>{b}'],
    ['echo ${x:-$((1+2))}'],
    ["echo ${x:-'}'}", otherReading],
    ["echo ${x#'$y'}", otherReading],
    ['echo "${x:-\'a\'}"'],
    ['echo "${x:-\'$(id)\'}"', otherReading],
    ['echo "${x:-"$(id) a"}"'],
    ['echo "${x:-"{"}"', otherReading],
    ['echo "${x//\\"/}"'],
    ["echo ${x//\\'/}", otherReading],
    ['echo ${x//\\//-}'],
    ['echo ${x:-\\}}', otherReading],
    ['echo "${x//>(id .})1/$x}"', otherReading],
    ['echo "${x//>(id \\)}/b}"', otherReading],
    ['echo ${x:-<(id)}', otherReading],
    ['echo "${x:-$(ls <(id))}"'],
    ['echo ${x:-a$(id)b${y:-$(id)}`id`}'],
    // In some words processes are substituted within quotes, too.
    ['true "${x?<(id)}"', otherReading],
    ['true "${x:?a>(id)}"', otherReading],
    ['true ${x:?<(id)}', otherReading],
    ['true 1>(id)', otherReading],
    ['true a 2<(id)', otherReading],
    ['true 1>(id) "a"', otherReading],
    ['true "1>(id)" \'1>(id)\' 1\\>\\(a'],
    ['true "$x>(id)"'],
    ['true <<< <(id)a', 'a process is substituted for a text'],
    ['true <<< $(id)'],
    ['true <<< a'],
    ['true "$\\\n(id)"', splitSign],
    ['true <\\\n(id)', splitSign],
    ['true >\\\n(id)', splitSign],
    ['true 1\\\n\\\n> a', splitSign],
    ['true {f\\\nd}<<<a', splitSign],
    ['true {fd}\\\n<<<a', splitSign],
    ['true {\\\nf\\\nd}<<<a', splitSign],
    ['true {f\\\nd} 1 \\\n> a'],
    ['true a\\\nb'],
    ['true 12> a', 'it redirects a file with a number of two digits'],
    ['true 10<&1', 'it redirects a file with a number of two digits'],
    ['true 9> a'],
    ["true >&-'a'", 'what it closes is not clear'],
    ['true >&-"" a', 'what it closes is not clear'],
    ['true <&-"" a', 'what it closes is not clear', 'it redirects from -'],
    ["ls >& '$(id)'", 'it redirects to $(id) in a way that may run what it names'],
    ['ls 1>& \\$x', 'it redirects to $x in a way that may run what it names'],
    ['ls >&\\`id\\`', 'it redirects to `id` in a way that may run what it names'],
    ["ls >& '~'", 'it redirects to ~ in a way that may run what it names'],
    ["ls > '$(id)' 2> '`id`'"],
    ["ls &> '$(id)'"],
    ["ls >& 'a/b.c'"],
    ['true >&-'],
    ['true > -a'],
    ['true <&-a', 'what it closes is not clear', 'it redirects from -a'],
    // To a shell that does not know the test it is a command, and what it holds are signs.
    ['[[ a =~ a|id ]]; ls', endingTest],
    ['[[ a =~ ^(a|b)$ ]]; ls'],
    ['[[ a =~ a|(b) ]]; ls', endingTest],
    ['[[ a =~ a\\|b ]]; ls'],
    ["[[ a =~ 'a|b' ]]; ls"],
    ['[[ a =~ [a]|b ]]; ls', endingTest],
    ['[[ a =~ $x[a|b] ]]; ls', endingTest],
    ['[[ &= a ]]; ls', endingTest],
    ['[[ a = ; ]]; ls', endingTest],
    ['[[ a\n= b ]]; ls', splitTest],
    ['[[ a = b\n]]; ls', splitTest],
    ['[[\nid = b ]]; ls', splitTest],
    ['echo $([[ a = b\n]]; ls)', splitTest],
    ['echo `[[ a = \\`id\\` ]]; ls`'],
    ['echo `[[ a = \\`[[ c = b\n]]\\` ]]; ls`', splitTest],
    ['echo `[[ a = \\`[[ c = b ]]\\` ]]; ls`'],
    ['[\\\n[ a = b ]]; ls', splitTest],
  ];
  it.each(table)('%j', async (text, ...doubts) => {
    expect(await doubtsOf(text)).toEqual(doubts);
  });
});

describe('limits of what is read', () => {
  const times =
    (before: string, middle: string, after = '') =>
    (n: number): string =>
      before.repeat(n) + middle + after.repeat(n);
  const table: readonly (readonly [name: string, text: (n: number) => string, first: number, doubt: string])[] = [
    ['letters', times('a', ''), 20_001, 'the command is too long to analyse'],
    ['commands', times('ls;', ''), 301, 'it runs more commands than can be judged'],
    ['commands of git in a folder', times('git -C . log;', ''), 301, 'it runs more commands than can be judged'],
    ['wrappers', times('env ', 'ls'), 24, 'commands are nested too deeply'],
    ['texts in texts', times('eval ', 'ls'), 12, 'commands are nested too deeply'],
    ['folders', times('cd a;', ''), 4, 'it changes the folder too often'],
    ['substitutions', (n) => `echo ${times('$(echo ', 'x', ')')(n)}`, 8, 'commands are nested too deeply'],
    ['expansions', (n) => `echo ${times('${x:-', 'x', '}')(n)}`, 20, 'words are nested too deeply'],
    ['quotes', (n) => `echo ${times('"${x:-', 'x', '}"')(n)}`, 13, 'words are nested too deeply'],
    ['brackets', (n) => `echo $(( ${times('(', '1', ')')(n)} ))`, 37, 'words are nested too deeply'],
    ['groups', (n) => `${times('{ ', 'ls; ', '}; ')(n)}ls`, 8, 'commands are nested too deeply'],
    ['subshells', times('( ', 'ls', ' )'), 8, 'commands are nested too deeply'],
  ];
  it.each(table)('%s', async (_name, text, first, doubt) => {
    expect(await doubtsOf(text(first - 1))).toEqual([]);
    expect(await doubtsOf(text(first))).toEqual([doubt]);
  });
  it('arithmetic has a limit of its own', async () => {
    const text = (n: number) => `echo $((${times('(', '1', ')')(n)}))`;
    expect(await doubtsOf(text(36))).toEqual([]);
    for (const n of [38, 39, 45]) expect(await doubtsOf(text(n))).toEqual(['arithmetic is nested too deeply']);
  });
  it('tests have a limit too', async () => {
    const text = (n: number) => `[[ ${times('( ', '-n x', ' )')(n)} ]]; ls`;
    expect(await doubtsOf(text(37))).toEqual([]);
    expect(await doubtsOf(text(38))).toEqual(['words are nested too deeply']);
    expect(await doubtsOf(text(60))).toEqual(['commands are nested too deeply']);
  });
  it('groups around no command have a limit too', async () => {
    const text = times('( ', '> x', ' )');
    expect(await doubtsOf(text(12))).toEqual([]);
    expect(await doubtsOf(text(13))).toEqual(['words are nested too deeply']);
    expect(await doubtsOf(text(14))).toEqual(['commands are nested too deeply']);
  });
  it('doubts are told up to twenty', async () => {
    const text = (n: number) => Array.from({ length: n }, (_one, i) => `$a${i}`).join(';');
    for (const [asked, told] of [
      [19, 19],
      [20, 20],
      [21, 20],
    ] as const) {
      expect(await doubtsOf(text(asked))).toHaveLength(told);
    }
  });
});

describe('what a text sets, reads and writes', () => {
  const table: readonly (readonly [text: string, found: object])[] = [
    ['CI=1 ls', { sets: [[]] }],
    ['NODE_ENV=a.b,c:@d+e- LC_X=1 ls', { sets: [[]] }],
    ['CI=$x ls', { sets: [['CI']] }],
    ['CI=a/b ls', { sets: [['CI']] }],
    ['CI+=1 ls', { sets: [['CI']] }],
    ['CI[1]=2 ls', { sets: [['CI']] }],
    ['CI=(1) ls', { sets: [['CI']] }],
    ['CI=* ls', { sets: [['CI']] }],
    ['XCI=1 CIX=1 ls', { sets: [['XCI', 'CIX']] }],
    ['ls X=1', { sets: [[]] }],
    ['ls >&x', { writes: [['x', false]] }],
    ['ls <> x', { writes: [['x', false]] }],
    ['ls >| x', { writes: [['x', false]] }],
    ['ls &>> x', { writes: [['x', true]] }],
    ['ls >> x', { writes: [['x', true]] }],
    ['> x ls', { writes: [['x', false]] }],
    ['{ ls; } > x', { writes: [['x', false]] }],
    ['ls > /dev/null 2> /dev/stderr > /dev/stdout < /dev/stdin', { writes: [], reads: [] }],
    ['ls 2>&1 >&- 2>&1- <&3', { writes: [], reads: [] }],
    ['ls 2>&1x', { writes: [['1x', false]] }],
    ['ls < in', { reads: ['in'] }],
    ['< in ls', { reads: ['in'] }],
    ['ls <<< x', { reads: [], writes: [] }],
    ['cd /x; cd y', { folders: ['.', '/x', './y', '/x/y'] }],
    ['cd a; cd a', { folders: ['.', './a', './a/a'] }],
    ['cd a b', { folders: ['.', './a'] }],
    ['cd -- a', { folders: ['.', './a'] }],
    ['command cd a', { folders: ['.', './a'] }],
    ['builtin command cd a', { folders: ['.', './a'] }],
    ['nice cd a', { folders: ['.'] }],
  ];
  it.each(table)('%j', async (text, found) => {
    const { commands, writes, reads, folders } = await analyse(text);
    expect({
      sets: commands.map(({ sets }) => sets),
      writes: writes.map(({ word, append }) => [word.text, append]),
      reads: reads.map((word) => word.text),
      folders,
    }).toMatchObject(found);
  });
});

it.each([
  'echo @($(rm x)|b)',
  'echo +(a`rm x`)',
  'echo {$(rm x),b}',
  'echo a*$(rm x)',
  'echo "$(rm x)"',
  'export A=$(rm x)',
  'A=$(rm x)',
  'echo ${x@Q$(rm x)}',
])('what a word starts is seen in %s', async (text) => {
  const { commands } = await analyse(text);
  expect(commands.map(({ words }) => words.map((word) => word.text).join(' '))).toContain('rm x');
});

it.each([
  ['ls > 3', ['3']],
  ['ls >&3', []],
  ['ls <> 3', ['3']],
  ['ls <&3', []],
])('%s writes %j', async (text, files) => {
  expect((await analyse(text)).writes.map(({ word }) => word.text)).toEqual(files);
});
