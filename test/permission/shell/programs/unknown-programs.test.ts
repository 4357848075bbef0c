import { expect, test } from 'vitest';
import { analyse } from '../../../../src/permission/shell/analyse.ts';

const list = (text: string): readonly string[] => text.split(' ');
const first = async (text: string) => (await analyse(text)).commands[0];
const hazardOf = async (text: string) => (await first(text))?.profile.hazard;
const startedBy = async (text: string) =>
  (await first(text))?.inner.map(({ words }) => words.map((word) => word.text).join(' ')) ?? [];

test.each(
  list(
    'eval exec execute expr command commands cmd shell hook hooks pager editor browser viewer plugin plugins extension extensions preload require requires load loader register import setup addon addons script scripts interpreter wrapper launcher program extractor bootstrap lua on pythonpath config conf configuration rcfile',
  ),
)('an option that is named for a %s asks', async (part) => {
  for (const option of [
    `--${part}`,
    `-${part}`,
    `--${part}=y`,
    `--init-${part}`,
    `--${part}File`,
    `--${part.toUpperCase()}`,
    `--My-${part}`,
    `--my.${part}`,
  ]) {
    expect(await hazardOf(`prog ${option} y`), option).toBe(`prog ${option} may run code or load it`);
  }
  expect(await hazardOf(`prog --no-${part} --un${part}ed ${part}ing`)).toBeUndefined();
});

test.each([
  "prog -e 'f(1)'",
  "prog -c 'a b'",
  "prog -x 'a;b'",
  "prog -E 'a|b'",
  "prog -ne 'a&b'",
  "prog -e'f(1)'",
  "prog -c'a b'",
  "prog -x'a b'",
  "prog -E'a b'",
  "prog -e '{'",
  "prog -e '\"'",
  "prog -e 'a\\b'",
])('%s takes code', async (text) => {
  expect(await hazardOf(text)).toMatch(/^prog -\S*.* may run code or load it$/);
});

test.each([
  'prog -e a.b/c:d=e,@%+~^ -c x -e',
  "prog -m 'a b'",
  "prog --message 'a (b)'",
  "prog 'a b'",
  "prog -name 'a b'",
  "prog -pile 'a b'",
  'prog -x',
  'prog -ex',
  'prog',
])('%s takes none', async (text) => {
  expect(await hazardOf(text)).toBeUndefined();
  expect(await startedBy(text)).toEqual([]);
});

test.each(list('exec run spawn launch dlx devenv'))('behind %s stands a command', async (verb) => {
  expect(await startedBy(`prog ${verb} rm x`)).toEqual(['rm x']);
  expect(await startedBy(`prog ${verb} -- rm x`)).toEqual(['rm x']);
  expect(await startedBy(`prog --to x ${verb} -- rm x`)).toEqual(['rm x']);
  expect(await startedBy(`prog ${verb}`)).toEqual([]);
  expect(await startedBy(`prog file ${verb} x`)).toEqual([]);
  expect(await hazardOf(`prog ${verb} rm x`)).toBeUndefined();
  expect(await hazardOf(`prog ${verb} --flag rm x`)).toBe('prog is used in a way that is not followed');
  expect(await startedBy(`prog ${verb} --flag rm x`)).toEqual(['rm x']);
  expect(await hazardOf(`prog ${verb} --flag`)).toBeUndefined();
  expect(await hazardOf(`prog ${verb} "$X"`)).toBe('prog is used in a way that is not followed');
  expect(await startedBy(`prog ${verb} "$X" y`)).toEqual([]);
  expect((await analyse(`prog ${verb} "$X" y`)).doubts).toEqual([]);
});

test.each(list('eval repl console shell develop runner script tinker execute cmd runghc ghc ghci utop'))(
  'behind %s stands code',
  async (verb) => {
    expect(await hazardOf(`prog ${verb}`)).toBe(`prog ${verb} may run code`);
    expect(await hazardOf(`prog -v ${verb} x`)).toBe(`prog ${verb} may run code`);
    expect(await hazardOf(`prog x ${verb}`)).toBeUndefined();
  },
);

test.each(list('cypress dbt flask golangci-lint k6 lefthook moon newman pre-commit'))(
  '%s runs what its settings say',
  async (program) => {
    expect(await startedBy(`${program} run x`)).toEqual([]);
    expect(await startedBy(`${program} run -- x`)).toEqual(['x']);
  },
);

test('a command stands behind two dashes', async () => {
  expect(await startedBy('prog a -- rm x')).toEqual(['rm x']);
  expect(await startedBy('prog a --')).toEqual([]);
});

test.each(
  list(
    'base32 base64 basename cat cksum clear cmp column comm cut df dirname dir expand factor fmt fold free groups head hexdump id iostat join last link ln logname look ls lsblk lsof lscpu md5 md5sum mkdir mkfifo mktemp nl nm nproc numfmt objdump od paste pathchk pgrep ping pr printenv ps pstree readelf readlink realpath rev rmdir seq sha1sum sha224sum sha256sum sha384sum sha512sum size sleep ss stat strings stty sum sync tac tail touch tput tr tsort tty uname unexpand uptime users vdir vmstat w who whoami yes',
  ),
)('%s starts nothing', async (program) => {
  expect(await startedBy(`${program} run -- rm`)).toEqual([]);
  expect(await hazardOf(`${program} -e 'a b' eval`)).toBeUndefined();
});

test.each(list('uniq xxd'))('%s starts nothing', async (program) => {
  expect(await startedBy(`${program} -- rm`)).toEqual([]);
});
