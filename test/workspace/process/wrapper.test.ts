import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isAlive, openPlace, textOf, until } from '../bench-place.ts';

const shells = ['/bin/dash', '/bin/bash'].filter((path) => existsSync(path));
const DROPPED = 'for f in TERM INT HUP QUIT USR1 USR2 ALRM PIPE; do kill -$f 0; done; ';

interface Trial {
  readonly name: string;
  readonly command: string;
  readonly output: string | RegExp;
  readonly exitCode: number;
}
const trials: readonly Trial[] = [
  { name: 'stdout and stderr in true order', command: 'echo a; echo b >&2; echo c', output: 'a\nb\nc\n', exitCode: 0 },
  { name: 'an exit code', command: 'exit 42', output: '', exitCode: 42 },
  { name: 'the highest exit code', command: 'exit 255', output: '', exitCode: 255 },
  { name: 'no last line end', command: 'printf x', output: 'x', exitCode: 0 },
  { name: 'only line ends', command: 'printf "\\n\\n"', output: '\n\n', exitCode: 0 },
  { name: 'an empty text', command: '', output: '', exitCode: 0 },
  { name: 'a text that starts with a dash', command: '-x 2>/dev/null; echo $?', output: '127\n', exitCode: 0 },
  {
    name: 'a text that looks like an option',
    command: '--version >/dev/null 2>&1 || echo no',
    output: 'no\n',
    exitCode: 0,
  },
  { name: 'quotes and blanks', command: `printf '%s|' 'a  b' "c'd" e\\"f`, output: `a  b|c'd|e"f|`, exitCode: 0 },
  {
    name: 'newlines and a here document',
    command: "cat <<'E'\n$x `y` \\n !z 'q' \"r\"\nE\n",
    output: '$x `y` \\n !z \'q\' "r"\n',
    exitCode: 0,
  },
  {
    name: 'bytes that are no text',
    command: "printf 'a\\000b\\377\\033[2Jc'",
    output: 'a\x00b\xff\x1b[2Jc',
    exitCode: 0,
  },
  { name: 'standard input at its end', command: 'cat; read x; echo "got:$x"', output: 'got:\n', exitCode: 0 },
  { name: 'a closed standard input', command: 'exec 0<&-; echo still', output: 'still\n', exitCode: 0 },
  { name: 'closed outputs', command: 'exec 1>&- 2>&-; exit 5', output: '', exitCode: 5 },
  { name: 'exec', command: 'exec sh -c "echo replaced; exit 9"', output: 'replaced\n', exitCode: 9 },
  { name: 'job control', command: 'set -m; (exit 3) & wait $!; echo $?', output: /^(\[1\].*\n)?3\n$/, exitCode: 0 },
  {
    name: 'a deleted working directory',
    command: 'mkdir d && cd d && rmdir ../d && echo here',
    output: 'here\n',
    exitCode: 0,
  },
  { name: 'a pipeline that closes early', command: 'yes | head -1', output: 'y\n', exitCode: 0 },
  {
    name: 'output redirected to /dev/stderr',
    command: 'echo a; echo b >/dev/stderr; echo c',
    output: 'a\nb\nc\n',
    exitCode: 0,
  },
  { name: 'TERM to its whole group', command: 'kill -TERM 0; echo alive', output: /^(Terminated\n)?$/, exitCode: 143 },
  {
    name: 'a trap that answers TERM to the group',
    command: `trap 'echo bye; exit 3' TERM; kill -TERM 0; sleep 5`,
    output: 'bye\n',
    exitCode: 3,
  },
  {
    name: 'every signal that can be caught',
    command: `trap '' TERM INT HUP QUIT USR1 USR2 ALRM PIPE; ${DROPPED}echo all`,
    output: 'all\n',
    exitCode: 0,
  },
  {
    name: 'default signals for what it starts',
    command: "sh -c 'kill -PIPE $$; echo deaf'; echo $?",
    output: /^141\n$/,
    exitCode: 0,
  },
  {
    name: 'death by a signal',
    command: 'kill -SEGV $$',
    output: /^(Segmentation fault\s*(\(core dumped\))?\n)?$/,
    exitCode: 139,
  },
  { name: 'no terminal of its own', command: '(: </dev/tty) 2>/dev/null || echo none', output: 'none\n', exitCode: 0 },
];

describe.each(shells)('the wrapper under %s', (shell) => {
  test.each(trials)('$name', async ({ command, output, exitCode }) => {
    const place = await openPlace({}, shell);
    const result = await place.run(command);
    if (typeof output === 'string') expect(textOf(result)).toBe(output);
    else expect(textOf(result)).toMatch(output);
    expect(result).toMatchObject({ state: 'exited', exitCode, consistent: true, cut: false, leftAlive: [] });
  });

  test('a command text longer than an argument can be', async () => {
    const place = await openPlace({}, shell);
    const result = await place.run(`: ${'x'.repeat(200_000)}\necho end; exit 4`);
    expect(textOf(result)).toBe('end\n');
    expect(result).toMatchObject({ exitCode: 4, consistent: true });
  });

  test('output above the cap is drained: the command goes on, the head is kept', async () => {
    const place = await openPlace({}, shell);
    const result = await place.run('head -c 20000000 /dev/zero && echo x >done', { spoolBytesMax: 1024 * 1024 });
    expect(result).toMatchObject({ state: 'exited', exitCode: 0, cut: true, consistent: false, outputBytes: 1048576 });
    expect(existsSync(join(place.root, 'done'))).toBe(true);
  });

  test('a full disk cuts the output, never the command or its receipt', async () => {
    const place = await openPlace({}, shell);
    const request = place.request('echo lost; echo x >done; exit 6');
    const prepared = await place.workspace.processes.prepare(request);
    const spool = join(request.execFolder, 'out');
    rmSync(spool);
    symlinkSync('/dev/full', spool);
    const result = await prepared.start();
    expect(result).toMatchObject({ state: 'exited', exitCode: 6, cut: true, consistent: false });
    expect(readFileSync(join(request.execFolder, 'rc'), 'latin1')).toMatch(/ exit 6 .* end\n/);
    expect(existsSync(join(place.root, 'done'))).toBe(true);
  });

  test('a background child that holds the output open does not hold up the result', async () => {
    const place = await openPlace({}, shell);
    const result = await place.run('sleep 300 & echo started');
    expect(textOf(result)).toBe('started\n');
    expect(result).toMatchObject({ state: 'exited', exitCode: 0, consistent: true });
    expect(result.leftAlive).toHaveLength(1);
    await place.workspace.processes.stopLeftovers();
    expect(isAlive(result.leftAlive[0] as number)).toBe(false);
  });

  test('a silent background child is found, too', async () => {
    const place = await openPlace({}, shell);
    const result = await place.run('sleep 300 >/dev/null 2>&1 & echo started');
    expect(result.leftAlive).toHaveLength(1);
  });

  test('what a background child prints after the end is not part of the output', async () => {
    const place = await openPlace({}, shell);
    const result = await place.run('(while :; do echo late; sleep 0.01; done) & sleep 0.2; echo end');
    const again = await place.workspace.processes.settle({ ...request(result.spoolPath), bootId: await boot(place) });
    expect(result).toMatchObject({ state: 'exited', exitCode: 0, consistent: true });
    expect(textOf(again)).toBe(textOf(result));

    function request(spool: string) {
      return { ...place.request(''), execFolder: join(spool, '..') };
    }
  });

  test('two wrappers with one claim: one runs, the other leaves', async () => {
    const place = await openPlace({}, shell);
    const request = place.request('echo once >>log; echo out');
    const first = await place.workspace.processes.prepare(request);
    const second = await place.workspace.processes.prepare(request);
    const results = await Promise.all([first.start(), second.start()]);
    expect(results.map(({ state }) => state).toSorted()).toContain('not-started');
    expect(readFileSync(join(place.root, 'log'), 'utf8')).toBe('once\n');
  });

  test('the outer shell killed: nothing is lost', async () => {
    const place = await openPlace({}, shell);
    const request = place.request('sleep 0.3; echo whole; exit 8');
    const running = (await place.workspace.processes.prepare(request)).start();
    await until(() => existsSync(join(request.execFolder, 'claim')));
    process.kill(leaderOf(request.execFolder), 'SIGKILL');
    const result = await running;
    expect(textOf(result)).toBe('whole\n');
    expect(result).toMatchObject({ state: 'exited', exitCode: 8, consistent: true });
  });

  test('the inner shell killed: the end is unknown, and said only when the command is gone', async () => {
    const place = await openPlace({}, shell);
    const result = await place.run('kill -9 $PPID; sleep 0.3; echo x >done');
    expect(result).toMatchObject({ state: 'unknown', exitCode: null, consistent: false });
    expect(result.evidence).toContain('killed');
    expect(existsSync(join(place.root, 'done'))).toBe(true);
  });
});

test('any text reaches the command unchanged', async () => {
  const place = await openPlace();
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (text) => {
      const clean = text.replaceAll('\0', '').toWellFormed();
      const quoted = `'${clean.replaceAll("'", `'\\''`)}'`;
      const result = await place.run(`printf %s ${quoted}`);
      expect(Buffer.from(result.output).toString('utf8')).toBe(clean);
      expect(result.consistent).toBe(true);
    }),
    { numRuns: 30 },
  );
});

const leaderOf = (folder: string): number =>
  (JSON.parse(readFileSync(join(folder, 'meta'), 'utf8')) as { leader: number }).leader;

const boot = (place: Awaited<ReturnType<typeof openPlace>>): Promise<string> => place.workspace.processes.bootId();
