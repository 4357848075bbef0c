import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { withStages } from '../../../src/workspace/process/how-ended.ts';
import { openPlace, textOf } from '../bench-place.ts';

async function run(command: string) {
  const place = await openPlace();
  return (await place.workspace.processes.prepare(place.request(command))).start();
}

describe('a code above 128', () => {
  test.each([
    ['of a shell that a signal ended', 'kill -SEGV $$', 139, 'signal'],
    ['of a program that a signal ended', "exec sh -c 'kill -KILL $$'", 137, 'signal'],
    ['of a shell with a pipe that a signal ended', 'true | true; kill -TERM $$', 143, 'signal'],
    ['of a shell with a pipe that exits', 'true | true; exit 139', 139, 'itself'],
    ['of a shell that exits: not known', 'exit 139', 139, undefined],
    ['of a shell that says nothing at its end: not known', "trap 'exit 143' TERM; kill -TERM $$", 143, undefined],
  ] as const)('%s', async (_name, command, exitCode, endedBy) => {
    const result = await run(command);
    expect(result).toMatchObject({ state: 'exited', exitCode, consistent: true });
    expect(result.endedBy).toBe(endedBy);
  });
});

/** A text that is too long for an argument and lies in a file. */
const long = (command: string) => `: ${'x'.repeat(140_000)}\n${command}`;

describe.each([
  ['', (command: string) => command],
  [', of a text in a file', long],
])('the stages of the last pipe%s', (_kind, made) => {
  test.each([
    ['one fails', 'false | tail -1', [1, 0], 0],
    ['all succeed', 'echo a | cat | cat', [0, 0, 0], 0],
    ['one is closed early', 'yes | head -1 >/dev/null', [141, 0], 0],
    ['with pipefail', 'set -o pipefail; yes | head -1 >/dev/null', [141, 0], 141],
    ['under -eu and -x', 'set -eux; (exit 3) | cat', [3, 0], 0],
    ['the pipe is not the last command', 'false | cat; true', undefined, 0],
    ['in a subshell', '(false | cat)', undefined, 0],
    ['no pipe', 'false || true', undefined, 0],
    ['the shell is replaced', 'false | cat; exec true', undefined, 0],
    ['its own trap at the exit', "trap 'echo bye' EXIT; false | cat", undefined, 0],
    ['descriptors are taken', 'exec 4>&1 7>&1 9>&1; echo a >&7; (exit 2) | cat', [2, 0], 0],
    ['a bar in quotes', "echo '|'", undefined, 0],
    ['a here document', "cat <<'E' | (exit 4) | cat\na\nE", [0, 4, 0], 0],
  ] as const)('%s', async (_name, command, stages, exitCode) => {
    const result = await run(made(command));
    expect(result).toMatchObject({ state: 'exited', exitCode, consistent: true });
    expect(result.stages?.map((code) => (command.includes('<<') && code === 141 ? 0 : code))).toEqual(stages);
  });
});

describe('the text of a command', () => {
  test('what a command sees and prints is the same with and without it', async () => {
    const show = 'echo "$0" "$#" "$LINENO"; nosuch; set -x; trap -p TERM';
    const plain = textOf(await run(show));
    expect(textOf(await run(`${show}; : | :`))).toBe(`${plain}+ :\n+ :\n`);
  });

  test.each([
    ['a plain command', 'ls -l /proc/self/fd'],
    ['a stage of a pipe', 'ls -l /proc/self/fd | cat'],
    ['behind a pipe', 'true | true; ls -l /proc/self/fd'],
    ['in a subshell', '(: | ls -l /proc/self/fd)'],
    ['in the background', ': | :; ls -l /proc/self/fd & wait'],
    ['replaced', ': | :; exec ls -l /proc/self/fd'],
    ['of a text in a file', long('ls -l /proc/self/fd | cat')],
  ])('no descriptor of ours is inherited: %s', async (_name, command) => {
    const open = (text: string) =>
      text.split('\n').flatMap((line) => {
        const [, fd, target] = /(\d+) -> (.*)$/.exec(line) ?? [];
        return fd === undefined || Number(fd) <= 2 || target?.endsWith('/fd') === true ? [] : [`${fd} ${target}`];
      });
    // What the tests were started with is not ours.
    const inherited = open(spawnSync('ls', ['-l', '/proc/self/fd'], { encoding: 'utf8' }).stdout);
    expect(open(textOf(await run(command))).filter((fd) => !inherited.includes(fd))).toEqual([]);
  });

  test('a text without a pipe stays as it is', () => {
    for (const text of ['ls', 'a || b', '', 'echo "||"']) expect(withStages(text)).toBe(text);
  });

  test.each([{}, { separate: true }])(
    'a text that bash does not understand is quoted as it was given %j',
    async (more) => {
      const place = await openPlace();
      const result = await (await place.workspace.processes.prepare(place.request('false | )', more))).start();
      const said = `${textOf(result)}${Buffer.from(result.errors?.output ?? [])}`;
      expect(result.exitCode).toBe(2);
      expect(said).toMatch(/line 1: `false \| \)'\n$/);
      expect(said).not.toMatch(/exec|trap/);
    },
  );
});
