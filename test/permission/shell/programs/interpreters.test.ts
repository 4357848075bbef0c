import { expect, test } from 'vitest';
import { analyse } from '../../../../src/permission/shell/analyse.ts';

const list = (text: string): readonly string[] => text.split(' ');
const profile = async (text: string) => (await analyse(text)).commands[0]?.profile;

test.each(
  list(
    'bb coffee csi d8 dmd esmo esno fennel gjs gosh gsi haxe hy janet jiti jruby jsc jython kotlin kscript ldc2 livescript lsc micropython mruby nashorn newlisp qjs raku rakudo rdmd runghc sucrase-node swc-node tcc truffleruby',
  ),
)('%s runs a named file, and asks with any option', async (program) => {
  expect(await profile(`${program} a.x`)).toEqual({});
  expect((await profile(`${program} -e x`))?.hazard).toBe(
    `${program} -e may take the word behind it, or load more code`,
  );
  expect((await profile(program))?.hazard).toBe(`${program} runs what it reads`);
});

test.each([
  ['runhaskell', 'runghc'],
  ['clj', 'clojure'],
  ['graalpy3', 'python'],
  ['py -3', 'python'],
])('%s is %s', async (text, program) => {
  expect((await profile(`${text} -e x`))?.hazard).toMatch(program === 'clojure' ? /^clojure: it runs/ : / may take /);
});

test.each(
  [
    'clojure bpython ptpython jrunscript jjs rhino dotnet-script csharp fsi fsharpi scheme chez ecl ccl abcl gforth wolframscript wolfram math matlab sage gp gap mongo cypher-shell sqlcmd isql tsql usql pgcli mycli litecli iredis clickhouse clickhouse-client influx snowsql nmap tshark tcpdump blender gimp inkscape libreoffice soffice asy texlua tectonic groff xdotool i3-msg swaymsg hyprctl qdbus dbus-send busctl gsettings defaults rdbg psysh wp drush rust-script cling root evcxr yaegi gomacro picolisp phantomjs coqtop stata vivado vsim quartus_sh openocd yosys amm mail mailx jdb',
    'runc crun crictl ctr buildah nsjail multipass wsl colima limactl toolbox distrobox incus lxc-attach sandbox-exec',
    'rr heaptrack catchsegv nq fq pueue kcov drmemory memray py-spy scalene austin samply coz uftrace bpftrace sysdig dtrace dtruss ktrace truss instruments xctrace devbox flox pkgx dagger earthly op infisical teller summon berglas sops vault consul nomad etcdctl aws-okta saml2aws env-cmd dotenv-cli with-env execlineb s6-setuidgid foreground multilog 0x clinic autocannon start-server-and-test npm-watch cargo-watch gow ghcid guard air kitty alacritty wezterm gnome-terminal foot st urxvt rxvt xfce4-terminal terminator tilix mmv prename imv qmv pdm rye hatch vfox electron papermill xcrun libtool tsc-watch chokidar lf ranger nnn mc vifm broot tig lazygit gitui ncdu scala-cli coursier cs ldd dosbox qemu-x86_64 qemu-aarch64 jar',
  ].flatMap(list),
)('%s asks always', async (program) => {
  const { hazard, starts } = (await profile(`${program} -x rm a`)) ?? {};
  expect(hazard).toMatch(new RegExp(`^${program}: it `));
  expect(starts?.[0]?.map(({ text }) => text)).toEqual(['rm', 'a']);
});

test.each<[string, number]>([
  ['coverage run a.py', 3],
  ['coverage run -p --branch --source=src -a --append --parallel-mode --omit=x --include=y a.py', 11],
  ['coverage run -m pytest -q', 4],
  ['python -m coverage run -m pytest', 6],
  ['python -m coverage run a.py', 5],
  ['python -W ignore -m coverage run a.py', 7],
])('a rule for %s names %i words', async (text, pin) => {
  expect(await profile(text)).toEqual({ pin });
});

test.each([
  ['coverage run', 'coverage runs what it reads'],
  ['coverage run --branch', 'coverage runs what it reads'],
  ['coverage run -c x', 'coverage -c runs code that stands in its words or loads more'],
  ['coverage run --rcfile=x a.py', 'coverage --rcfile=x may take the word behind it, or load more code'],
  ['coverage run -m timeit x', 'coverage -m timeit runs code or installs it'],
  ['python -m coverage run -m timeit x', 'coverage -m timeit runs code or installs it'],
  ['python -mcoverage run a.py', 'python -mcoverage runs a module'],
  ['python -Bm coverage run a.py', 'python -Bm runs a module'],
  ...list('scalene memray viztracer bpython ptpython kernprof debugpy').map((module) => [
    `python -m ${module} a.py`,
    `python -m ${module} runs code or installs it`,
  ]),
])('%s asks: %s', async (text, why) => {
  expect((await profile(text))?.hazard).toBe(why);
});

test.each(['coverage report', 'coverage html', 'coverage'])('%s is no script', async (text) => {
  expect(await profile(text)).toEqual({});
});
test('other modules are not watched', async () => {
  expect(await profile('python -m coverage report')).toEqual({ pin: 3 });
  expect(await profile('python -m other run a.py')).toEqual({ pin: 3 });
});

test.each(
  'x run create c install i add a remove rm update link unlink pm patch patch-commit publish init upgrade repl audit outdated'.split(
    ' ',
  ),
)('bun %s does more than run a file', async (verb) => {
  const { hazard, pin } = (await profile(`bun ${verb} y`)) ?? {};
  expect(hazard !== undefined || pin === 3).toBe(true);
  expect((await profile(`bun ${verb} --preload y z`))?.hazard).toBeDefined();
});
test.each([
  ['bun x rm y', 'bun x runs a package'],
  ['bun run --preload ./x build', 'bun --preload may take the word behind it, or load more code'],
  ['bun test --preload ./x', 'bun --preload may run a program, load code, send a file or write one'],
  ['deno test -A x.ts', 'deno -A may run a program, load code, send a file or write one'],
  ['deno --config x test', 'deno --config runs code that stands in its words or loads more'],
  ...list(
    'eval repl run task install compile serve x jupyter add remove uninstall upgrade publish init update outdated cache vendor bundle deploy create i',
  ).map((verb) => [`deno ${verb} y`, `deno ${verb} runs code with rights of its own`]),
  ['python manage.py shell -c x', 'manage.py shell may run code'],
  ['php artisan tinker --execute=x', 'artisan tinker may run code'],
  ['node node_modules/.bin/eslint -c x', 'eslint -c runs a program, reads its orders from a file or writes one'],
])('%s asks: %s', async (text, why) => expect((await profile(text))?.hazard).toBe(why));
test.each([
  'bun test src',
  'bun build a.ts',
  'deno lint',
  'deno doc x',
  'deno a.ts',
  'bun a.ts --preload x',
  'node a.js shells',
])('%s does not', async (text) => expect(await profile(text)).toEqual({}));
test('what bun starts is known', async () => {
  const { commands } = await analyse('bun exec "rm x"; bun x rm y; bun run build; bun x; bun exec "$X"');
  const shown = commands.map(({ words, inner }) =>
    [words, ...inner.map((one) => one.words)].map((all) => all.map(({ text }) => text).join(' ')),
  );
  expect(shown.map((all) => all.join(' > '))).toEqual([
    'rm x',
    'bun exec rm x',
    'bun x rm y > rm y',
    'bun run build',
    'bun x',
    'bun exec "$X"',
  ]);
  expect(commands[1]?.profile.hazard).toBe('bun exec runs its word as a shell text');
  expect(commands.map(({ profile: { pin } }) => pin)).toEqual([undefined, undefined, undefined, 3, 3, 3]);
});
