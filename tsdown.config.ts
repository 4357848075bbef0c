import { fileURLToPath } from 'node:url';
import { defineConfig, type UserConfig } from 'tsdown';
import { asScripts, ofModules } from './scripts/build/as-scripts.ts';
import { asciiOnly } from './scripts/build/ascii-only.ts';
import { bodiesAsObjects } from './scripts/build/bodies-as-objects.ts';
import { leanBuiltins } from './scripts/build/lean-builtins.ts';
import { licenseNotices } from './scripts/build/license-notices.ts';
import { staticParts } from './scripts/build/static-parts.ts';

const shared: UserConfig = {
  format: 'esm',
  platform: 'node',
  target: 'node22.22',
  outDir: process.env['BELAY_BUILD_DIR'] ?? 'dist',
  fixedExtension: false,
  clean: false,
  minify: 'dce-only',
  outputOptions: { comments: false },
  sourcemap: false,
  report: false,
  logLevel: 'warn',
  failOnWarn: false,
};

/**
 * ripgrep is a program and the grammars are files: both stay real dependencies. Everything else is bundled, because
 * bundling halves the time to import it.
 */
const deps: NonNullable<UserConfig['deps']> = {
  neverBundle: [/^@vscode\/(ripgrep|tree-sitter-wasm)/],
  alwaysBundle: [/^(?!node:|@vscode\/(ripgrep|tree-sitter-wasm))/],
  onlyBundle: false,
};

/** No module of ours does anything when it is imported, so what a room exports besides is not loaded with it. */
const treeshake = { moduleSideEffects: [{ test: /\/src\//, external: false, sideEffects: false }] };

const source = (file: string): string => fileURLToPath(new URL(`./src/${file}`, import.meta.url));

/** What every command needs, and what a session needs besides. */
const groups = [
  { ...staticParts('base', [source('assembly/main.ts')]), priority: 1 },
  staticParts(
    'session',
    ['assembly/sessions/opening.ts', 'model/gateway/gateway-model.ts', 'model/gateway/providers.ts'].map(source),
  ),
];

const headerList = source('model/http/header-list.ts');

/** Touching the global `Headers` loads the whole built-in fetch: 10 MB and 30 ms before the first request. */
const inject: Record<string, [string, string]> = { Headers: [headerList, 'HeaderList'] };

/** What the entry loads lies beside it, under another name than among the sources. */
const outside = (files: Readonly<Record<string, string>>) => ({
  name: 'the-rest-stays-outside',
  resolveId: (source: string) => (files[source] === undefined ? null : { id: files[source], external: true }),
});

export default defineConfig([
  {
    // The entry is a build of its own: it must never share a chunk with code that an old Node cannot even parse.
    ...shared,
    entry: { belay: 'src/assembly/entry.ts' },
    deps,
    dts: false,
    plugins: [outside({ './parts.ts': './parts.js', './list-sessions.ts': './list-sessions.js' })],
  },
  {
    ...shared,
    entry: { parts: 'src/assembly/bundle/parts.ts' },
    deps,
    dts: false,
    plugins: [leanBuiltins()],
  },
  {
    // In one file, because opening a shared one takes longer than reading the same few lines twice.
    ...shared,
    entry: { 'list-sessions': 'src/assembly/list-sessions.ts' },
    deps,
    inputOptions: { treeshake },
    dts: false,
    plugins: [leanBuiltins(), asciiOnly()],
  },
  {
    ...shared,
    // The loader of `bundle/scripts.ts` keeps the compiled code of scripts, which modules do not allow.
    format: 'cjs',
    checks: { legacyCjs: false },
    fixedExtension: true,
    entry: { main: 'src/assembly/main.ts' },
    deps,
    inputOptions: { transform: { inject, define: ofModules }, treeshake },
    outputOptions: { ...shared.outputOptions, codeSplitting: { groups } },
    dts: false,
    plugins: [leanBuiltins(), bodiesAsObjects(), asciiOnly(), asScripts(), licenseNotices()],
  },
  {
    ...shared,
    entry: { index: 'src/assembly/library.ts' },
    deps,
    inputOptions: { transform: { inject }, treeshake },
    dts: process.env['BELAY_BUILD_TYPES'] === '1' ? { entry: 'src/assembly/library.ts' } : false,
    plugins: [leanBuiltins(), bodiesAsObjects(), asciiOnly()],
  },
]);
