/**
 * Keeps rule files that are no files (a pipe, a link to a device) from holding ripgrep up. A search that lasts, or takes too
 * much memory, has them looked for; then it is ended and runs again without the rules of their kind. A search that is done
 * before costs nothing.
 */
import { isStrange, type RuleKind, type StrangeRule, strangeRules, type ToolResult, type Workspace } from '#workspace';

/** Most searches are done before. */
const lastingMs = 700;

const off: { readonly [K in RuleKind]: string } = {
  dot: '--no-ignore-dot',
  git: '--no-ignore-vcs',
  exclude: '--no-ignore-exclude',
  parent: '--no-ignore-parent',
};

/** What was found in a workspace before: later searches need not be held up again. */
const known = new WeakMap<Workspace, readonly StrangeRule[]>();

export interface RuleGuard {
  /** Runs a search with the options that it needs; once more where it was held up. */
  watch(
    signal: AbortSignal,
    run: (options: readonly string[], signal: AbortSignal) => Promise<ToolResult>,
  ): Promise<ToolResult>;
  /** Which rules did not count. */
  notes(): readonly string[];
}

export function ruleGuard(workspace: Workspace): RuleGuard {
  const { root } = workspace;
  let found: readonly StrangeRule[] = (known.get(workspace) ?? []).filter(({ path }) => isStrange(`${root}/${path}`));
  return {
    async watch(signal, run) {
      const stop = new AbortController();
      const over = new AbortController();
      const look = async () => {
        const more = await strangeRules(root, over.signal);
        if (more.every(({ kind }) => found.some((one) => one.kind === kind))) return;
        found = more;
        known.set(workspace, found);
        stop.abort();
      };
      const timer = setTimeout(() => void look(), lastingMs);
      const result = await run(optionsFor(found, root), AbortSignal.any([signal, stop.signal]));
      clearTimeout(timer);
      if (result.tookTooMuch === true && !stop.signal.aborted) await look();
      over.abort();
      return stop.signal.aborted && !signal.aborted ? run(optionsFor(found, root), signal) : result;
    },
    notes: () =>
      found.map(({ kind, path }) => `(${kindText[kind]} did not count: ${JSON.stringify(path)} is no regular file)`),
  };
}

const kindText: { readonly [K in RuleKind]: string } = {
  dot: 'rules of .ignore and .rgignore files',
  git: 'rules of .gitignore files below the root',
  exclude: 'rules of .git/info/exclude',
  parent: 'rules of folders above the workspace',
};

function optionsFor(found: readonly StrangeRule[], root: string): readonly string[] {
  const options = found.map(({ kind }) => off[kind]);
  // The rules of the root can be given by name, which leaves out what most projects leave out.
  const isRootKept = options.includes(off.git) && !isStrange(`${root}/.gitignore`);
  return isRootKept ? [...options, '--ignore-file=.gitignore'] : options;
}
