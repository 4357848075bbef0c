/**
 * Files and folders of a workspace that start programs on the user's machine later, by their names: settings of agents
 * and editors, hooks of git and what writes them, environments that a shell or a container takes over. Not here is what
 * runs only when somebody builds or tests (`package.json`, `Makefile`), nor what runs on another machine
 * (`.github/workflows`).
 */

/** What lies at the top of a workspace, and is kept from commands in the sandbox where it exists. */
export const startingPlaces: readonly string[] = [
  '.aider.conf.yml',
  '.belay',
  '.claude',
  '.codex',
  '.continue',
  '.cursor',
  '.devcontainer',
  '.devcontainer.json',
  '.dir-locals.el',
  '.envrc',
  '.exrc',
  '.fleet',
  '.gdbinit',
  '.gemini',
  '.githooks',
  '.husky',
  '.idea',
  '.lefthook',
  '.lefthook.json',
  '.lefthook.toml',
  '.lefthook.yaml',
  '.lefthook.yml',
  '.lldbinit',
  '.mcp.json',
  '.mise',
  '.mise.local.toml',
  '.mise.toml',
  '.nvim.lua',
  '.nvimrc',
  '.opencode',
  '.overcommit.yml',
  '.pre-commit-config.yaml',
  '.pre-commit-config.yml',
  '.roo',
  '.run',
  '.simple-git-hooks.cjs',
  '.simple-git-hooks.js',
  '.simple-git-hooks.json',
  '.vimrc',
  '.vs',
  '.vscode',
  '.windsurf',
  '.zed',
  'lefthook-local.yml',
  'lefthook.json',
  'lefthook.toml',
  'lefthook.yaml',
  'lefthook.yml',
  'mise.local.toml',
  'mise.toml',
  'opencode.json',
  'simple-git-hooks.cjs',
  'simple-git-hooks.js',
  'simple-git-hooks.json',
];

/** Of a home, whatever repository they lie in: a link may lead to them from there. */
const ofShells: readonly string[] = [
  '.bash_login',
  '.bash_logout',
  '.bash_profile',
  '.bashrc',
  '.pam_environment',
  '.profile',
  '.xprofile',
  '.xsessionrc',
  '.zlogin',
  '.zprofile',
  '.zshenv',
  '.zshrc',
];
const ofGit: readonly string[] = ['.gitattributes', '.gitconfig', '.gitmodules'];
const names: ReadonlySet<string> = new Set([...startingPlaces, ...ofShells, ...ofGit]);

const deepInHome: readonly string[] = [
  '.config/autostart',
  '.config/fish',
  '.config/git',
  '.config/systemd',
  'Library/LaunchAgents',
];
const deep: readonly string[] = deepInHome.map((place) => place.toLowerCase());
/** Below a home that is the workspace, or lies in it: what starts programs at the next login, shell or git command. */
export const startingInHome: readonly string[] = [...ofShells, '.gitconfig', ...deepInHome];

/** `path` in small letters. */
export function isStarting(path: string): boolean {
  const segments = path.split('/');
  if (segments.some((segment) => names.has(segment) || segment.endsWith('.code-workspace'))) return true;
  return deep.some((place) => `/${path}/`.includes(`/${place}/`));
}
