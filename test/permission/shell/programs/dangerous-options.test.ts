import { expect, test } from 'vitest';
import { analyse } from '../../../../src/permission/shell/analyse.ts';
import { hasKnownOptions } from '../../../../src/permission/shell/programs/dangerous-options.ts';

const hazardOf = async (text: string) => (await analyse(text)).commands[0]?.profile.hazard;
const rows: readonly (readonly [string, string])[] = [
  ['babel', '-d --presets --out-dir'],
  ['cflow', '--cpp'],
  ['cucumber', '-r -p'],
  ['enscript', '--filter'],
  ['highlight', '--plug-in'],
  ['javac', '@x -Jx -processor --processor-path -processorpath -Xplugin'],
  ['javadoc', '@x -Jx -doclet -docletpath'],
  ['jekyll', '-p'],
  ['markdownlint', '-r --rules'],
  ['postcss', '-u --use'],
  ['posthtml', '-u --use'],
  ['pygmentize', '-x'],
  ['remark', '-u --use'],
  ['robot', '-P -V --listener --variablefile --parser --prerunmodifier --prerebotmodifier'],
  ['rubocop', '-r -c'],
  ['scons', '-f -C -I -Y --file --makefile --sconstruct --directory --include-dir --repository'],
  ['semantic-release', '-e -p --extends'],
  ['stylelint', '-f --custom-formatter --custom-syntax --formatter'],
  ['trial', '--reporter'],
  ['xmllint', '--noent -noent --loaddtd --dtdattr --valid --postvalid --dtdvalid --xinclude --noxincludenode'],
  ['yard', '-e'],
  ['cloc', '--extract-with --read-lang-def --force-lang-def --report-file --list-file'],
  ['jupyter', '--execute --template --inplace --output-dir --post'],
  ['kotlinc', '-P -X --script -script --expression -e'],
  ['mix', '--dot-formatter'],
  ['mkdocs', '-f'],
  ['phpunit', '-c -d --include-path --printer --log-junit --coverage-php --coverage-html'],
  ['playwright', '-c --reporter --output --update-snapshots'],
  ['pylint', '--init-hook --load-plugins --init-import'],
  ['rspec', '-r -I -O --options --default-path'],
  ['sphinx-build', '-C -D -c'],
  ['stack', '--exec --stack-yaml --work-dir --with-gcc --ghc-options'],
  ['swift', '-e -Xswiftc -Xcc -Xcxx -Xlinker --package-path --toolset --toolchain --chdir --disable-sandbox'],
  ['tape', '-r'],
  ['tsc', '--plugins --outdir -outDir --OUTFILE -P -B @x --tsBuildInfofile'],
  [
    'jest',
    '--global-setup --setup-files --env --env=x --test-environment --test-environment-options --snapshot-serializers --globals --projects --module-name-mapper --moduleDirectories --coverage-reporters --coverageReporters=./x --setupTestFrameworkScriptFile --init --transform.x',
  ],
  [
    'vitest',
    '--workspace=x --poolOptions.forks.execArgv --pool-options.x --execArgv --coverage.reporter --coverage.reporter=./x --typecheck.checker --mergeReports --benchmark.outputJson --outputJson --configLoader --setupFiles --snapshotSerializers --coverage.custom-provider-module',
  ],
  [
    'mocha',
    '--import --loader --experimental_loader --env-file --redirect-warnings --reporter-options --opts --compilers -n -O -R',
  ],
  ['eslint', '--inspect-config --mcp --suppressions-location --output_file'],
  ['pytest', '@x --tx --rsyncdir --ssh --junitXml'],
  [
    'mypy',
    '@x --cobertura-xml-report --memory-xml-report --linecount-report --linecoverage-report --lineprecision-report --xslt-html-report --xslt-txt-report',
  ],
  ['rustc', '@x -L --extern --target=x.json'],
  ['manage', '--settings --pythonpath --testrunner --testRunner'],
  ['nm', '--plugin --plug @x'],
  ['objdump', '@x'],
  ['mix', 'do'],
  ['ugrep', '-f --filter --view --save-config --file'],
  ['vite', '-c'],
  ['webpack', '-c --env --entry --output-path'],
  ['zig', '--build-file --zig-lib-dir --build-runner --test-cmd'],
];

test.each(rows.flatMap(([program, options]) => options.split(' ').map((option) => [program, option] as const)))(
  '%s %s asks',
  async (program, option) => {
    expect(await hazardOf(`${program} ${option} x`)).toBe(
      `${program} ${option} runs a program, reads its orders from a file or writes one`,
    );
  },
);

test.each(rows)('of %s other options are judged by what they look like', async (program) => {
  if (hasKnownOptions(program)) return;
  if (/^(nm|objdump)$/.test(program)) return;
  expect(await hazardOf(`${program} --my-plugin`)).toBe(`${program} --my-plugin may run code or load it`);
  expect(await hazardOf(`${program} --verbose build test`)).toBeUndefined();
});

test('nothing is guessed of options that are known', async () => {
  expect(hasKnownOptions('tsc')).toBe(true);
  expect(hasKnownOptions('mix')).toBe(false);
  expect(await hazardOf('fd --my-plugin run x')).toBeUndefined();
});

test.each([
  ...'text text-summary html lcov lcovonly json json-summary clover cobertura none'
    .split(' ')
    .flatMap((name) => [`jest --coverageReporters=${name}`, `vitest --coverage.reporter=${name}`]),
  'vitest --typecheck --benchmark',
  'tsc --noEmit --skipLibCheck',
  'rustc --target x86_64-unknown-linux-gnu',
  'nm -C a.o',
  'mix test',
  'eslint --fix src',
])('%s is harmless', async (text) => expect(await hazardOf(text)).toBeUndefined());
