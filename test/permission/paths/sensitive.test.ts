import { describe, expect, it } from 'vitest';
import { sensitivity } from '../../../src/permission/paths/sensitive.ts';

describe('sensitivity', () => {
  it.each([
    'a',
    'src/env',
    'environment.ts',
    '.env.example',
    '.env.sample',
    '.env.template',
    '.env.dist',
    '.env.defaults',
    'id_rsa.pub',
    'server.pub',
    'ssh/config',
    'sshx/a',
    'keys.ts',
    'secret.ts',
    'git/config',
    'claude/x',
    'mcp.json',
    'package.json',
    'Makefile',
    '.github/workflows/ci.yml',
    'config/fish',
    '.configs/fish/x',
    'vscode/tasks.json',
    'a.code-workspaces',
  ])('%s is for everybody', (path) => {
    expect(sensitivity(path)).toBeNull();
  });
  const secrets =
    '.env a/.env .env.local prod.env .envrc id_rsa id_dsa id_ecdsa id_ed25519 id_ed25519_sk deploy_key a.pem a.key a.p12 a.pfx a.jks a.keystore a.kdbx a.ppk a.asc a.gpg .npmrc .yarnrc .yarnrc.yml .netrc _netrc .pypirc .pgpass .my.cnf .git-credentials .htpasswd .dockercfg kubeconfig credentials credentials.json secrets.yml .secret.toml service-account.json serviceaccountx.json .vault-token .terraformrc a.tfvars .bash_history .zsh_history .node_repl_history .ENV .e\u200bnv ID_RSA .ssh/config a/.ssh/b .SSH/x .aws/x .gnupg/x .kube/config .docker/x .azure/x .gcloud/x .password-store/x'.split(
      ' ',
    );
  it.each(secrets)('%s may hold a secret', (path) => {
    expect(sensitivity(path)).toBe(`${path} may hold a secret`);
  });
  it.each(
    '.belay .belay/x .claude/settings.json .CLAUDE/x a/.husky/pre-commit .githooks/x .mcp.json a/.gitattributes .gitmodules .gitconfig .git\u200battributes .vscode/tasks.json a/.VSCode/settings.json .idea/runConfigurations/x.xml .devcontainer/devcontainer.json .devcontainer.json .mise.toml mise.toml lefthook.yml .pre-commit-config.yaml .cursor/mcp.json .codex/config.toml .gemini/settings.json a.code-workspace .bashrc dots/.zshrc .config/fish/config.fish a/.config/git/config Library/LaunchAgents/x.plist .vimrc'.split(
      ' ',
    ),
  )('%s decides what may run later', (path) => {
    expect(sensitivity(path)).toBe(`${path} decides what may run later`);
  });
  it.each('.git .git/config a/.git/x .GIT/x .g\u200bit/x'.split(' '))('%s belongs to git', (path) => {
    expect(sensitivity(path)).toBe(`${path} belongs to git`);
  });
});
