/** Makes the policy of a workspace from what is there on this machine. */
import { homedir, userInfo } from 'node:os';
import path from 'node:path';
import {
  harmlessPlaces,
  hiddenFolders,
  isBelow,
  isClear,
  maskedFiles,
  type SandboxPolicy,
  type SandboxSettings,
  secretFiles,
  secretFolders,
  startingInHome,
  startingPlaces,
  toolFolders,
} from '#permission';
import { foldersBetween, gitPlaces } from './git-places.ts';
import { isReadable, kindOf, namesIn, realOf } from './real-paths.ts';
import { someFilesIn } from './some-files-in.ts';

export interface PolicyRequest {
  /** Real path. */
  readonly workspace: string;
  /** Belay's data folder. */
  readonly dataFolder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly network: boolean;
  /** Existing folder that is shown as `/tmp`. */
  readonly scratch: string | null;
  readonly settings: Pick<SandboxSettings, 'readable' | 'writable'>;
  /** Files from which something starts outside the sandbox, relative to the workspace. */
  readonly guarded?: readonly string[];
}
export interface MadePolicy {
  readonly policy: Omit<SandboxPolicy, 'forbidNested'>;
  /** What is not there in git folders and must not come into being. */
  readonly neverNew: readonly string[];
  /** From where programs start later, there or not. */
  readonly starting: readonly string[];
}

/** Variables that name the folder of a tool. */
const toolVariables = [
  'CARGO_HOME',
  'COREPACK_HOME',
  'CONDA_PREFIX',
  'FNM_DIR',
  'GOROOT',
  'JAVA_HOME',
  'NVM_DIR',
  'PNPM_HOME',
  'PYENV_ROOT',
  'RBENV_ROOT',
  'RUSTUP_HOME',
  'VIRTUAL_ENV',
  'VOLTA_HOME',
];
/** Where the system itself lies: a home above it cannot be hidden. */
const system = ['/usr', '/bin', '/etc', '/lib', '/proc', '/dev'];

/** Throws nothing; what is not there is left out. */
export function makePolicy(request: PolicyRequest): MadePolicy {
  const { workspace, env } = request;
  const isWithin = (at: string): boolean => isBelow(at, workspace);
  const homes = reals([env['HOME'] ?? '', homedir(), accountHome()]).filter((home) => !isSystem(home));
  const home = homes[0] ?? null;
  const data = realOf(request.dataFolder);
  const temporary = realOf('/tmp') === '/tmp' ? '/tmp' : null;
  // What is empty or closed to this user needs no hiding, and each place costs time at every start.
  const candidates = folders([...hiddenFolders.map(realOf), ...homes, realOf(env['TMPDIR'] ?? '/tmp'), data]).filter(
    (at) => at !== temporary && !isSystem(at) && (at === '/var/tmp' || at === data || namesIn(at).length > 0),
  );
  const outside = topmost(candidates.filter((at) => !isWithin(at)));
  const hidden = outside.filter((at) => temporary === null || !isBelow(at, temporary));
  const covered = temporary === null ? hidden : [...hidden, temporary];

  const named = request.settings.readable.map((text) => realOf(expanded(text, home)));
  // A hidden folder as a whole is shown only where the user himself names it.
  const whole = present(named).filter((at) => hidden.includes(at) && !homes.includes(at));
  const readable = topmost([
    ...toolFolders(searched(env), home, covered).map(realOf),
    ...reals([...toolVariables.map((name) => env[name] ?? ''), path.dirname(realOf('/etc/resolv.conf') ?? '')]),
    ...homes.flatMap((one) => harmlessPlaces.map((name) => realOf(path.join(one, name)))),
    ...named,
  ]).filter(
    (at) =>
      !isClear(at, covered) && (whole.includes(at) || !covered.includes(at)) && !homes.includes(at) && !isWithin(at),
  );
  const git = gitPlaces(workspace, homes);
  const shown = [...readable, ...git.readable];

  const secrets = homes.flatMap((one) =>
    [...secretFolders, ...secretFiles].map((name) => realOf(path.join(one, name))),
  );
  // Where the home cannot be hidden as a whole, or a shown folder holds a secret, the secret itself is.
  const bare = present(secrets).filter((at) => isWithin(at) || !isClear(at, shown) || isClear(at, covered));
  const bareFolders = bare.filter((at) => kindOf(at) === 'folder');
  const starting = [
    ...startingPlaces.map((name) => path.join(workspace, name)),
    ...homes.filter(isWithin).flatMap((one) => startingInHome.map((name) => path.join(one, name))),
  ];
  const guarded = reals((request.guarded ?? []).map((name) => path.join(workspace, name))).filter(isWithin);
  const isInside = (at: string): boolean => isWithin(at) || (!whole.includes(at) && !isClear(at, whole));
  const inside = candidates.filter((at) => isInside(at) && at !== workspace && !homes.includes(at));
  return {
    policy: {
      workspace,
      network: request.network,
      scratch: request.scratch,
      home: home !== null && !isClear(home, hidden) ? home : null,
      hidden,
      masked: present(maskedFiles.map(realOf)).filter(isReadable),
      readable: shown,
      writable: [...git.writable, ...present(request.settings.writable.map((text) => realOf(expanded(text, home))))],
      fixed: [...new Set([...git.fixed, ...guarded.flatMap((at) => foldersBetween(workspace, at))])],
      frozen: [...new Set([...starting.filter(isPlain), ...guarded, ...git.frozen])],
      hiddenInside: topmost([...bareFolders, ...inside]),
      maskedInside: [
        ...bare.filter((at) => kindOf(at) === 'file'),
        ...bareFolders.filter(isWithin).flatMap(someFilesIn),
      ],
    },
    neverNew: git.neverNew,
    starting,
  };
}

const isSystem = (at: string): boolean => system.some((one) => isBelow(one, at));
const isPlain = (at: string): boolean => ['file', 'folder'].includes(kindOf(at) ?? '');

/** The search path, and where this program's own Node lies, as named and as they are. */
function searched(env: NodeJS.ProcessEnv): readonly string[] {
  const named = [...(env['PATH'] ?? '').split(path.delimiter), path.dirname(process.execPath)]
    .filter((entry) => path.isAbsolute(entry))
    .map((entry) => path.normalize(entry).replace(/(.)\/$/, '$1'));
  return [...new Set([...named, ...present(named.map(realOf)), path.dirname(realOf(process.execPath) ?? '/')])];
}

/** `~/` is the home. */
export const expanded = (text: string, home: string | null): string =>
  text.startsWith('~/') && home !== null ? path.join(home, text.slice(2)) : text;

const present = (paths: readonly (string | null)[]): readonly string[] => [
  ...new Set(paths.filter((one) => one !== null)),
];
const reals = (paths: readonly string[]): readonly string[] =>
  present(paths.map((one) => (path.isAbsolute(one) ? realOf(one) : null)));
const folders = (paths: readonly (string | null)[]): readonly string[] =>
  present(paths).filter((at) => kindOf(at) === 'folder');

/** Without those that lie below another. */
const topmost = (paths: readonly (string | null)[]): readonly string[] => {
  const all = present(paths);
  return all.filter((at) => !all.some((other) => other !== at && isBelow(at, other))).sort();
};

function accountHome(): string {
  try {
    return userInfo().homedir;
  } catch {
    return '';
  }
}
