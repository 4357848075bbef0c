/** Programs that take from the folder in which they start what they run: recipes, scripts, settings that are code, a repository. */
import { alwaysHazard, isInterpreter, isShell } from './interpreters.ts';
import { managesPackages } from './package-managers.ts';
import { isRepository } from './repositories.ts';
import { isRunner } from './runners.ts';

const names = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Their settings load code, or say what is written where. */
const configured = names(
  'ava bazel bazelisk biome buck2 buildozer c8 cabal cmake coverage crystal ctest cypress dart docker-compose dune esbuild eslint flake8 golangci-lint hatch jest karma latexmk lefthook lein meson mill mix mkdocs mocha mypy nim nyc opam parcel pdm phpunit playwright pre-commit prettier pylint pytest rails rebar3 rollup rspec rubocop ruff sbt scons sphinx-build stack stylelint swift tap tsc tsdown tsup vite vitest webpack zig',
);

export const isFolderBound = (program: string): boolean =>
  program === 'git' ||
  isRepository(program) ||
  configured.has(program) ||
  isShell(program) ||
  isInterpreter(program) ||
  isRunner(program) ||
  managesPackages(program) ||
  alwaysHazard(program) !== null;
