import { expect, test } from 'vitest';
import { analyse } from '../../../../src/permission/shell/analyse.ts';

const hazardOf = async (text: string) => (await analyse(text)).commands[0]?.profile.hazard;

test.each([
  'pandoc -s -N --standalone --toc --number-sections --mathjax --wrap=none --from=a --to=b --output=c a.md',
  'pandoc -f a -t b -r a -w b -o c -M d -V e -fa a.md',
  'pandoc --from a --to b --read a --write b --output c --metadata d --variable e a.md',
  'pandoc --version',
  'pandoc --help',
  'nim c -d:release --hints:off --warnings:on a.nim',
  ...'cc cpp js check doc dump'.split(' ').map((verb) => `nim ${verb} a.nim`),
  'nim --version',
  'nim --help',
  ...'test test:models t spec routes about notes stats version generate g zeitwerk:check db:migrate db:migrate:status assets:precompile middleware initializers'
    .split(' ')
    .map((verb) => `rails ${verb} x`),
  'rails test -v -bf --verbose --fail-fast --backtrace',
  'bin/rails --version',
  'rails --help',
  'rollup',
  'rollup -c',
  'rollup -',
  'rollup -c -w -m --watch --silent --sourcemap --failAfterWarnings --bundleConfigAsCjs',
  'rollup --version',
  'rollup --help',
  'sbt -batch --no-colors test:compile core/Test/testQuick IntegrationTest/test it:test "testOnly a.B*"',
  "curl -w '%{http_code}' -H '{a}' 'https://x/[1-3]/{a,b}' HTTP://x/{a}",
  'curl --proto =https x',
  'sbt clean update package assembly doc about scalafmtCheck scalafmtCheckAll +compile',
  'sbt --version',
  'sbt -help',
])('%s is harmless', async (text) => {
  expect(await hazardOf(text)).toBeUndefined();
});

test.each([
  "curl 'file:{///x}'",
  "curl -s 'f[i-i]le:/x'",
  "curl 'a.b/\n{file:/x}'",
  "curl 'ahttps://{x}'",
  'curl --url x',
  'curl -L --proto-redir =file x',
  'pandoc -F x a.md',
  'pandoc --filter x a.md',
  'pandoc --lua-filter x a.md',
  'pandoc -L x a.md',
  'pandoc -f x.lua a.md',
  'pandoc -tx.lua a.md',
  'pandoc --to=x.lua a.md',
  'pandoc --from x.lua+smart a.md',
  'pandoc --pdf-engine=x a.md',
  'pandoc -d x',
  'nim e x',
  'nim r x',
  'nim c -r x',
  'nim c --gcc.exe:x a.nim',
  'rails runner x',
  'rails r x',
  'rails c',
  'bin/rails dbconsole',
  'rails db:drop',
  'rails routes --help-all',
  'rollup -c x.js',
  'rollup -p x',
  'rollup --config x',
  'rollup a.js',
  "sbt 'runMain x'",
  "sbt 'eval x'",
  'sbt test run',
  "sbt 'testOnly a -- b'",
  'sbt -Dx=y',
])('%s asks', async (text) => {
  expect(await hazardOf(text)).toMatch(/ may run a program, load code, send a file or write one$/);
});
