/** Which places of a machine commands do not see, and which of the user's home they need. */
import { isBelow } from './policy.ts';

/** Sockets, other users, removable disks and what lies about: shown empty. */
export const hiddenFolders: readonly string[] = [
  '/run',
  '/var/run',
  '/var/tmp',
  '/home',
  '/root',
  '/mnt',
  '/media',
  '/etc/ssl/private',
  '/etc/letsencrypt',
  '/etc/kubernetes',
  '/etc/rancher',
  '/etc/wireguard',
  '/etc/openvpn',
  '/etc/ppp',
  '/etc/NetworkManager/system-connections',
  '/etc/netplan',
  '/etc/pki/tls/private',
  '/etc/credstore',
  '/etc/credstore.encrypted',
  '/etc/vault.d',
  '/etc/docker',
  '/etc/sudoers.d',
  '/sys/firmware',
  '/var/backups',
  '/var/lib/containerd',
  '/var/lib/containers',
  '/var/lib/docker',
  '/var/lib/kubelet',
  '/var/lib/rancher',
  '/var/lib/mongodb',
  '/var/lib/redis',
  '/var/lib/libvirt',
  '/var/lib/lxd',
  '/var/lib/mysql',
  '/var/lib/postgresql',
  '/var/log',
  '/var/mail',
  '/var/spool',
];

/** Files of the system that root could read. */
export const maskedFiles: readonly string[] = [
  '/etc/shadow',
  '/etc/shadow-',
  '/etc/gshadow',
  '/etc/gshadow-',
  '/etc/sudoers',
  '/etc/krb5.keytab',
  '/etc/security/opasswd',
  '/etc/mysql/debian.cnf',
  '/etc/postfix/sasl_passwd',
  '/etc/rndc.key',
  '/etc/bind/rndc.key',
  '/var/lib/systemd/credential.secret',
  '/etc/ssh/ssh_host_dsa_key',
  '/etc/ssh/ssh_host_ecdsa_key',
  '/etc/ssh/ssh_host_ed25519_key',
  '/etc/ssh/ssh_host_rsa_key',
  '/proc/keys',
  '/proc/sched_debug',
  '/proc/timer_list',
];

/** Below a home: what holds secrets, wherever the home itself has to be shown. */
export const secretFolders: readonly string[] = [
  '.ssh',
  '.aws',
  '.azure',
  '.gnupg',
  '.kube',
  '.docker',
  '.password-store',
  '.mozilla',
  '.thunderbird',
  '.config/gh',
  '.config/gcloud',
  '.config/google-chrome',
  '.config/chromium',
  '.config/BraveSoftware',
  '.config/rclone',
  '.config/op',
  '.local/share/keyrings',
  '.foundry/keystores',
  '.claude',
  '.codex',
  'Library/Keychains',
  'Library/Application Support/Google/Chrome',
  'Library/Application Support/Firefox',
];
export const secretFiles: readonly string[] = [
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.pgpass',
  '.my.cnf',
  '.git-credentials',
  '.config/git/credentials',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.composer/auth.json',
  '.config/composer/auth.json',
  '.fly/config.yml',
  '.hex/hex.config',
  '.pulumi/credentials.json',
  '.terraform.d/credentials.tfrc.json',
  '.m2/settings.xml',
  '.gradle/gradle.properties',
  '.terraformrc',
  '.vault-token',
  '.bash_history',
  '.zsh_history',
  '.node_repl_history',
  '.python_history',
  '.psql_history',
];

/** Below a home: what tools need to find, without any secret in it. */
export const harmlessPlaces: readonly string[] = [
  '.gitconfig',
  '.config/git',
  '.rustup',
  '.m2/repository',
  'go/pkg/mod',
  '.local/lib',
  '.local/share/fnm',
  '.local/share/mise',
  '.local/share/pipx',
  '.local/share/pnpm',
  '.local/share/uv',
];

/** Below a home: folders that hold much else than the tools in them. */
const shared: readonly string[] = ['.local', '.config', '.cache', '.npm', 'Library'];

/**
 * The folders in which the tools on a search path lie, as far as they are below hidden folders. A tool needs what lies
 * beside its `bin`, and a folder of the home whose name begins with a dot belongs to one tool as a whole.
 */
export function toolFolders(
  entries: readonly string[],
  home: string | null,
  hidden: readonly string[],
): readonly string[] {
  const found = new Set<string>();
  for (const entry of entries) {
    if (!hidden.some((folder) => isBelow(entry, folder))) continue;
    const inHome = home !== null && isBelow(entry, home) && entry !== home;
    const folder = inHome ? toolInHome(entry, home) : entry;
    // A whole hidden folder is not shown because a search path names it.
    if (!hidden.includes(folder) && folder !== home) found.add(folder);
  }
  return [...found].filter((one) => ![...found].some((other) => other !== one && isBelow(one, other))).sort();
}

function toolInHome(entry: string, home: string): string {
  const names = entry.slice(home.length + 1).split('/');
  const [first = ''] = names;
  // Beside the tools lies what they keep secret.
  if (secretFolders.includes(first)) return entry;
  if (first.startsWith('.') && !shared.includes(first)) return `${home}/${first}`;
  const last = names.at(-1) ?? '';
  const isPart = ['bin', 'shims', '.bin'].includes(last) && names.length > 1 && !shared.includes(names.at(-2) ?? '');
  return isPart ? `${home}/${names.slice(0, -1).join('/')}` : entry;
}

/** Inside a git directory, what makes git run programs, or look for its settings or for a work tree elsewhere. */
export const startingInGit: readonly string[] = [
  'hooks',
  'config',
  'config.worktree',
  'commondir',
  'gitdir',
  'locked',
  'info',
];
/** Of these, what must not come into being: nobody but git's own setup makes them. */
export const neverNewInGit: readonly string[] = ['hooks', 'config.worktree', 'commondir'];
