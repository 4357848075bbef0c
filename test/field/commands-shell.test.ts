/** Commands as the tool runs them, in real shells, without a sandbox around. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { openSession } from '../tools/session.ts';
import { openPlace, textOf } from '../workspace/bench-place.ts';
import { isRunning } from './background.ts';

const runs = (pid: number) => isRunning(pid, (file) => readFileSync(file, 'latin1'));
async function bash(command: string, args: object = {}) {
  const session = await openSession();
  const outcome = await session.call('Bash', { command, ...args });
  return { session, outcome, text: outcome.output };
}

describe('C01: a command that asks gets the end of input at once, and its own exit code', () => {
  test.each([
    ['a question of the shell', 'read x; echo "got:$x"', 'got:\nexit code 0'],
    ['a filter', 'cat', '(no output)\nexit code 0'],
    ['an interpreter', 'python3', '(no output)\nexit code 0'],
    [
      'an installer',
      'printf "Proceed? [y/N] "; read answer && echo yes',
      /Proceed\? \[y\/N\]\nexit code 1\nhint: it asked for input/,
    ],
    ['a password', "sh -c 'echo Password: ; exit 3'", /Password:\nexit code 3\nhint: it asked for input/],
  ])('%s', async (_name, command, expected) => {
    const { text } = await bash(command);
    expect(text).toMatch(typeof expected === 'string' ? new RegExp(`^${escaped(expected)}$`) : expected);
  });
});

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

describe('C03: nothing pages, and what wants an editor fails at once and says what to do', () => {
  const history = `git init -q . && git config user.name a && git config user.email a@b.c &&
for n in $(seq 1 60); do git commit -q --allow-empty -m "commit $n"; done`;
  test.each([
    ['a long log', 'git log', /commit 60\n[\s\S]*commit 1\n+exit code 0$/],
    ['a commit without a message', 'git commit --allow-empty', /There is no editor here\. .*-m[\s\S]*exit code 1/],
    ['an interactive rebase', 'git rebase -i HEAD~2', /There is no editor here\.[\s\S]*exit code 1/],
    ['the editor of the user', '"${EDITOR:-vi}" file || sh -c "$EDITOR file"', /There is no editor here\./],
    ['the proposed text, where that is wanted', 'GIT_EDITOR=true git commit --amend --allow-empty', /exit code 0$/],
  ])('%s', async (_name, command, expected) => {
    const { text } = await bash(`(${history}) >/dev/null; ${command}`);
    expect(text).toMatch(expected);
  });
});

test('C04: a child in the background holds the output open: told as alive, and stopped at an orderly end', async () => {
  const { session, text } = await bash('node -e "setInterval(()=>{},1000)" & echo started');
  const pid = Number(/^started\nexit code 0; still running in the background: (\d+)$/.exec(text)?.[1]);
  expect(runs(pid)).toBe(true);
  await session.workspace.processes.stopLeftovers();
  expect(runs(pid)).toBe(false);
});

test('C05: at the limit nobody of the tree is left, also behind a pipe', async () => {
  const command = `sh -c 'sh -c "sleep 300 & echo \\$! > a; sleep 300 & echo \\$! > b; wait"' | cat`;
  const { session, outcome, text } = await bash(command, { timeout: 700 });
  expect(outcome.status).toBe('failed');
  expect(text).toContain('Stopped after 0.7 s');
  for (const name of ['a', 'b']) expect(runs(Number(session.file(name)))).toBe(false);
});

test('C06: without a limit of its own a command has the default one, which is recorded at its start', async () => {
  const session = await openSession();
  const prepared = await session.tool('Bash').prepare({ command: 'sleep 100000' }, session.context());
  expect(prepared).toMatchObject({ ok: true, attempt: { deadlineMs: 120_000 } });
  if (prepared.ok) await prepared.attempt.discard();
});

test('C07: a command that kills its own group does not reach the agent', async () => {
  const { text } = await bash('kill -TERM 0; sleep 9');
  expect(text).toMatch(/killed by signal 15 \(SIGTERM\), exit code 143$/);
});

describe('C08: a flood does not fill the memory', () => {
  test.each([['yes'], ['cat /dev/urandom']])('%s', async (flood) => {
    const before = process.memoryUsage().rss;
    const { text } = await bash(`timeout 1.5 ${flood}`);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
    expect(text.length).toBeLessThan(100_000);
    expect(text).toMatch(/any part of all \d{7,} bytes/);
  });
});

test('C09: while output pours in, the agent still answers', async () => {
  const session = await openSession();
  let looks = 0;
  const timer = setInterval(() => {
    if (++looks === 20) writeFileSync(path.join(session.root, 'seen'), '');
  }, 5);
  // It ends only when somebody has looked often enough.
  const command = 'yes | head -c 300000000; yes | while [ ! -e seen ]; do head -c 10000000; done';
  const outcome = await session.call('Bash', { command, timeout: 60_000 });
  clearInterval(timer);
  expect(outcome.output).toMatch(/exit code 0/);
  expect(outcome.status).toBe('succeeded');
});

describe('C12: a failure before the last stage of a pipe is told', () => {
  test.each([
    ['a failing stage', 'false | tail -1', /exit code 0; stages of the last pipe: 1 \| 0$/],
    [
      'a failing test run',
      "sh -c 'echo 1 failing; exit 1' | tail -5",
      /1 failing\nexit code 0; stages of the last pipe: 1 \| 0$/,
    ],
    ['all is well', 'echo a | tail -1', /^a\nexit code 0$/],
  ])('%s', async (_name, command, expected) => {
    expect((await bash(command)).text).toMatch(expected);
  });

  test('it is no evidence of a declared check', async () => {
    const check = { command: "sh -c 'echo 1 passing; exit 1' | cat", counts: false };
    const session = await openSession({}, [check]);
    const outcome = await session.call('Test', {});
    expect(outcome.status).toBe('failed');
    expect(outcome.output).toContain('an earlier stage of its pipe failed: 1 | 0');
  });
});

test.each([
  ['yes | head -1', /^y\nexit code 0; stages of the last pipe: 141 \| 0 \(141: SIGPIPE, its reader had enough\)$/],
  ['set -o pipefail; yes | head -1', /141 \| 0 \(141: SIGPIPE, its reader had enough\)$/],
])('C13: %s is told as closed early by its reader', async (command, expected) => {
  expect((await bash(command)).text).toMatch(expected);
});

test('C17: bytes of another encoding are shown as escapes, and the text around them is whole', async () => {
  const command = "printf 'ok\\n'; sleep 0.2; printf '\\346\\227\\245\\n'; printf '\\304\\343\\272\\303\\n'";
  expect((await bash(command)).text).toBe('ok\n日\n\\xc4\\xe3\\xba\\xc3\nexit code 0');
});

test('C18: a here document arrives byte by byte', async () => {
  const body = 'a\\n b\\\\ \' " ! $x `date` \\t\ttab $(x) *';
  expect((await bash(`cat <<'EOF'\n${body}\nEOF`)).text).toBe(`${body}\nexit code 0`);
  expect((await bash(`cat <<'EOF' | cat\n${body}\nEOF`)).text).toBe(`${body}\nexit code 0`);
});

test('C20: aliases, functions and start files of the user change nothing', async () => {
  const place = await openPlace();
  const home = path.join(place.data, 'home');
  mkdirSync(home);
  const rc = "shopt -s expand_aliases; alias cp='cp -i'; alias ls='ls --nope'; cd() { :; }; echo from-rc\n";
  for (const name of ['.bashrc', '.profile', '.bash_profile', '.bash_login', 'env']) {
    writeFileSync(path.join(home, name), rc);
  }
  const workspace = await place.reopen({
    env: { HOME: home, BASH_ENV: path.join(home, 'env'), ENV: path.join(home, 'env') },
  });
  const command = 'touch a b && cp a b && ls && cd / && pwd';
  const result = await (await workspace.processes.prepare(place.request(command))).start();
  expect(textOf(result)).toBe('a\nb\n/\n');
});

test('C22: of a long output the beginning and the summary at the end are shown, with the size', async () => {
  const { text } = await bash('seq 1 20000; echo 3 failed');
  expect(text).toMatch(
    /^1\n2\n[\s\S]*characters left out[\s\S]*\n3 failed\n\(any part of all \d+ bytes: .*\)\nexit code 0$/,
  );
});

test('C25: a program that was killed is told so', async () => {
  const { text } = await bash('exec sh -c "kill -KILL \\$\\$"');
  expect(text).toMatch(/killed by signal 9 \(SIGKILL\), exit code 137$/);
});

test.each([
  ['kill -SEGV $$', /killed by signal 11 \(SIGSEGV\), exit code 139$/],
  ['exit 139', /exit code 139 \(exit 139 or SIGSEGV\)$/],
])('C26: %s', async (command, expected) => {
  expect((await bash(command)).text).toMatch(expected);
});

test.each([
  ['with a line end', "head -c 3000000 /dev/zero | tr '\\0' x; echo"],
  ['without one', "head -c 3000000 /dev/zero | tr '\\0' x"],
])('C27: one very long line %s is shown in part, with its size', async (_name, command) => {
  const { text } = await bash(command);
  expect(text).toMatch(/^xxxx[\s\S]*characters left out[\s\S]*xxxx\n\(any part of all 300000[01] bytes: /);
  expect(text.length).toBeLessThan(40_000);
});

test('the helper finds what it looks for', () => {
  const pid = Number(execFileSync('sh', ['-c', 'echo $$'], { encoding: 'utf8' }));
  expect(runs(pid)).toBe(false);
  expect(runs(process.pid)).toBe(true);
});
