/**
 * An `import` of a Node module reads all its exports, and some are getters that load what nobody asked for: `crypto`
 * brings WebCrypto, `util` worker threads, `process` its reports. Before the first request that is a tenth of all the
 * time. In the bundle these modules are therefore taken as they are, with the exports named here.
 */
const exportsOf: { readonly [id: string]: readonly string[] } = {
  'node:crypto': ['createHash', 'hash', 'randomFillSync', 'randomUUID'],
  'node:util': ['promisify', 'stripVTControlCharacters', 'inspect', 'format', 'parseArgs'],
  'node:process': [],
};
const PREFIX = '\0lean:';

export const leanBuiltins = () => ({
  name: 'lean-builtins',
  resolveId: (source: string) => {
    const id = source.startsWith('node:') ? source : `node:${source}`;
    return Object.hasOwn(exportsOf, id) ? PREFIX + id : null;
  },
  load: (id: string) => {
    if (!id.startsWith(PREFIX)) return null;
    const name = id.slice(PREFIX.length);
    const names = exportsOf[name] ?? [];
    // Only what is used stays in the bundle, so an export that is a getter is read only where it is wanted.
    const lines = names.map((one) => `export const ${one} = /* @__PURE__ */ (() => builtin.${one})();`);
    return [
      `const builtin = process.getBuiltinModule(${JSON.stringify(name)});`,
      'export default builtin;',
      ...lines,
    ].join('\n');
  },
});
