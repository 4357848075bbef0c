/**
 * An `import` of a Node module reads all its exports, and some are getters that load what nobody asked for: `fs` brings
 * streams, `crypto` WebCrypto, `util` worker threads, `process` its reports. Before the first request that is a tenth
 * of all the time. In the bundle Node's modules are therefore taken as they are, and the large ones only when the first
 * of their functions is called.
 */
const PREFIX = '\0lean:';

/** Modules that take a millisecond or more to load, and that many a command never needs. */
const loadedWhenCalled: ReadonlySet<string> = new Set([
  'node:child_process',
  'node:crypto',
  'node:fs/promises',
  'node:readline/promises',
  'node:timers/promises',
  'node:v8',
  'node:zlib',
]);

export const leanBuiltins = () => ({
  name: 'lean-builtins',
  resolveId: (source: string, importer: string | undefined, { kind }: { readonly kind: string }) => {
    // The bundler's own helpers run before everything else, and so before a module made here.
    if (importer?.startsWith('\0') === true) return null;
    const id = source.startsWith('node:') ? source : `node:${source}`;
    return kind === 'import-statement' && process.getBuiltinModule(id) !== undefined ? PREFIX + id : null;
  },
  load: (id: string) => (id.startsWith(PREFIX) ? sourceOf(id.slice(PREFIX.length)) : null),
});

/** Only what is used stays in the bundle, so an export that is a getter is read only where it is wanted. */
function sourceOf(id: string): string {
  const exports = Object.entries(Object.getOwnPropertyDescriptors(process.getBuiltinModule(id) ?? {})).filter(
    ([name]) => /^[a-z_$][\w$]*$/i.test(name) && name !== 'default',
  );
  const taken = (name: string) => `export const ${name} = /* @__PURE__ */ (() => builtin.${name})();`;
  if (!loadedWhenCalled.has(id)) {
    const names = exports.map(([name]) => name);
    return [`const builtin = ${moduleOf(id)};`, 'export default builtin;', ...names.map(taken)].join('\n');
  }
  const lines = exports.map(([name, { value }]) =>
    // What begins with a capital is a class, which a function of ours could not stand for.
    typeof value === 'function' && /^[a-z]/.test(name)
      ? `export let ${name} = (...args) => (${name} = ${moduleOf(id)}.${name})(...args);`
      : `export const ${name} = /* @__PURE__ */ (() => ${moduleOf(id)}.${name})();`,
  );
  const functions = exports.filter(([, { value }]) => typeof value === 'function').map(([name]) => name);
  const whole = functions.map((name) => `${name}: (...args) => ${moduleOf(id)}.${name}(...args)`);
  return [...lines, `export default { ${whole.join(', ')} };`].join('\n');
}

const moduleOf = (id: string): string => `process.getBuiltinModule(${JSON.stringify(id)})`;
