/**
 * Options by which a program runs another one, loads code, reads a file as its configuration, or writes a file. A
 * rule for the program's first words does not reach them.
 */
import type { Profile } from '../analysis.ts';
import type { ShellWord } from '../shell-word.ts';
import { findSpelling } from './option-spellings.ts';
import { entryOf, type Options } from './options.ts';

const words = (text: string): readonly string[] => text.split(' ');

/** Options of node by which it runs more than a script, writes files or reads them as its settings. */
export const nodeOptions = words(
  '--eval --print --require --import --loader --experimental-loader --env-file --env-file-if-exists --inspect --inspect-brk --inspect-port --inspect-wait --test-reporter --test-reporter-destination --test-global-setup --test-rerun-failures --interactive --run --experimental-config-file --experimental-default-config-file --build-sea --experimental-sea-config --openssl-config --icu-data-dir --diagnostic-dir --report-dir --report-directory --redirect-warnings --cpu-prof --heap-prof --experimental-policy --build-snapshot --watch-path --title --trace-event-file-pattern',
);
/** Reports that need no module of their own. */
const reports = (option: string): readonly string[] =>
  words('text text-summary html lcov lcovonly json json-summary clover cobertura none').map(
    (one) => `${option}=${one}`,
  );

const query: Options = {
  long: words(
    '--from-file --rawfile --slurpfile --argfile --library-path --in-place --inplace --split-exp --split-exp-file',
  ),
  short: 'fL',
  except: ['--in', '--slurp', '--raw', '--arg'],
};

export const dangerousOptions: { readonly [program: string]: Options } = {
  rg: { long: words('--pre --pre-glob --hostname-bin --search-zip --config --ignore-file --file'), short: 'zf' },
  grep: { long: ['--file'], short: 'f' },
  ag: { long: words('--pager --path-to-ignore'), short: 'p' },
  ack: { long: words('--pager --ackrc --output'), short: '' },
  fd: { long: words('--exec --exec-batch --ignore-file'), short: 'xX' },
  sort: { long: words('--output --compress-program --temporary-directory --files0-from'), short: 'oT' },
  tree: { long: ['--fromfile'], short: 'o' },
  wc: { long: ['--files0-from'] },
  du: { long: words('--files0-from --exclude-from'), short: 'X' },
  date: { long: words('--set --file --reference'), short: 'sfr' },
  file: { long: words('--magic-file --compile --files-from'), short: 'mCf' },
  jq: query,
  gojq: query,
  jaq: { ...query, short: 'fLi' },
  yq: { ...query, short: 'fLis', except: [...(query.except ?? []), '-o'] },
  xq: { ...query, short: 'fLi' },
  tomlq: { ...query, short: 'fLi' },
  iconv: { long: ['--output'], short: 'o' },
  // What a document names as its parts may be any file.
  xmllint: {
    long: words(
      '--output --shell --load-trace --path --noent --loaddtd --dtdattr --valid --postvalid --dtdvalid --xinclude --noxincludenode',
    ),
    short: '',
  },
  diff: { long: words('--output --from-file --to-file --exclude-from'), short: 'X' },
  tar: {
    long: words(
      '--to-command --checkpoint-action --use-compress-program --rsh-command --info-script --new-volume-script --files-from --exclude-from --absolute-names --overwrite --unlink-first --recursive-unlink --remove-files --index-file --transform --options',
    ),
    short: 'IFTXPUx',
  },
  zip: { long: words('--unzip-command --move --delete'), short: 'Tmd@' },
  unzip: { short: 'od' },
  npm: {
    long: words(
      '--script-shell --node-options --prefix --userconfig --globalconfig --shell --editor --viewer --git --node-gyp --call --workspace-root --global --location --init-module --browser --registry --force --workspace --pack-destination --diff --cache --logs-dir',
    ),
    short: 'cCgfwL',
    except: ['-ws'],
    takesNo: true,
  },
  yarn: {
    long: words('--cwd --use-yarnrc --modules-folder --script-shell --require --inspect --inspect-brk'),
    short: '',
  },
  pnpm: {
    long: words('--dir --script-shell --shell-mode --shell-emulator --global --config --prefix'),
    short: 'cCg',
    takesNo: true,
  },
  pytest: {
    long: words(
      '--rootdir --confcutdir --override-ini --basetemp --pyargs --config-file --pdbcls --pastebin --junit-xml --junitxml --log-file --import-mode --debug --pdb --trace --cov-config --cov-report --report-log --html --json-report-file --resultlog --result-log --benchmark-json --benchmark-save --benchmark-storage --memray-bin-path --csv --excelreport --md-report-output --testmon-datafile --durations-path --pstats-dir --tx --rsyncdir --ssh',
    ),
    short: 'pco@',
    except: words(
      '--tb --co --collect-only --cov --color --durations --maxfail --no-header --md-report --testmon --cov-report=term --cov-report=term-missing --cov-report=',
    ),
  },
  jest: {
    long: words(
      '--config --globalSetup --globalTeardown --setupFiles --setupFilesAfterEnv --runner --testRunner --testEnvironment --testEnvironmentOptions --env --globals --projects --moduleNameMapper --moduleDirectories --coverageReporters --setupTestFrameworkScriptFile --init --reporters --outputFile --transform --resolver --rootDir --roots --preset --testSequencer --testResultsProcessor --coverageDirectory --cacheDirectory --filter --haste --snapshotSerializers --watchPlugins --modulePaths --dependencyExtractor --prettierPath',
    ),
    short: 'c',
    except: words('--coverage --no-coverage --ci --bail --cache').concat(reports('--coverageReporters')),
  },
  vitest: {
    long: words(
      '--config --globalSetup --environment --reporter --outputFile --root --dir --runner --pool --api --ui --open --coverage.reportsDirectory --coverage.customProviderModule --coverage.provider --sequence.sequencer --snapshotEnvironment --diff --browser --inspect --inspectBrk --attachmentsDir --workspace --poolOptions --execArgv --coverage.reporter --typecheck.checker --mergeReports --benchmark.outputJson --outputJson --configLoader --setupFiles --snapshotSerializers',
    ),
    short: 'cr',
    except: words(
      '--run --reporter=dot --reporter=verbose --reporter=default --reporter=json --reporter=basic --coverage --typecheck --benchmark',
    ).concat(reports('--coverage.reporter')),
  },
  mocha: {
    long: words(
      '--require --config --package --ui --reporter --reporter-options --opts --compilers --spec --file --node-option',
    ).concat(nodeOptions),
    short: 'rRunO',
  },
  eslint: {
    long: words(
      '--init --config --rulesdir --plugin --resolve-plugins-relative-to --format --output-file --parser --cache-location --cache-file --flag --ignore-path --inspect-config --mcp --suppressions-location',
    ),
    short: 'cfo',
    except: words('--fix --cache --fix-dry-run'),
  },
  prettier: {
    long: words('--config --plugin --plugin-search-dir --ignore-path --cache-location --find-config-path'),
    short: '',
  },
  tsc: {
    long: words(
      '--outDir --outFile --declarationDir --project --build --tsBuildInfoFile --init --generateTrace --generateCpuProfile --rootDir --declarationMap --plugins',
    ),
    short: 'bpBP@',
  },
  cargo: {
    long: words('--config --manifest-path --target-dir --out-dir --artifact-dir --open --root'),
    short: 'CZ',
  },
  go: {
    long: words(
      '--exec --toolexec --o --overlay --vettool --C --modfile --pkgdir --gcflags --ldflags --asmflags --gccgoflags --outputdir --cpuprofile --memprofile --blockprofile --mutexprofile --trace --fuzz --fuzzcachedir --test.cpuprofile --test.memprofile --test.blockprofile --test.mutexprofile --test.coverprofile --test.trace --test.outputdir --test.testlogfile --test.gocoverdir --test.fuzzcachedir --http',
    ),
    short: '',
  },
  // A description of a machine names its linker.
  rustc: { long: words('--codegen --sysroot --out-dir --emit --extern'), short: 'CZoL@', like: /\.json$/ },
  ruff: { long: words('--config --output-file --cache-dir'), short: 'o' },
  mypy: {
    long: words(
      '--config-file --plugin --python-executable --install-types --custom-typeshed-dir --cache-dir --junit-xml --any-exprs-report --html-report --txt-report --xml-report --cobertura-xml-report --memory-xml-report --linecount-report --linecoverage-report --lineprecision-report --xslt-html-report --xslt-txt-report',
    ),
    short: '@',
  },
  black: { long: words('--config'), short: '' },
  make: { long: words('--file --makefile --directory --include-dir --eval --environment-overrides'), short: 'fCIeE' },
  ctags: { short: 'fo', long: words('--options --output') },
  patch: { long: words('--output --reject-file --directory --get --input'), short: 'ordgi' },
  gh: {
    long: words('--web --editor --template --body-file --force --delete-branch'),
    short: 'wFfd',
    except: ['--body'],
  },
  shuf: { long: words('--output --random-source'), short: 'o' },
};

/** Of these the words that are not named here are judged by what they look like. */
const besides: { readonly [program: string]: Options } = {
  babel: { short: 'd', long: words('--presets --out-dir') },
  cflow: { long: ['--cpp'] },
  cloc: { long: words('--extract-with --read-lang-def --force-lang-def --report-file --list-file') },
  cucumber: { short: 'rp' },
  enscript: { long: ['--filter'] },
  'golangci-lint': {
    short: 'c',
    long: words('--config --out-format --output --cpu-profile-path --mem-profile-path --trace-path'),
  },
  highlight: { long: ['--plug-in'] },
  javac: { short: '@J', long: words('--processor --processor-path --processorpath --Xplugin') },
  javadoc: { short: '@J', long: words('--doclet --docletpath') },
  jekyll: { short: 'p' },
  jupyter: { long: words('--execute --template --inplace --output-dir --post') },
  kotlinc: { short: 'PX', long: words('--script --expression --e') },
  markdownlint: { short: 'r', long: ['--rules'] },
  manage: { long: words('--settings --pythonpath --testrunner') },
  mkdocs: { short: 'f' },
  objdump: { short: '@' },
  phpunit: { short: 'cd', long: words('--include-path --printer --log-junit --coverage-php --coverage-html') },
  playwright: { short: 'c', long: words('--reporter --output --update-snapshots') },
  postcss: { short: 'u', long: ['--use'] },
  posthtml: { short: 'u', long: ['--use'] },
  pygmentize: { short: 'x' },
  pylint: { long: words('--init-hook --load-plugins --init-import') },
  remark: { short: 'u', long: ['--use'] },
  robot: { short: 'PV', long: words('--listener --variablefile --parser --prerunmodifier --prerebotmodifier') },
  rspec: { short: 'rIO', long: words('--options --default-path') },
  rubocop: { short: 'rc' },
  scons: { short: 'fCIY', long: words('--file --makefile --sconstruct --directory --include-dir --repository') },
  'semantic-release': { short: 'ep', long: ['--extends'] },
  'sphinx-build': { short: 'CDc' },
  stack: { long: words('--exec --stack-yaml --work-dir --with-gcc --ghc-options') },
  stylelint: { short: 'f', long: words('--custom-formatter --custom-syntax --formatter') },
  swift: {
    long: words('--e --Xswiftc --Xcc --Xcxx --Xlinker --package-path --toolset --toolchain --chdir --disable-sandbox'),
  },
  tape: { short: 'r' },
  mix: { long: ['--dot-formatter'], like: /^do$/ },
  nm: { long: ['--plugin'], short: '@' },
  trial: { long: ['--reporter'] },
  ugrep: { short: 'f', long: words('--filter --view --save-config --file') },
  vite: { short: 'c' },
  webpack: { short: 'c', long: words('--env --entry --output-path') },
  yard: { short: 'e' },
  zig: { long: words('--build-file --zig-lib-dir --build-runner --test-cmd') },
};

/** Whether nothing has to be guessed of the options of a program. */
export const hasKnownOptions = (program: string): boolean => entryOf(dangerousOptions, program) !== undefined;

/** The hazard of the options of one command, whose program stands first. */
export function optionHazard(command: readonly ShellWord[]): Pick<Profile, 'hazard'> {
  const program = command[0]?.text ?? '';
  const options = entryOf(dangerousOptions, program) ?? entryOf(besides, program);
  const option = options === undefined ? null : findSpelling(command.slice(1), options);
  if (option === null) return {};
  return { hazard: `${program} ${option} runs a program, reads its orders from a file or writes one` };
}
