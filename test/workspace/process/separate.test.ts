import { describe, expect, test } from 'vitest';
import { openPlace, textOf } from '../bench-place.ts';

const shells = ['/bin/dash', '/bin/bash'];

describe.each(shells)('standard error of its own, under %s', (shell) => {
  const run = async (command: string, more = {}) => {
    const place = await openPlace({}, shell);
    const result = await place.run(command, { separate: true, ...more });
    const errors = Buffer.from(result.errors?.output ?? []).toString();
    return { place, result, out: textOf(result), errors };
  };

  test.each([
    ['both', 'echo a; echo b >&2', 'a\n', 'b\n', 0],
    ['a death', 'echo a >&2; kill -KILL $$', '', 'a\n', 137],
    ['much of both', 'seq 1 20000; seq 1 20000 >&2; exit 4', null, null, 4],
    ['a text in a file', `: ${'x'.repeat(140_000)}\necho a; echo b >&2; false | exit 3`, 'a\n', 'b\n', 3],
    ['bytes', "printf '\\377\\000' >&2", '', Buffer.from([0xff, 0]).toString(), 0],
  ])('%s', async (_name, command, out, errors, exitCode) => {
    const told = await run(command);
    expect(told.result).toMatchObject({ state: 'exited', exitCode, consistent: true, cut: false });
    if (out === null) expect([told.out, told.errors].map((text) => text.split('\n').length)).toEqual([20_001, 20_001]);
    else expect([told.out, told.errors]).toEqual([out, errors]);
  });

  test('a flood is cut at the limit, and the command goes on', async () => {
    const { result } = await run('head -c 3000000 /dev/zero >&2; exit 5', { spoolBytesMax: 100_000 });
    expect(result).toMatchObject({ exitCode: 5, cut: true });
    expect(result.errors?.outputBytes).toBeLessThan(200_000);
  });

  test('a child in the background that holds it open does not hold up the result', async () => {
    const { result, errors } = await run('sleep 300 >/dev/null & echo last >&2');
    expect(result).toMatchObject({ state: 'exited', exitCode: 0 });
    expect(result.leftAlive).toHaveLength(1);
    expect(errors).toBe('last\n');
  });
});

test('without asking, both streams are one', async () => {
  const place = await openPlace();
  const result = await place.run('echo a; echo b >&2');
  expect(textOf(result)).toBe('a\nb\n');
  expect(result.errors).toBeUndefined();
});
