import { describe, expect, it } from 'vitest';
import { createPermission } from '../../../src/permission/create-permission.ts';
import { narrowed } from '../corpus/narrowed.ts';
import { corpusPorts } from '../corpus/workspace.ts';

interface Row {
  readonly rule: string;
  readonly meant: readonly string[];
  readonly other: readonly string[];
}
const rows: readonly Row[] = [
  {
    rule: 'npm install *',
    meant: ['npm install', 'npm i x', 'npm add x', 'npm -s i x', 'npm --prefix a install', 'npm isntall', 'npm insta'],
    other: ['npm ci', 'npm test', 'npm run build', 'npm init', 'npm info x', 'pnpm install', 'npm', 'npm x install'],
  },
  {
    rule: 'npm publish *',
    meant: ['npm --silent publish', 'npm publ', 'npm -w a publish', 'npm $X publish', 'npm "$X" "$Y" publish'],
    other: ['npm pack', 'npm run build', 'npm p', 'npm view publish'],
  },
  {
    rule: 'npm run deploy *',
    meant: ['npm run -s deploy', 'npm run-script deploy', 'npm --silent rum deploy -- x', 'npm run --prefix a deploy'],
    other: ['npm run build deploy', 'npm run', 'npm install deploy'],
  },
  {
    rule: 'npm run deploy',
    meant: ['npm run deploy', 'npm run-script deploy', 'npm -s run deploy', 'npm run -s deploy', 'sudo npm run deploy'],
    other: ['npm run deploy:all', 'npm run deploy x', 'npm run deploy -s', 'npm run build', 'npm run'],
  },
  { rule: 'docker ps', meant: ['docker -H x ps'], other: ['docker ps x'] },
  { rule: 'npm publish', meant: ['npm -s publish'], other: ['npm publish x'] },
  { rule: 'npm run', meant: ['npm run', 'npm rum', 'npm -s run'], other: ['npm run x', 'npm test', 'npm'] },
  { rule: 'npm run *', meant: ['npm run-script x'], other: ['npm test', 'npm install'] },
  {
    rule: 'npm test *',
    meant: ['npm t', 'npm tst -- x', 'npm run test', 'npm run-script -s test'],
    other: ['npm run x t'],
  },
  { rule: 'npm run test', meant: ['npm test', 'npm t', 'npm tst'], other: ['npm test x', 'npm start'] },
  { rule: 'npm run test*', meant: ['npm run -s test:all', 'npm rum testing x'], other: ['npm run tes'] },
  { rule: 'npm t*', meant: ['npm -s trust', 'npm test'], other: ['npm install'] },
  { rule: 'pnpm run deploy *', meant: ['pnpm deploy', 'pnpm -s deploy x'], other: ['pnpm install deploy'] },
  { rule: 'bun run deploy *', meant: ['bun deploy', 'bun run deploy'], other: ['bun x'] },
  { rule: 'yarn run deploy *', meant: ['yarn deploy', 'yarn rum deploy'], other: ['yarn x deploy', 'yarn'] },
  { rule: 'yarn run *', meant: ['yarn run x'], other: ['yarn add x', 'yarn deploy'] },
  { rule: 'yarn deploy *', meant: ['yarn run deploy', 'yarn urn deploy x'], other: ['yarn running deploy'] },
  {
    rule: 'yarn install *',
    meant: ['yarn', 'yarn --silent'],
    other: ['yarn --version', 'yarn -v', 'yarn -h', 'yarn --help', 'yarn build', 'yarn --silent build'],
  },
  { rule: 'pnpm install *', meant: ['pnpm i', 'pnpm -C x add y'], other: ['pnpm', 'pnpm --silent'] },
  { rule: 'deploy run x *', meant: ['deploy run x'], other: ['deploy x'] },
  { rule: 'deploy x *', meant: [], other: ['deploy run x'] },
  {
    rule: 'cargo publish *',
    meant: ['cargo -q publish', 'cargo +nightly publish', 'cargo --config x publish', 'cargo-publish x'],
    other: ['cargo build publish'],
  },
  {
    rule: 'pip install *',
    meant: ['pip3 install x', 'pip3.12 -q install x', 'python -m pip install x', 'python3 -I -mpip -q install x'],
    other: ['pip list', 'python -m venv install', 'python pip install', 'python -m', 'pip show install'],
  },
  {
    rule: 'pip3 install *',
    meant: ['pip install x', 'python -m pip install x', 'pip3.11 install x'],
    other: ['pip list'],
  },
  { rule: 'python3 *', meant: ['python3.12 x', 'python x', '/usr/bin/python3 x'], other: ['perl x', 'python2 x'] },
  { rule: 'more *', meant: ['more x'], other: ['less x', 'most x'] },
  { rule: 'less *', meant: ['less x', 'more x'], other: ['lesser x'] },
  {
    rule: 'docker rm *',
    meant: ['docker -H x rm y', 'docker container rm y', 'docker --context=a rm y'],
    other: ['docker ps'],
  },
  {
    rule: 'docker rmi *',
    meant: ['docker image rm x', 'docker image remove x', 'for x in image; do docker $x rm y; done'],
    other: ['docker rm x', 'docker ps rm', 'docker container rm x', 'docker image ls', 'docker system prune'],
  },
  {
    rule: 'docker prune *',
    meant: ['docker system prune', 'docker builder prune', 'podman; docker image prune'],
    other: ['docker x prune'],
  },
  { rule: 'podman rm *', meant: ['podman container rm x'], other: ['docker rm x'] },
  { rule: 'nerdctl rm *', meant: ['nerdctl container rm x'], other: [] },
  { rule: 'svn rm *', meant: ['svn del x'], other: ['svn container rm x'] },
  {
    rule: 'docker-compose up *',
    meant: ['docker compose up', 'docker-compose -f x up', 'for x in ps compose; do docker $x up; done'],
    other: ['docker up'],
  },
  {
    rule: 'docker compose up *',
    meant: ['docker-compose up', 'docker compose -f x up'],
    other: ['docker-compose down'],
  },
  {
    rule: 'kubectl delete *',
    meant: ['kubectl -n x delete pod y', 'kubectl --context=a delete pod', 'kubectl -v delete'],
    other: ['kubectl get pods', 'kubectl get delete'],
  },
  {
    rule: 'git push *',
    meant: [
      'git -C x push',
      'git --no-pager push',
      'git -c a=b -c c=d push',
      'git-push',
      '/usr/lib/git-core/git-push x',
      'x=push; git $x',
      'g=git; $g push',
      "g='git push'; $g x",
      'for x in pull push; do git $x; done',
      'GIT push',
      'git.exe push',
      'git +x push',
    ],
    other: ['git log --grep push', 'git stash push', 'git status', 'git commit -m push', 'gitx push', 'git', 'push'],
  },
  {
    rule: 'git push --force *',
    meant: ['git push origin main --force', 'git push --force origin', 'git -C x push -v --force', 'git push --forc'],
    other: ['git push', 'git push --follow-tags', 'git push --force-with-lease', 'git --force', 'git pull --force'],
  },
  {
    rule: 'git push --force',
    meant: ['git push --force', 'git -C x push --force'],
    other: ['git push --force x', 'git push', 'git push --force --force-with-lease'],
  },
  {
    rule: 'git push --f*',
    meant: ['git push x --force', 'git push --follow-tags'],
    other: ['git push --dry-run', 'git push x'],
  },
  {
    rule: 'curl --output *',
    meant: ['curl x --output=y', 'curl --output y x'],
    other: ['curl x', 'curl -o y x', 'curl --x'],
  },
  {
    rule: 'git commit -a *',
    meant: ['git commit -am x', 'git commit -m x -a'],
    other: ['git commit -m a', 'git commit --amend'],
  },
  {
    rule: 'rm -rf *',
    meant: ['rm -fr x', 'rm -r -f x', 'rm x -rf', 'rm -rvf x', 'sudo -u me rm -fr x', 'rm -r x -vf'],
    other: ['rm x', 'rm -r x', 'rm -f x', 'rm rf', 'rm --rf'],
  },
  { rule: 'find . -delete', meant: ['find . -delete'], other: ['find . -de -let', 'find . -name -delete x'] },
  { rule: 'find . -delete *', meant: ['find . -name x -delete'], other: ['find . -de -let', 'find . -deletex'] },
  { rule: 'date -u1 *', meant: ['date -u1'], other: ['date -u -1', 'date -1u'] },
  { rule: 'tar -x *', meant: ['tar -xvzf a', 'tar -v -x'], other: ['tar -exclude a', 'tar x', 'tar -x=1'] },
  { rule: 'rm', meant: ['rm', '/bin/rm'], other: ['rm x', 'rm -r'] },
  { rule: 'curl*', meant: ['curl x', 'curl-config', '/usr/bin/curlie x'], other: ['xcurl x', 'cur x'] },
  { rule: '/usr/bin/rm *', meant: ['rm x', '/bin/rm x', './rm x'], other: ['rmdir x'] },
  { rule: 'RM *', meant: ['rm x'], other: ['rmdir x'] },
  { rule: 'rm.exe *', meant: ['rm x'], other: [] },
  {
    rule: './deploy.sh *',
    meant: [
      './deploy.sh',
      '/repo/deploy.sh',
      '././deploy.sh x',
      '../deploy.sh',
      'sh deploy.sh',
      'bash -x ./deploy.sh a',
    ],
    other: [
      'deploy.sh',
      './deploy',
      './xdeploy.sh',
      './deploysh',
      './x.sh',
      'node ./deploy.sh',
      './deploy.sh/x',
      'bash -c ./x deploy.sh',
    ],
  },
  {
    rule: 'scripts/deploy *',
    meant: ['./scripts/deploy', '/repo/scripts/deploy x', './deploy'],
    other: ['x/deploy', 'deploy'],
  },
  { rule: './test *', meant: ['./test'], other: ['test -f x', '[ -f x ]'] },
  {
    rule: 'rimraf *',
    meant: ['npx rimraf x', 'yarn run rimraf x', 'node_modules/.bin/rimraf x'],
    other: ['npm install rimraf'],
  },
  {
    rule: 'git -C src *',
    meant: ['git -C src push', 'timeout 5 git -C src log'],
    other: ['git -C lib push', 'git push'],
  },
  { rule: '*', meant: ['x'], other: [] },
];

describe('a rule that denies', () => {
  const meant = rows.flatMap(({ rule, meant: texts }) => texts.map((text): [string, string] => [rule, text]));
  it.each(meant)('Bash(%s) means: %s', async (rule, text) => {
    expect(await narrowed(text, { deny: [`Bash(${rule})`] })).toEqual({
      decision: 'deny',
      reason: expect.stringContaining(`rule Bash(${rule})`),
    });
  });
  const other = rows.flatMap(({ rule, other: texts }) => texts.map((text): [string, string] => [rule, text]));
  it.each(other)('Bash(%s) does not mean: %s', async (rule, text) => {
    expect((await narrowed(text, { deny: [`Bash(${rule})`] })).decision).toBe('allow');
  });
});

it.each(['npm --silent publish', 'sudo -u me npm publish', 'bash <<< "npm publish"'])(
  'a rule that asks means the same: %s',
  async (text) => {
    expect(await narrowed(text, { ask: ['Bash(npm publish *)'] })).toEqual({
      decision: 'ask',
      reason: expect.stringContaining('rule Bash(npm publish *)'),
    });
    expect((await narrowed(text, { ask: ['Bash(npm publish *)'], deny: ['Bash(npm publish *)'] })).decision).toBe(
      'deny',
    );
  },
);

it.each([
  ['sudo -u me rm x', 'sudo -u me rm x: rule Bash(rm *)'],
  ["bash <<< 'rm x'", 'rm x: rule Bash(rm *)'],
])('of %s it says: %s', async (text, reason) => {
  expect(await narrowed(text, { deny: ['Bash(rm *)'] })).toEqual({ decision: 'deny', reason });
});

it('a rule that allows means its words alone', async () => {
  const permission = createPermission(corpusPorts);
  for (const command of [
    'npm --silent test',
    'npm t',
    'npx npm test',
    'x=npm; $x test',
    'bash <<< "npm test"',
    'flock f npm test',
  ]) {
    const { decision } = await permission(
      { tool: 'Bash', args: { command }, effect: 'process', paths: null },
      {
        mode: 'default',
        allow: ['Bash(npm test *)'],
        checks: [],
        workspace: '/repo',
        signal: new AbortController().signal,
      },
    );
    expect(decision, command).toBe('ask');
  }
});
