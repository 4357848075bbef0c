/** The supervisor outside, the command inside: what is said of its end, what is stopped, what is left. */
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { textOf, until } from '../workspace/bench-place.ts';
import { livingWith, markedSleep, openConfined } from './confined-place.ts';

vi.setConfig({ testTimeout: 60_000 });

const alive = (mark: string) => () => livingWith(mark).length > 0;

describe('the end is told as without a sandbox', () => {
  test.each([
    ['an exit code', 'exit 7', { state: 'exited', exitCode: 7, consistent: true }, ''],
    ['true order of both outputs', 'echo a; echo b >&2; echo c', { exitCode: 0 }, 'a\nb\nc\n'],
    ['a death by a signal', 'kill -9 $$', { exitCode: 137 }, ''],
    ['quotes and dollars', `echo "it's" '$HOME' \\"`, { exitCode: 0 }, `it's $HOME "\n`],
    ['a text that begins with a dash', '-x; echo on', { exitCode: 0 }, /on\n$/],
    ['input that is at its end', 'cat; echo over', { exitCode: 0 }, 'over\n'],
    ['a long text', `: ${"'x'".repeat(60_000)}; echo long`, { exitCode: 0 }, 'long\n'],
    ['a commit', 'echo b >a; git commit -qam y && git log --format=%s', { exitCode: 0 }, 'y\nx\n'],
  ])('%s', async (_name, command, end, output) => {
    const place = await openConfined();
    const result = await place.run(command);
    expect(result).toMatchObject({ state: 'exited', leftAlive: [], confined: { network: false, putAway: [] }, ...end });
    if (typeof output === 'string') expect(textOf(result)).toBe(output);
    else expect(textOf(result)).toMatch(output);
  });

  test('a command that runs unconfined says nothing of the sandbox', async () => {
    const place = await openConfined();
    const result = await place.run('grep NoNewPrivs /proc/self/status', { unconfined: true });
    expect(result.confined).toBeUndefined();
    expect(textOf(result)).toMatch(/\t0\n$/);
  });
});

describe('everything of a command is stopped', () => {
  const ways: readonly (readonly [string, (mark: string) => string])[] = [
    ['a plain child', (mark) => `sleep ${mark} & wait`],
    ['a session of its own', (mark) => `setsid -f sleep ${mark}; sleep 60`],
    ['a child that outlives its parent', (mark) => `(sleep ${mark} &) ; sleep 60`],
    ['nohup and disown', (mark) => `nohup sleep ${mark} >/dev/null 2>&1 & disown; sleep 60`],
    ['deaf to TERM', (mark) => `trap '' TERM HUP INT; (trap '' TERM; sleep ${mark}) & while :; do sleep 1; done`],
    ['an empty environment', (mark) => `setsid -f env -i /bin/sleep ${mark}; sleep 60`],
    [
      'another name, another session, no environment, deaf',
      (mark) => `(trap '' TERM; exec setsid env -i bash -c 'exec -a kworker sleep ${mark}') & sleep 60`,
    ],
  ];
  test.each(ways)('at the deadline: %s', async (_name, text) => {
    const place = await openConfined();
    const mark = markedSleep();
    const running = place.run(text(mark), { timeoutMs: 1_500 });
    await until(alive(mark));
    expect(await running).toMatchObject({ state: 'timed-out', stopLevel: 'pidns', leftAlive: [] });
    expect(livingWith(mark)).toEqual([]);
  });

  test('when it is cancelled, with its own exit code and last words where it has some', async () => {
    const place = await openConfined();
    const stop = new AbortController();
    const running = place.run(`trap 'echo bye; exit 7' TERM; echo x >up; while :; do sleep 0.05; done`, {
      signal: stop.signal,
    });
    await until(() => existsSync(join(place.root, 'up')));
    stop.abort();
    const result = await running;
    expect(result).toMatchObject({ state: 'cancelled', exitCode: 7, consistent: true, stopLevel: 'pidns' });
    expect(textOf(result)).toMatch(/bye\n$/);
  });

  test('a background child outlives its shell, is told, and ends with the session', async () => {
    const place = await openConfined();
    const mark = markedSleep();
    const result = await place.run(`setsid -f env -i sleep ${mark} >/dev/null 2>&1; echo over`);
    expect(result).toMatchObject({ state: 'exited', exitCode: 0 });
    expect(result.leftAlive.map(String)).toEqual(livingWith(mark));
    expect(result.leftAlive).toHaveLength(1);
    await place.workspace.processes.stopLeftovers();
    expect(livingWith(mark)).toEqual([]);
  });
});

describe('an agent that is a normal user', () => {
  const isRoot = process.getuid?.() === 0;
  let agent = '';
  beforeAll(() => {
    // One folder of plain files: the place of the sources may be closed to everybody but their owner.
    const bundle = mkdtempSync(join(tmpdir(), 'belay-agent-'));
    const source = fileURLToPath(new URL('./agent.ts', import.meta.url));
    const tsdown = fileURLToPath(new URL('../../node_modules/tsdown/dist/run.mjs', import.meta.url));
    const options = ['--no-config', '--out-dir', bundle, '--format', 'esm', '--no-dts', '--logLevel', 'warn'];
    const made = spawnSync(process.execPath, [tsdown, source, ...options], { encoding: 'utf8' });
    if (made.status !== 0) throw new Error(made.stdout + made.stderr);
    chmodSync(bundle, 0o755);
    agent = join(bundle, 'agent.mjs');
  }, 120_000);
  afterAll(() => rmSync(dirname(agent), { recursive: true, force: true }));

  /** Runs one command under an agent of its own; root becomes nobody for it, with a Node that nobody may start. */
  async function runAsUser(command: (mark: string) => string, more: object = {}) {
    const place = await openConfined();
    const top = dirname(place.root);
    const node = join(top, 'node');
    try {
      linkSync(realpathSync(process.execPath), node);
    } catch {
      copyFileSync(process.execPath, node);
    }
    chmodSync(top, 0o755);
    const mark = markedSleep();
    const request = JSON.stringify({ ...place.request(command(mark), more), signal: undefined });
    const words = [node, agent, place.root, place.data, request];
    const user = isRoot ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : [];
    if (isRoot) spawnSync('chown', ['-R', '65534:65534', place.root, place.data]);
    const env = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', HOME: place.data, NODE_NO_WARNINGS: '1' };
    const [first, ...rest] = [...user, ...words] as [string, ...string[]];
    const ran = spawnSync(first, rest, { cwd: place.root, env, encoding: 'utf8' });
    if (ran.status !== 0) throw new Error(ran.stderr);
    return { result: JSON.parse(ran.stdout) as { readonly [name: string]: unknown }, mark };
  }

  test('has no capability in the sandbox', async () => {
    const { result } = await runAsUser(() => 'grep -E "CapEff|NoNewPrivs" /proc/self/status');
    expect(result).toMatchObject({ exitCode: 0, output: 'CapEff:\t0000000000000000\nNoNewPrivs:\t1\n' });
  });

  test('stops everything, though it may not read the environment of what runs inside', async () => {
    const text = (mark: string) => `(trap '' TERM; exec setsid env -i sleep ${mark}) & sleep 60`;
    const { result, mark } = await runAsUser(text, { timeoutMs: 1_000 });
    expect(result).toMatchObject({ state: 'timed-out', stopLevel: 'pidns', leftAlive: [] });
    expect(livingWith(mark)).toEqual([]);
  });

  test('is told of a background child, and ends it with the session', async () => {
    const { result, mark } = await runAsUser((mark) => `setsid -f env -i sleep ${mark} >/dev/null 2>&1; echo over`);
    expect(result).toMatchObject({ state: 'exited', exitCode: 0, leftAlive: [expect.any(Number)] });
    expect(livingWith(mark)).toEqual([]);
  });
});

describe('the agent is killed', () => {
  test('its command goes on in the sandbox, and the next agent waits for the true end', async () => {
    const place = await openConfined();
    const request = place.request('echo a; until [ -e go ]; do sleep 0.02; done; echo b; echo once >>log; exit 3');
    const agent = spawn(
      process.execPath,
      [fileURLToPath(new URL('./agent.ts', import.meta.url)), place.root, place.data, JSON.stringify(request)],
      { env: { ...process.env, NODE_OPTIONS: '' }, stdio: 'inherit', detached: true },
    );
    await until(() => existsSync(join(request.execFolder, 'claim')));
    process.kill(-(agent.pid as number), 'SIGKILL');
    const bootId = await place.workspace.processes.bootId();
    const settling = place.workspace.processes.settle({ ...request, bootId });
    writeFileSync(join(place.root, 'go'), '');
    const result = await settling;
    expect(result).toMatchObject({ state: 'exited', exitCode: 3, consistent: true, confined: { putAway: [] } });
    expect(textOf(result)).toBe('a\nb\n');
    expect(readFileSync(join(place.root, 'log'), 'utf8')).toBe('once\n');
  });
});

describe('what is around a command', () => {
  test('no descriptor, socket or folder of the agent comes with it', async () => {
    const place = await openConfined();
    const result = await place.run(`cd /proc/$$/fd; for f in *; do [ "$f" -le 2 ] || readlink $f; done`);
    // What is said of pipe stages is a file of its own that holds nothing else; bash keeps its own script's pipe.
    const seen = textOf(result)
      .split('\n')
      .filter((line) => line !== '' && !/^\/proc\/|^pipe:|\/said$/.test(line));
    expect(seen).toEqual([]);
  });

  test('there is no terminal to type into', async () => {
    const place = await openConfined();
    expect(await place.run('exec 3<>/dev/tty')).toMatchObject({ exitCode: 1 });
  });

  test('/tmp lasts from one command to the next, and is not that of the machine', async () => {
    const place = await openConfined();
    const mark = `belay-${markedSleep()}`;
    await place.run(`echo kept >/tmp/${mark}`);
    expect(textOf(await place.run(`cat /tmp/${mark}`))).toBe('kept\n');
    expect(existsSync(`/tmp/${mark}`)).toBe(false);
  });

  test('a relative entry of the search path is dropped', async () => {
    const place = await openConfined();
    expect(textOf(await place.run('case ":$PATH:" in *:.:* | *::*) echo relative ;; *) echo fine ;; esac'))).toBe(
      'fine\n',
    );
  });
});

describe('what the user keeps in keyrings of the kernel', () => {
  const call = process.arch === 'arm64' ? 219 : 250;
  const ask = `perl -e 'print syscall(${call}, 0, -3, 0) < 0 ? "closed " . ($! + 0) : "open"; print "\\n"'`;

  test.each([
    ['by the launcher', ask],
    ['the long way', `: ü; ${ask}`],
  ])('is not reached, as if the system had none: started %s', async (_name, command) => {
    const place = await openConfined();
    expect(textOf(await place.run(command, { unconfined: true }))).not.toBe('closed 38\n');
    expect(textOf(await place.run(command))).toBe('closed 38\n');
  });

  test('no descriptor of the filter is left to the command', async () => {
    const place = await openConfined();
    const list = 'ls /proc/self/fd | tr "\\n" " "';
    expect(textOf(await place.run(list))).toBe(textOf(await place.run(list, { unconfined: true })));
  });
});

describe('nothing is prepared for later', () => {
  const list = (folder: string) => readdirSync(folder).sort();

  test.each(['commondir', 'config.worktree', 'hooks'])('a new %s in the git folder is put away', async (name) => {
    const place = await openConfined({}, 'rm -rf .git/hooks');
    const before = list(join(place.root, '.git'));
    const result = await place.run(`mkdir -p .git/${name} && echo x >.git/${name}/pre-commit`);
    expect(result.confined?.putAway).toHaveLength(1);
    expect(list(join(place.root, '.git'))).toEqual(before);
  });

  test.each([
    ['a folder', 'mkdir .vscode && echo x >.vscode/tasks.json', '.vscode'],
    ['a file', 'echo x >.envrc', '.envrc'],
    ['a link', 'ln -s a .husky', '.husky'],
    ['what git brings', 'git checkout -q planted', '.mcp.json'],
  ])('what starts programs later and was not there is put away and told: %s', async (_name, command, name) => {
    const branch =
      'git checkout -qb planted && echo x >.mcp.json && git add . && git commit -qm p && git checkout -q -';
    const place = await openConfined({}, branch);
    const { confined } = await place.run(command);
    expect(confined?.putAway).toEqual([
      expect.stringContaining(`${join(place.root, name)} starts programs outside the sandbox later; it was moved to`),
    ]);
    expect(list(place.root)).not.toContain(name);
  });

  test('it is put away while others still run, and where a process that outlived its shell made it', async () => {
    const place = await openConfined();
    const late = '(until [ -e go ]; do sleep 0.05; done; echo x >.envrc; touch done) & echo up';
    expect((await place.run(late)).confined?.putAway).toEqual([]);
    writeFileSync(join(place.root, 'go'), '');
    await until(() => existsSync(join(place.root, 'done')));
    const next = await place.run('true');
    expect(next.confined?.putAway).toEqual([expect.stringContaining('.envrc')]);
    expect(list(place.root)).not.toContain('.envrc');
  });

  test("what appears while nothing confined lives is the user's, and is kept from commands from then on", async () => {
    const place = await openConfined();
    await place.run('true');
    mkdirSync(join(place.root, '.idea'));
    const result = await place.run('echo x >.idea/workspace.xml; mv .idea other');
    expect(textOf(result)).toMatch(/Read-only file system[\s\S]*busy/);
    expect(result.confined?.putAway).toEqual([]);
    expect(list(join(place.root, '.idea'))).toEqual([]);
  });

  test('what Belay itself makes while a command runs stays', async () => {
    const place = await openConfined();
    const running = place.run('until [ -e go ]; do sleep 0.05; done');
    place.confinement.accept?.(join(place.root, '.vscode/settings.json'));
    mkdirSync(join(place.root, '.vscode'));
    writeFileSync(join(place.root, '.vscode/settings.json'), '{}');
    writeFileSync(join(place.root, 'go'), '');
    expect((await running).confined?.putAway).toEqual([]);
    expect(list(place.root)).toContain('.vscode');
  });

  test('what a background process makes after its command ended is put away with the end of the run', async () => {
    const place = await openConfined({}, 'rm -rf .git/hooks');
    const result = await place.run('(until [ -e go ]; do sleep 0.05; done; echo x >.git/commondir; touch done) &');
    expect(result.confined?.putAway).toEqual([]);
    writeFileSync(join(place.root, 'go'), '');
    await until(() => existsSync(join(place.root, 'done')));
    await place.workspace.processes.stopLeftovers();
    expect(list(join(place.root, '.git'))).not.toContain('commondir');
  });

  test('a repository inside the workspace is protected like the outer one', async () => {
    const place = await openConfined({}, 'mkdir -p parts/inner && git init -q parts/inner');
    const result = await place.run('cd parts/inner && echo x >.git/hooks/pre-commit; mv .git .git2; git config a.b c');
    expect(textOf(result)).toMatch(/Read-only file system[\s\S]*busy[\s\S]*busy/);
  });

  test('the folders of submodules stay where they are, and submodules are still committed to', async () => {
    const place = await openConfined(
      {},
      'git init -q ../part && (cd ../part && git config user.email a@b && git config user.name n && git commit -q --allow-empty -m p) && git -c protocol.file.allow=always submodule --quiet add ../part parts/one',
    );
    const result = await place.run(
      'mv .git/modules .git/m; mv .git/modules/parts .git/modules/m; echo x >.git/modules/parts/one/hooks/pre-commit; cd parts/one && git -c user.name=n -c user.email=e commit -q --allow-empty -m inner && git log --format=%s',
    );
    expect(textOf(result)).toMatch(/busy[\s\S]*busy[\s\S]*Read-only[\s\S]*inner\np\n$/);
  });

  test('a place that is swapped between commands shows nothing of the home', async () => {
    const place = await openConfined();
    const secret = join(place.data, '..', 'secret');
    mkdirSync(secret);
    writeFileSync(join(secret, 'id'), 'the-secret');
    // A name that is protected where it exists: here it comes into being only now, and changes all the time.
    const swap = `mkdir real; ln -s ${secret} link; (while :; do mv -T real .claude; mv -T .claude real; mv -T link .claude; mv -T .claude link; done) >/dev/null 2>&1 &`;
    await place.run(swap, { timeoutMs: 60_000 });
    for (let n = 0; n < 25; n++) expect(textOf(await place.run('cat .claude/id link/id'))).not.toContain('the-secret');
  });

  test('a protected place that is a link is not followed', async () => {
    const place = await openConfined();
    const secret = join(place.data, '..', 'secret');
    mkdirSync(secret);
    writeFileSync(join(secret, 'id'), 'the-secret');
    symlinkSync(secret, join(place.root, '.claude'));
    const again = await openConfined({ workspace: place.root });
    const words = await again.confinement.confine(place.root);
    expect(words?.options.some((option) => option.endsWith('/.claude'))).toBe(false);
  });
});

describe('files that rules deny', () => {
  test.each([
    ['by name, at any depth', 'Read(.env)', 'cat .env deep/.env', 'Permission denied'],
    ['by path', 'Read(./deep/.env)', 'cat deep/.env; cat .env', /Permission denied[\s\S]*top/],
    ['a whole folder', 'Read(secrets/**)', 'cat secrets/a; : >secrets/new', 'Permission denied'],
    ['a pattern', 'Read(**/*.pem)', 'cat deep/key.pem', 'Permission denied'],
    ['edits', 'Edit(src/**)', 'cat src/x; echo y >src/x; echo z >src/new', /was[\s\S]*Read-only[\s\S]*Read-only/],
  ])('%s', async (_name, rule, command, expected) => {
    const made =
      'mkdir deep secrets src; echo top >.env; echo deep >deep/.env; echo s >secrets/a; echo k >deep/key.pem; echo was >src/x';
    const place = await openConfined({ deny: [rule] }, made);
    const before = readdirSync(place.root, { recursive: true })
      .map(String)
      .filter((name) => !name.startsWith('.git'))
      .sort();
    const output = textOf(await place.run(command));
    if (typeof expected === 'string') expect(output).toContain(expected);
    else expect(output).toMatch(expected);
    expect(readFileSync(join(place.root, '.env'), 'utf8')).toBe('top\n');
    const after = readdirSync(place.root, { recursive: true })
      .map(String)
      .filter((name) => !name.startsWith('.git'))
      .sort();
    expect(after).toEqual(before);
  });

  test.each([
    ['of a folder', 'Read(secrets/**)'],
    ['by name', 'Read(a)'],
  ])('%s are not deleted by a commit of everything', async (_name, rule) => {
    const made =
      'git config user.name n; git config user.email e; mkdir -p secrets/deep; echo s >secrets/deep/a; echo n >n; git add .; git commit -qm x; echo m >n';
    const place = await openConfined({ deny: [rule] }, made);
    const refused = textOf(await place.run('git add -A || git stash || git commit -am all'));
    expect(refused).toMatch(/can only add regular files[\s\S]*unsupported file type[\s\S]*can only add regular files/);
    expect(
      textOf(await place.run('git commit -qm named n && git ls-files HEAD && git ls-tree -r --name-only HEAD')),
    ).toBe('a\nn\nsecrets/deep/a\n');
  });
});
