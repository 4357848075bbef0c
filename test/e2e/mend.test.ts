/** `belay sessions verify|repair|export|import|show`, on a real session with real damage. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makePlace, type Place, resultOf } from './belay.ts';
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
  const mended = await place.belay(['sessions', 'repair', 'd']);
  expect(mended).toMatchObject({ code: 0, stdout: expect.stringContaining('1 facts are lost') });
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
  expect(mended.stdout).toContain('1 calls were open there');
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
