import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { openStore } from '#ledger';
import { ended, entry, makePlace, type Place, resultOf, until } from './belay.ts';
import { bash, edit, fix, read, test as runTest, say } from './turns.ts';

const check = ['--check', 'node --test'];
const json = ['--output-format', 'json'];

/** Runs until the edit waits for an approval. */
async function waiting(place: Place, sessionId: string, turns: readonly object[] = fix) {
  const ran = await place.belay([
    'run',
    'Fix it.',
    '--session',
    sessionId,
    '--model',
    place.script(turns),
    ...check,
    ...json,
  ]);
  expect(ran.code).toBe(10);
  return resultOf(ran);
}

describe('approvals', () => {
  test('an edit without a rule waits; approve and resume go on and never ask the same again', async () => {
    const place = makePlace();
    const result = await waiting(place, 'a');
    expect(result.pending).toMatchObject([
      { tool: 'Edit', preview: expect.stringContaining("+  return words.join('-');") },
    ]);
    expect(place.file('src/slugify.js')).toContain("'_'");
    const idle = await place.belay(['resume', 'a', ...json]);
    expect(resultOf(idle)).toMatchObject({ exit_code: 10, pending: [{ action_id: result.pending[0]?.action_id }] });
    const approved = await place.belay(['approve', 'a']);
    expect(approved).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('approved: Edit src/slugify.js (recorded)'),
    });
    expect(place.file('src/slugify.js')).toContain("'_'");
    expect(resultOf(await place.belay(['resume', 'a', ...json]))).toMatchObject({ exit_code: 0, verified: true });
    const facts = await place.facts('a');
    expect(facts.filter((fact) => fact.type === 'approval.requested')).toHaveLength(1);
    expect((await place.belay(['approve', 'a'])).code).toBe(42);
  });

  test('a denial reaches the model with the words of the person', async () => {
    const place = makePlace();
    const turns = [
      read('src/slugify.js'),
      edit('src/slugify.js', "'_'", "'-'"),
      { text: 'I stop.', expect: { shown: 'not that file' } },
    ];
    await waiting(place, 'n', turns);
    expect((await place.belay(['deny', 'n', '--note', 'not that file'])).code).toBe(0);
    const ran = await place.belay(['resume', 'n']);
    expect(ran.stdout).toBe('I stop.\n');
    expect(place.file('src/slugify.js')).toContain("'_'");
  });

  test('while another process holds the session the verdict is left for it, and found at the next run', async () => {
    const place = makePlace();
    await waiting(place, 'h');
    const held = await openStore({ home: place.home }).openWriter('h');
    const left = await place.belay(['approve', 'h']);
    expect(left.stdout).toContain(`left for the running agent (pid ${process.pid})`);
    const locked = await place.belay(['resume', 'h']);
    expect(locked.code).toBe(56);
    expect(locked.stderr).toContain(String(process.pid));
    await held.close();
    expect((await place.belay(['resume', 'h'])).code).toBe(0);
  });

  test('what was approved is bound to the file it was shown for', async () => {
    const place = makePlace();
    await waiting(place, 'b', [...fix.slice(0, 2), say('I see.')]);
    place.write('src/slugify.js', "export const slugify_title = () => words.join('_');\n");
    await place.belay(['approve', 'b']);
    await place.belay(['resume', 'b', ...json]);
    expect(place.file('src/slugify.js')).toContain('export const slugify_title');
    expect(place.file('src/slugify.js')).toContain("'_'");
  });

  test('dontAsk denies what would be asked; plan mode changes nothing', async () => {
    const place = makePlace();
    const model = place.script([...fix.slice(0, 2), say('Blocked.')]);
    for (const mode of ['dontAsk', 'plan']) {
      const ran = await place.belay(['run', 'Fix it.', '--permission-mode', mode, '--model', model]);
      expect(ran).toMatchObject({ code: 0, stdout: 'Blocked.\n' });
    }
    expect(place.file('src/slugify.js')).toContain("'_'");
  });
});

describe('belay resume', () => {
  test('a limit is a pause: with a higher one the work goes on where it stopped, and the change is recorded', async () => {
    const place = makePlace();
    const args = ['--model', place.script(fix), ...check, '--allow', 'Edit(**)', '--max-rounds', '2', '--session', 'm'];
    const first = await place.belay(['run', 'Fix it.', ...args, ...json]);
    expect(resultOf(first)).toMatchObject({ exit_code: 53, reason: 'budget_exceeded:rounds' });
    const second = await place.belay(['resume', 'm', '--max-steps', '20', ...json]);
    expect(resultOf(second)).toMatchObject({ exit_code: 0, verified: true });
    const facts = await place.facts('m');
    expect(facts.filter((fact) => fact.type === 'settings.changed').at(-1)).toMatchObject({
      by: 'user',
      limits: { maxRounds: 20 },
    });
    const reads = facts.filter((fact) => fact.type === 'action.intended' && fact.tool === 'Read');
    expect(reads).toHaveLength(1);
  });

  test('--last finds the session of this folder; words begin a new turn after a finished one', async () => {
    const place = makePlace();
    const model = place.script([say('First.'), { text: 'Second.', expect: { shown: 'And now?', history: 'First.' } }]);
    await place.belay(['run', 'Hi.', '--model', model]);
    const ran = await place.belay(['resume', '--last', 'And now?'], { cwd: path.join(place.repository, 'src') });
    expect(ran).toMatchObject({ code: 0, stdout: 'Second.\n' });
    const nothing = await place.belay(['resume', '--last']);
    expect(nothing).toMatchObject({ code: 0, stdout: 'Second.\n' });
    expect(nothing.stderr).toContain('nothing to resume');
    const elsewhere = await place.belay(['resume', '--last'], { cwd: place.folder });
    expect(elsewhere.code).toBe(42);
  });

  test('words given with a resume are heard at the next request', async () => {
    const place = makePlace();
    const turns = [...fix.slice(0, 2), { text: 'Understood.', expect: { shown: 'Mind the docs too.' } }];
    await waiting(place, 'w', turns);
    await place.belay(['approve', 'w']);
    const ran = await place.belay(['resume', 'w', 'Mind the docs too.', ...json]);
    expect(resultOf(ran).result).toBe('Understood.');
  });

  test('files changed by others between two runs are told to the model, and old evidence does not count', async () => {
    const place = makePlace();
    const turns = [
      read('src/slugify.js'),
      runTest,
      edit('src/slugify.js', "'_'", "'-'"),
      { ...read('src/slugify.js'), expect: { shown: 'README.md' } },
      say('Seen.'),
    ];
    await waiting(place, 'r', turns);
    place.write('README.md', 'by somebody else\n');
    await place.belay(['deny', 'r']);
    const ran = await place.belay(['resume', 'r', ...json]);
    expect(resultOf(ran).message).not.toContain('expected');
    const rebased = (await place.facts('r')).filter((fact) => fact.type === 'workspace.rebased');
    expect(rebased).toMatchObject([{ changed: ['README.md'] }]);
  });

  test('of two processes that resume one session exactly one goes on; the other names the holder', async () => {
    const place = makePlace();
    await waiting(place, 'two', [...fix.slice(0, 2), { ...runTest, delayMs: 2500 }, say('Done.')]);
    await place.belay(['approve', 'two']);
    const both = await Promise.all([place.belay(['resume', 'two', ...json]), place.belay(['resume', 'two', ...json])]);
    const codes = both.map((ran) => ran.code).sort((a, b) => a - b);
    expect(codes).toEqual([0, 56]);
    expect(both.find((ran) => ran.code === 56)?.stderr).toMatch(/process \d+/);
  });
});

describe('signals', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    '%s stops the running command in order, exits %i, and the session goes on later',
    async (signal, code) => {
      const place = makePlace();
      const model = place.script([bash('echo $$ > pid; sleep 60'), say('Stopped.')]);
      const child = place.start([
        'run',
        'Wait.',
        '--session',
        'sig',
        '--model',
        model,
        '--permission-mode',
        'bypassPermissions',
        ...json,
      ]);
      const end = ended(child);
      await until(() => existsWithText(path.join(place.repository, 'pid')));
      child.kill(signal);
      const ran = await end;
      expect(ran.code).toBe(code);
      expect(resultOf(ran)).toMatchObject({ exit_code: code, reason: `signal:${signal}` });
      const pid = Number(place.file('pid'));
      await until(() => !isAlive(pid));
      const facts = await place.facts('sig');
      expect(facts.some((fact) => fact.type === 'attempt.outcome')).toBe(true);
      // Behind it stands at most how the workspace was left.
      expect(facts.slice(-3).some((fact) => fact.type === 'executor.detached')).toBe(true);
      expect((await place.belay(['resume', 'sig'])).stdout).toBe('Stopped.\n');
    },
  );

  test('an interrupt while the model answers leaves a session that asks it again', async () => {
    const place = makePlace();
    const model = place.script([{ text: 'Slow.', delayMs: 1500 }]);
    const child = place.start(['run', 'Hi.', '--session', 'slow', '--model', model]);
    const end = ended(child);
    await until(async () => (await place.facts('slow').catch(() => [])).some((fact) => fact.type === 'model.request'));
    child.kill('SIGINT');
    expect(await end).toMatchObject({ code: 130, stderr: expect.stringContaining('belay resume slow') });
    expect(await place.belay(['resume', 'slow'])).toMatchObject({ code: 0, stdout: 'Slow.\n' });
  });
});

describe('looking at a session', () => {
  test('log tells each fact with its causes; a reader that goes away is no error', async () => {
    const place = makePlace();
    await place.belay([
      'run',
      'Fix it.',
      '--session',
      'g',
      '--model',
      place.script(fix),
      ...check,
      '--allow',
      'Edit(**)',
    ]);
    const log = await place.belay(['log', 'g']);
    const facts = await place.facts('g');
    expect(log.stdout.trimEnd().split('\n')).toHaveLength(facts.length);
    expect(log.stdout).toMatch(/completion\.verdict +accepted: verified {2}← \d+, \d+/);
    const lines = (await place.belay(['log', 'g', '--json'])).stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(facts);
    const piped = spawn('sh', ['-c', '"$0" "$1" log g | head -n 1', process.execPath, entry], {
      env: { PATH: process.env['PATH'], BELAY_HOME: place.home },
    });
    expect(await ended(piped)).toMatchObject({ code: 0, stderr: '' });
  });

  test('replay rebuilds the state at any fact without model and tools', async () => {
    const place = makePlace();
    await place.belay([
      'run',
      'Fix it.',
      '--session',
      'p',
      '--model',
      place.script(fix),
      ...check,
      '--allow',
      'Edit(**)',
    ]);
    writeFileSync(path.join(place.folder, 'script.json'), 'no script any more');
    const whole = JSON.parse((await place.belay(['replay', 'p'])).stdout);
    expect(whole).toMatchObject({ next: { kind: 'finish' }, standing: { exitCode: 0, verified: true } });
    const part = JSON.parse((await place.belay(['replay', 'p', '--at', '6'])).stdout);
    expect(part).toMatchObject({ at: 6, state: { seq: 6 } });
    expect((await place.belay(['replay', 'p', '--at', '9999'])).code).toBe(42);
  });

  test('damage is named with the last good fact, after the facts that are good', async () => {
    const place = makePlace();
    await place.belay(['run', 'Hi.', '--session', 'x', '--model', place.script([say('Hello.')])]);
    const file = path.join(place.home, 'sessions', 'x', 'ledger.log');
    const bytes = readFileSync(file);
    const at = bytes.indexOf('Hi.');
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    const log = await place.belay(['log', 'x']);
    expect(log.code).toBe(56);
    expect(log.stdout).toContain('session.created');
    expect(log.stderr).toMatch(/damaged at byte \d+: facts up to \d+ are good/);
    expect((await place.belay(['resume', 'x', 'more'])).code).toBe(56);
    expect((await place.belay(['sessions'])).stdout).toContain('damaged');
  });

  test('sessions are listed, shown, exported and removed', async () => {
    const place = makePlace();
    const model = place.script([say('Hello.')]);
    await place.belay(['run', 'Say hello.', '--session', 'one', '--model', model]);
    await place.belay(['run', 'Say hello again.', '--session', 'two', '--model', model, '--check-exit', 'true']);
    const list = await place.belay(['sessions']);
    expect(list.stdout.split('\n')[0]).toMatch(/^two .*Say hello again\./);
    const show = await place.belay(['sessions', 'show', 'two']);
    expect(show.stdout).toMatch(/check +true \(by exit code\)/);
    const target = path.join(place.folder, 'copy');
    expect((await place.belay(['sessions', 'export', 'one', target])).code).toBe(0);
    expect(readFileSync(path.join(target, 'ledger.log')).length).toBeGreaterThan(0);
    expect((await place.belay(['sessions', 'rm', 'one'])).code).toBe(0);
    expect((await place.belay(['sessions', 'show', 'one'])).code).toBe(42);
  });

  test('log --follow tells facts as they are written and ends with the turn', async () => {
    const place = makePlace();
    const model = place.script([
      { ...read('README.md'), delayMs: 800 },
      { text: 'Done.', delayMs: 400 },
    ]);
    const run = place.belay(['run', 'Look.', '--session', 'f', '--model', model]);
    await until(async () => (await place.facts('f').catch(() => [])).length > 0);
    const followed = await place.belay(['log', 'f', '--follow']);
    await run;
    expect(followed.stdout).toContain('session.complete');
    expect(followed.stdout.trimEnd().split('\n').length).toBeGreaterThanOrEqual((await place.facts('f')).length - 1);
  });

  test('doctor names what it found and no secret', async () => {
    const place = makePlace();
    const ran = await place.belay(['doctor'], { env: { ANTHROPIC_API_KEY: 'sk-very-secret' } });
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('ANTHROPIC_API_KEY');
    expect(ran.stdout).not.toContain('sk-very-secret');
  });
});

const existsWithText = (file: string): boolean => {
  try {
    return readFileSync(file, 'utf8').trim() !== '';
  } catch {
    return false;
  }
};

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
