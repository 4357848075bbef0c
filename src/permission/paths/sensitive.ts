/** Names of files that commands must not touch without a question. */
import { isRepositoryInternal } from '../repository-internals.ts';
import { isStarting } from './starting-names.ts';

/** Case and invisible characters are folded because some file systems do. */
const fold = (path: string): string =>
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
  /^(\.env|\.env\..+|.+\.env|\.envrc|id_(rsa|dsa|ecdsa|ed25519)(_sk)?|.+_key|.+\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg)|\.npmrc|\.yarnrc(\.yml)?|\.netrc|_netrc|\.pypirc|\.pgpass|\.my\.cnf|\.git-credentials|\.htpasswd|\.dockercfg|kubeconfig|credentials(\.(json|ya?ml|toml|ini))?|\.?secrets?\.(json|ya?ml|toml|ini|env|txt)|service[-_]?account.*\.json|\.vault-token|\.terraformrc|.+\.tfvars|\.bash_history|\.zsh_history|\.node_repl_history)$/;
const publicName = /^(\.env\.(example|sample|template|dist|defaults)|.+\.pub)$/;

/** Whether a path names what commonly holds a secret. */
export function isSecret(path: string): boolean {
  const segments = fold(path)
    .split('/')
    .filter((segment) => segment !== '');
  const name = segments.at(-1) ?? '';
  return (
    segments.some((segment) => secretFolders.includes(segment)) || (secretName.test(name) && !publicName.test(name))
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
