import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createProjector } from '#context';
import { ended, makePlace, type Place, resultOf, until } from '../e2e/belay.ts';
import { bash, say } from '../e2e/turns.ts';
import { background, bypass, isRunning, of, outcomes, output, stop, taskScript } from './background.ts';

const runs = (place: Place, name: string) =>
  isRunning(Number(place.file(name)), (file) => readFileSync(file, 'latin1'));
const run = (place: Place, turns: readonly object[]) =>
  place.belay(['run', 'Do it.', '--session', 's', '--model', taskScript(place, turns), ...bypass]);
const has = (place: Place, name: string) =>
  existsSync(path.join(place.repository, name)) && place.file(name).trim() !== '';
const requests = (place: Place) =>
  place.facts('s').then(
    (facts) => of(facts, 'model.request').length,
    () => 0,
  );

describe('G21: the end of a background command reaches the model, once', () => {
  test('(a) it ends while a later call runs: the next request tells it', async () => {
    const place = makePlace();
    const told = { shown: ['ended with exit code 3', 'last words'] };
    const ran = await run(place, [
      background('echo last words; exit 3'),
      bash('sleep 0.7'),
      { ...bash('echo between'), expect: told },
      { ...say('Seen.'), expect: { notShown: 'last words', history: 'last words' } },
    ]);
    expect(resultOf(ran)).toMatchObject({ exit_code: 0, result: 'Seen.' });
    expect(of(await place.facts('s'), 'task.ended')).toMatchObject([{ status: 'exited', exitCode: 3 }]);
  });

  test('(b) it ends while nobody works: the next turn tells it', async () => {
    const place = makePlace();
    const model = taskScript(place, [
      background('echo $$ > pid; sleep 60'),
      { ...say('Started.'), delayMs: 500 },
      say('It still runs.'),
      { ...say('Seen.'), expect: { shown: 'was stopped (the run ended)' } },
    ]);
    const first = await place.belay(['run', 'Do it.', '--session', 's', '--model', model, ...bypass]);
    expect(resultOf(first)).toMatchObject({ exit_code: 0, result: 'It still runs.' });
    expect(runs(place, 'pid')).toBe(false);
    const next = await place.belay(['resume', 's', 'And now?', '--output-format', 'json']);
    expect(resultOf(next)).toMatchObject({ exit_code: 0, result: 'Seen.' });
    expect(of(await place.facts('s'), 'task.ended')).toMatchObject([{ status: 'stopped', reason: 'the run ended' }]);
  });

  test('(d) it ends after the last answer, before the gate: the model is asked once more', async () => {
    const place = makePlace();
    const ran = await run(place, [
      background('echo quick'),
      { ...say('Done.'), delayMs: 700 },
      { ...say('Done, and I saw it.'), expect: { shown: 'quick' } },
    ]);
    expect(resultOf(ran)).toMatchObject({ exit_code: 0, result: 'Done, and I saw it.' });
  });

  test('(d) it still runs at the last answer: the model is asked about it once', async () => {
    const place = makePlace();
    const ran = await run(place, [
      background('sleep 60'),
      say('Done.'),
      { ...say('It may go.'), expect: { shown: ['Still running in the background', '`sleep 60`'] } },
    ]);
    expect(resultOf(ran)).toMatchObject({ exit_code: 0, result: 'It may go.' });
    const verdicts = of(await place.facts('s'), 'completion.verdict');
    expect(verdicts).toMatchObject([
      { accepted: false, reason: 'tasks_running' },
      { accepted: true, notes: ['still running in the background: sleep 60'] },
    ]);
  });

  test('the result that shows the end tells it, and no message does', async () => {
    const place = makePlace();
    const ran = await run(place, [
      background('sleep 0.3; echo over; exit 4'),
      output(),
      { ...say('Seen.'), expect: { shown: ['over', 'ended: exit code 4'], notShown: 'The background command' } },
    ]);
    expect(resultOf(ran)).toMatchObject({ exit_code: 0, result: 'Seen.' });
    expect(of(await place.facts('s'), 'task.ended')).toMatchObject([{ told: true, exitCode: 4 }]);
  });
});

const receipts = (place: Place): readonly string[] => {
  const exec = path.join(place.home, 'sessions/s/exec');
  return readdirSync(exec).map((name) => readFileSync(path.join(exec, name, 'rc'), 'latin1'));
};

test('Ctrl-C twice: what runs is killed at once and named, and the next run records it as stopped', async () => {
  const place = makePlace();
  const deaf = "trap '' TERM INT; echo $$ >NAME; while :; do sleep 1; done";
  const turns = [background(deaf.replace('NAME', 'pid')), bash(deaf.replace('NAME', 'front')), say('Seen.')];
  const child = place.start(['run', 'Do it.', '--session', 's', '--model', taskScript(place, turns), ...bypass]);
  let said = '';
  child.stderr?.on('data', (text: Buffer) => {
    said += String(text);
  });
  const over = ended(child);
  await until(() => has(place, 'pid') && has(place, 'front'));
  child.kill('SIGINT');
  await until(() => said.includes('stopping'));
  child.kill('SIGINT');
  expect((await over).code).toBe(130);
  expect(said).toMatch(/ended at once; killed what still ran: [\d, ]+; resume: belay resume s/);
  // Both would run for ever; whoever was killed is gone when the system gets to it.
  await until(() => !runs(place, 'pid') && !runs(place, 'front'));
  await place.belay(['resume', 's', '--output-format', 'json']);
  const facts = await place.facts('s');
  expect(of(facts, 'task.ended')).toMatchObject([{ status: 'stopped' }]);
  expect(of(facts, 'attempt.outcome').at(-1)).toMatchObject({ status: 'cancelled', provenance: 'receipt' });
});

/** Ends every process of the session's commands at once, as the end of a container does. */
function killTree(place: Place): void {
  const exec = path.join(place.home, 'sessions/s/exec');
  for (const name of readdirSync(exec)) {
    process.kill(-Number(JSON.parse(readFileSync(path.join(exec, name, 'meta'), 'utf8')).leader), 'SIGKILL');
  }
}

test('what a question shows: the commit, and each path that changed, once and indented', async () => {
  const place = makePlace();
  const commit = 'git -c user.name=a -c user.email=a@b.c commit -qm made';
  const made = `git init -q . && echo x >new.txt && echo y >>front.txt && git add front.txt && ${commit}`;
  const turns = [bash(`${made} && echo z >last.txt && echo $$ >pid && sleep 300`), say('Seen.')];
  const child = place.start(['run', 'Do it.', '--session', 's', '--model', taskScript(place, turns), ...bypass]);
  const over = ended(child);
  await until(() => has(place, 'pid'));
  child.kill('SIGKILL');
  await over;
  killTree(place);
  await place.belay(['resume', 's', '--output-format', 'json']);
  const shown = (await place.belay(['sessions', 'show', 's'])).stdout.split('\n').map((text) => text.slice(12));
  for (const name of ['new.txt', 'front.txt', 'last.txt', 'pid']) {
    expect(shown.filter((text) => text === `  ${name}`)).toHaveLength(1);
  }
  expect(shown.filter((text) => text.includes(': made'))).toHaveLength(1);
  expect(shown.join('\n')).toMatch(/nothing of the command is alive\.\n {2}git: [0-9a-f]{12} belay\//);
});

test.each(['exec', 'the attempt', 'the claim'])(
  'the agent is killed and %s removed while its command runs: the command is waited for and never run again',
  async (what) => {
    const place = makePlace();
    const turns = [bash('echo once >>log; echo $$ >pid; until [ -e go ]; do sleep 0.05; done; exit 4'), say('Seen.')];
    const child = place.start(['run', 'Do it.', '--session', 's', '--model', taskScript(place, turns), ...bypass]);
    const over = ended(child);
    await until(() => has(place, 'pid'));
    child.kill('SIGKILL');
    await over;
    const exec = path.join(place.home, 'sessions/s/exec');
    const [attempt = ''] = readdirSync(exec);
    const gone = {
      exec: exec,
      'the attempt': path.join(exec, attempt),
      'the claim': path.join(exec, attempt, 'claim'),
    };
    rmSync(gone[what as keyof typeof gone], { recursive: true });
    const resumed = place.belay(['resume', 's', '--output-format', 'json']);
    await until(() => existsSync(path.join(exec, attempt, 'attached')));
    writeFileSync(path.join(place.repository, 'go'), '');
    expect(resultOf(await resumed)).toMatchObject({ result: 'Seen.' });
    expect(place.file('log')).toBe('once\n');
    expect(of(await place.facts('s'), 'attempt.outcome')).toMatchObject([{ status: 'succeeded', exitCode: 4 }]);
  },
);

/** Kills the agent alone, as the system does when memory is short. */
async function killed(place: Place, turns: readonly object[], when: () => boolean | Promise<boolean>): Promise<void> {
  const child = place.start(['run', 'Do it.', '--session', 's', '--model', taskScript(place, turns), ...bypass]);
  const end = ended(child);
  await until(when);
  child.kill('SIGKILL');
  await end;
}

describe('G22: the agent is killed while a background command runs', () => {
  test.each<[string, string, object]>([
    ['told its end', 'agent', { status: 'exited', exitCode: 4 }],
    ['was killed with everything', 'all', { status: 'unknown' }],
  ])('it %s, and the next run pauses before its first request: that is what is recorded', async (_how, what, end) => {
    const place = makePlace();
    const turns = [
      background('echo $$ >pid; sleep 0.8; echo last; exit 4'),
      { calls: [{ tool: 'Bash', args: { command: 'echo x >front; sleep 1.5' } }] },
      { calls: [{ tool: 'Bash', args: { command: 'touch asked' } }] },
    ];
    const asks = ['--allow', 'Bash(sleep:*)', '--allow', 'Bash(echo:*)', '--output-format', 'json', '--sandbox', 'off'];
    const model = taskScript(place, turns);
    const child = place.start(['run', 'Do it.', '--session', 's', '--model', model, ...bypass]);
    const over = ended(child);
    await until(() => has(place, 'pid') && has(place, 'front'));
    child.kill('SIGKILL');
    await over;
    if (what === 'all') killTree(place);
    else await until(() => receipts(place).some((text) => / exit 4 \S+ end/.test(text)));
    const resumed = await place.belay(['resume', 's', '--max-steps', '1', ...asks]);
    expect(resultOf(resumed).exit_code).not.toBe(0);
    expect(of(await place.facts('s'), 'task.ended')).toMatchObject([end]);
  });

  test('it ended meanwhile: its receipt is read, and it is told once', async () => {
    const place = makePlace();
    const turns = [
      background('sleep 1; echo while you were gone; exit 5'),
      { ...say('Never said.'), delayMs: 20_000 },
      { ...say('Seen.'), expect: { notShown: 'while you were gone' } },
    ];
    const [first = {}] = turns;
    await killed(place, turns, async () => (await requests(place)) === 2);
    const exec = path.join(place.home, 'sessions/s/exec');
    const receipts = () => readdirSync(exec).map((name) => readFileSync(path.join(exec, name, 'rc'), 'latin1'));
    await until(() => receipts().some((text) => / exit 5 \S+ end/.test(text)));
    const later = [
      first,
      { ...bash('true'), expect: { shown: ['ended with exit code 5', 'while you were gone'] } },
      turns[2] ?? {},
    ];
    taskScript(place, later);
    expect(resultOf(await place.belay(['resume', 's', '--output-format', 'json']))).toMatchObject({ result: 'Seen.' });
    expect(of(await place.facts('s'), 'task.ended')).toMatchObject([{ status: 'exited', exitCode: 5 }]);
    expect(readdirSync(path.join(place.home, 'sessions/s/exec'))).toEqual([]);
  });

  test('it still runs: the next run follows it, and can stop it', async () => {
    const place = makePlace();
    const start = background('echo $$ > pid; echo up; sleep 60');
    await killed(
      place,
      [start, { ...say('Never said.'), delayMs: 20_000 }],
      async () => has(place, 'pid') && (await requests(place)) === 2,
    );
    expect(runs(place, 'pid')).toBe(true);
    taskScript(place, [
      start,
      output({ block: false }),
      { ...stop, expect: { shown: ['up', 'still running after'] } },
      { ...say('Stopped.'), expect: { shown: 'stopped, with what could be found of it' } },
    ]);
    expect(resultOf(await place.belay(['resume', 's', '--output-format', 'json']))).toMatchObject({
      result: 'Stopped.',
    });
    expect(runs(place, 'pid')).toBe(false);
    expect(of(await place.facts('s'), 'task.ended')).toMatchObject([
      { status: 'stopped', reason: 'by TaskStop', told: true },
    ]);
  });

  test('it is killed as well: its end is not known, which is told, and no person is asked', async () => {
    const place = makePlace();
    const start = background('echo $PPID > parent; echo $$ > pid; sleep 60');
    await killed(
      place,
      [start, { ...say('Never said.'), delayMs: 20_000 }],
      async () => has(place, 'pid') && (await requests(place)) === 2,
    );
    for (const name of ['parent', 'pid']) process.kill(Number(place.file(name)), 'SIGKILL');
    taskScript(place, [start, { ...say('Seen.'), expect: { shown: 'how it ended is not known' } }]);
    const ran = await place.belay(['resume', 's', '--output-format', 'json']);
    expect(resultOf(ran)).toMatchObject({ exit_code: 0, result: 'Seen.' });
  });
});

describe('G21, G22: killed as soon as something is written, and resumed: started once, told once', () => {
  const effect = 'echo x >> ran; sleep 0.25; echo over-and-out; touch gone; exit 7';
  const waiting = 'while [ ! -e gone ]; do sleep 0.02; done; sleep 0.4; echo 2';
  const turns = [background(effect), bash('sleep 0.2; echo 1'), bash(waiting), say('Done.'), say('Done.')];

  test.each([
    ['attempt.start', 1],
    ['attempt.outcome', 1],
    ['task.started', 1],
    ['model.request', 2],
    ['attempt.start', 2],
    ['attempt.outcome', 2],
    ['task.ended', 1],
    ['model.request', 3],
    ['session.complete', 1],
  ] as const)('%s %i', async (type, n) => {
    const place = makePlace();
    const ledger = path.join(place.home, 'sessions/s/ledger.log');
    const count = () => (existsSync(ledger) ? readFileSync(ledger, 'latin1').split(`"${type}"`).length - 1 : 0);
    const child = place.start(['run', 'Do it.', '--session', 's', '--model', taskScript(place, turns), ...bypass]);
    const end = ended(child);
    let isOver = false;
    void end.then(() => {
      isOver = true;
    });
    while (count() < n && !isOver) await new Promise((resolve) => setImmediate(resolve));
    child.kill('SIGKILL');
    await end;
    const resumed = await place.belay(['resume', 's', 'Go on.', '--output-format', 'json']);
    expect([0, 57]).toContain(resumed.code);
    const facts = await place.facts('s');
    expect(of(facts, 'task.started')).toHaveLength(1);
    expect(of(facts, 'task.ended')).toMatchObject([{ status: 'exited', exitCode: 7 }]);
    expect(place.file('ran')).toBe('x\n');
    const projector = createProjector([]);
    projector.fold(facts);
    expect(JSON.stringify(projector.request().messages).split('ended with exit code 7')).toHaveLength(2);
  });
});

test('G23: a model that goes on calling tools is told of the end in its next request', async () => {
  const place = makePlace();
  const busy = [1, 2, 3].map((n) => bash(`sleep 0.5; echo ${n}`));
  await run(place, [background('echo x > done'), ...busy, say('Done.')]);
  const facts = await place.facts('s');
  const end = facts.find((fact) => fact.type === 'task.ended')?.seq ?? 0;
  const asked = of(facts, 'model.request').map(({ seq }) => seq);
  expect(asked.filter((seq) => seq < end).length).toBeLessThanOrEqual(3);
});

test('C23: an output of 6,410 characters is shown whole; a longer one is read by range', async () => {
  const place = makePlace();
  const text = (n: number) => `node -e 'process.stdout.write("0123456789".repeat(${n}))'`;
  const ran = await run(place, [
    background(text(641)),
    output(),
    bash(text(10_000)),
    { calls: [{ tool: 'TaskOutput', args: { task_id: 'TASK', offset: 6_405 } }] },
    say('Seen.'),
  ]);
  expect(resultOf(ran)).toMatchObject({ exit_code: 0 });
  const facts = await place.facts('s');
  const [whole = '', part = ''] = outcomes(facts, 'TaskOutput');
  expect(whole).toContain('0123456789'.repeat(641));
  expect(part).toMatch(/^56789\n\(bytes 6405 to 6410 of 6410\)/);
});

test('H14: a server in the background: waited for until it is ready, read by offset, stopped', async () => {
  const place = makePlace();
  const server = `node -e 'setTimeout(() => console.log("listening on 80"), 300); setInterval(() => {}, 1000)' & echo $! > pid; wait`;
  const ran = await run(place, [
    background(server),
    output({ wait_for: 'listening on \\d+', timeout: 10_000 }),
    stop,
    say('Stopped.'),
  ]);
  expect(resultOf(ran)).toMatchObject({ exit_code: 0, result: 'Stopped.' });
  const facts = await place.facts('s');
  expect(outcomes(facts, 'TaskOutput')).toEqual([expect.stringContaining('matched: listening on 80\nstill running')]);
  expect(outcomes(facts, 'TaskStop')).toEqual([expect.stringContaining('stopped, with what could be found of it')]);
  expect(runs(place, 'pid')).toBe(false);
});

test('F05: a model that looks again and again at a running command is waiting, not going in circles', async () => {
  const place = makePlace();
  const looks = Array.from({ length: 9 }, () => output({ block: false }));
  const turns = [
    background('while [ ! -e go ]; do sleep 0.05; done; echo changed'),
    ...looks,
    bash('touch go'),
    output(),
    say('Seen.'),
  ];
  expect(resultOf(await run(place, turns))).toMatchObject({ exit_code: 0, result: 'Seen.' });
  const facts = await place.facts('s');
  expect(of(facts, 'progress.signal')).toEqual([]);
  // Its end may have been recorded before the last look.
  expect(outcomes(facts, 'TaskOutput').at(-1)).toMatch(/^changed\nended: (exited, )?exit code 0$/);
});

test('where nothing is left that could tell of a started command, it is not called never started', async () => {
  const place = makePlace();
  const model = taskScript(place, [
    background('echo $$ > pid; sleep 60'),
    bash('sleep 2'),
    { ...say('Seen.'), expect: { history: ['how it ended is not known', 'its traces are gone'] } },
  ]);
  const child = place.start(['run', 'Do it.', '--session', 's', '--model', model, ...bypass]);
  const end = ended(child);
  await until(async () => has(place, 'pid') && (await place.facts('s')).some(({ type }) => type === 'task.started'));
  child.kill('SIGKILL');
  await end;
  process.kill(Number(place.file('pid')), 'SIGKILL');
  const [task] = of(await place.facts('s'), 'task.started');
  rmSync(path.join(place.home, 'sessions/s/exec', task?.attemptId ?? ''), { recursive: true });
  await place.belay(['resume', 's', '--output-format', 'json']);
  expect(of(await place.facts('s'), 'task.ended')).toMatchObject([
    { status: 'unknown', reason: expect.stringContaining('was removed') },
  ]);
});

test('a ninth background command is refused with the next step', async () => {
  const place = makePlace();
  const nine = { calls: Array.from({ length: 9 }, () => background('sleep 30').calls[0]) };
  await run(place, [nine, say('Done.'), say('Done.')]);
  const results = outcomes(await place.facts('s'), 'Bash');
  expect(results.filter((text) => text.startsWith('Started in the background'))).toHaveLength(8);
  expect(results.at(-1)).toContain('Stop one with TaskStop');
});

test('the middle of an output above what one record holds is read by range, also by a later run', async () => {
  const place = makePlace();
  const command = "seq -f '%8.0f' 0 899999";
  const middle = { tool: 'TaskOutput', args: { task_id: 'FIRST', offset: 4_500_000 } };
  const turns = [bash(command), { calls: [middle] }, say('Done.'), { calls: [middle] }, say('Done.')];
  const model = taskScript(place, turns);
  await place.belay(['run', 'Do it.', '--session', 's', '--model', model, ...bypass]);
  await place.belay(['resume', 's', 'Again.', '--output-format', 'json']);
  const results = outcomes(await place.facts('s'), 'TaskOutput');
  expect(results).toHaveLength(2);
  for (const text of results)
    expect(text).toMatch(/^ +500000\n +500001\n[\s\S]*\(bytes 4500000 to 4530000 of 8100000; go on/);
});

test('where only both ends of a long output are kept, that is said', async () => {
  const place = makePlace();
  const look = { calls: [{ tool: 'TaskOutput', args: { task_id: 'FIRST', offset: 0 } }] };
  const turns = [bash('head -c 5000000 /dev/zero | tr "\\0" x'), say('Done.'), look, say('Done.')];
  const model = taskScript(place, turns);
  await place.belay(['run', 'Do it.', '--session', 's', '--model', model, ...bypass]);
  rmSync(path.join(place.home, 'sessions/s/spools'), { recursive: true });
  await place.belay(['resume', 's', 'Again.', '--output-format', 'json']);
  expect(outcomes(await place.facts('s'), 'TaskOutput')[0]).toContain('only the two ends are kept');
});

test('an undo is refused while a background command runs', async () => {
  const place = makePlace();
  const turns = [background('echo $$ > pid; exec sleep 60'), { ...say('Never said.'), delayMs: 20_000 }];
  await killed(place, turns, async () => has(place, 'pid') && (await requests(place)) === 2);
  const undo = await place.belay(['undo', 's']);
  expect({ code: undo.code, stderr: undo.stderr }).toMatchObject({
    code: 42,
    stderr: expect.stringContaining('still runs'),
  });
  process.kill(Number(place.file('pid')), 'SIGKILL');
});

test('a fork knows that what runs elsewhere is not its own', async () => {
  const place = makePlace();
  const start = background('echo $$ > pid; exec sleep 60');
  const turns = [start, { ...say('Never said.'), delayMs: 20_000 }];
  await killed(place, turns, async () => has(place, 'pid') && (await requests(place)) === 2);
  const at = String((await place.facts('s')).at(-1)?.seq);
  expect((await place.belay(['fork', 's', '--at', at, '--session', 'f'])).code).toBe(0);
  expect(of(await place.facts('f'), 'task.ended')).toMatchObject([
    { status: 'unknown', reason: 'it ran in the session that this one was forked from' },
  ]);
  expect(runs(place, 'pid')).toBe(true);
  process.kill(Number(place.file('pid')), 'SIGKILL');
});
