/** Names of files that commands must not touch without a question. */
import { isRepositoryInternal } from '../repository-internals.ts';
import { isStarting } from './starting-names.ts';

/** Case and invisible characters are folded because some file systems do. */
export const fold = (path: string): string =>
  path
    .toLowerCase()
    .replace(/\p{Cf}/gu, '')
    .normalize('NFKC');

const secretFolders: readonly string[] = [
  '.ssh',
  '.aws',
  '.gnupg',
  '.kube',
  '.docker',
  '.azure',
  '.gcloud',
  '.password-store',
];
const secretName =
  /^(\.env|\.env[._ -].+|.+\.env|\.envrc|id_(rsa|dsa|ecdsa|ed25519)(_sk)?|.+_key|.+\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg)|\.npmrc|\.yarnrc(\.yml)?|\.netrc|_netrc|\.pypirc|\.pgpass|\.my\.cnf|\.git-credentials|\.htpasswd|\.dockercfg|kubeconfig|credentials(\.(json|ya?ml|toml|ini))?|\.?secrets?\.(json|ya?ml|toml|ini|env|txt)|service[-_]?account.*\.json|client_secret.*\.json|.*firebase-adminsdk.*\.json|token\.json|local\.settings\.json|\.dev\.vars(\..+)?|\.vault_pass(\.txt)?|\.sentryclirc|\.boto|\.s3cfg|.+\.tfstate|\.vault-token|\.terraformrc|.+\.tfvars|\.bash_history|\.zsh_history|\.node_repl_history)$/;
const publicName = /^(\.env[._-](example|sample|template|dist|defaults)|.+\.pub)$/;

/** What editors and people put behind the name of a copy. */
const copyMark =
  /(~+|[._ -](bak|backup|old|orig|copy|save|saved|prev|previous|new|tmp|temp|sw[a-z]|rej|dpkg-\w+|rpm\w+|\d[\d._-]*)| ?\((copy|\d+)\)|\d+)$/;

/** A name, and those of which it may be a copy. */
function originals(name: string): readonly string[] {
  // No file system takes a longer one.
  if (name.length > 255) return [name];
  const bare = name.replace(/^\.?#(.+?)#?$/, '$1').replace(/^\.(?=.+\.sw[a-z]$)/, '');
  const shorter = bare.replace(copyMark, '');
  return shorter === name ? [name] : [name, ...originals(shorter)];
}

/** Whether a path names what commonly holds a secret. */
export function isSecret(path: string): boolean {
  const segments = fold(path)
    .split('/')
    .filter((segment) => segment !== '');
  const names = originals(segments.at(-1) ?? '');
  return (
    segments.some((segment) => secretFolders.includes(segment)) ||
    (names.some((name) => secretName.test(name)) && !names.some((name) => publicName.test(name)))
  );
}

/** Whether a path belongs to what later decides what may run: settings of agents and editors, and what git runs by itself. */
export const isSettings = (path: string): boolean => isStarting(fold(path));

/** Why a path is not for commands without a question, or null. */
export function sensitivity(path: string): string | null {
  if (isRepositoryInternal(fold(path))) return `${path} belongs to git`;
  if (isSecret(path)) return `${path} may hold a secret`;
  return isSettings(path) ? `${path} decides what may run later` : null;
}
