/**
 * The environment of a command: an allow-list, so that keys and tokens of the agent never reach what a model runs.
 * Reading git works without a pager, a prompt or an editor, none of which anybody could answer.
 */
import { delimiter, isAbsolute } from 'node:path';
import { mayNameSecret } from '#lib';
import { NON_INTERACTIVE } from './non-interactive.ts';

export type Env = Readonly<Record<string, string | undefined>>;

const NAMES = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'TERM',
  'COLORTERM',
  'NO_COLOR',
  'FORCE_COLOR',
  'TMPDIR',
  'TZ',
  'CI',
  'XDG_CONFIG_HOME',
  'XDG_CACHE_HOME',
  'XDG_DATA_HOME',
  'XDG_STATE_HOME',
  'XDG_RUNTIME_DIR',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
  'NODE_PATH',
  'NODE_ENV',
  'COREPACK_HOME',
  'PNPM_HOME',
  'VIRTUAL_ENV',
  'CONDA_PREFIX',
  'CONDA_DEFAULT_ENV',
  'PYTHONPATH',
  'PYTHONHOME',
  'PYTHONDONTWRITEBYTECODE',
  'PYTHONIOENCODING',
  'PYTHONUNBUFFERED',
  'JAVA_HOME',
  'GOPATH',
  'GOROOT',
  'CARGO_HOME',
  'RUSTUP_HOME',
]);
const PREFIXES = ['LC_', 'NVM_', 'VOLTA_', 'FNM_', 'PYENV_', 'RBENV_', 'UV_CACHE', 'UV_PYTHON'];

/** Names the command by which every process of it can be found again. */
export const ATTEMPT_TAG = 'BELAY_ATTEMPT';

/** `carried`: variables that the user's settings pass, under the names of `carry`. */
export function commandEnv(env: Env, attemptId: string, actionId: string, carried: Env = {}): Record<string, string> {
  return {
    ...allowed(env),
    ...(carried as Record<string, string>),
    [ATTEMPT_TAG]: attemptId,
    // Reflogs then name the ref updates of this action, without touching history.
    GIT_REFLOG_ACTION: `belay/${actionId}`,
    ...NON_INTERACTIVE,
  };
}

/** For helper programs of our own. */
export const toolEnv = (env: Env): Record<string, string> => ({ ...allowed(env), ...NON_INTERACTIVE });

/** Whether every command gets a variable of this name. */
export const isListed = (name: string): boolean =>
  NAMES.has(name) || (PREFIXES.some((p) => name.startsWith(p)) && !mayNameSecret(name));

function allowed(env: Env): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) continue;
    if (name === 'PATH') picked[name] = absoluteEntries(value);
    else if (isListed(name)) picked[name] = value;
  }
  return picked;
}

/** A relative entry means another folder wherever a command stands, and the workspace could pose as any program. */
const absoluteEntries = (path: string): string =>
  path
    .split(delimiter)
    .filter((entry) => isAbsolute(entry))
    .join(delimiter);
