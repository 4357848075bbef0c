/** `belay sessions verify|repair|export|import|show`, on a real session with real damage. */
import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { COMMIT, FRAME_BYTES } from '../../src/ledger/log/frame.ts';
import { isAlive } from '../workspace/bench-place.ts';
import { makePlace, type Place, resultOf, until } from './belay.ts';
import { bash, fix, say } from './turns.ts';

const logOf = (place: Place, sessionId: string) => path.join(place.home, 'sessions', sessionId, 'ledger.log');
const everything = ['--permission-mode', 'bypassPermissions', '--check', 'node --test'];

/** Makes the record of one fact unreadable: the first one that holds this text. */
function damage(place: Place, sessionId: string, text: string): void {
  const bytes = readFileSync(logOf(place, sessionId));
  const at = bytes.indexOf(text);
  expect(at).toBeGreaterThan(0);
  bytes[at] = 0xff;
  writeFileSync(logOf(place, sessionId), bytes);
}

test('a damaged session is named, and mended on request', async () => {
  const place = makePlace();
  const model = place.script(fix);
  await place.belay(['run', 'Fix it.', '--session', 'd', '--model', model, ...everything, '--max-rounds', '2']);
  expect(await place.belay(['sessions', 'verify', 'd'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^whole: \d+ facts\n$/),
  });
  damage(place, 'd', 'Fix it.');
  const found = await place.belay(['sessions', 'verify', 'd']);
  expect(found.code).toBe(56);
  expect(found.stdout).toMatch(/damaged at byte \d+, behind fact \d+; \d+ later facts still check/);
  for (const command of ['resume', 'diff', 'approve', 'replay', 'log']) {
    const told = await place.belay([command, 'd']);
    expect(told).toMatchObject({ code: 56, stderr: expect.stringContaining('damaged at byte') });
  }
  expect(await place.belay(['sessions', 'export', 'd', path.join(place.folder, 'copy')])).toMatchObject({
    code: 56,
    stdout: expect.stringContaining('exported d'),
    stderr: expect.stringContaining('so is the copy: belay sessions verify d'),
  });
  const mended = await place.belay(['sessions', 'repair', 'd']);
  expect(mended).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/: 1 fact is lost, \d+ later ones were kept\n/),
  });
  expect((await place.belay(['sessions', 'verify', 'd'])).code).toBe(0);
  expect((await place.belay(['log', 'd'])).stdout).toContain('what stood here is lost');
  expect((await place.belay(['sessions', 'repair', 'd'])).stdout).toBe('nothing is damaged\n');
});

test('a command whose end the damage took is a question with its evidence, and the answer is heard', async () => {
  const place = makePlace();
  const turns = [bash('echo once >> ../effects'), { ...say('So it was.'), expect: { history: 'it took effect' } }];
  const args = [
    'run',
    'Go.',
    '--session',
    'q',
    '--model',
    place.script(turns),
    '--permission-mode',
    'bypassPermissions',
  ];
  await place.belay([...args, '--max-rounds', '1']);
  damage(place, 'q', '"attempt.outcome"');
  const mended = await place.belay(['sessions', 'repair', 'q']);
  const asked = (await place.facts('q')).find((fact) => fact.type === 'attempt.outcome');
  expect(mended.stdout).toContain('1 call was open there; whether it took effect is asked');
  const shown = await place.belay(['sessions', 'show', 'q']);
  expect(shown.stdout).toMatch(/unknown +\w+ {2}Bash echo once/);
  expect(shown.stdout).toContain('record: the record of this call was damaged');
  expect(shown.stdout).toContain('belay settle q ');
  const action = asked?.type === 'attempt.outcome' ? asked.actionId : '';
  expect((await place.belay(['settle', 'q', action, 'applied'])).code).toBe(0);
  const ran = await place.belay(['resume', 'q', '--max-rounds', '9', '--output-format', 'json']);
  expect(resultOf(ran)).toMatchObject({ exit_code: 0, result: 'So it was.' });
  expect(readFileSync(path.join(place.folder, 'effects'), 'utf8')).toBe('once\n');
});

test('a session travels: exported, refused when touched, imported whole', async () => {
  const place = makePlace();
  await place.belay(['run', 'Fix it.', '--session', 't', '--model', place.script(fix), ...everything]);
  const out = path.join(place.folder, 'out');
  expect((await place.belay(['sessions', 'export', 't', out])).code).toBe(0);
  expect(await place.belay(['sessions', 'import', out])).toMatchObject({
    code: 42,
    stderr: expect.stringContaining('exists'),
  });
  const env = { BELAY_HOME: path.join(place.folder, 'other') };
  expect(await place.belay(['sessions', 'import', out], { env })).toMatchObject({ code: 0, stdout: 'imported t\n' });
  expect((await place.belay(['sessions', 'verify', 't'], { env })).code).toBe(0);
  expect((await place.belay(['sessions', 'show', 't'], { env })).stdout).toContain('goal_met');
  expect(await place.belay(['diff', 't'], { env })).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('cannot be shown'),
  });
  const bytes = readFileSync(path.join(out, 'ledger.log'));
  bytes[bytes.length - 30] = 0xff;
  writeFileSync(path.join(out, 'ledger.log'), bytes);
  const third = { BELAY_HOME: path.join(place.folder, 'third') };
  expect(await place.belay(['sessions', 'import', out], { env: third })).toMatchObject({
    code: 56,
    stderr: expect.stringContaining('does not verify'),
  });
});

const twoRounds = [bash('seq 1 20000'), bash('echo two'), say('Done.')];
const start = (place: Place, turns: readonly object[] = twoRounds) =>
  place.belay([
    'run',
    'Count.',
    '--session',
    's',
    '--model',
    place.script(turns),
    '--permission-mode',
    'bypassPermissions',
  ]);

/** What the model is shown when the session goes on: a script that expects it answers `Seen.` */
const goOn = (place: Place, history: string, ...more: readonly string[]) => {
  const seen = { text: 'Seen.', expect: { history } };
  const model = place.script([seen, seen, seen, seen], 'next.json');
  return place.belay(['resume', 's', 'more', '--model', model, ...more]);
};

describe('what a repair could not bring back is said to be lost, and nothing else is', () => {
  test('the first fact: what still works is told, and a folder that is named lets it go on', async () => {
    const place = makePlace();
    await start(place);
    damage(place, 's', '"session.created"');
    await place.belay(['sessions', 'repair', 's']);
    for (const words of [
      ['resume', 's', 'more'],
      ['undo', 's'],
      ['diff', 's'],
      ['fork', 's', '--at', '9'],
    ]) {
      const { code, stderr } = await place.belay(words);
      expect({ words, code, stderr }).toMatchObject({
        code: 42,
        stderr: expect.stringMatching(/how session s began is lost/),
      });
      expect(stderr).not.toContain('nothing was done');
      expect(stderr).toContain('belay resume s --cwd DIR');
    }
    expect((await place.belay(['sessions', 'show', 's'])).stdout).toMatch(/state +the record of how it began is lost/);
    expect((await place.belay(['log', 's'])).code).toBe(0);
    expect((await goOn(place, '1 entry is lost', '--cwd', 'missing')).stderr).toContain('is not an existing folder');
    expect(await goOn(place, '1 entry is lost', '--cwd', '.')).toMatchObject({ code: 0, stdout: 'Seen.\n' });
    expect((await place.belay(['diff', 's'])).code).toBe(0);
  });

  test('the goal: neither user nor model is told that there was none', async () => {
    const place = makePlace();
    await start(place);
    damage(place, 's', '"session.start"');
    await place.belay(['sessions', 'repair', 's']);
    const shown = (await place.belay(['sessions', 'show', 's'])).stdout;
    expect(shown).toMatch(/state +the record of its goal is lost/);
    expect(shown).toMatch(/lost +1 fact, taken by damage/);
    expect((await place.belay(['resume', 's'])).stderr).toContain('the record of what session s was to do is lost');
    const ran = await goOn(place, 'The record of what the user asked for was lost.');
    expect(ran).toMatchObject({ code: 0, stdout: 'Seen.\n' });
  });

  test.each([
    [
      'the result of a call in a session that went on',
      '"attempt.outcome"',
      'The record of what this call came to was lost.',
    ],
    ['a call whose result is there', '"action.intended"', 'The record of a call (call_'],
    ['an answer with calls', '"model.response"', 'The record of your answer that called Bash'],
  ])('%s', async (_name, fact, history) => {
    const place = makePlace();
    await start(place);
    damage(place, 's', fact);
    await place.belay(['sessions', 'repair', 's']);
    expect(await goOn(place, history)).toMatchObject({ code: 0, stdout: 'Seen.\n' });
  });
});

test('the options: those given now count alone, and that is said', async () => {
  const place = makePlace();
  await start(place);
  damage(place, 's', '"settings.changed"');
  await place.belay(['sessions', 'repair', 's']);
  const told = 'the record of the options that this session began with is lost';
  expect(await place.belay(['resume', 's', 'more'])).toMatchObject({ code: 52, stderr: expect.stringContaining(told) });
  expect(await goOn(place, '1 entry is lost')).toMatchObject({ code: 0, stderr: expect.stringContaining(told) });
});

test('a repair names what it cannot mend, and does not call it whole', async () => {
  const place = makePlace();
  await start(place);
  const blobs = path.join(place.home, 'sessions', 's', 'blobs');
  const [blob = ''] = readdirSync(blobs);
  rmSync(path.join(blobs, blob));
  const verified = await place.belay(['sessions', 'verify', 's']);
  expect(verified).toMatchObject({ code: 56, stdout: expect.stringMatching(/fact \d+: .*are good, 1 fault\n/s) });
  const repaired = await place.belay(['sessions', 'repair', 's']);
  expect(repaired).toMatchObject({ code: 56, stdout: expect.stringMatching(/^cannot be mended: fact \d+: /) });
});

test('an emptied ledger is damage, and no new session takes its place', async () => {
  const place = makePlace();
  await start(place);
  writeFileSync(logOf(place, 's'), '');
  for (const words of [
    ['sessions', 'verify', 's'],
    ['sessions', 'repair', 's'],
    ['sessions', 'show', 's'],
    ['resume', 's', 'more'],
  ]) {
    const { code, stdout, stderr } = await place.belay(words);
    expect({ words, code, told: stdout + stderr }).toMatchObject({
      code: 56,
      told: expect.stringContaining('the ledger is empty, but its session had begun'),
    });
  }
  expect(await start(place)).toMatchObject({ code: 56, stderr: expect.stringContaining('its session had begun') });
  expect(readdirSync(path.join(place.home, 'sessions', 's', 'blobs'))).not.toEqual([]);
});

/** Runs a command that does not end, is killed there, and leaves the command alive. */
async function killedAtWork(place: Place, command: string): Promise<void> {
  const model = place.script([bash('echo first >> ../effects'), bash(command), say('Never said.')]);
  const words = ['run', 'Go.', '--session', 'k', '--model', model, '--permission-mode', 'bypassPermissions'];
  const child = place.start(words, { env: { BELAY_SANDBOX: 'off' } });
  await until(() => existsSync(path.join(place.repository, 'pid')));
  const gone = new Promise((resolve) => child.on('close', resolve));
  child.kill('SIGKILL');
  await gone;
}
const pidOf = (place: Place) => Number(readFileSync(path.join(place.repository, 'pid'), 'utf8'));

/** Cuts a ledger behind the last whole batch before this text comes for the nth time. */
function cutBefore(place: Place, sessionId: string, text: string, nth: number): void {
  const bytes = readFileSync(logOf(place, sessionId));
  let until = -1;
  for (let n = 0; n < nth; n++) until = bytes.indexOf(text, until + 1);
  expect(until).toBeGreaterThan(0);
  let whole = 0;
  for (let at = 0; at < until; ) {
    const end = at + FRAME_BYTES + bytes.readUInt32LE(at + 2);
    if (bytes[at + 1] === COMMIT && end <= until) whole = end;
    at = end;
  }
  truncateSync(logOf(place, sessionId), whole);
}

describe('a session that was killed at work', () => {
  const works = 'echo again >> ../effects; echo $$ > pid; exec sleep 300';
  const effects = (place: Place) => readFileSync(path.join(place.folder, 'effects'), 'utf8');

  test('and whose ledger lost the start of what runs: damage, then a question; nothing runs twice', async () => {
    const place = makePlace();
    await killedAtWork(place, works);
    cutBefore(place, 'k', '"model.response"', 2);
    for (const words of [
      ['sessions', 'verify', 'k'],
      ['resume', 'k'],
    ]) {
      const { code, stdout, stderr } = await place.belay(words);
      expect({ words, code, told: stdout + stderr }).toMatchObject({
        code: 56,
        told: expect.stringMatching(/the ledger ends here, but \d+ facts were stored/),
      });
    }
    const mended = await place.belay(['sessions', 'repair', 'k']);
    expect(mended.stdout).toContain('1 call was open there; whether it took effect is asked');
    expect((await place.belay(['sessions', 'show', 'k'])).stdout).toContain(
      `it was still running at the repair (process ${pidOf(place)})`,
    );
    const model = place.script([say('Seen.')], 'next.json');
    const resumed = await place.belay(['resume', 'k', '--model', model]);
    expect(resumed).toMatchObject({ code: 11, stderr: expect.stringContaining('left processes behind') });
    // It belongs to nobody any more, so it ends with the run that found it.
    expect(isAlive(pidOf(place))).toBe(false);
    expect(effects(place)).toBe('first\nagain\n');
  });

  test('and mended while its command runs: the question says so, and the run that goes on ends it', async () => {
    const place = makePlace();
    const ticks = 'echo $$ > pid; while :; do echo t >> ticks; sleep 0.1; done';
    await killedAtWork(place, ticks);
    const bytes = readFileSync(logOf(place, 'k'));
    bytes[bytes.lastIndexOf('"attempt.start"')] = 0xff;
    writeFileSync(logOf(place, 'k'), bytes);
    await place.belay(['sessions', 'repair', 'k']);
    const shown = (await place.belay(['sessions', 'show', 'k'])).stdout;
    expect(shown).toMatch(/it was still running at the repair \(process(es \d+,)? \d+/);
    const action = /belay settle k (\w+)/.exec(shown)?.[1] ?? '';
    await place.belay(['settle', 'k', action, 'applied']);
    const seen = { ...say('Seen.'), expect: { history: 'some of it may be by others' } };
    const ran = await place.belay(['resume', 'k', '--model', place.script([seen, seen, seen], 'next.json')]);
    expect(ran).toMatchObject({ code: 0, stdout: 'Seen.\n', stderr: expect.stringContaining('left processes behind') });
    expect(isAlive(pidOf(place))).toBe(false);
  });
});
