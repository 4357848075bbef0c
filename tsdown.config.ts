import { fileURLToPath } from 'node:url';
import { defineConfig, type UserConfig } from 'tsdown';
import { leanBuiltins } from './scripts/build/lean-builtins.ts';
import { licenseNotices } from './scripts/build/license-notices.ts';

const shared: UserConfig = {
  format: 'esm',
  platform: 'node',
  target: 'node22.22',
  outDir: process.env['BELAY_BUILD_DIR'] ?? 'dist',
  fixedExtension: false,
  clean: false,
  minify: 'dce-only',
  sourcemap: false,
  report: false,
  logLevel: 'warn',
  failOnWarn: false,
};

/**
 * ripgrep is a program and stays a real dependency; everything else is bundled, because bundling halves the time to
 * import it and an installed Belay then consists of two packages.
 */
const deps: NonNullable<UserConfig['deps']> = {
  neverBundle: [/^@vscode\/ripgrep/],
  alwaysBundle: [/^(?!node:|@vscode\/ripgrep)/],
  onlyBundle: false,
};

const headerList = fileURLToPath(new URL('./src/model/http/header-list.ts', import.meta.url));

export default defineConfig([
  {
    // The entry is a build of its own: it must never share a chunk with code that an old Node cannot even parse.
    ...shared,
    entry: { belay: 'src/assembly/entry.ts' },
    deps,
    dts: false,
    plugins: [
      {
        name: 'main-stays-outside',
        resolveId: (source) => (source === './main.ts' ? { id: './main.js', external: true } : null),
      },
    ],
  },
  {
    ...shared,
    entry: { main: 'src/assembly/main.ts', index: 'src/assembly/library.ts' },
    deps,
    // Touching the global `Headers` loads the whole built-in fetch: 10 MB and 30 ms before the first request.
    inputOptions: { transform: { inject: { Headers: [headerList, 'HeaderList'] } } },
    dts: process.env['BELAY_BUILD_TYPES'] === '1' ? { entry: 'src/assembly/library.ts' } : false,
    plugins: [leanBuiltins(), licenseNotices()],
  },
]);
