import { describe, expect, it } from 'vitest';
import { createPermission } from '../../../src/permission/create-permission.ts';
import { isFolderBound } from '../../../src/permission/shell/programs/folder-bound.ts';

const decide = async (command: string, allow: readonly string[], cwd?: string) =>
  createPermission({ realPath: async (path) => path, kind: async () => 'missing' })(
    { tool: 'Bash', args: { command, ...(cwd === undefined ? {} : { cwd }) }, effect: 'process', paths: null },
    { mode: 'default', allow, checks: [], workspace: '/repo', signal: new AbortController().signal },
  );
const plain = ['Bash(cd *)', 'Bash(pushd *)'];
const why = 'in another folder this may be another program, script or repository';

describe('a rule for what runs orders of the folder means the workspace', () => {
  it.each([
    'npm run build',
    'npm test',
    'yarn build',
    'pnpm build',
    'npx tool',
    'make',
    'make all',
    'gmake',
    'just build',
    'task build',
    'rake',
    'gradle build',
    'mvn test',
    'ninja',
    'cargo build',
    'go test ./...',
    'gh pr list',
    'tox',
    'docker compose up',
    'pytest',
    'jest',
    'vitest',
    'mocha',
    'eslint x.js',
    'prettier x.js',
    'mypy x.py',
    'tsc',
    'cmake --build b',
    'sh b.sh',
    'bash b.sh',
    'node b.js',
    'python3 b.py',
    'python -m pytest',
    'git status',
    'hg status',
    './b.sh',
  ])('%s', async (command) => {
    const allow = [...plain, `Bash(${command})`];
    expect((await decide(command, allow)).decision).toBe('allow');
    for (const text of [`cd src && ${command}`, `(cd src; ${command})`, `cd src && timeout 5 ${command}`]) {
      expect(await decide(text, allow), text).toMatchObject({ decision: 'ask', reason: expect.stringContaining(why) });
    }
    expect(await decide(command, allow, 'src')).toMatchObject({ decision: 'ask', reason: `${command}: ${why}` });
    expect((await decide(`pushd src && ${command}`, allow)).decision).toBe('ask');
  });

  it.each([
    ['npm --prefix src run build', 'npm *'],
    ['npm run build --prefix src', 'npm *'],
    ['yarn --cwd src build', 'yarn *'],
    ['pnpm -C src build', 'pnpm *'],
    ['make -C src', 'make *'],
    ['make -f src/Makefile', 'make *'],
    ['make --directory=src', 'make *'],
    ['just --justfile src/justfile', 'just *'],
    ['just --working-directory src', 'just *'],
    ['just src/build', 'just *'],
    ['just src/', 'just *'],
    ['task -d src', 'task *'],
    ['task -t src/Taskfile.yml', 'task *'],
    ['gradle -p src build', 'gradle *'],
    ['ninja -C src', 'ninja *'],
    ['cargo build --manifest-path src/Cargo.toml', 'cargo *'],
    ['cargo -C src build', 'cargo *'],
    ['go -C src build', 'go *'],
    ['tox -c src/tox.ini', 'tox *'],
    ['env -C src make', 'make'],
    ['git -C src status', 'git *'],
  ])('%s is allowed only by a rule for exactly that, not by %s', async (command, open) => {
    expect((await decide(command, [`Bash(${open})`])).decision).toBe('ask');
    expect((await decide(command, [`Bash(${command})`])).decision).toBe('allow');
  });

  it.each([
    ['git -C . status', 'git status', 'allow'],
    ['git -C /repo status', 'git status', 'allow'],
    ['git -C ./ log --oneline', 'git log *', 'allow'],
    ['/usr/bin/git -C . status', 'git status', 'ask'],
    ['timeout 5 git -C /repo status', 'git status', 'allow'],
    ['git -C . -C . status', 'git status', 'allow'],
    ['git -C /repo -C . -C . status', 'git status', 'allow'],
    ['git -C src -C .. status', 'git status', 'ask'],
    ['git -C . --no-pager -C src log', 'git *', 'ask'],
    ['git -C src status', 'git status', 'ask'],
    ['git -C . -c core.pager=x status', 'git *', 'ask'],
    ['git -C . config x.y z', 'git *', 'ask'],
    ['git -C . config x.y z', 'git', 'ask'],
    ['git -C', 'git *', 'ask'],
    ['git -C .', 'git *', 'allow'],
    ["git -C '' status", 'git *', 'ask'],
    ['git -C "$X" status', 'git *', 'ask'],
    ['git -C s* status', 'git *', 'ask'],
    ['git -C . status; git -C src status', 'git *', 'ask'],
    ['cd src; git -C .. status', 'git *', 'ask'],
    ['git -C /other status', 'git *', 'ask'],
    ['git -C .git status', 'git *', 'ask'],
    ['hub -C . status', 'hub status', 'ask'],
    ['git -c . status', 'git status', 'ask'],
    ['git -C src status', 'git -C src status', 'allow'],
    ['git -C . status', 'git -C . status', 'allow'],
    ['git -C . status', 'git -C *', 'ask'],
    ['cd src; git -C src status', 'git -C src status', 'allow'],
  ])('%s by %s: %s', async (command, rule, expected) => {
    expect((await decide(command, [...plain, `Bash(${rule})`])).decision).toBe(expected);
  });

  it('a rule for every command means every folder', async () => {
    expect((await decide('cd src && npm run build', ['Bash'])).decision).toBe('allow');
  });

  it.each(['ls', 'cat x', 'grep x y', 'sort x', 'diff x y', 'mkdir x'])(
    'what takes no orders from a folder runs in each: %s',
    async (command) => {
      const allow = [...plain, `Bash(${command})`];
      expect((await decide(`cd src && ${command}`, allow)).decision).toBe('allow');
      expect((await decide(command, allow, 'src')).decision).toBe('allow');
    },
  );
});

it.each([
  ...'git hg sl svn jj bzr brz fossil darcs cvs p4 pijul got ava bazel bazelisk biome buck2 buildozer c8 cabal cmake coverage crystal ctest cypress dart docker-compose dune esbuild eslint flake8 golangci-lint hatch jest karma latexmk lefthook lein meson mill mix mkdocs mocha mypy nim nyc opam parcel pdm phpunit playwright pre-commit prettier pylint pytest rails rebar3 rollup rspec rubocop ruff sbt scons sphinx-build stack stylelint swift tap tsc tsdown tsup vite vitest webpack zig'.split(
    ' ',
  ),
  ...'sh fish node python ruby npm npx just cargo pip dotnet tox docker sudo'.split(' '),
])('%s takes what it runs from its folder', (program) => {
  expect(isFolderBound(program)).toBe(true);
});
it.each(['ls', 'cat', 'constructor', ''])('%s does not', (program) => {
  expect(isFolderBound(program)).toBe(false);
});
