import { describe, expect, it } from 'vitest';
import type { PermissionContext, PermissionPorts } from '../../../src/permission/contract.ts';
import { createPermission } from '../../../src/permission/create-permission.ts';
import { unseenLoss } from '../../../src/permission/guard/unseen.ts';
import { analyse } from '../../../src/permission/shell/analyse.ts';

describe('a text whose words do not tell what it changes', () => {
  it.each([
    'make clean',
    './c.sh',
    './ls',
    '/usr/local/bin/ls',
    '/bin/own/ls',
    'sh c.sh',
    'env make',
    'timeout 5 make',
    'sudo make',
    '(make)',
    'if make; then ls; fi',
    'ls; make',
    'echo $(make)',
    '$(make)',
    'f() { make; }; f',
    'X=my.db; rm "$X"',
    'find . -exec ./x {} +',
    'find . -exec ls {} + -exec make {} +',
    'find . -name x | xargs ./x',
    'trap make EXIT',
    'echo rm x | sh',
    'npm test',
    'node -e 1',
    'tar xf a.tar',
    '. ./x',
    'export PATH=.',
    'PATH=. ls',
    'git',
    'git checkout main',
    'git -C . checkout main',
    'git switch main',
    'git merge main',
    'git pull',
    'git rebase main',
    'git reset --hard main',
    'git stash pop',
    'git commit -m x',
    'git co main',
    'git -c alias.log=!make log',
    'git diff --ext-diff',
    `sed 's/a/b/e' f`,
    `awk 'BEGIN { system("make") }'`,
  ])('%s', async (text) => {
    expect(unseenLoss(text, await analyse(text))).toEqual({
      what: text,
      why: 'it could change files that its words do not name',
      takes: ['ignored'],
      paths: null,
      beyond: null,
      unsure: true,
      unnamed: true,
    });
  });

  it.each([
    'echo 1 >> log.txt',
    'rm -rf build',
    'ls | grep x',
    '/bin/ls',
    '/usr/bin/ls',
    'timeout 5 ls',
    'env CI=1 ls',
    'set -e; ls',
    'for f in *; do rm "$f"; done',
    'find . -name x | xargs rm',
    'find . -name x',
    'git log',
    'git status',
    'git add .',
    `sed 's/a/b/' f`,
    `sed -i 's/a/b/' f`,
    `awk '{ print }' f`,
  ])('their words tell all: %s', async (text) => {
    expect(unseenLoss(text, await analyse(text))).toBeNull();
  });
});

describe('what nobody sees is kept, where somebody can look', () => {
  const ports: PermissionPorts = { realPath: async (path) => path, unheld: async () => [] };
  const decide = async (
    command: string,
    given: PermissionPorts | null,
    over: Partial<PermissionContext> = {},
    effect: 'read' | 'process' = 'process',
  ) =>
    createPermission(given)(
      { tool: 'Bash', args: { command }, effect, paths: null },
      {
        mode: 'bypassPermissions',
        allow: [],
        checks: [],
        workspace: '/w',
        signal: new AbortController().signal,
        ...over,
      },
    );
  it('whoever allows it', async () => {
    expect((await decide('make', ports)).losses).toMatchObject([{ what: 'make', unnamed: true }]);
    expect(await decide('make', ports, { mode: 'default', allow: ['Bash(make)'] })).toMatchObject({
      decision: 'allow',
      losses: [{ unnamed: true }],
    });
    expect((await decide('rm -rf x && make', ports)).losses).toMatchObject([{ paths: ['x'] }, { unnamed: true }]);
  });
  it('but not for a declared check, for what only reads, and where nothing can be looked up', async () => {
    const checks = [{ command: 'make', counts: true }];
    expect(Object.keys(await decide('make', ports, { mode: 'default', checks }))).not.toContain('losses');
    expect(Object.keys(await decide('make', ports, {}, 'read'))).not.toContain('losses');
    expect(Object.keys(await decide('make', null))).not.toContain('losses');
    expect(Object.keys(await decide('make', { realPath: async (path) => path }))).not.toContain('losses');
    expect(Object.keys(await decide('ls', ports))).not.toContain('losses');
  });
});
