import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openPlace, textOf, until } from '../bench-place.ts';

/** Ids of the wrappers and launchers that this process has started and that still live. */
function waiting(): readonly number[] {
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
        const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        return state === 'Z' ? [] : [{ pid: Number(name), parent: Number(parent) }];
      } catch {
        return [];
      }
    });
  const launchers = stats.filter(({ parent }) => parent === process.pid).map(({ pid }) => pid);
  return stats.filter(({ parent }) => launchers.includes(parent)).map(({ pid }) => pid);
}

describe('commands one after another', () => {
  test('each gets its own text, tag and result, however it ends', async () => {
    const place = await openPlace();
    const texts = [
      'echo a',
      'exit 7',
      '  echo "b  c"  ',
      'printf "%s\\n" x \\\n  y',
      "cat <<'E'\nnext z\njob\ngo\nE",
      '',
    ];
    const outputs = ['a\n', '', 'b  c\n', 'x\ny\n', 'next z\njob\ngo\n', ''];
    for (let round = 0; round < 3; round++) {
      for (const [n, text] of texts.entries()) {
        const result = await place.run(text);
        expect(textOf(result)).toBe(outputs[n]);
        expect(result).toMatchObject({ state: 'exited', exitCode: n === 1 ? 7 : 0, consistent: true });
      }
    }
    const request = place.request('echo $BELAY_ATTEMPT $GIT_REFLOG_ACTION ${OLDPWD-unset}; pwd');
    const result = await (await place.workspace.processes.prepare(request)).start();
    expect(textOf(result)).toBe(`${request.attemptId} belay/${request.actionId} unset\n${place.root}\n`);
  });

  test('a text that a shell could misread on the way, or a long one, arrives the long way', async () => {
    const place = await openPlace();
    await place.run('true');
    const bytes = (await place.run("printf %s 'é\u0081\u0088'")).output;
    expect(Buffer.from(bytes).toString('utf8')).toBe('é\u0081\u0088');
    const long = 'x'.repeat(10_000);
    expect(textOf(await place.run(`printf %s ${long}`))).toBe(long);
  });

  test('two at the same time do not disturb one another', async () => {
    const place = await openPlace();
    const both = await Promise.all([place.run('sleep 0.2; echo one'), place.run('echo two; exit 2')]);
    expect(both.map(textOf)).toEqual(['one\n', 'two\n']);
    expect(both.map(({ exitCode }) => exitCode)).toEqual([0, 2]);
  });
});

describe('the wrapper that waits', () => {
  test('is killed: the next command is proven not started, or is started by another', async () => {
    const place = await openPlace();
    await place.run('true');
    await until(() => waiting().length === 1);
    for (const pid of waiting()) process.kill(pid, 'SIGKILL');
    const result = await place.run('echo still');
    expect(result.state === 'exited' ? textOf(result) : result.state).toMatch(/^(still\n|not-started)$/);
    expect(textOf(await place.run('echo again'))).toBe('again\n');
    await place.workspace.processes.stopLeftovers();
    await until(() => waiting().length === 0);
  });

  test('leaves at an orderly end', async () => {
    const place = await openPlace();
    await place.run('true');
    await until(() => waiting().length === 1);
    await place.workspace.processes.stopLeftovers();
    await until(() => waiting().length === 0);
    expect(textOf(await place.run('echo again'))).toBe('again\n');
    await place.workspace.processes.stopLeftovers();
    await until(() => waiting().length === 0);
  });

  test('a launcher whose command left a child behind serves again once the child has ended', async () => {
    const place = await openPlace();
    const result = await place.run('sleep 0.3 & echo $!');
    const child = Number(textOf(result));
    const [busy] = waiting();
    await until(() => !existsSync(`/proc/${child}`));
    // The wrapper of the first command is gone, and its launcher holds the next one ready.
    await until(() => waiting().length === 1 && waiting()[0] !== busy);
    await place.workspace.processes.stopLeftovers();
    await until(() => waiting().length === 0);
  });
});
