/**
 * Variables that the user's settings pass to commands besides the list, by name or by a pattern such as `DOTNET_*`.
 *
 * Until the shell of the command stands, which is inside of the sandbox, they have names that mean nothing to anybody:
 * `LD_LIBRARY_PATH` may lead into the workspace, and would let a command replace parts of the programs that confine and
 * supervise it.
 */
import { mayNameSecret } from '#lib';
import { type Env, isListed } from './command-env.ts';
import { NON_INTERACTIVE } from './non-interactive.ts';

const groups: readonly { readonly names: readonly string[]; readonly why: string }[] = [
  { names: ['PATH', 'TMPDIR'], why: 'every command has it already' },
  {
    names: Object.keys(NON_INTERACTIVE),
    why: 'Belay sets it, so that nothing asks or pages; a command can set it for itself',
  },
  {
    names: [
      ...[
        'BASH_ENV',
        'ENV',
        'SHELLOPTS',
        'BASHOPTS',
        'PS4',
        'IFS',
        'CDPATH',
        'GLOBIGNORE',
        'EXECIGNORE',
        'PROMPT_COMMAND',
      ],
      ...['POSIXLY_CORRECT', 'FUNCNEST', 'TMOUT', 'UID', 'EUID', 'PPID', 'PWD', 'OLDPWD', 'SHLVL', 'OPTIND', '_'],
    ],
    why: 'it changes how the shell reads commands',
  },
  { names: ['GIT_REFLOG_ACTION'], why: 'Belay sets it, to tell what an action did' },
  {
    names: [
      ...['GIT_DIR', 'GIT_WORK_TREE', 'GIT_COMMON_DIR', 'GIT_INDEX_FILE', 'GIT_NAMESPACE'],
      ...['GIT_OBJECT_DIRECTORY', 'GIT_ALTERNATE_OBJECT_DIRECTORIES'],
    ],
    why: 'it leads git to another repository than the one that is guarded',
  },
];
const refused: ReadonlyMap<string, string> = new Map(
  groups.flatMap(({ names, why }) => names.map((name) => [name, why] as const)),
);
const families: readonly { readonly prefix: string; readonly why: string }[] = [
  { prefix: 'BELAY_', why: 'it is a setting of Belay' },
  { prefix: 'BASH_', why: 'it changes how the shell reads commands' },
];

const whyRefused = (name: string): string | null =>
  refused.get(name) ?? families.find(({ prefix }) => name.startsWith(prefix))?.why ?? null;

/** Why an entry of `environment.pass` cannot count, as the end of a sentence; null where it can. */
export function passFault(entry: unknown): string | null {
  const form = typeof entry === 'string' ? /^([A-Za-z_][A-Za-z0-9_]*)(\*?)$/.exec(entry) : null;
  if (form === null) return badForm(entry);
  const [, name = '', star] = form;
  const why = whyRefused(name);
  if (why !== null) return `cannot be passed: ${why}`;
  if (star === '') return null;
  if (name.replace(/[^A-Za-z]/g, '').length < 2) return 'must have two letters or more before "*"';
  return mayNameSecret(name) ? 'passes nothing: no pattern passes secrets, so name each variable whole' : null;
}

function badForm(entry: unknown): string {
  if (typeof entry !== 'string') return 'is no text; write "NAME" or "PREFIX_*"';
  const name = /^\s*\$?\{?([A-Za-z_][A-Za-z0-9_]*)/.exec(entry)?.[1];
  if (entry.includes('='))
    return `cannot hold a value: values come from Belay's own environment; write "${name ?? 'NAME'}"`;
  if (entry.includes('*')) return 'has "*" elsewhere than once at its end; write "PREFIX_*"';
  return `is no name of a variable; write ${name === undefined ? '"NAME" or "PREFIX_*"' : `"${name}"`}`;
}

/** The variables of `env` that entries without a fault pass, and that commands do not get anyway. */
export function passedVariables(pass: readonly string[], env: Env): Readonly<Record<string, string>> {
  const exact = new Set(pass);
  const prefixes = pass.filter((one) => one.endsWith('*')).map((one) => one.slice(0, -1));
  const fits = (name: string): boolean =>
    exact.has(name) || (/^\w+$/.test(name) && !mayNameSecret(name) && prefixes.some((one) => name.startsWith(one)));
  const picked: Record<string, string> = {};
  for (const [name, value] of pass.length === 0 ? [] : Object.entries(env)) {
    if (value !== undefined && fits(name) && !isListed(name) && whyRefused(name) === null) picked[name] = value;
  }
  return picked;
}

export interface Carried {
  /** For the environment of whoever starts the command. */
  readonly env: Readonly<Record<string, string>>;
  /** Words before the text of the command that give the variables their names, where they are not set already. */
  readonly words: string;
}

const nothing: Carried = { env: {}, words: '' };

export function carry(passed: Readonly<Record<string, string>>): Carried {
  const entries = Object.entries(passed);
  if (entries.length === 0) return nothing;
  const under = (n: number) => `BELAY_PASSED_${n}`;
  const given = entries.map(([name], n) => `${name}="\${${name}-$${under(n)}}"`).join(' ');
  return {
    env: Object.fromEntries(entries.map(([, value], n) => [under(n), value])),
    words: `export ${given}; unset ${entries.map((_entry, n) => under(n)).join(' ')}; `,
  };
}

/** The words of `carry`, wherever they are quoted. */
export const CARRIED = /export (?:\w+="\$\{\w+-\$BELAY_PASSED_\d+\}" ?)+; unset (?:BELAY_PASSED_\d+ ?)+; /g;
