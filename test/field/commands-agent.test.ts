/** Commands under the whole program: the requests it sends, its terminal, its end. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ended, entry, makePlace, type Place, resultOf, until } from '../e2e/belay.ts';
import { bash, say } from '../e2e/turns.ts';
import { background, bypass, isRunning, of, outcomes, stop, taskScript } from './background.ts';
import { makeScene } from './provider.ts';

const runs = (place: Place, name: string) =>
  isRunning(Number(place.file(name)), (file) => readFileSync(file, 'latin1'));
const has = (place: Place, name: string) =>
  existsSync(path.join(place.repository, name)) && place.file(name).trim() !== '';
const run = (place: Place, turns: readonly object[], goal = 'Do it.') =>
  place.belay(['run', goal, '--session', 's', '--model', taskScript(place, turns), ...bypass]);

const onTerminal = (place: Place, how: readonly [signal: string, after: string], args: readonly string[]) =>
  ended(
    spawn(
      'python3',
      [path.join(import.meta.dirname, 'fixtures/terminal-modes.py'), ...how, process.execPath, entry, ...args],
      {
        cwd: place.repository,
        env: { ...process.env, BELAY_HOME: place.home, NO_COLOR: '1', FORCE_COLOR: '' },
      },
    ),
  );

test('C02: a program cannot open the terminal of the agent', async () => {
  const place = makePlace();
  const model = taskScript(place, [bash('printf %s%s p w: >/dev/tty; read p </dev/tty; echo "code $?"'), say('Done.')]);
  const ran = await onTerminal(
    place,
    ['none', ''],
    ['run', 'Do it.', '--session', 's', '--model', model, ...bypass.slice(0, 2), ...bypass.slice(4)],
  );
  expect(ran.stdout).not.toContain('pw:');
  expect(outcomes(await place.facts('s'), 'Bash')).toEqual([
    expect.stringMatching(/No such device or address[\s\S]*code 1\nexit code 0/),
  ]);
});

test('C10, C11: control characters and escape sequences reach neither the request nor the terminal nor the log', async () => {
  const dangerous = String.raw`printf 'a\000b\001\033[2J\377c \033]0;title\007 \033]52;c;Zm9v\007 \033[3A \033[?1049h \033[?2004h end\n'`;
  const scene = await makeScene([bash(dangerous), say('\u001b[2JSeen.\u0007'), say('Again.')]);
  const text = scene.run.map((word) => (word === 'json' ? 'text' : word));
  const ran = await scene.belayWith([...text, '--verbose', '--sandbox', 'off']);
  expect(ran.code).toBe(0);
  const raw = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
  for (const request of scene.server.requests) {
    expect(() => JSON.parse(request.text)).not.toThrow();
    expect(JSON.stringify(JSON.parse(request.text))).not.toMatch(/\\u00(0[0-8bcef]|1[0-9a-f]|7f)/);
  }
  for (const shown of [ran.stdout, ran.stderr, (await scene.belay(['log', 's'])).stdout])
    expect(shown).not.toMatch(raw);
  expect((await scene.belayWith(['resume', 's', 'Again.', '--output-format', 'json'])).code).toBe(0);
});

const inFolder = (command: string, cwd: string) => ({ calls: [{ tool: 'Bash', args: { command, cwd } }] });

test('C14: the folder of the commands is removed: the next one runs in the workspace, and says so', async () => {
  const place = makePlace();
  await run(place, [bash('mkdir d'), inFolder('rm -rf ../d', 'd'), bash('pwd'), bash('pwd'), say('Done.')]);
  const results = outcomes(await place.facts('s'), 'Bash');
  expect(results[1]).toContain('(cwd: d, also of later commands)');
  expect(results[2]).toBe(
    `${place.repository}\nexit code 0\n(the folder d is gone; commands run in the workspace root again)`,
  );
  expect(results[3]).toBe(`${place.repository}\nexit code 0`);
});

test('C15: cd and export end with their command; cwd stays, and the result says where it is', async () => {
  const place = makePlace();
  const turns = [
    bash('mkdir -p sub/deep; cd sub; export A=1'),
    bash('pwd; echo "A=$A"'),
    inFolder('pwd', 'sub'),
    bash('pwd'),
    inFolder('pwd', '.'),
    inFolder('pwd', '../outside'),
    inFolder('pwd', 'nowhere'),
    say('Done.'),
  ];
  await run(place, turns);
  const sub = `${place.repository}/sub\nexit code 0\n(cwd: sub, also of later commands)`;
  expect(outcomes(await place.facts('s'), 'Bash').slice(1)).toEqual([
    `${place.repository}\nA=\nexit code 0`,
    sub,
    sub,
    `${place.repository}\nexit code 0`,
    expect.stringContaining('Give cwd as an existing folder inside the workspace'),
    expect.stringContaining('Give cwd as an existing folder inside the workspace'),
  ]);
});

describe('C16: what commands started does not outlive the agent', () => {
  const leaving = bash('setsid sleep 600 & echo $! > pid');
  const busy = bash('sleep 30');

  test('an ordinary end', async () => {
    const place = makePlace();
    expect((await run(place, [leaving, say('Done.')])).code).toBe(0);
    expect(runs(place, 'pid')).toBe(false);
  });

  test.each(['SIGTERM', 'SIGHUP'] as const)('%s', async (signal) => {
    const place = makePlace();
    const child = place.start([
      'run',
      'Do it.',
      '--session',
      's',
      '--model',
      taskScript(place, [leaving, busy]),
      ...bypass,
    ]);
    const end = ended(child);
    await until(() => has(place, 'pid'));
    child.kill(signal);
    expect((await end).code).toBe(143);
    expect(runs(place, 'pid')).toBe(false);
  });

  test('SIGKILL: the next start finds it by its tag, names it, and stops it', async () => {
    const place = makePlace();
    const child = place.start([
      'run',
      'Do it.',
      '--session',
      's',
      '--model',
      taskScript(place, [leaving, { ...say('Late.'), delayMs: 20_000 }]),
      ...bypass,
    ]);
    const end = ended(child);
    await until(async () => has(place, 'pid') && of(await place.facts('s'), 'model.request').length === 2);
    child.kill('SIGKILL');
    await end;
    expect(runs(place, 'pid')).toBe(true);
    taskScript(place, [leaving, say('Done.')]);
    const ran = await place.belay(['resume', 's', '--output-format', 'json']);
    expect(ran.stderr).toMatch(new RegExp(`left processes behind \\(.*\\b${place.file('pid').trim()}\\b`));
    expect(resultOf(ran)).toMatchObject({ result: 'Done.' });
    expect(runs(place, 'pid')).toBe(false);
  });
});

test.each([
  ['none', 'an end', 0],
  ['TERM', 'SIGTERM', 143],
  ['HUP', 'a closed terminal', 143],
] as const)('C19: %s: after %s the terminal is as it was', async (signal, _name, code) => {
  const place = makePlace();
  const turns = signal === 'none' ? [bash('true'), say('Done.')] : [bash('echo x > started; sleep 30'), say('Done.')];
  const args = [
    'run',
    'Do it.',
    '--session',
    's',
    '--model',
    taskScript(place, turns),
    '--sandbox',
    'off',
    '--permission-mode',
    signal === 'none' ? 'bypassPermissions' : 'default',
  ];
  const ran = await onTerminal(place, [signal, 'quit: '], args);
  expect(ran.stdout.trimEnd().split('\n').at(-1)).toBe(`same ${code}`);
});

test('C21: a command that kills by a word of the prompt does not reach the agent', async () => {
  const place = makePlace();
  const ran = await run(place, [bash('pkill -f ZEBRA41; echo "after $?"'), say('Alive.')], 'Look for ZEBRA41.');
  expect(resultOf(ran)).toMatchObject({ exit_code: 0, result: 'Alive.' });
});

test('C24: a JSON answer of a megabyte is complete for a slow reader', async () => {
  const place = makePlace();
  const text = 'word '.repeat(200_000).trim();
  const model = taskScript(place, [say(text)]);
  const args = ['run', 'Do it.', '--model', model, ...bypass].map((word) => `'${word}'`).join(' ');
  const child = spawn('sh', ['-c', `'${process.execPath}' '${entry}' ${args} | (sleep 1; cat)`], {
    cwd: place.repository,
    env: { ...process.env, BELAY_HOME: place.home },
  });
  const ran = await ended(child);
  expect(resultOf(ran).result).toBe(text);
});

test('C25: thirty commands of one answer run one after another', async () => {
  const place = makePlace();
  const command = (n: number) => `mkdir lock || touch overlap; echo ${n}; sleep 0.01; rmdir lock`;
  const calls = Array.from({ length: 30 }, (_, n) => ({ tool: 'Bash', args: { command: command(n) } }));
  expect((await run(place, [{ calls }, say('Done.')])).code).toBe(0);
  expect(outcomes(await place.facts('s'), 'Bash')).toHaveLength(30);
  expect(existsSync(path.join(place.repository, 'overlap'))).toBe(false);
});

test('C12, C26: in a sandbox, too, stages of a pipe and deaths by a signal are told', async () => {
  const place = makePlace();
  const commands = ['false | tail -1; (exit 3) | cat', 'kill -SEGV $$', 'exit 139 '];
  const model = taskScript(place, [...commands.map(bash), say('Done.')]);
  await place.belay(['run', 'Do it.', '--session', 's', '--model', model, ...bypass.slice(0, 4)]);
  expect(outcomes(await place.facts('s'), 'Bash')).toEqual([
    expect.stringContaining('stages of the last pipe: 3 | 0'),
    expect.stringContaining('killed by signal 11 (SIGSEGV), exit code 139'),
    expect.stringMatching(/exit code 139( \(exit 139 or SIGSEGV\))?$/),
  ]);
});

test('G06: stopping one command leaves another in the background alone', async () => {
  const place = makePlace();
  const ran = await run(place, [
    background('sleep 60'),
    background('echo $$ > pid; sleep 60'),
    bash('while [ ! -s pid ]; do sleep 0.02; done'),
    stop,
    bash('kill -0 $(cat pid) && echo alive'),
    say('Done.'),
    say('Done.'),
  ]);
  expect(ran.code).toBe(0);
  expect(outcomes(await place.facts('s'), 'Bash').at(-1)).toContain('alive');
});

test('C32: a terminal that is closed at a question ends the run in order, with what runs in the background', async () => {
  const place = makePlace();
  const model = taskScript(place, [background('echo $$ > pid; exec sleep 60'), bash('npm publish'), say('Done.')]);
  const rules = [
    '--allow',
    'Bash(echo *)',
    '--allow',
    'Edit(pid)',
    '--allow',
    'Bash(exec sleep 60)',
    '--allow',
    'Bash(sleep 60)',
  ];
  const closed = await ended(
    spawn(
      'python3',
      [
        path.join(import.meta.dirname, 'fixtures/close-terminal.py'),
        ...[process.execPath, entry, 'run', 'Do it.', '--session', 's', '--model', model, '--sandbox', 'off', ...rules],
      ],
      {
        cwd: place.repository,
        env: { ...process.env, BELAY_HOME: place.home, XDG_CONFIG_HOME: path.join(place.folder, 'config') },
      },
    ),
  );
  // The end of its input and the signal come as they like; either ends it in order.
  expect(['10', '143']).toContain(closed.stdout.trim());
  const facts = await place.facts('s');
  expect(of(facts, 'approval.requested')).toHaveLength(1);
  expect(of(facts, 'task.ended')).toMatchObject([{ status: 'stopped' }]);
  expect(of(facts, 'executor.detached')).toHaveLength(1);
  expect(runs(place, 'pid')).toBe(false);
});
