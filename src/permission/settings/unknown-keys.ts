/**
 * Keys of a settings file that nobody reads: a rule under a misspelt name would be relied on and do nothing. Values and
 * what stands in `sandbox`, `environment` and `hooks` are told by who reads those.
 */

/** `user`: of the user or the machine; `project`: a section of the user's; `own`: of a repository; `foreign`: there, of another tool. */
export type KeysOf = 'user' | 'project' | 'own' | 'foreign';

const lists: readonly string[] = ['allow', 'ask', 'deny'];
const sections: { readonly [K in KeysOf]: readonly string[] } = {
  user: ['environment', 'hooks', 'permissions', 'projects', 'sandbox'],
  project: ['permissions'],
  own: ['checks', 'hooks', 'mcpServers', 'permissions'],
  foreign: ['permissions'],
};
/** What other tools read under these names, and where it is said here. */
const elsewhere: { readonly [key: string]: string } = {
  checks: 'checks stand in .belay/settings.json of a repository, or are given with --check',
  defaultMode: 'the mode is given with --permission-mode',
  env: 'commands get variables of your environment by "environment": {"pass": ["NAME"]} in the user\'s file',
  environment: "variables for commands are named in the user's file",
  hooks: 'hooks stand in the whole file, not in a part of it',
  mcpServers: 'servers stand in .mcp.json',
  model: 'the model is given with --model',
  projects: "projects stand in the user's file",
  sandbox: "the sandbox is set in the user's file",
};

/** A sentence for each. Never throws; text that is no JSON is somebody else's fault to tell. */
export function unknownKeys(name: string, text: string, whose: KeysOf): readonly string[] {
  const whole = objectOf(text);
  if (whole === null) return [];
  const known = sections[whose];
  const top = Object.keys(whole).filter((key) => key !== '$schema' && !known.includes(key));
  const { permissions } = whole;
  const inner = isObject(permissions) ? Object.keys(permissions).filter((key) => !lists.includes(key)) : [];
  const told = [
    ...top.map((key) => ({ key, at: key, near: nearest(key, known) ?? inPermissions(nearest(key, lists)) })),
    ...inner.map((key) => ({ key, at: `permissions.${key}`, near: nearest(key, lists) })),
  ];
  return told.flatMap(({ key, at, near }) => {
    // What another tool reads is nobody's mistake, but what looks like a rule is taken for one.
    if (whose === 'foreign' && (near === null || (at === key && near !== 'permissions'))) return [];
    const hint = near === null ? elsewhere[key] : `did you mean "${near}"?`;
    return [`${name}: ${at} is not known and does nothing${hint === undefined ? '' : `; ${hint}`}`];
  });
}

const inPermissions = (list: string | null): string | null => (list === null ? null : `permissions.${list}`);

/** The name that differs by a slip or two, or begins alike where it is the one of a list: `denied`, `allowedTools`. */
function nearest(key: string, names: readonly string[]): string | null {
  const small = key.toLowerCase();
  const near = names.find((name) => distance(small, name.toLowerCase()) <= slipsMax(small, name));
  return near ?? names.find((name) => lists.includes(name) && small.startsWith(name.slice(0, 3))) ?? null;
}

/** Two slips make another word of a short one. */
const slipsMax = (key: string, { length }: string): number => (length < 4 || key.length < Math.min(length, 6) ? 1 : 2);

/** Letters that are put in, left out or replaced. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...to].entries()) {
      next.push(Math.min((row[j] ?? 0) + (letter === other ? 0 : 1), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

type Fields = { readonly [key: string]: unknown };
const isObject = (value: unknown): value is Fields =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

function objectOf(text: string): Fields | null {
  try {
    const whole: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isObject(whole) ? whole : null;
  } catch {
    return null;
  }
}
