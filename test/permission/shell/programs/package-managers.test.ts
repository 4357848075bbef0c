import { expect, test } from 'vitest';
import { createPermission } from '../../../../src/permission/create-permission.ts';
import { analyse } from '../../../../src/permission/shell/analyse.ts';
import { managerProfile, managesPackages } from '../../../../src/permission/shell/programs/package-managers.ts';
import { literalWord } from '../../../../src/permission/shell/shell-word.ts';
import { corpusPorts } from '../../corpus/workspace.ts';

/** One row for each word of a text. */
const rows = (...tables: readonly (readonly [program: string, words: string])[]) =>
  tables.flatMap(([program, words]) => words.split(' ').map((word): [string, string] => [program, word]));
const read = (text: string) => managerProfile(text.split(' ')[0] ?? '', text.split(' ').map(literalWord));
const profile = (program: string, word: string) => read(`${program} ${word} x`);
/** What a command starts, and texts that it runs. */
const started = (text: string) => {
  const { starts = [], scripts = [] } = read(text) ?? {};
  return [...starts.map((words) => words.map((word) => word.text).join(' ')), ...scripts];
};
const decide = async (text: string, allow: readonly string[], deny: readonly string[] = []) => {
  const permission = createPermission(corpusPorts, [], { deny, ask: [] });
  const call = { tool: 'Bash', args: { command: text }, effect: 'process', paths: null } as const;
  const signal = new AbortController().signal;
  return (await permission(call, { mode: 'default', allow, checks: [], workspace: '/repo', signal })).decision;
};

test.each(
  rows(
    [
      'pnpm',
      'exec dlx create config publish link add install i update up remove rm env setup store patch deploy import rebuild prune init self-update recursive multi m ci un uninstall upgrade approve-builds dedupe fetch pkg set cache install-test it version unpublish',
    ],
    [
      'yarn',
      'exec dlx create config publish link add install upgrade remove global set plugin node patch init import up unlink policies rebuild npm version tag owner login logout team unplug dedupe autoclean cache constraints workspaces upgrade-interactive',
    ],
    ['cargo', 'install run add remove publish fix login own'],
    ['go', 'run get install generate env mod work tool'],
    ['gh', 'api auth repo run workflow extension alias config release gist secret own'],
    ['dotnet', 'run add tool new nuget publish own.dll'],
  ),
)('%s %s runs other code', (program, word) => {
  expect(profile(program, word)?.hazard).toBe(`${program} ${word} installs or runs other code`);
});

test.each(
  rows(
    ['pnpm', 'list ls show check outdated -V -v --version help --help'],
    [
      'cargo',
      'build b check c test t bench clippy fmt doc d tree metadata version search help locate-project pkgid verify-project',
    ],
    ['go', 'build test vet list version doc fmt help'],
    ['gh', 'pr issue search status label version help project org ruleset'],
    ['dotnet', 'build test restore pack clean format sln msbuild vstest'],
    ['pip', 'list show freeze check help'],
  ),
)('%s %s is part of its own work', (program, word) => {
  expect(managerProfile(program, [program, word].map(literalWord))).toEqual({});
});

test.each(
  rows([
    'yarn',
    '-s -q -d -l -v -r -ws --silent --quiet --verbose --json --long --parseable --if-present --workspaces --recursive --ignore-scripts --offline --locked --frozen --release --no-color --no-progress --no-audit --no-fund --no-update-notifier --no-bail --no-optional --no-default-features --no-fail-fast --a=b',
  ]),
)('%s %s takes no word away', (program, option) => {
  expect(read(`${program} ${option} build`)).toEqual({ pin: 3 });
});

test.each(['yarn -V', 'yarn -v', 'yarn --help', 'yarn --version', 'pnpm'])('%s only shows something', (text) => {
  expect(read(text)).toEqual({});
});

test.each([
  ['npm run env -- rm x', 'env rm x'],
  ['npm run env rm x', 'env rm x'],
  ['npm run env rm -- x -- y', 'env rm x -- y'],
  ['npm run -- env rm x', 'env rm x'],
  ['npm rum --silent env ls', 'env ls'],
  ['npm run env', 'env'],
  ['npm run --a=b env', 'env'],
  ['npm run --silent b env x', 'env x'],
  ['pnpm run env x', 'env x'],
  ['pnpm run-script env x', 'env x'],
  ['yarn run env x', 'env x'],
  ['yarn env x', 'env x'],
])('%s may start %s', (text, command) => {
  expect(started(text)).toEqual([command]);
  expect(read(text)?.hazard).toBeUndefined();
});
test.each([
  'npm run build env',
  'npm run build --silent -- env',
  'npm run --silent a b env',
  'pnpm build env',
  'npm run environment',
  'npm test env',
  'yarn build env',
])('%s starts a script', (text) => expect(started(text)).toEqual([]));
test.each([
  ['npm run env -- rm -rf src', ['Bash(npm run *)', 'Bash(rm *)'], [], 'ask'],
  ['npm run env -- ls src', ['Bash(npm run *)'], [], 'ask'],
  ['npm run env -- ls src', ['Bash(npm run *)', 'Bash(ls *)'], [], 'allow'],
  ['npm run env', ['Bash(npm run *)'], [], 'ask'],
  ['npm run env -- X=1 ls', ['Bash(npm run *)', 'Bash(ls *)'], [], 'ask'],
  ['npm run env -- sudo x', ['Bash'], ['Bash(sudo *)'], 'deny'],
  ['npm exec -- sudo x', ['Bash'], ['Bash(sudo *)'], 'deny'],
  ['npm run env -- rm -rf src', ['Bash'], [], 'ask'],
  ['npm exec -- rm -rf src', ['Bash'], [], 'ask'],
  ['npm run build -- a', ['Bash(npm run *)'], [], 'allow'],
] as const)('%s under %j without %j: %s', async (text, allow, deny, decision) => {
  expect(await decide(text, allow, deny)).toBe(decision);
});

test.each([
  ['npm exec rm x', 'rm x'],
  ['npm exe --yes -- rm x', 'rm x'],
  ['npm x --package=y rm x', 'rm x'],
  ['npm explore p -- rm x', 'rm x'],
  ['pnpm exec rm x', 'rm x'],
  ['pnpm dlx rm x', 'rm x'],
  ['yarn exec rm x', 'rm x'],
  ['yarn workspace a exec rm x', 'rm x'],
  ['bundle exec rm x', 'rm x'],
  ['composer exec -- rm x', 'rm x'],
  ['mise exec node@20 rm x', 'rm x'],
  ['mise x -- rm x', 'rm x'],
  ['nvm exec 18 rm x', 'rm x'],
  ['rustup run nightly rm x', 'rm x'],
  ['corepack npm exec rm x', 'npm exec rm x'],
  ['corepack yarn x', 'yarn x'],
  ['corepack pnpm x', 'pnpm x'],
  ['corepack npx x', 'npx x'],
  ['corepack pnpx x', 'pnpx x'],
  ['gem exec rm x', 'rm x'],
  ['fnm exec rm x', 'rm x'],
  ['asdf exec rm x', 'rm x'],
  ['volta run rm x', 'rm x'],
  ['yarn dlx rm x', 'rm x'],
  ['npm exec --prefix=y rm x', 'rm x'],
])('%s starts %s', (text, command) => {
  expect(started(text)).toEqual([command]);
  expect(read(text)?.hazard).toBeDefined();
});
test.each([
  'npm exec',
  'npm exec --',
  'pnpm exec -r',
  'corepack enable',
  'bundle install',
  'npm install rm',
  'go run a.go',
  'cargo --config x build',
  'corepack use pnpm@9',
])('%s starts nothing that it names', (text) => expect(started(text)).toEqual([]));
test('the text behind -c is run as well', async () => {
  const words = (option: string) => ['npm', 'exec', option, 'rm x'].map(literalWord);
  for (const option of ['-c', '--call']) expect(managerProfile('npm', words(option))?.scripts).toEqual(['rm x']);
  expect(managerProfile('npm', words('-p'))?.scripts).toEqual([]);
  const { commands } = await analyse('npm exec -c "rm $X"; npm exec "$X" y');
  expect(commands.map(({ profile: { starts, scripts } }) => [starts, scripts])).toEqual([
    [[], []],
    [[], []],
  ]);
});

test.each([
  ['npm --no-otp test exec x', 'npm --no-otp may take the word behind it'],
  ['npm run --tag x y', 'npm --tag may take the word behind it'],
  ['yarn run -T x', 'yarn -T may take the word behind it'],
  ['yarn run --require ./x build', 'yarn --require changes what runs'],
  ['pnpm run --config.script-shell=./x build', 'pnpm --config.script-shell=./x changes what runs'],
  ['pnpm run --no-script-shell ./x build', 'pnpm --no-script-shell changes what runs'],
  ['npm run build --no-no-script-sh ./x', 'npm --no-no-script-sh changes what runs'],
  ['npm run build -script-shell=./x', 'npm -script-shell=./x changes what runs'],
  ['npm run build -w a', 'npm -w changes what runs'],
  ['npm run build --workspace=a', 'npm --workspace=a changes what runs'],
  ['npm view x --cache y', 'npm --cache changes what runs'],
  ['npm view x --logs-dir=y', 'npm --logs-dir=y changes what runs'],
  ['npm pack --pack-destination y', 'npm --pack-destination changes what runs'],
  ['npm -L user list', 'npm -L changes what runs'],
  ['npm diff --diff=./e', 'npm --diff=./e changes what runs'],
  ['npm pack ./e', 'npm pack ./e runs the scripts of another package'],
  ['npm pa --dry-run e', 'npm pack e runs the scripts of another package'],
  ['npm run lint -- --config x', 'the script may take --config for what it loads or runs'],
  ['npm test -- --globalSetup=x', 'the script may take --globalSetup=x for what it loads or runs'],
  ['yarn lint --plugin x', 'the script may take --plugin for what it loads or runs'],
  ['cargo test -- --logfile=x', 'cargo test -- --logfile=x changes what runs, or writes a file'],
  ['cargo fmt -- --config-path x', 'cargo fmt -- --config-path changes what runs, or writes a file'],
  ['cargo fmt -- --emit files', 'cargo fmt -- --emit changes what runs, or writes a file'],
  ['cargo clippy -- -Clinker=x', 'cargo clippy -- -Clinker=x changes what runs, or writes a file'],
  ['cargo clippy -- --codegen x', 'cargo clippy -- --codegen changes what runs, or writes a file'],
  ['cargo clippy -- --sysroot x', 'cargo clippy -- --sysroot changes what runs, or writes a file'],
  ['cargo clippy -- --out-dir x', 'cargo clippy -- --out-dir changes what runs, or writes a file'],
  ['cargo clippy -- --extern a=x', 'cargo clippy -- --extern changes what runs, or writes a file'],
  [
    'dotnet build -p:PreBuildEvent=id',
    'dotnet -p:PreBuildEvent=id may run a program, load code, send a file or write one',
  ],
  ['go test -exec ./x', 'go -exec changes what runs'],
  ['go doc -http=:6060', 'go -http=:6060 changes what runs'],
])('%s asks: %s', (text, hazard) => {
  expect(read(text)?.hazard).toBe(hazard);
});
test.each([
  'npm pack',
  'npm pack --dry-run',
  'npm view x --json',
  'npm test -- --reporter=dot',
  'cargo test -- --nocapture',
  'cargo test --logfile x',
  'cargo clippy -- -D warnings',
  'go test -c ./...',
  'dotnet test --no-build -c Release',
])('%s does its own work', (text) => expect(read(text)).toEqual({}));
test('a pattern may find the name of any script', async () => {
  const { commands } = await analyse('npm run en[v] -- ls; npm run --silent "$X"; npm run build src/*.ts');
  expect(commands.map(({ profile: { hazard } }) => hazard)).toEqual([
    'npm runs the script that en[v] finds',
    'npm runs the script that "$X" finds',
    undefined,
  ]);
});

test.each([
  ['yarn workspace a build x', 4],
  ['yarn workspace a run build', 4],
  ['yarn build', 2],
  ['npm run build', 2],
  ['npm run build -ws', 2],
  ['npm -s run build --workspaces', 3],
  ['pnpm run build', 2],
  ['yarn --silent run build', 3],
])('a rule for %s names %i words', (text, pin) => expect(read(text)).toEqual({ pin }));
test.each([
  ['yarn workspace a exec x', 'yarn exec installs or runs other code'],
  ['yarn workspace a', 'yarn alone installs packages, and runs what they bring'],
  ['yarn workspace a --require x', 'yarn --require changes what runs'],
])('%s asks: %s', (text, hazard) => expect(read(text)?.hazard).toBe(hazard));

test('only gh resets files by force', () => {
  expect(read('gh pr checkout 1 --force')?.loses).toBeDefined();
  expect(read('cargo checkout --force')?.loses).toBeUndefined();
});

test('who manages packages', () => {
  expect(['cargo', 'yarn', 'dotnet'].every(managesPackages)).toBe(true);
  expect(['npm', 'make', 'constructor'].some(managesPackages)).toBe(false);
  expect(managerProfile('make', [])).toBeNull();
});
