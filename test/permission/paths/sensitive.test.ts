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
    '.env-example',
    '.env_sample',
    '.env.example~',
    '.env.template.bak',
    'id_rsa.pub.old',
    'notes.old',
    'keys.ts~',
    'environment-local',
    'environ~',
    '.env1x',
    '~',
    '#',
    '##',
    'a.copy.ts',
    'id_rsabak',
    'id_rsa.pub',
    'server.pub',
    'ssh/config',
    'sshx/a',
    'keys.ts',
    'tokens.json',
    'mytoken.json',
    'settings.json',
    'dev.vars',
    'boto',
    'tfstate',
    'client_secret.ts',
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
    '.env a/.env .env.local prod.env .envrc id_rsa id_dsa id_ecdsa id_ed25519 id_ed25519_sk deploy_key a.pem a.key a.p12 a.pfx a.jks a.keystore a.kdbx a.ppk a.asc a.gpg .npmrc .yarnrc .yarnrc.yml .netrc _netrc .pypirc .pgpass .my.cnf .git-credentials .htpasswd .dockercfg kubeconfig credentials credentials.json secrets.yml .secret.toml service-account.json serviceaccountx.json .vault-token client_secret_1.apps.json client_secret.json a-firebase-adminsdk-x.json token.json local.settings.json .dev.vars .dev.vars.production .vault_pass .vault_pass.txt .sentryclirc .boto .s3cfg terraform.tfstate terraform.tfstate.backup .terraformrc a.tfvars .bash_history .zsh_history .node_repl_history .ENV .e\u200bnv ID_RSA .ssh/config a/.ssh/b .SSH/x .aws/x .gnupg/x .kube/config .docker/x .azure/x .gcloud/x .password-store/x'.split(
      ' ',
    );
  it.each([
    ...'.env~ .env-local .env_old .env.bak .env.old~ .env1 .env.2 .env.2024-01-02 .env-2024.01.02 a/.env~ .ENV~ .#.env #.env# ..env.swp .env.swo prod.env~ prod.env.bak .envrc~ .envrc.save id_rsa~ id_rsa.bak id_rsa_old id_rsa-backup id_rsa2 .id_rsa.swp server.pem.orig server.key.old server.key-copy a.p12.prev a.p12.previous .npmrc.saved .npmrc.new .netrc.tmp .netrc.temp .pgpass.rej credentials.json.bak credentials.dpkg-old secrets.yml.rpmsave kubeconfig.1 id_rsa(1)'.split(
      ' ',
    ),
    '.env (copy)',
    '.env copy',
    '.env old',
    '.env (2)',
    'id_rsa (copy)',
  ])('a copy of a secret is one: %s', (path) => {
    expect(sensitivity(path)).toBe(`${path} may hold a secret`);
  });
  it('a name that no file can have is looked at once', () => {
    expect(sensitivity(`${'a'.repeat(20_000)}${'.bak'.repeat(40)}`)).toBeNull();
    expect(sensitivity(`.env${'~.bak'.repeat(50)}`)).not.toBeNull();
    expect(sensitivity(`.env.${'a'.repeat(300)}`)).not.toBeNull();
    expect(sensitivity(`id_rsa${'.'.repeat(250)}~`)).toBeNull();
    expect(sensitivity(`id_rsa${'~'.repeat(249)}`)).not.toBeNull();
    expect(sensitivity(`id_rsa${'~'.repeat(250)}`)).toBeNull();
  });
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
